//! Temporal propagation of precedences: closures (distance matrices) that follow a search.

use super::super::joint_network::JointNetwork;
use super::resource_users::Precedence;
use stn::uncertain::Contingent;
use stn::{Closure, Edge, Refusal, TrailedClosure, UNBOUNDED};

/// Closures of the joint network for several assignments of durations by Nature. Orders that make
/// one of them infeasible cannot be satisfied dynamically either.
///
/// In the first Nature's durations vary as if they were ours: its consequences hold for all. In the
/// second all of them are longest: what contradicts that is impossible. One with all of them
/// shortest cost more time than it saved on the paper's first suite.
pub(crate) struct TemporalClosures {
    closures: Vec<TrailedClosure>,
    /// Edges of each that are there for good.
    base: Vec<usize>,
    /// The event of the search that brought each order, rising, and what the order is called.
    orders: Vec<(usize, u32)>,
}

/// `t[to] - t[from]` is now at most `most`, in one of the closures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tighter {
    pub(crate) clock: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl TemporalClosures {
    /// The closures of `networks`, each with what is `derived` from all; the one that contradicts
    /// itself, if any; `None`: stopped.
    pub(crate) fn new(
        nodes: usize,
        networks: &[Vec<Edge>],
        derived: &[Edge],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Result<TemporalClosures, usize>> {
        let mut closures = Vec::new();
        for (index, edges) in networks.iter().enumerate() {
            match Closure::new_within(nodes, edges, go_on) {
                Ok(closure) => closures.push(closure?),
                Err(Refusal::Conflict(_)) => return Some(Err(index)),
                Err(Refusal::Input(_)) => unreachable!("a narrative is within the limits"),
            }
        }
        for (index, closure) in closures.iter_mut().enumerate() {
            for edge in derived {
                let known = closure.row(edge.from as usize)[edge.to as usize];
                if known > edge.weight && closure.insert(*edge).is_err() {
                    return Some(Err(index));
                }
                if !go_on() {
                    return None;
                }
            }
        }
        Some(Ok(TemporalClosures {
            base: closures
                .iter()
                .map(|closure| closure.edges().len())
                .collect(),
            closures: closures.into_iter().map(TrailedClosure::new).collect(),
            orders: Vec::new(),
        }))
    }

    pub(crate) fn count(&self) -> usize {
        self.closures.len()
    }

    pub(crate) fn nodes(&self) -> usize {
        self.closures[0].closure().nodes()
    }

    /// The most that `to` can be after `from`.
    pub(crate) fn distance(&self, clock: usize, from: u32, to: u32) -> i64 {
        self.closures[clock].closure().row(from as usize)[to as usize]
    }

    /// The orders that are in force, by name.
    pub(crate) fn orders(&self) -> impl Iterator<Item = u32> + '_ {
        self.orders.iter().map(|(_, name)| *name)
    }

    /// The longest time from the end to the start of an order, minimised over the closures.
    pub(crate) fn room(&self, order: Precedence) -> i64 {
        let most = |clock| self.distance(clock, order.end, order.start);
        let room = (0..self.count()).map(most).min();
        room.unwrap_or(UNBOUNDED)
    }

    /// Lets `edge`, whose id names an order, hold from event `event` on.
    ///
    /// # Errors
    /// The orders in force that it contradicts. Nothing has changed then.
    pub(crate) fn add(&mut self, edge: Edge, event: usize) -> Result<(), Vec<u32>> {
        let level = self.orders.len();
        for clock in 0..self.closures.len() {
            let closure = &mut self.closures[clock];
            closure.push_level();
            match closure.add(edge) {
                Ok(_) => {}
                Err(Refusal::Conflict(conflict)) => {
                    for closure in &mut self.closures[..=clock] {
                        closure.backtrack(level);
                    }
                    let names = conflict.ids().filter(|id| *id != NO_ORDER);
                    return Err(names.filter(|name| *name != edge.id).collect());
                }
                Err(Refusal::Input(_)) => unreachable!("orders weigh nothing"),
            }
        }
        self.orders.push((event, edge.id));
        Ok(())
    }

    /// Collects what the last order that was added made tighter, and is now 0 or less.
    pub(crate) fn collect_tighter(&self, tighter: &mut Vec<Tighter>) {
        for (clock, closure) in self.closures.iter().enumerate() {
            let known = closure.closure();
            let pairs = closure.tightened();
            // Nothing follows about orders from what may still be after.
            let pairs = pairs.filter(|(from, to)| known.row(*from)[*to] <= 0);
            tighter.extend(pairs.map(|(from, to)| Tighter { clock, from, to }));
        }
    }

    /// Takes back all orders of events from `events` on.
    pub(crate) fn backtrack(&mut self, events: usize) {
        let keep = self.orders.partition_point(|(event, _)| *event < events);
        if keep < self.orders.len() {
            self.orders.truncate(keep);
            for closure in &mut self.closures {
                closure.backtrack(keep);
            }
        }
    }

    /// Orders of events before `before` from which follows that `to` is at most `most` after
    /// `from`.
    pub(crate) fn why(&self, tighter: Tighter, most: i64, before: usize) -> Vec<u32> {
        let Tighter { clock, from, to } = tighter;
        let count = self.orders.partition_point(|(event, _)| *event < before);
        let closure = self.closures[clock].closure();
        let path = closure.path_among(self.base[clock] + count, from, to, most);
        let path = path.expect("it followed from the orders at that time");
        let names = path.iter().map(|edge| edge.id);
        names.filter(|id| *id != NO_ORDER).collect()
    }
}

/// The id of edges that are there for good.
pub(crate) const NO_ORDER: u32 = u32::MAX;

/// The edges of each clock.
pub(crate) fn networks(joint: &JointNetwork) -> Vec<Vec<Edge>> {
    let requirements = joint.requirements.iter();
    let requirements: Vec<Edge> = requirements
        .map(|edge| Edge {
            id: NO_ORDER,
            ..*edge
        })
        .collect();
    let clock = |pick: fn(&Contingent) -> (i64, i64)| {
        let mut edges = requirements.clone();
        for link in &joint.contingents {
            let (lower, upper) = pick(link);
            edges.push(Edge::new(link.from, link.to, upper, NO_ORDER));
            edges.push(Edge::new(link.to, link.from, -lower, NO_ORDER));
        }
        edges
    };
    let mut all = vec![clock(|link| (link.lower, link.upper))];
    if joint.contingents.iter().any(|link| link.lower < link.upper) {
        all.push(clock(|link| (link.upper, link.upper)));
    }
    all
}
