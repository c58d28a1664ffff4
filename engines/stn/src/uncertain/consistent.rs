//! Consistency: can all requirements be satisfied if Nature helps? Strong controllability shares
//! its difference constraints, which remember the bounds that they are sums of.

use super::conflict::{Bound, Conflict, Verdict};
use super::network::Stnu;
use crate::{Edge, Refusal, Time, potentials_within};

/// Whether some durations and times of our own events satisfy all requirements of `network`. The
/// witness has a time for each event, from 0 on.
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
        constraints.add(Constraint {
            from: edge.from,
            to: edge.to,
            weight: edge.weight,
            terms: vec![(Bound::Requirement(index), 1)],
        });
    }
    for (index, link) in network.contingents().iter().enumerate() {
        constraints.add(Constraint {
            from: link.from,
            to: link.to,
            weight: link.upper,
            terms: vec![(Bound::Upper(index), 1)],
        });
        constraints.add(Constraint {
            from: link.to,
            to: link.from,
            weight: -link.lower,
            terms: vec![(Bound::Lower(index), -1)],
        });
    }
    constraints.solve(network, go_on)
}

/// A difference constraint, `t[to] - t[from] <= weight`, and the bounds that its weight adds up.
pub(super) struct Constraint {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: Time,
    pub(super) terms: Vec<(Bound, i64)>,
}

/// Difference constraints among the events of a network with uncertainty.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// Named by their index.
    edges: Vec<Edge>,
    /// The bounds that each weight adds up.
    terms: Vec<Vec<(Bound, i64)>>,
}

impl Constraints {
    pub(super) fn add(&mut self, constraint: Constraint) {
        let id = u32::try_from(self.edges.len()).expect("requirements and links have limits");
        let Constraint {
            from,
            to,
            weight,
            terms,
        } = constraint;
        self.edges.push(Edge::new(from, to, weight, id));
        self.terms.push(terms);
    }

    /// The earliest times from 0 on, or the bounds of a negative cycle.
    pub(super) fn solve(
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
