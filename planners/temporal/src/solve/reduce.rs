//! Reduction of a network with teammates to a disjunctive temporal problem over our events alone.
//!
//! With all bounds closed, the range of a teammate's event i is a minimum and a maximum over our
//! events alone: latest(i) = min over k in P+(i) of x_k + c_ki, earliest(i) = max over k in P-(i)
//! of x_k - c_ik. P-(i) is the origin and our events that precede i, P+(i) those and the unordered
//! ones: a step through another teammate's event adds at least the direct bound, which is closed.
//! Equations 5 and 6 of the STN-IT paper so become explicit, and 1 to 4 become the disjunctions
//! below.

use super::distance_matrix::DistanceMatrix;
use crate::problem::{Micros, Network, Node, ORIGIN, Owner};
use stn::{Closure, Edge, Refusal};

/// Index of one of our events in a [`System`]: 0 is the origin.
pub(crate) type Timepoint = usize;

/// A difference constraint: `x[to] - x[from] <= weight`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) from: Timepoint,
    pub(crate) to: Timepoint,
    pub(crate) weight: Micros,
}

/// The end of a teammate's range that an obligation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// E2: our event is late enough for the latest time of a teammate's event.
    Late,
    /// E3: our event is early enough for the earliest time of a teammate's event.
    Early,
}

/// A disjunctive constraint: the obligation of our events to one end of a teammate's range.
///
/// Late: some choice (k, a) has x_k + a <= x_j + b for all targets (j, b). Early: some choice has
/// x_j - b <= x_k - a for all targets. One choice serves all targets, as it is the minimum
/// (maximum).
#[derive(Debug, Clone)]
pub(crate) struct Disjunction {
    /// The teammate's event.
    pub(crate) node: Node,
    pub(crate) side: Side,
    pub(crate) choices: Vec<(Timepoint, Micros)>,
    pub(crate) targets: Vec<(Timepoint, Micros)>,
}

impl Disjunction {
    /// The difference that the choice demands of the target.
    pub(crate) fn difference(&self, choice: usize, target: usize) -> Difference {
        let (k, a) = self.choices[choice];
        let (j, b) = self.targets[target];
        let (from, to) = match self.side {
            Side::Late => (j, k),
            Side::Early => (k, j),
        };
        let weight = b - a;
        Difference { from, to, weight }
    }

    /// The end of the range of the teammate's event when our events happen at `times`, and the
    /// choice that it comes from, the first of equals.
    pub(crate) fn end(&self, times: &[Micros]) -> (Micros, usize) {
        let ends = self
            .choices
            .iter()
            .enumerate()
            .map(|(at, &(k, a))| match self.side {
                Side::Late => (times[k] + a, at),
                Side::Early => (a - times[k], at),
            });
        let (end, at) = ends.min().expect("the origin is always a choice");
        match self.side {
            Side::Late => (end, at),
            Side::Early => (-end, at),
        }
    }

    /// The first target that `times` violate, if any.
    pub(crate) fn violated(&self, times: &[Micros]) -> Option<usize> {
        let (end, _) = self.end(times);
        self.targets.iter().position(|&(j, b)| match self.side {
            Side::Late => times[j] + b < end,
            Side::Early => times[j] - b > end,
        })
    }
}

/// A disjunctive temporal problem: differences and disjunctions over the origin and our events.
#[derive(Debug, Clone)]
pub(crate) struct System {
    /// The origin and our events.
    pub(crate) size: usize,
    /// Row by row, closed: `x[q] - x[p] <= bounds[p * size + q]`. All finite.
    pub(crate) bounds: Vec<Micros>,
    pub(crate) disjunctions: Vec<Disjunction>,
}

impl System {
    /// The largest difference from `p` to `q`.
    pub(crate) fn bound(&self, p: Timepoint, q: Timepoint) -> Micros {
        self.bounds[p * self.size + q]
    }

    /// Whether `times` satisfy all differences and disjunctions.
    pub(crate) fn accepts(&self, times: &[Micros]) -> bool {
        let row = |p: Timepoint| &self.bounds[p * self.size..][..self.size];
        let satisfies = |p: Timepoint| {
            let pairs = row(p).iter().zip(times);
            pairs
                .into_iter()
                .all(|(bound, time)| time - times[p] <= *bound)
        };
        times[ORIGIN] == 0
            && (0..self.size).all(satisfies)
            && self
                .disjunctions
                .iter()
                .all(|disjunction| disjunction.violated(times).is_none())
    }
}

/// A consistent network with teammates, closed and reduced.
#[derive(Debug)]
pub(crate) struct Reduction<'n> {
    pub(crate) network: &'n Network,
    pub(crate) distances: DistanceMatrix,
    /// The origin and our events, in file order: the node of each timepoint.
    pub(crate) ours: Vec<Node>,
    /// The teammates' events, in file order.
    pub(crate) theirs: Vec<Node>,
    pub(crate) system: System,
}

/// All bounds of a network as edges; the id is the index among [`Network::bounds`].
pub(crate) fn edges(network: &Network) -> Vec<Edge> {
    let index = |node: Node| u32::try_from(node).expect("at most EVENTS_MAX events");
    let bounds = network.bounds().enumerate();
    let edge = bounds.map(|(at, bound)| {
        let id = u32::try_from(at).expect("links are limited");
        Edge::new(index(bound.from), index(bound.to), bound.weight_us, id)
    });
    edge.collect()
}

impl<'n> Reduction<'n> {
    /// Closes and reduces a network in which every event has a window. `None` soon after `go_on`
    /// has returned false.
    ///
    /// # Errors
    /// The negative cycle of an inconsistent network.
    pub(crate) fn new_within(
        network: &'n Network,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, stn::Conflict> {
        let closure = match Closure::new_within(network.nodes(), &edges(network), go_on) {
            Ok(Some(closure)) => closure,
            Ok(None) => return Ok(None),
            Err(Refusal::Conflict(conflict)) => return Err(conflict),
            Err(Refusal::Input(error)) => unreachable!("a network has tighter limits: {error}"),
        };
        let mut reduction = Self::closed(network, DistanceMatrix::new(&closure));
        let mut disjunctions = Vec::new();
        for &i in &reduction.theirs {
            if !go_on() {
                return Ok(None);
            }
            disjunctions.extend(reduction.disjunctions(i));
        }
        reduction.system.disjunctions = disjunctions;
        Ok(Some(reduction))
    }

    /// Closes and reduces a network, however long it takes.
    #[cfg(test)]
    pub(crate) fn new(network: &'n Network) -> Result<Self, stn::Conflict> {
        let reduction = Self::new_within(network, &mut || true)?;
        Ok(reduction.expect("nothing stops it"))
    }

    /// A reduction without disjunctions yet.
    pub(crate) fn closed(network: &'n Network, distances: DistanceMatrix) -> Self {
        let events = 1..network.nodes();
        let is_ours = |node: &Node| network.owner(*node) == Some(Owner::Controllable);
        let (controllable, theirs) = events.partition::<Vec<Node>, _>(is_ours);
        let ours: Vec<Node> = std::iter::once(ORIGIN).chain(controllable).collect();
        let bounds = ours
            .iter()
            .flat_map(|p| ours.iter().map(|q| distances.row(*p)[*q]));
        let system = System {
            size: ours.len(),
            bounds: bounds.collect(),
            disjunctions: Vec::new(),
        };
        Self {
            network,
            distances,
            ours,
            theirs,
            system,
        }
    }

    /// The largest difference from one node to another.
    pub(crate) fn bound(&self, from: Node, to: Node) -> Micros {
        self.distances.row(from)[to]
    }

    /// Whether `i` precedes `j`. A total order within events that are bound to happen together:
    /// ours first, then file order.
    pub(crate) fn precedes(&self, i: Node, j: Node) -> bool {
        if i == ORIGIN || j == ORIGIN {
            return i == ORIGIN;
        }
        let (least, most) = (-self.bound(j, i), self.bound(i, j));
        if least == 0 && most == 0 {
            let rank = |node: Node| (self.network.owner(node) != Some(Owner::Controllable), node);
            return rank(i) < rank(j);
        }
        least >= 0
    }

    /// The obligations of our events to both ends of the range of `i`.
    pub(crate) fn disjunctions(&self, i: Node) -> impl Iterator<Item = Disjunction> {
        let both = [Side::Late, Side::Early].map(|side| self.disjunction(i, side));
        both.into_iter()
            .filter(|disjunction| !disjunction.targets.is_empty())
    }

    /// The obligation of our events to one end of the range of `i`.
    pub(crate) fn disjunction(&self, i: Node, side: Side) -> Disjunction {
        let (mut choices, mut targets) = (Vec::new(), Vec::new());
        for (timepoint, &k) in self.ours.iter().enumerate() {
            let (before, after) = (self.precedes(k, i), self.precedes(i, k));
            match side {
                Side::Late if after => targets.push((timepoint, self.bound(k, i))),
                Side::Late => choices.push((timepoint, self.bound(k, i))),
                Side::Early if before => choices.push((timepoint, self.bound(i, k))),
                Side::Early => targets.push((timepoint, self.bound(i, k))),
            }
        }
        Disjunction {
            node: i,
            side,
            choices,
            targets,
        }
    }

    /// Our times by node.
    pub(crate) fn by_node(&self, times: &[Micros]) -> Vec<Option<Micros>> {
        let mut all = vec![None; self.network.nodes()];
        for (node, time) in self.ours.iter().zip(times) {
            all[*node] = Some(*time);
        }
        all
    }
}
