//! Consistency: can all requirements be kept if Nature helps? And what both questions about fixed
//! schedules stand on: difference constraints that remember which bounds they were made of.

use super::conflict::{Bound, Conflict, Verdict};
use super::network::Stnu;
use crate::{Edge, Refusal, Time, potentials_within};

/// Whether some durations and some times of our own events keep all requirements of `network`: a
/// time for every event, from 0 on.
///
/// The proof of a failure is a negative cycle: upper bounds of contingent links count as they do
/// for requirements, lower bounds are negative.
///
/// Bellman-Ford, O(events * links) time at worst.
pub fn consistent(network: &Stnu) -> Verdict<Vec<Time>> {
    consistent_within(network, &mut || true)
}

/// As [`consistent`], but returns [`Verdict::Stopped`] soon after `go_on` has returned false. It is
/// called once a pass over the constraints.
pub fn consistent_within(network: &Stnu, go_on: &mut dyn FnMut() -> bool) -> Verdict<Vec<Time>> {
    let mut constraints = Constraints::default();
    for (index, edge) in network.requirements().iter().enumerate() {
        let terms = vec![(Bound::Requirement(index), 1)];
        constraints.add((edge.from, edge.to), edge.weight, terms);
    }
    for (index, link) in network.contingents().iter().enumerate() {
        let (longest, shortest) = (Bound::Upper(index), Bound::Lower(index));
        constraints.add((link.from, link.to), link.upper, vec![(longest, 1)]);
        constraints.add((link.to, link.from), -link.lower, vec![(shortest, -1)]);
    }
    constraints.settle(network, go_on)
}

/// Difference constraints among the events of a network with uncertainty.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// Named by their index.
    edges: Vec<Edge>,
    /// What each is the sum of.
    terms: Vec<Vec<(Bound, i64)>>,
}

impl Constraints {
    /// `t[ends.1] - t[ends.0] <= weight`, which is the sum of `terms`.
    pub(super) fn add(&mut self, ends: (u32, u32), weight: Time, terms: Vec<(Bound, i64)>) {
        let id = u32::try_from(self.edges.len()).expect("requirements and links have limits");
        let (from, to) = ends;
        self.edges.push(Edge {
            from,
            to,
            weight,
            id,
        });
        self.terms.push(terms);
    }

    /// The earliest times from 0 on, or the bounds of a negative cycle.
    pub(super) fn settle(
        &self,
        network: &Stnu,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Verdict<Vec<Time>> {
        match potentials_within(network.events(), &self.edges, go_on) {
            Ok(None) => Verdict::Stopped,
            Ok(Some(times)) => {
                let first = times.iter().copied().min().unwrap_or(0);
                Verdict::Holds(times.iter().map(|time| time - first).collect())
            }
            Err(Refusal::Conflict(cycle)) => {
                let terms = cycle.ids().flat_map(|id| self.terms[id as usize].clone());
                Verdict::Fails(Conflict::new(network, terms.collect(), cycle.sum()))
            }
            Err(Refusal::Input(error)) => {
                unreachable!("the bounds of a network have tighter limits: {error}")
            }
        }
    }
}
