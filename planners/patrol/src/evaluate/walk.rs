//! Intruders who walk, followed exactly: several who enter one tick after the other side by side.

use super::Patrol;
use crate::problem::Entry;
use crate::scene::Scene;

/// Entries that are followed side by side.
pub(super) const LANES: usize = 8;

/// What is seen at each tick: on the way to the round, and on the round.
pub(super) struct Looks {
    /// Tick by tick, places once each.
    ticks: Vec<Vec<u32>>,
    /// From which tick on, and after how many everything comes again.
    begin: usize,
    lap: usize,
    /// Ticks at which an intruder may enter that differ in what he meets, and for how many each stands.
    pub entries: Vec<(usize, u64)>,
}

impl Looks {
    pub(super) fn new(patrol: &Patrol, (entry, instants): (Entry, u32)) -> Self {
        let (begin, period) = (patrol.begin as usize, patrol.period as usize);
        let needed = match entry {
            Entry::Steady => usize::MAX,
            Entry::Start => instants as usize,
            Entry::Mission(last) => (last + instants) as usize,
        };
        let end = needed.min(begin + period);
        let mut ticks: Vec<Vec<u32>> = vec![Vec::new(); end];
        let end = end as i64;
        for sight in patrol.between([0, end]) {
            let place = u32::try_from(sight.place).expect("places are limited");
            let seen = sight.from.max(0)..=sight.until.min(end - 1);
            seen.for_each(|tick| ticks[tick as usize].push(place));
        }
        for seen in &mut ticks {
            seen.sort_unstable();
            seen.dedup();
        }
        if needed <= begin + period {
            // Nothing comes again in time.
            return Self {
                ticks,
                begin: needed,
                lap: 1,
                entries: entries((needed, 1), entry),
            };
        }
        // Guards who follow each other look the same long before each is back.
        let round = &ticks[begin..];
        let repeats =
            |lap: &usize| period.is_multiple_of(*lap) && round[..period - lap] == round[*lap..];
        let lap = (1..=period).find(repeats).unwrap_or(period);
        ticks.truncate(begin + lap);
        Self {
            ticks,
            begin,
            lap,
            entries: entries((begin, lap), entry),
        }
    }

    /// Fewer entries, evenly spread: about so many.
    pub(super) fn thin(&mut self, entries_max: usize) {
        let count = self.entries.len();
        if count > entries_max {
            let each = (0..entries_max).map(|index| self.entries[index * count / entries_max]);
            self.entries = each.collect();
        }
    }

    /// What is seen at a tick.
    pub(super) fn at(&self, tick: usize) -> &[u32] {
        match tick < self.begin {
            true => &self.ticks[tick],
            false => &self.ticks[self.begin + (tick - self.begin) % self.lap],
        }
    }
}

/// Entries that differ, and how many each stands for.
fn entries((begin, lap): (usize, usize), entry: Entry) -> Vec<(usize, u64)> {
    match entry {
        Entry::Start => vec![(0, 1)],
        Entry::Steady => (begin..begin + lap).map(|tick| (tick, 1)).collect(),
        Entry::Mission(last) => {
            let last = last as usize;
            let end = (begin + lap).min(last + 1);
            let times = |tick: usize| match tick < begin {
                true => 1,
                false => ((last - tick) / lap + 1) as u64,
            };
            (0..end).map(|tick| (tick, times(tick))).collect()
        }
    }
}

/// The probability of escape; `None`: told to stop.
pub(super) fn escape(scene: &Scene<'_>, looks: &Looks) -> Option<u64> {
    let (mut all, mut count) = (0_u128, 0_u128);
    for entries in looks.entries.chunks(LANES) {
        all += match entries.len() {
            1 => follow::<1>(scene, (looks, entries))?,
            _ => follow::<LANES>(scene, (looks, entries))?,
        };
        count += entries.iter().map(|one| u128::from(one.1)).sum::<u128>();
    }
    Some(u64::try_from(all / count).expect("at most certain"))
}

/// What is left of those who enter at some ticks, one for each lane at most, each times as many as he stands for.
fn follow<const L: usize>(
    scene: &Scene<'_>,
    (looks, entries): (&Looks, &[(usize, u64)]),
) -> Option<u128> {
    let prior = scene.prior();
    let mut belief: Vec<[u64; L]> = prior.iter().map(|mass| [*mass; L]).collect();
    let mut parts = belief.clone();
    for instant in 0..scene.problem.intruder().instants as usize {
        if instant > 0 {
            if !scene.steps.go_on((prior.len() * L) as u64) {
                return None;
            }
            step(scene, &mut belief, &mut parts);
        }
        for (lane, (tick, _)) in entries.iter().enumerate() {
            for place in looks.at(tick + instant) {
                belief[*place as usize][lane] = 0;
            }
        }
    }
    let each = entries.iter().enumerate().map(|(lane, (_, times))| {
        let left = belief.iter().map(|lanes| u128::from(lanes[lane]));
        left.sum::<u128>() * u128::from(*times)
    });
    Some(each.sum())
}

/// One step of the intruder in each lane, exactly as [`Scene::step`].
fn step<const L: usize>(scene: &Scene<'_>, belief: &mut [[u64; L]], parts: &mut [[u64; L]]) {
    for (place, (parts, mass)) in parts.iter_mut().zip(belief.iter()).enumerate() {
        *parts = mass.map(scene.divide(place));
    }
    for (place, mass) in belief.iter_mut().enumerate() {
        let near = scene.near(place);
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
