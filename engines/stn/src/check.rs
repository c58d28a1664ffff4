//! The independent checker of temporal networks, for the checks of plans.
//!
//! Nothing here is used by, or taken from, the searches of this crate, and it imports none of them:
//! only plain data. Everything is computed from scratch, in whole microseconds and without
//! tolerance. Nothing is validated: answers are right where all simple paths add up to less than
//! 2^60 either way.
//!
//! * [`potentials`]: whether difference constraints can all be satisfied, by Bellman-Ford.
//! * [`Closure`]: what follows from them, by Johnson's algorithm or Floyd and Warshall's.
//! * [`controllable`]: dynamic controllability, by Morris's propagation.
//!
//! A `go_on` is called now and then. Once it returns false a result means nothing.
//!
//! # Examples
//! ```
//! use stn::check::{Closure, ContingentLink, Network, controllable};
//! use stn::Contingent;
//! // Others take 40 to 60; we have to be there at the same time, 5 earlier or 5 later.
//! let link = Contingent { from: 0, to: 1, lower_us: 40, upper_us: 60 };
//! let mut network = Network { nodes: 3, ..Network::default() };
//! network.contingents.push(ContingentLink { contingent: 0, link });
//! network.constrain(1, 2, Some(-5), Some(5));
//! assert_eq!(Closure::new(&network, || true).unwrap().distance(0, 2), Some(65));
//! assert_eq!(controllable(&network, || true), Ok(()));
//! // To be there first is impossible: we see when they come, not before.
//! network.constrain(1, 2, None, Some(-1));
//! assert!(controllable(&network, || true).is_err());
//! ```

mod closure;
mod controllable;

use crate::Time;
use crate::link::{Contingent, Difference};

pub use closure::{Closure, FAR, potentials, strictest_bounds};
pub use controllable::controllable;

/// A contingent link of a network, and which of the caller's it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContingentLink {
    /// The caller's index of the link.
    pub contingent: usize,
    /// The link between nodes of this network.
    pub link: Contingent,
}

/// Requirement and contingent links between nodes 0 to `nodes` - 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Network {
    /// The number of nodes.
    pub nodes: usize,
    /// Requirements.
    pub bounds: Vec<Difference>,
    /// Contingent links.
    pub contingents: Vec<ContingentLink>,
}

impl Network {
    /// Adds `lower <= t[to] - t[from] <= upper`, in microseconds; `None`: any. A bound between a
    /// node and itself is redundant or infeasible: only the latter is added.
    pub fn constrain(&mut self, from: usize, to: usize, lower: Option<Time>, upper: Option<Time>) {
        let upper = upper.map(|weight| Difference { from, to, weight });
        let lower = lower.map(|least| Difference::new(to, from, -least));
        let given = [upper, lower].into_iter().flatten();
        self.bounds
            .extend(given.filter(|bound| from != to || bound.weight < 0));
    }

    /// Adds the links of another network, whose nodes have other names here.
    pub fn add_renamed(&mut self, other: &Self, name: impl Fn(usize) -> usize) {
        let bounds = other.bounds.iter();
        self.bounds.extend(bounds.map(|bound| bound.renamed(&name)));
        let durations = other.contingents.iter();
        self.contingents
            .extend(durations.map(|duration| ContingentLink {
                link: Contingent {
                    from: name(duration.link.from),
                    to: name(duration.link.to),
                    ..duration.link
                },
                ..*duration
            }));
    }

    /// The links of several networks among the same nodes, with only those nodes that have some;
    /// and which nodes these are, in rising order, node 0 in any case.
    pub fn compact(networks: &[&Self]) -> (Self, Vec<usize>) {
        let all = networks.iter().flat_map(|network| network.all_bounds());
        let mut nodes: Vec<usize> = all.flat_map(|bound| [bound.from, bound.to]).collect();
        nodes.push(0);
        nodes.sort_unstable();
        nodes.dedup();
        let mut small = Self {
            nodes: nodes.len(),
            ..Self::default()
        };
        let name = |node: usize| {
            nodes
                .binary_search(&node)
                .expect("each node with a bound is there")
        };
        for network in networks {
            small.add_renamed(network, name);
        }
        (small, nodes)
    }

    /// All bounds, those of contingent links too.
    pub fn all_bounds(&self) -> impl Iterator<Item = Difference> {
        let links = self.contingents.iter();
        let durations = links.flat_map(|duration| duration.link.differences());
        self.bounds.iter().copied().chain(durations)
    }

    /// By node, the latest time at which it can happen, in microseconds after node 0: shortest
    /// paths from there, over bounds of which no cycle is negative; far beyond all times where
    /// there is no path. It cannot be stopped.
    ///
    /// # Panics
    /// Without nodes.
    pub fn latest(&self) -> Vec<Time> {
        let mut latest = vec![Time::MAX; self.nodes];
        latest[0] = 0;
        for _ in 0..self.nodes {
            let mut changed = false;
            for bound in self.all_bounds() {
                let through = latest[bound.from].saturating_add(bound.weight);
                if latest[bound.from] < Time::MAX && through < latest[bound.to] {
                    latest[bound.to] = through;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        latest
    }
}
