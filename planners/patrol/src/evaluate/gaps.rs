//! How long each vertex is out of sight.

use super::Sight;
use crate::plan::UNSEEN;
use crate::problem::{Problem, Tick};

/// Times out of sight in a joint period, by vertex.
pub(crate) struct Gaps {
    /// Entries that are missed.
    missed: Vec<i64>,
    /// The longest time out of sight; as good as for ever where nobody looks.
    pub longest: Vec<i64>,
    /// The ticks since it was last seen, added up over the period.
    pub idle: Vec<u128>,
}

impl Gaps {
    /// From all that begins to be seen in one round, by vertex and time.
    pub(crate) fn round((problem, period): (&Problem, i64), sights: &[Sight]) -> Self {
        let vertices = problem.vertices();
        let instants = i64::from(problem.intruder().instants);
        let mut gaps = Self {
            missed: vec![period; vertices],
            longest: vec![i64::from(u32::MAX); vertices],
            idle: vec![u128::from(UNSEEN) * period as u128; vertices],
        };
        for sights in sights.chunk_by(|one, other| one.place == other.place) {
            let place = sights[0].place;
            // Until when it is seen by the looks so far; at first by those of the round before.
            let mut seen = sights.iter().map(|sight| sight.until).max().unwrap_or(0) - period;
            let (mut missed, mut longest, mut idle) = (0, 0, 0);
            for sight in sights {
                let gap = (sight.from - seen).max(1);
                missed += (gap - instants).max(0);
                longest = longest.max(gap - 1);
                idle += (gap as u128) * (gap as u128 - 1) / 2;
                seen = seen.max(sight.until);
            }
            gaps.missed[place] = missed;
            gaps.longest[place] = longest;
            gaps.idle[place] = idle;
        }
        gaps
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
        let worst = counted
            .clone()
            .map(|(vertex, _)| match self.is_seen(vertex) {
                true => self.longest[vertex] as Tick,
                false => UNSEEN,
            });
        let sum: u128 = counted
            .clone()
            .map(|(v, share)| self.idle[v] * u128::from(*share))
            .sum();
        (worst.max().unwrap_or(0), sum / period as u128)
    }

    /// The probability of escape of who enters at a tick from 0 to `last` and stays.
    pub(crate) fn once((problem, last): (&Problem, i64), sights: &[Sight]) -> u64 {
        let instants = i64::from(problem.intruder().instants);
        let mut all = vec![last + 1; problem.vertices()];
        for sights in sights.chunk_by(|one, other| one.place == other.place) {
            let (mut missed, mut seen) = (0, -1);
            let end = [last + instants].into_iter();
            let looks = sights.iter().map(|sight| (sight.from, sight.until));
            for (from, until) in looks.chain(end.map(|end| (end, end))) {
                // Who enters after the last look and is gone before the next.
                missed += ((from - instants).min(last) - seen).max(0);
                seen = seen.max(until);
            }
            all[sights[0].place] = missed;
        }
        weighted(problem, &all, last + 1)
    }
}

fn weighted(problem: &Problem, missed: &[i64], of: i64) -> u64 {
    let each = missed.iter().zip(problem.shares());
    let all: u128 = each
        .map(|(missed, share)| *missed as u128 * u128::from(*share))
        .sum();
    u64::try_from(all / of as u128).expect("at most certain")
}
