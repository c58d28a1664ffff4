//! Dynamic controllability by the rules RUL-: a second opinion that shares no code with `dynamic`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use stn::Time;
use stn::uncertain::Stnu;

/// Whether `network` is dynamically controllable, by the rules RUL-.
///
/// Requirements are not propagated but kept in order by a potential. Only contingent links are
/// propagated, each once, from where it ends: *relax* and *lower* while the distance is below the
/// link's freedom, *upper* for each node reached. So it is fast where contingent links are few.
///
/// Source: Cairo, Hunsberger and Rizzi, "Faster dynamic controllability checking for simple
/// temporal networks with uncertainty", TIME 2018. For m links, n events, k contingent ones:
/// O(m n + k^2 n + k n log n) time there. Difference: a link that must wait for another one begins
/// again afterwards, so that k n log n becomes k (m + k n) log n here.
pub(crate) fn is_controllable(network: &Stnu) -> bool {
    let mut search = Search::new(network);
    let closed = search.find_potential().and_then(|()| {
        let mut links = 0..search.links.len();
        links.try_for_each(|link| search.close(link))
    });
    closed.is_ok()
}

/// A semi-reducible negative cycle was found: the network is not controllable.
struct NegativeCycle;

#[derive(Debug, Clone, Copy)]
struct Link {
    from: usize,
    to: usize,
    lower: Time,
    upper: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Interrupted,
    Closed,
}

/// Nodes are events.
struct Search {
    links: Vec<Link>,
    /// By event, the links with a choice that start there, and the one that ends there.
    starting_at: Vec<Vec<usize>>,
    ending_at: Vec<Option<usize>>,
    /// By event, where ordinary arcs that end there come from, and their weights.
    into: Vec<Vec<(usize, Time)>>,
    /// `potential[from] <= weight + potential[to]` for each arc, ordinary or lower-case.
    potential: Vec<Time>,
    state: Vec<State>,
}

impl Search {
    fn new(network: &Stnu) -> Search {
        let events = network.events();
        let mut search = Search {
            links: Vec::new(),
            starting_at: vec![Vec::new(); events],
            ending_at: vec![None; events],
            into: vec![Vec::new(); events],
            potential: vec![0; events],
            state: Vec::new(),
        };
        for edge in network.requirements() {
            search.into[edge.to as usize].push((edge.from as usize, edge.weight));
        }
        for link in network.contingents() {
            let (from, to) = (link.from as usize, link.to as usize);
            search.into[from].push((to, -link.lower));
            if link.lower == link.upper {
                search.into[to].push((from, link.upper));
            } else {
                search.starting_at[from].push(search.links.len());
                search.ending_at[to] = Some(search.links.len());
                search.state.push(State::New);
                search.links.push(Link {
                    from,
                    to,
                    lower: link.lower,
                    upper: link.upper,
                });
            }
        }
        search
    }

    /// The number of arcs that end at an event: ordinary ones, then the lower-case one.
    fn degree(&self, event: usize) -> usize {
        self.into[event].len() + usize::from(self.ending_at[event].is_some())
    }

    fn arc(&self, event: usize, index: usize) -> (usize, Time) {
        match (self.into[event].get(index), self.ending_at[event]) {
            (Some(arc), _) => *arc,
            (None, Some(link)) => (self.links[link].from, self.links[link].lower),
            (None, None) => (event, 0),
        }
    }

    /// Bellman-Ford from all nodes simultaneously.
    fn find_potential(&mut self) -> Result<(), NegativeCycle> {
        for _ in 0..=self.potential.len() {
            let mut changed = false;
            for to in 0..self.into.len() {
                let base = self.potential[to];
                for index in 0..self.degree(to) {
                    let (from, weight) = self.arc(to, index);
                    if base + weight < self.potential[from] {
                        self.potential[from] = base + weight;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
        Err(NegativeCycle)
    }

    /// Closes `first` and whatever must be closed before it.
    fn close(&mut self, first: usize) -> Result<(), NegativeCycle> {
        let mut waiting = vec![first];
        while let Some(&link) = waiting.last() {
            if self.state[link] == State::Closed {
                waiting.pop();
                continue;
            }
            match self.found_from(link)? {
                Found::Before(other) if self.state[other] == State::Interrupted => {
                    // Each link of the cycle must be known to be late before the next one.
                    return Err(NegativeCycle);
                }
                Found::Before(other) => {
                    self.state[link] = State::Interrupted;
                    waiting.push(other);
                }
                Found::Distances(distances) => {
                    self.state[link] = State::Closed;
                    self.apply_upper(link, &distances)?;
                    waiting.pop();
                }
            }
        }
        Ok(())
    }

    /// Shortest distances to the end of a link, through nodes that are nearer than its freedom.
    fn found_from(&self, link: usize) -> Result<Found, NegativeCycle> {
        let Link {
            to: end,
            lower,
            upper,
            ..
        } = self.links[link];
        let freedom = upper - lower;
        let mut distance = vec![Time::MAX; self.into.len()];
        let mut queue = BinaryHeap::from([Reverse((0, end))]);
        distance[end] = 0;
        let mut done = vec![false; self.into.len()];
        while let Some(Reverse((_, node))) = queue.pop() {
            if std::mem::replace(&mut done[node], true) {
                continue;
            }
            let base = distance[node];
            if let Some(found) = self.must_come_first(link, node) {
                return found;
            }
            // Nature cannot be early and late at once: not the link's own lower-case arc.
            let arcs = self.degree(node) - usize::from(node == end);
            for index in 0..arcs {
                let (from, weight) = self.arc(node, index);
                if base + weight < distance[from] {
                    distance[from] = base + weight;
                    // Nothing is followed beyond the others, so their order does not matter.
                    if distance[from] < freedom {
                        let key = distance[from] - self.potential[from] + self.potential[end];
                        queue.push(Reverse((key, from)));
                    }
                }
            }
        }
        Ok(Found::Distances(distance))
    }

    /// Whether a node met below the freedom of `link` starts a link that is not closed yet.
    fn must_come_first(&self, link: usize, node: usize) -> Option<Result<Found, NegativeCycle>> {
        if node == self.links[link].from {
            return Some(Err(NegativeCycle));
        }
        let mut others = self.starting_at[node].iter().copied();
        let other = others.find(|other| self.state[*other] != State::Closed)?;
        Some(Ok(Found::Before(other)))
    }

    /// From every node met an arc to where the link starts; then the potential is put in order.
    fn apply_upper(&mut self, link: usize, distances: &[Time]) -> Result<(), NegativeCycle> {
        let Link {
            from: start,
            to: end,
            lower,
            upper,
        } = self.links[link];
        let mut lowered: BinaryHeap<(Time, usize)> = BinaryHeap::new();
        let mut target = self.potential.clone();
        let base = self.potential[start];
        for (node, distance) in distances.iter().enumerate() {
            if *distance == Time::MAX || node == end {
                continue;
            }
            let weight = (distance - upper).max(-lower);
            if node == start {
                if weight < 0 {
                    return Err(NegativeCycle);
                }
                continue;
            }
            self.into[start].push((node, weight));
            if base + weight < target[node] {
                target[node] = base + weight;
                lowered.push((self.potential[node] - target[node], node));
            }
        }
        self.lower(
            start,
            Lowering {
                target,
                queue: lowered,
            },
        )
    }

    /// Lowers potentials to `target` and further, largest change first: so each changes once,
    /// and all negative cycles, which lead through `start`, would lower that of `start`.
    fn lower(&mut self, start: usize, lowering: Lowering) -> Result<(), NegativeCycle> {
        let Lowering {
            mut target,
            queue: mut lowered,
        } = lowering;
        while let Some((change, node)) = lowered.pop() {
            if change != self.potential[node] - target[node] || change <= 0 {
                continue;
            }
            if node == start {
                return Err(NegativeCycle);
            }
            self.potential[node] = target[node];
            for index in 0..self.degree(node) {
                let (from, weight) = self.arc(node, index);
                let lower = target[node] + weight;
                if lower < target[from] {
                    target[from] = lower;
                    lowered.push((self.potential[from] - lower, from));
                }
            }
        }
        Ok(())
    }
}

enum Found {
    /// Another link has to be closed first.
    Before(usize),
    /// To the end of the link, by node.
    Distances(Vec<Time>),
}

/// Potentials that are too high, by how much, and what they have to be.
struct Lowering {
    target: Vec<Time>,
    queue: BinaryHeap<(Time, usize)>,
}
