//! How long each vertex is out of sight.

use super::timeline::Patrol;
use crate::context::Context;
use crate::plan::UNSEEN;
use crate::problem::{Problem, Tick};

/// Times out of sight in a joint period, by vertex.
pub(crate) struct Gaps {
    /// Entries that are missed.
    missed: Vec<i64>,
    /// The longest time out of sight; as good as for ever where nobody looks.
    pub longest: Vec<i64>,
    /// The ticks since it was last seen, added up over the period.
    pub idle: Vec<u64>,
}

impl Gaps {
    /// From all that begins to be seen in one round; `None`: told to stop.
    pub(super) fn round(context: &Context<'_>, patrol: &Patrol) -> Option<Self> {
        let vertices = context.problem.vertices();
        let instants = i64::from(context.problem.intruder().instants);
        let (begin, period) = (patrol.begin, patrol.period);
        let round = [begin, begin + period];
        let mut gaps = Self {
            missed: vec![period; vertices],
            longest: vec![i64::from(u32::MAX); vertices],
            idle: vec![UNSEEN * period as u64; vertices],
        };
        // Until when each vertex is seen by the looks so far; at first by those of the round
        // before.
        let mut seen = vec![i64::MIN; vertices];
        patrol.each(context, round, |places, from, until| {
            // What began before comes again in the round.
            for place in vertices_of(places, vertices).filter(|_| from >= begin) {
                seen[place] = seen[place].max(until - period);
                (gaps.missed[place], gaps.longest[place], gaps.idle[place]) = (0, 0, 0);
            }
        })?;
        patrol.each(context, round, |places, from, until| {
            for place in vertices_of(places, vertices).filter(|_| from >= begin) {
                let gap = (from - seen[place]).max(1);
                gaps.missed[place] += (gap - instants).max(0);
                gaps.longest[place] = gaps.longest[place].max(gap - 1);
                gaps.idle[place] += (gap * (gap - 1) / 2) as u64;
                seen[place] = seen[place].max(until);
            }
        })?;
        Some(gaps)
    }

    /// Whether anybody ever looks.
    pub(crate) fn is_seen(&self, vertex: usize) -> bool {
        self.longest[vertex] != i64::from(u32::MAX)
    }

    /// The probability of escape of who enters at any tick of the period and stays.
    pub(crate) fn missed(&self, problem: &Problem, period: i64) -> u64 {
        weighted(problem, &self.missed, period)
    }

    /// The worst and the mean idleness.
    pub(crate) fn idleness(&self, problem: &Problem, period: i64) -> (Tick, u128) {
        let shares = problem.shares().iter().enumerate();
        let counted = shares.filter(|(_, share)| **share > 0);
        let worst = counted.clone().map(|(vertex, _)| {
            if self.is_seen(vertex) {
                self.longest[vertex] as Tick
            } else {
                UNSEEN
            }
        });
        let sum: u128 = counted
            .clone()
            .map(|(v, share)| u128::from(self.idle[v]) * u128::from(*share))
            .sum();
        (worst.max().unwrap_or(0), sum / period as u128)
    }
}

/// The probability of escape of an intruder who enters at a tick from 0 to `last` and stays.
/// `None`: stopped.
pub(super) fn once(context: &Context<'_>, patrol: &Patrol, last: i64) -> Option<u64> {
    let problem = context.problem;
    let vertices = problem.vertices();
    let instants = i64::from(problem.intruder().instants);
    let end = last + instants;
    // For each vertex: entries missed, and until when it is seen.
    let mut all = vec![(0, -1); vertices];
    let look = |(missed, seen): &mut (i64, i64), from: i64, until: i64| {
        // Who enters after the last look and is gone before the next.
        *missed += ((from - instants).min(last) - *seen).max(0);
        *seen = until.max(*seen);
    };
    patrol.each(context, [0, end], |places, from, until| {
        vertices_of(places, vertices).for_each(|place| look(&mut all[place], from, until));
    })?;
    all.iter_mut().for_each(|one| look(one, end, end));
    let missed: Vec<i64> = all.into_iter().map(|(missed, _)| missed).collect();
    Some(weighted(problem, &missed, last + 1))
}

/// Those places that are vertices.
pub(super) fn vertices_of(places: &[u32], vertices: usize) -> impl Iterator<Item = usize> {
    let places = places.iter().map(|place| *place as usize);
    places.filter(move |place| *place < vertices)
}

fn weighted(problem: &Problem, missed: &[i64], of: i64) -> u64 {
    let each = missed.iter().zip(problem.shares());
    let all: u128 = each
        .map(|(missed, share)| *missed as u128 * u128::from(*share))
        .sum();
    u64::try_from(all / of as u128).expect("at most certain")
}
