//! Escape of a dynamic intruder: exact propagation of the belief, for several ticks of entry in
//! parallel lanes.

use super::timeline::Timeline;
use crate::context::Context;
use crate::problem::{Entry, Intruder};
use std::collections::BTreeMap;

/// Number of entries that are followed in parallel.
pub(super) const LANES: usize = 8;

/// Observations: places seen at each tick of the prefix and of one lap of the cyclic part.
pub(super) struct Observations {
    /// Places seen by tick, without duplicates.
    ticks: Vec<Vec<u32>>,
    /// Tick at which the laps begin.
    begin: usize,
    /// Ticks after which the observations repeat.
    lap: usize,
    /// Distinct ticks of entry, and the number of equivalent ticks.
    pub entries: Vec<(usize, u64)>,
}

impl Observations {
    /// `None`: stopped.
    pub(super) fn new(context: &Context<'_>, timeline: &Timeline) -> Option<Self> {
        let Intruder {
            entry, instants, ..
        } = context.problem.intruder();
        let (begin, period) = (timeline.begin as usize, timeline.period as usize);
        let needed = match entry {
            Entry::Steady => usize::MAX,
            Entry::Start => instants as usize,
            Entry::Mission(last) => (last + instants) as usize,
        };
        let end = needed.min(begin + period);
        let ticks = observations(context, timeline, end)?;
        if needed <= begin + period {
            // No observation repeats in time.
            return Some(Self {
                ticks,
                begin: needed,
                lap: 1,
                entries: distinct_entries(needed, 1, entry),
            });
        }
        let mut ticks = ticks;
        // Interchangeable guards that share a cycle repeat observations after a part of the period.
        let lap = shortest_lap(context, &ticks[begin..])?;
        ticks.truncate(begin + lap);
        Some(Self {
            ticks,
            begin,
            lap,
            entries: distinct_entries(begin, lap, entry),
        })
    }

    /// Keeps a sample of at most `entries_max` entries, evenly spread.
    pub(super) fn sample_entries(&mut self, entries_max: usize) {
        let count = self.entries.len();
        if count > entries_max {
            let each = (0..entries_max).map(|index| self.entries[index * count / entries_max]);
            self.entries = each.collect();
        }
    }

    /// For each entry a hash of the observations at `instants` instants from it on.
    fn hashes(&self, instants: usize) -> impl Iterator<Item = u64> + '_ {
        const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
        let last = self.entries.iter().map(|(tick, _)| *tick).max();
        // Rolling hash: observations are the digits of a number, so that the prefix of a longer
        // sequence can be subtracted.
        let mut starts = vec![0_u64];
        for tick in 0..last.unwrap_or(0) + instants {
            let mut digit = 0xcbf2_9ce4_8422_2325_u64;
            for place in self.seen_at(tick) {
                digit = (digit ^ u64::from(*place)).wrapping_mul(BASE);
                digit ^= digit >> 29;
            }
            starts.push(starts[tick].wrapping_mul(BASE).wrapping_add(digit));
        }
        let shift = (0..instants).fold(1_u64, |shift, _| shift.wrapping_mul(BASE));
        let hash = move |(tick, _): &(usize, u64)| {
            starts[tick + instants].wrapping_sub(starts[*tick].wrapping_mul(shift))
        };
        self.entries.iter().map(hash)
    }

    /// Places seen at a tick.
    pub(super) fn seen_at(&self, tick: usize) -> &[u32] {
        if tick < self.begin {
            &self.ticks[tick]
        } else {
            &self.ticks[self.begin + (tick - self.begin) % self.lap]
        }
    }
}

/// Ticks after which the observations of the cyclic part repeat; `None`: stopped.
fn shortest_lap(context: &Context<'_>, round: &[Vec<u32>]) -> Option<usize> {
    let period = round.len();
    let work: usize = round.iter().map(|seen| 1 + seen.len()).sum();
    for lap in (1..period).filter(|lap| period.is_multiple_of(*lap)) {
        if !context.work.proceed_uncounted(work as u64) {
            return None;
        }
        if round[..period - lap] == round[lap..] {
            return Some(lap);
        }
    }
    Some(period)
}

/// Places seen at each tick before `end`, without duplicates; `None`: stopped.
fn observations(context: &Context<'_>, timeline: &Timeline, end: usize) -> Option<Vec<Vec<u32>>> {
    let mut ticks: Vec<Vec<u32>> = vec![Vec::new(); end];
    let deduplicate = |seen: &mut Vec<u32>| {
        seen.sort_unstable();
        seen.dedup();
    };
    let last = end as i64 - 1;
    timeline.for_each_visit(context, [0, end as i64], |places, from, until| {
        for tick in from.max(0)..=until.min(last) {
            let seen = &mut ticks[tick as usize];
            seen.extend_from_slice(places);
            // Bounds the memory where several guards see the same.
            if seen.len() > 2 * context.problem.places() {
                deduplicate(seen);
            }
        }
    })?;
    ticks.iter_mut().for_each(deduplicate);
    Some(ticks)
}

/// Distinct ticks of entry, and the number of equivalent ticks.
fn distinct_entries(begin: usize, lap: usize, entry: Entry) -> Vec<(usize, u64)> {
    match entry {
        Entry::Start => vec![(0, 1)],
        Entry::Steady => (begin..begin + lap).map(|tick| (tick, 1)).collect(),
        Entry::Mission(last) => {
            let last = last as usize;
            let end = (begin + lap).min(last + 1);
            let times = |tick: usize| {
                if tick < begin {
                    1
                } else {
                    ((last - tick) / lap + 1) as u64
                }
            };
            (0..end).map(|tick| (tick, times(tick))).collect()
        }
    }
}

/// Memo of probabilities of escape by hash of the observations.
///
/// Most entries meet the same observations again after a small change of one route.
#[derive(Default)]
pub(crate) struct Memo(BTreeMap<u64, u128>);

/// Maximum number of entries of the memo.
const MEMO_MAX: usize = 50_000;

/// Probability of escape; `None`: stopped.
pub(super) fn escape(context: &Context<'_>, seen: &Observations) -> Option<u64> {
    let (mut all, mut count) = (0_u128, 0_u128);
    for entries in seen.entries.chunks(LANES) {
        let left = follow_entries(context, seen, entries)?;
        for ((_, times), left) in entries.iter().zip(left) {
            all += left * u128::from(*times);
            count += u128::from(*times);
        }
    }
    Some(u64::try_from(all / count).expect("at most one"))
}

/// The same with a memo: entries with the same hash of observations are followed only once (64
/// bits: a collision is unlikely but possible). Work that this saves counts as done, so that a
/// limit of iterations has the same meaning.
pub(super) fn memoised_escape(context: &Context<'_>, seen: &Observations) -> Option<u64> {
    let mut memo = context.memo.borrow_mut();
    if memo.0.len() > MEMO_MAX {
        memo.0.clear();
    }
    let (mut all, mut count) = (0_u128, 0_u128);
    let mut fresh = Vec::new();
    let instants = context.problem.intruder().instants as usize;
    for ((entry, times), hash) in seen.entries.iter().zip(seen.hashes(instants)) {
        count += u128::from(*times);
        match memo.0.get(&hash) {
            Some(left) => all += left * u128::from(*times),
            None => fresh.push(((*entry, *times), hash)),
        }
    }
    for _ in 0..lane_count(seen.entries.len()) - lane_count(fresh.len()) {
        for _ in 1..instants {
            if !context.work.proceed(context.step_work()) {
                return None;
            }
        }
    }
    for fresh in fresh.chunks(LANES) {
        let entries: Vec<(usize, u64)> = fresh.iter().map(|one| one.0).collect();
        let left = follow_entries(context, seen, &entries)?;
        for (((_, times), hash), left) in fresh.iter().zip(left) {
            all += left * u128::from(*times);
            memo.0.insert(*hash, left);
        }
    }
    Some(u64::try_from(all / count).expect("at most one"))
}

/// Number of lanes to follow `entries` entries.
fn lane_count(entries: usize) -> usize {
    let rest = entries % LANES;
    entries - rest + [0, 1, LANES][rest.min(2)]
}

/// Probabilities of escape for some ticks of entry, at most [`LANES`].
fn follow_entries(
    context: &Context<'_>,
    seen: &Observations,
    entries: &[(usize, u64)],
) -> Option<Vec<u128>> {
    match entries.len() {
        1 => Some(follow::<1>(context, seen, entries)?.to_vec()),
        _ => Some(follow::<LANES>(context, seen, entries)?.to_vec()),
    }
}

/// Probabilities of escape for some ticks of entry, at most one for each lane.
fn follow<const L: usize>(
    context: &Context<'_>,
    seen: &Observations,
    entries: &[(usize, u64)],
) -> Option<[u128; L]> {
    let prior = context.prior();
    let mut belief: Vec<[u64; L]> = prior.iter().map(|mass| [*mass; L]).collect();
    let mut parts = belief.clone();
    for instant in 0..context.problem.intruder().instants as usize {
        if instant > 0 {
            if !context.work.proceed(context.step_work() * L as u64) {
                return None;
            }
            step(context, &mut belief, &mut parts);
        }
        for (lane, (tick, _)) in entries.iter().enumerate() {
            for place in seen.seen_at(tick + instant) {
                belief[*place as usize][lane] = 0;
            }
        }
    }
    let mut left = [0; L];
    for masses in &belief {
        let each = left.iter_mut().zip(masses);
        each.for_each(|(left, mass)| *left += u128::from(*mass));
    }
    Some(left)
}

/// One step of the intruder in each lane, exactly as [`Context::step`].
fn step<const L: usize>(context: &Context<'_>, belief: &mut [[u64; L]], parts: &mut [[u64; L]]) {
    for (place, (parts, mass)) in parts.iter_mut().zip(belief.iter()).enumerate() {
        *parts = mass.map(context.divide(place));
    }
    for (place, mass) in belief.iter_mut().enumerate() {
        let near = context.neighbours(place);
        let (degree, part) = (near.len() as u64, &parts[place]);
        for (mass, part) in mass.iter_mut().zip(part) {
            *mass -= part * degree;
        }
        for other in near {
            for (mass, come) in mass.iter_mut().zip(&parts[*other as usize]) {
                *mass += come;
            }
        }
    }
}
