//! Idleness of vertices, and escape of a stationary intruder: by time out of sight.

use super::timeline::Timeline;
use crate::context::Context;
use crate::plan::UNSEEN;
use crate::problem::{Problem, Tick};

/// Times out of sight in a joint period, by vertex.
pub(crate) struct Idleness {
    /// Number of entries of a stationary intruder that escape.
    missed: Vec<i64>,
    /// Longest time out of sight; [`NEVER_SEEN`] if the vertex is never seen.
    pub longest: Vec<i64>,
    /// Ticks since the vertex was last seen, summed over the period.
    pub sum: Vec<u64>,
}

/// Time out of sight of a vertex that is never seen.
const NEVER_SEEN: i64 = u32::MAX as i64;

impl Idleness {
    /// Times out of sight in the first joint period after all prefixes; `None`: stopped.
    pub(super) fn new(context: &Context<'_>, timeline: &Timeline) -> Option<Self> {
        let vertices = context.problem.vertices();
        let instants = i64::from(context.problem.intruder().instants);
        let (begin, period) = (timeline.begin, timeline.period);
        let range = [begin, begin + period];
        let mut idleness = Self {
            missed: vec![period; vertices],
            longest: vec![NEVER_SEEN; vertices],
            sum: vec![UNSEEN * period as u64; vertices],
        };
        // Last tick of sight of each vertex so far; at first of the period before.
        let mut seen = vec![i64::MIN; vertices];
        timeline.for_each_visit(context, range, |places, from, until| {
            // What began before comes again in the period.
            for place in vertices_of(places, vertices).filter(|_| from >= begin) {
                seen[place] = seen[place].max(until - period);
                idleness.missed[place] = 0;
                idleness.longest[place] = 0;
                idleness.sum[place] = 0;
            }
        })?;
        timeline.for_each_visit(context, range, |places, from, until| {
            for place in vertices_of(places, vertices).filter(|_| from >= begin) {
                let gap = (from - seen[place]).max(1);
                idleness.missed[place] += (gap - instants).max(0);
                idleness.longest[place] = idleness.longest[place].max(gap - 1);
                idleness.sum[place] += (gap * (gap - 1) / 2) as u64;
                seen[place] = seen[place].max(until);
            }
        })?;
        Some(idleness)
    }

    /// Whether a guard ever sees a vertex.
    pub(crate) fn is_seen(&self, vertex: usize) -> bool {
        self.longest[vertex] != NEVER_SEEN
    }

    /// Probability of escape of a stationary intruder that enters at any tick of the period.
    pub(crate) fn escape(&self, problem: &Problem, period: i64) -> u64 {
        weighted(problem, &self.missed, period)
    }

    /// Worst and mean idleness.
    pub(crate) fn worst_and_mean(&self, problem: &Problem, period: i64) -> (Tick, u128) {
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
            .map(|(v, share)| u128::from(self.sum[v]) * u128::from(*share))
            .sum();
        (worst.max().unwrap_or(0), sum / period as u128)
    }
}

/// Probability of escape of a stationary intruder that enters at a tick from 0 to `last`. `None`:
/// stopped.
pub(super) fn stationary_escape(
    context: &Context<'_>,
    timeline: &Timeline,
    last: i64,
) -> Option<u64> {
    let problem = context.problem;
    let vertices = problem.vertices();
    let instants = i64::from(problem.intruder().instants);
    let end = last + instants;
    // For each vertex: entries that escape, and the last tick of sight.
    let mut all = vec![(0, -1); vertices];
    let look = |(missed, seen): &mut (i64, i64), from: i64, until: i64| {
        // Entries after the last sighting whose window ends before the next.
        *missed += ((from - instants).min(last) - *seen).max(0);
        *seen = until.max(*seen);
    };
    timeline.for_each_visit(context, [0, end], |places, from, until| {
        vertices_of(places, vertices).for_each(|place| look(&mut all[place], from, until));
    })?;
    all.iter_mut().for_each(|one| look(one, end, end));
    let missed: Vec<i64> = all.into_iter().map(|(missed, _)| missed).collect();
    Some(weighted(problem, &missed, last + 1))
}

/// Places that are vertices.
pub(super) fn vertices_of(places: &[u32], vertices: usize) -> impl Iterator<Item = usize> {
    let places = places.iter().map(|place| *place as usize);
    places.filter(move |place| *place < vertices)
}

/// Mean over `entries` entries, weighted by the probabilities of vertices.
fn weighted(problem: &Problem, missed: &[i64], entries: i64) -> u64 {
    let each = missed.iter().zip(problem.shares());
    let all: u128 = each
        .map(|(missed, share)| *missed as u128 * u128::from(*share))
        .sum();
    u64::try_from(all / entries as u128).expect("at most one")
}
