//! Intruders who walk, followed exactly: several who enter one tick after the other side by side.

use super::timeline::Patrol;
use crate::context::Context;
use crate::problem::Entry;
use std::collections::BTreeMap;

/// Entries that are followed side by side.
pub(super) const LANES: usize = 8;

/// What is seen at each tick: on the way to the round, and on the round.
pub(super) struct Observations {
    /// Tick by tick, places once each.
    ticks: Vec<Vec<u32>>,
    /// From which tick on, and after how many everything comes again.
    begin: usize,
    lap: usize,
    /// Ticks of entry with different observations, and the number of ticks that each stands for.
    pub entries: Vec<(usize, u64)>,
}

impl Observations {
    /// `None`: told to stop.
    pub(super) fn new(
        context: &Context<'_>,
        patrol: &Patrol,
        (entry, instants): (Entry, u32),
    ) -> Option<Self> {
        let (begin, period) = (patrol.begin as usize, patrol.period as usize);
        let needed = match entry {
            Entry::Steady => usize::MAX,
            Entry::Start => instants as usize,
            Entry::Mission(last) => (last + instants) as usize,
        };
        let end = needed.min(begin + period);
        let ticks = seen(context, patrol, end)?;
        if needed <= begin + period {
            // Nothing comes again in time.
            return Some(Self {
                ticks,
                begin: needed,
                lap: 1,
                entries: entries((needed, 1), entry),
            });
        }
        let mut ticks = ticks;
        // Guards who follow each other look the same long before each is back.
        let lap = shortest_lap(context, &ticks[begin..])?;
        ticks.truncate(begin + lap);
        Some(Self {
            ticks,
            begin,
            lap,
            entries: entries((begin, lap), entry),
        })
    }

    /// Fewer entries, evenly spread: about so many.
    pub(super) fn thin(&mut self, entries_max: usize) {
        let count = self.entries.len();
        if count > entries_max {
            let each = (0..entries_max).map(|index| self.entries[index * count / entries_max]);
            self.entries = each.collect();
        }
    }

    /// For each entry a hash of what is seen at `instants` instants from it on.
    fn numbers(&self, instants: usize) -> impl Iterator<Item = u64> + '_ {
        const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
        let last = self.entries.iter().map(|(tick, _)| *tick).max();
        // Hashes of prefixes: the looks are the digits of a number, so that the prefix of a longer
        // sequence can be subtracted.
        let mut starts = vec![0_u64];
        for tick in 0..last.unwrap_or(0) + instants {
            let mut look = 0xcbf2_9ce4_8422_2325_u64;
            for place in self.at(tick) {
                look = (look ^ u64::from(*place)).wrapping_mul(BASE);
                look ^= look >> 29;
            }
            starts.push(starts[tick].wrapping_mul(BASE).wrapping_add(look));
        }
        let shift = (0..instants).fold(1_u64, |shift, _| shift.wrapping_mul(BASE));
        let number = move |(tick, _): &(usize, u64)| {
            starts[tick + instants].wrapping_sub(starts[*tick].wrapping_mul(shift))
        };
        self.entries.iter().map(number)
    }

    /// What is seen at a tick.
    pub(super) fn at(&self, tick: usize) -> &[u32] {
        if tick < self.begin {
            &self.ticks[tick]
        } else {
            &self.ticks[self.begin + (tick - self.begin) % self.lap]
        }
    }
}

/// After how many ticks of the round all that is seen comes again; `None`: told to stop.
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

/// What is seen at each tick before `end`, places once each; `None`: told to stop.
fn seen(context: &Context<'_>, patrol: &Patrol, end: usize) -> Option<Vec<Vec<u32>>> {
    let mut ticks: Vec<Vec<u32>> = vec![Vec::new(); end];
    let once = |seen: &mut Vec<u32>| {
        seen.sort_unstable();
        seen.dedup();
    };
    let last = end as i64 - 1;
    patrol.each(context, [0, end as i64], |places, from, until| {
        for tick in from.max(0)..=until.min(last) {
            let seen = &mut ticks[tick as usize];
            seen.extend_from_slice(places);
            // Guards who see the same do not pile it up.
            if seen.len() > 2 * context.problem.places() {
                once(seen);
            }
        }
    })?;
    ticks.iter_mut().for_each(once);
    Some(ticks)
}

/// Entries that differ, and how many each stands for.
fn entries((begin, lap): (usize, usize), entry: Entry) -> Vec<(usize, u64)> {
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

/// What is left of those who entered when a sequence of looks began, by a number for the sequence.
///
/// A plan of which one route is changed a little leaves many entries to meet what they met before.
#[derive(Default)]
pub(crate) struct Memo(BTreeMap<u64, u128>);

/// Most sequences that are kept.
const MEMO_MAX: usize = 50_000;

/// The probability of escape; `None`: told to stop.
pub(super) fn escape(context: &Context<'_>, looks: &Observations) -> Option<u64> {
    let (mut all, mut count) = (0_u128, 0_u128);
    for entries in looks.entries.chunks(LANES) {
        let left = lanes(context, (looks, entries))?;
        for ((_, times), left) in entries.iter().zip(left) {
            all += left * u128::from(*times);
            count += u128::from(*times);
        }
    }
    Some(u64::try_from(all / count).expect("at most certain"))
}

/// The same, with a memo: entries with the same hash of looks are followed only once (64 bits, so
/// that a collision is unlikely but possible). Work that this saves counts as done, so that a limit
/// of iterations has the same meaning.
pub(super) fn escape_again(context: &Context<'_>, looks: &Observations) -> Option<u64> {
    let mut memo = context.memo.borrow_mut();
    if memo.0.len() > MEMO_MAX {
        memo.0.clear();
    }
    let (mut all, mut count) = (0_u128, 0_u128);
    let mut fresh = Vec::new();
    let instants = context.problem.intruder().instants as usize;
    for ((entry, times), number) in looks.entries.iter().zip(looks.numbers(instants)) {
        count += u128::from(*times);
        match memo.0.get(&number) {
            Some(left) => all += left * u128::from(*times),
            None => fresh.push(((*entry, *times), number)),
        }
    }
    for _ in 0..lanes_for(looks.entries.len()) - lanes_for(fresh.len()) {
        for _ in 1..instants {
            if !context.work.proceed(context.step_work()) {
                return None;
            }
        }
    }
    for fresh in fresh.chunks(LANES) {
        let entries: Vec<(usize, u64)> = fresh.iter().map(|one| one.0).collect();
        let left = lanes(context, (looks, &entries))?;
        for (((_, times), number), left) in fresh.iter().zip(left) {
            all += left * u128::from(*times);
            memo.0.insert(*number, left);
        }
    }
    Some(u64::try_from(all / count).expect("at most certain"))
}

/// Lanes that it takes to follow so many entries.
fn lanes_for(entries: usize) -> usize {
    let rest = entries % LANES;
    entries - rest + [0, 1, LANES][rest.min(2)]
}

/// What is left of those who enter at some ticks, at most [`LANES`].
fn lanes(
    context: &Context<'_>,
    (looks, entries): (&Observations, &[(usize, u64)]),
) -> Option<Vec<u128>> {
    match entries.len() {
        1 => Some(follow::<1>(context, (looks, entries))?.to_vec()),
        _ => Some(follow::<LANES>(context, (looks, entries))?.to_vec()),
    }
}

/// What is left of those who enter at some ticks, one for each lane at most.
fn follow<const L: usize>(
    context: &Context<'_>,
    (looks, entries): (&Observations, &[(usize, u64)]),
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
            for place in looks.at(tick + instant) {
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
        let (gone, part) = (near.len() as u64, &parts[place]);
        for (mass, part) in mass.iter_mut().zip(part) {
            *mass -= part * gone;
        }
        for other in near {
            for (mass, come) in mass.iter_mut().zip(&parts[*other as usize]) {
                *mass += come;
            }
        }
    }
}
