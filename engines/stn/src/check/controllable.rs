//! Dynamic controllability of a simple temporal network with uncertainty (STNU).

use super::Network;
use crate::Time;
use crate::link::Contingent;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Returns whether a network is dynamically controllable: our times can be picked, each by what has
/// ended until then, that instant included, so that all bounds are satisfied for all durations.
///
/// O(nodes^3) time with a heap's logarithm, O(nodes^2) memory. Source: Morris, "Dynamic
/// controllability and dispatchability relationships" (CPAIOR 2014), procedure `DCbackprop`, with a
/// explicit stack in place of recursion. Bounds of up to 2^60 either way cannot overflow: below 0
/// a sum is that of one bound and what is not negative.
///
/// # Errors
/// A cycle of nodes of the network, each of which asks for one before it, that cannot be
/// satisfied.
///
/// Once `go_on` returns false the answer is invalid.
pub fn controllable(network: &Network, go_on: impl FnMut() -> bool) -> Result<(), Vec<usize>> {
    let mut search = Search::new(network, go_on);
    for source in 0..search.into.len() {
        if let Err(cycle) = search.explore(source) {
            // The middle of a duration stands for its start.
            let name = |node: usize| match node.checked_sub(network.nodes) {
                Some(duration) => network.contingents[duration].link.from,
                None => node,
            };
            let mut nodes: Vec<usize> = cycle.into_iter().map(name).collect();
            nodes.dedup();
            return Err(nodes);
        }
    }
    Ok(())
}

/// Edges that are looked at between two calls of `go_on`.
const EDGES_MAX: usize = 1 << 14;

/// What a bound is to the durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    /// A duration may be at its shortest.
    Lower(usize),
    /// A duration may be at its longest.
    Upper(usize),
}

/// An edge of the distance graph, kept at the node to which it leads.
#[derive(Debug, Clone, Copy)]
struct Edge {
    from: usize,
    weight: Time,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Search<G> {
    go_on: G,
    /// Edges that were looked at since `go_on` was called.
    seen: usize,
    /// Edges by the node to which they lead.
    into: Vec<Vec<Edge>>,
    /// Whether a negative edge leads to a node.
    negative: Vec<bool>,
    state: Vec<State>,
}

/// A negative node whose surroundings are being looked at, from the inside out.
struct Frame {
    source: usize,
    distance: Vec<Time>,
    queue: BinaryHeap<Reverse<(Time, usize)>>,
    /// The duration that is at its longest, when that is what leads here.
    upper: Option<usize>,
}

impl<G: FnMut() -> bool> Search<G> {
    /// Each duration from `from` to `to` gets a node in the middle, exactly its shortest time after
    /// `from`, so that what others pick from there is 0 to the rest.
    fn new(network: &Network, go_on: G) -> Self {
        let nodes = network.nodes + network.contingents.len();
        let mut search = Self {
            go_on,
            seen: 0,
            into: vec![Vec::new(); nodes],
            negative: vec![false; nodes],
            state: vec![State::New; nodes],
        };
        for bound in &network.bounds {
            search.put(bound.from, bound.to, bound.weight, Kind::Plain);
        }
        for (at, duration) in network.contingents.iter().enumerate() {
            let Contingent {
                from,
                to,
                lower_us,
                upper_us,
            } = duration.link;
            let middle = network.nodes + at;
            let rest = upper_us - lower_us;
            search.put(from, middle, lower_us, Kind::Plain);
            search.put(middle, from, -lower_us, Kind::Plain);
            if rest == 0 {
                search.put(middle, to, 0, Kind::Plain);
                search.put(to, middle, 0, Kind::Plain);
            } else {
                search.put(middle, to, 0, Kind::Lower(at));
                search.put(to, middle, -rest, Kind::Upper(at));
                // What is sure of any duration, which no strategy has to bring about.
                search.put(middle, to, rest, Kind::Plain);
                search.put(to, middle, 0, Kind::Plain);
            }
        }
        search
    }

    fn put(&mut self, from: usize, to: usize, weight: Time, kind: Kind) {
        self.negative[to] |= weight < 0;
        self.into[to].push(Edge { from, weight, kind });
    }

    /// Finds all that follows from the negative edges into a node, and into those that this needs.
    fn explore(&mut self, source: usize) -> Result<(), Vec<usize>> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut next = Some(source);
        loop {
            if let Some(source) = next.take() {
                if self.state[source] == State::Open {
                    let open = stack.iter().map(|frame| frame.source);
                    return Err(open.skip_while(|open| *open != source).collect());
                }
                if self.negative[source] && self.state[source] == State::New {
                    self.state[source] = State::Open;
                    stack.push(self.frame(source));
                }
            }
            let Some(frame) = stack.last_mut().filter(|_| (self.go_on)()) else {
                return Ok(());
            };
            next = self.advance(frame);
            if next.is_none() {
                self.state[frame.source] = State::Done;
                stack.pop();
            }
        }
    }

    fn frame(&self, source: usize) -> Frame {
        let mut frame = Frame {
            source,
            distance: vec![Time::MAX; self.into.len()],
            queue: BinaryHeap::new(),
            upper: None,
        };
        for edge in self.into[source].iter().filter(|edge| edge.weight < 0) {
            // The one negative edge into a middle is that of its duration.
            if let Kind::Upper(duration) = edge.kind {
                frame.upper = Some(duration);
            }
            frame.reach(edge.from, edge.weight);
        }
        frame
    }

    /// Goes on until a node is needed that was not looked at; `None`: done.
    fn advance(&mut self, frame: &mut Frame) -> Option<usize> {
        while let Some(&Reverse((distance, node))) = frame.queue.peek() {
            if distance > frame.distance[node] {
                frame.queue.pop();
                continue;
            }
            if distance >= 0 {
                // No wait is left: a bound like any other.
                frame.queue.pop();
                self.put(node, frame.source, distance, Kind::Plain);
                continue;
            }
            if self.negative[node] && self.state[node] != State::Done {
                return Some(node);
            }
            frame.queue.pop();
            self.seen += self.into[node].len();
            if self.seen >= EDGES_MAX {
                self.seen = 0;
                if !(self.go_on)() {
                    return None;
                }
            }
            for edge in &self.into[node] {
                let own = matches!(edge.kind, Kind::Lower(lower) if frame.upper == Some(lower));
                if edge.weight >= 0 && !own {
                    frame.reach(edge.from, distance + edge.weight);
                }
            }
        }
        None
    }
}

impl Frame {
    fn reach(&mut self, node: usize, distance: Time) {
        if distance < self.distance[node] {
            self.distance[node] = distance;
            self.queue.push(Reverse((distance, node)));
        }
    }
}
