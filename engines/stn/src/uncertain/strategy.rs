//! Execution strategies: a dispatchable network of bounds to observe and waits.

use super::conflict::Verdict;
use super::dynamic::{Backward, Derived, Outcome};
use super::labelled_graph::LabelledGraph;
use super::network::{Contingent, Stnu};
use super::ticker::Ticker;
use crate::Time;

/// A bound to observe while events happen: `t[to] - t[from] <= weight`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DispatchBound {
    /// The event counted from, an index.
    pub from: u32,
    /// The event that is bounded, an index.
    pub to: u32,
    /// The largest difference, in microseconds. When it is negative, `from` must not happen before
    /// `to` has.
    pub weight: Time,
}

/// A wait: `event` must not happen before the contingent link `link` has begun, nor sooner than
/// `least` after that, unless the link has ended.
///
/// Morris, Muscettola and Vidal, "Dynamic control of plans with temporal uncertainty", IJCAI 2001,
/// write `<B, C, w>` for our `event`, the end of `link`, and `least`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wait {
    /// The event that has to wait, one of ours.
    pub event: u32,
    /// Index of the contingent link.
    pub link: u32,
    /// Microseconds from the start of the link, more than its shortest duration and at most its
    /// longest.
    pub least: Time,
}

/// What an executive needs to satisfy all requirements of a dynamically controllable network.
///
/// An executive lets each event happen only within the bounds that the events before it have set,
/// and only after the waits are over. Then Nature cannot win: the network is *dispatchable* for
/// each choice of durations.
///
/// All bounds must be observed; [`Strategy::reduced`] leaves out those that may be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    pub(super) contingents: Vec<Contingent>,
    pub(super) ending_at: Vec<Option<u32>>,
    bounds: Vec<DispatchBound>,
    waits: Vec<Wait>,
}

impl Strategy {
    /// All bounds, by `from` and then `to`; at most one for each pair. Those that limit an event of
    /// Nature's are satisfied without our help.
    pub fn bounds(&self) -> &[DispatchBound] {
        &self.bounds
    }

    /// All waits, by `event` and then `link`; at most one for each pair.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// The contingent links that it is about.
    pub fn contingents(&self) -> &[Contingent] {
        &self.contingents
    }

    /// The number of events.
    pub fn events(&self) -> usize {
        self.ending_at.len()
    }

    /// The part of the strategy about some events, which are named by their index in `events`.
    ///
    /// Bounds, waits and contingent links stay when all their events do. An execution that
    /// satisfies the rest too satisfies the whole. A part by itself is useful where the other
    /// events never matter, as when they belong to a branch that has been ruled out.
    ///
    /// # Panics
    /// When an event is named twice, or is not there.
    #[must_use]
    pub fn part(&self, events: &[u32]) -> Strategy {
        let mut new_index: Vec<Option<u32>> = vec![None; self.events()];
        for (at, event) in (0..).zip(events) {
            let twice = new_index[*event as usize].replace(at);
            assert_eq!(twice, None, "event {event} is named twice");
        }
        let at = |event: u32| new_index[event as usize];
        let mut part = Strategy {
            contingents: Vec::new(),
            ending_at: vec![None; events.len()],
            bounds: Vec::new(),
            waits: Vec::new(),
        };
        let mut links: Vec<Option<u32>> = vec![None; self.contingents.len()];
        for (index, link) in self.contingents.iter().enumerate() {
            if let (Some(from), Some(to)) = (at(link.from), at(link.to)) {
                let link_index = u32::try_from(part.contingents.len());
                let link_index = Some(link_index.expect("fewer links than events"));
                links[index] = link_index;
                part.ending_at[to as usize] = link_index;
                part.contingents.push(Contingent { from, to, ..*link });
            }
        }
        for bound in &self.bounds {
            if let (Some(from), Some(to)) = (at(bound.from), at(bound.to)) {
                let weight = bound.weight;
                part.bounds.push(DispatchBound { from, to, weight });
            }
        }
        for wait in &self.waits {
            if let (Some(event), Some(link)) = (at(wait.event), links[wait.link as usize]) {
                let least = wait.least;
                part.waits.push(Wait { event, link, least });
            }
        }
        part.bounds.sort_unstable();
        part.waits.sort_unstable();
        part
    }

    /// The same links with other bounds and waits, both sorted.
    pub(super) fn with_bounds(&self, bounds: Vec<DispatchBound>, waits: Vec<Wait>) -> Strategy {
        Strategy {
            contingents: self.contingents.clone(),
            ending_at: self.ending_at.clone(),
            bounds,
            waits,
        }
    }

    fn new(network: &Stnu, search: &Backward) -> Strategy {
        let mut bounds = Vec::new();
        let mut waits = Vec::new();
        let graph = &search.graph;
        for derived in &search.derived {
            match graph.link_of(derived.to as usize) {
                Some(link) if derived.weight < 0 => {
                    waits.extend(wait(network, graph, derived, link));
                }
                _ => bounds.push(dispatch_bound(network, graph, derived)),
            }
        }
        for edge in network.requirements() {
            let (from, to, weight) = (edge.from, edge.to, edge.weight);
            bounds.push(dispatch_bound(
                network,
                graph,
                &Derived { from, to, weight },
            ));
        }
        for link in network.contingents() {
            let (from, to) = (link.from, link.to);
            let longest = Derived {
                from,
                to,
                weight: link.upper,
            };
            let shortest = Derived {
                from: to,
                to: from,
                weight: -link.lower,
            };
            bounds.extend(
                [longest, shortest]
                    .iter()
                    .map(|bound| dispatch_bound(network, graph, bound)),
            );
        }
        bounds.retain(|bound: &DispatchBound| bound.from != bound.to);
        bounds.sort_unstable();
        bounds.dedup_by_key(|bound| (bound.from, bound.to));
        // A source meets each node once, so there are no two waits for one link.
        waits.sort_unstable();
        let events = 0..network.events();
        let index = |link: usize| u32::try_from(link).expect("fewer links than events");
        Strategy {
            contingents: network.contingents().to_vec(),
            ending_at: events
                .map(|event| network.ending_at(event).map(index))
                .collect(),
            bounds,
            waits,
        }
    }
}

/// An execution strategy for `network`, or a proof that there is none.
///
/// Answers as [`dynamic`](super::dynamic()) does, and records what that derives. Morris 2014 (see
/// the [module](super)), sections 4 and 5: in every choice of durations a path of least length then
/// goes over negative bounds first and over others after them, which makes the network
/// dispatchable; for each bound of 0 or more before a negative one the propagation has added what
/// follows from both.
pub fn strategy(network: &Stnu, go_on: &mut dyn FnMut() -> bool) -> Verdict<Strategy> {
    let mut search = Backward::new(network, true);
    match search.run(&mut Ticker::new(go_on)) {
        Outcome::Closed => Verdict::Holds(Strategy::new(network, &search)),
        Outcome::Cycle { counts, value } => {
            Verdict::Fails(search.graph.conflict(network, &counts, value))
        }
        Outcome::Stopped => Verdict::Stopped,
    }
}

/// An event, and how long after it a node always is. The end of a link without a choice stands for
/// its start: it is not ours to execute, so no bound may rely on it.
fn executable_anchor(network: &Stnu, graph: &LabelledGraph, node: u32) -> (u32, Time) {
    let (mut event, mut after) = (node, 0);
    if let Some(link) = graph.link_of(node as usize) {
        let link = &network.contingents()[link as usize];
        (event, after) = (link.from, link.lower);
    }
    while let Some(link) = network.ending_at(event as usize) {
        let link = &network.contingents()[link];
        if link.lower < link.upper {
            break;
        }
        event = link.from;
        after += link.lower;
    }
    (event, after)
}

fn dispatch_bound(network: &Stnu, graph: &LabelledGraph, derived: &Derived) -> DispatchBound {
    let (from, after_from) = executable_anchor(network, graph, derived.from);
    let (to, after_to) = executable_anchor(network, graph, derived.to);
    let weight = derived.weight + after_from - after_to;
    DispatchBound { from, to, weight }
}

/// The wait for a link that a negative bound to its middle is. None for contingent events, which
/// never have to wait in a controllable network, and none for middles: a wait of the event they
/// belong to is derived too, and is at least as long.
fn wait(network: &Stnu, graph: &LabelledGraph, derived: &Derived, link: u32) -> Option<Wait> {
    let event = derived.from;
    let ours =
        graph.link_of(event as usize).is_none() && network.ending_at(event as usize).is_none();
    let least = network.contingents()[link as usize].lower - derived.weight;
    ours.then_some(Wait { event, link, least })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edge;

    #[test]
    fn a_part_of_a_strategy_keeps_what_is_between_its_events() {
        let link = |from, to| Contingent::new(from, to, 10, 20, to);
        // Event 4 is at least 12 after 1, unless the link to 2 has ended.
        let edges = vec![Edge::new(4, 2, 3, 0), Edge::new(2, 4, 9, 1)];
        let network = Stnu::new(5, edges, vec![link(0, 3), link(1, 2)]).unwrap();
        let whole = strategy(&network, &mut || true).witness().unwrap();
        let part = whole.part(&[2, 1, 4]);
        assert_eq!(
            part.contingents(),
            [Contingent {
                from: 1,
                to: 0,
                ..link(1, 2)
            }]
        );
        assert_eq!(part.events(), 3);
        let wait = Wait {
            event: 2,
            link: 0,
            least: 17,
        };
        assert_eq!(part.waits(), [wait]);
        let has_bound =
            |from, to, weight| part.bounds().contains(&DispatchBound { from, to, weight });
        assert!(has_bound(2, 0, 3) && has_bound(0, 2, 9) && has_bound(1, 0, 20));
    }
}
