//! Dynamic controllability (DC): can all requirements be satisfied by a policy that observes each
//! contingent event when it happens?

use super::conflict::Verdict;
use super::labelled_graph::{Arc, LabelledGraph};
use super::network::Stnu;
use super::ticker::Ticker;
use crate::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whether `network` is dynamically controllable. How to do it is another question:
/// [`strategy`](super::strategy()).
///
/// The proof of a failure is a semi-reducible negative cycle: each lower bound counts where Nature
/// may be early, each upper bound where Nature may be late.
///
/// Morris 2014 (see the [module](super)): O(nodes^3) time, O(nodes^2) memory.
///
/// # Examples
/// ```
/// use stn::{Edge, uncertain::{Contingent, Stnu, Verdict, dynamic}};
/// // Meet a guest, who rides 40 to 60 minutes, within 5 minutes, after a walk of 10 minutes.
/// let ride = Contingent { from: 0, to: 1, lower: 40, upper: 60, id: 1 };
/// let walk = Contingent { from: 2, to: 3, lower: 10, upper: 10, id: 2 };
/// let within = |from, to, id| Edge { from, to, weight: 5, id };
/// let meet = vec![within(1, 3, 3), within(3, 1, 4)];
/// let network = Stnu::new(4, meet, vec![ride, walk]).unwrap();
/// let Verdict::Fails(conflict) = dynamic(&network, &mut || true) else { panic!() };
/// // Leave so early that no ride is too late, so late that none is too early: 60 - 40 > 5 + 5.
/// assert_eq!(conflict.value, 5 + 5 + 40 - 60);
/// assert_eq!(conflict.sum(&network), -10);
/// ```
pub fn dynamic(network: &Stnu, go_on: &mut dyn FnMut() -> bool) -> Verdict<()> {
    let mut search = Backward::new(network, false);
    match search.run(&mut Ticker::new(go_on)) {
        Outcome::Closed => Verdict::Holds(()),
        Outcome::Cycle { counts, value } => {
            Verdict::Fails(search.graph.conflict(network, &counts, value))
        }
        Outcome::Stopped => Verdict::Stopped,
    }
}

/// How a propagation ended.
pub(super) enum Outcome {
    /// No semi-reducible negative cycle.
    Closed,
    /// How often the cycle goes through each arc of the network, and its length.
    Cycle {
        counts: Vec<i64>,
        value: Time,
    },
    Stopped,
}

/// A bound that follows: `t[to] - t[from] <= weight`; when it is negative and `to` is the middle of
/// a contingent link, it is a wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Derived {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: Time,
}

/// Morris's propagation. Every node at which negative arcs end is a *source* once: arcs are
/// followed backwards from it while the distance is negative, and where it no longer is, an arc
/// to the source is added. A negative node met on the path is a source first; one that is met while
/// it is still at work closes a negative cycle.
pub(super) struct Backward {
    pub(super) graph: LabelledGraph,
    /// The derived bounds, if they are recorded.
    pub(super) derived: Vec<Derived>,
    records_derived: bool,
    state: Vec<State>,
    frames: Vec<Frame>,
    /// Each node whose distance is final, with the arc that it goes and the step after it.
    steps: Vec<Step>,
    spare: Vec<Frame>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    AtWork,
    Done,
}

/// One arc on the path to the source. Everything it refers to was logged before it.
#[derive(Debug, Clone, Copy)]
struct Step {
    reason: u32,
    next: u32,
}

const NOWHERE: u32 = u32::MAX;
const FAR: Time = Time::MAX;

/// The work for one source.
#[derive(Debug, Default)]
struct Frame {
    source: u32,
    distance: Vec<Time>,
    /// By which arc, and which step comes after it.
    via: Vec<Step>,
    queue: BinaryHeap<Reverse<(Time, u32)>>,
    /// A node that left the queue, but waits for its own turn as a source; and its step.
    waiting: Option<(u32, u32)>,
}

impl Frame {
    fn relax(&mut self, arc: &Arc, base: Time, next: u32) {
        let (node, distance) = (arc.from as usize, base + arc.weight);
        if distance < self.distance[node] {
            self.distance[node] = distance;
            let reason = arc.reason;
            self.via[node] = Step { reason, next };
            // Nothing is followed beyond the others, so their order does not matter.
            if distance < 0 {
                self.queue.push(Reverse((distance, arc.from)));
            }
        }
    }
}

impl Backward {
    pub(super) fn new(network: &Stnu, records_derived: bool) -> Backward {
        let graph = LabelledGraph::new(network);
        let state = vec![State::New; graph.nodes()];
        Backward {
            graph,
            derived: Vec::new(),
            records_derived,
            state,
            frames: Vec::new(),
            steps: Vec::new(),
            spare: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, ticker: &mut Ticker<'_>) -> Outcome {
        for node in 0..self.graph.nodes() {
            if !self.is_new_source(node) {
                continue;
            }
            self.begin(node);
            while !self.frames.is_empty() {
                match self.advance(ticker) {
                    None => return Outcome::Stopped,
                    Some(Some(cycle)) => return cycle,
                    Some(None) => {}
                }
            }
        }
        Outcome::Closed
    }

    fn is_new_source(&self, node: usize) -> bool {
        self.state[node] == State::New && !self.graph.backward[node].is_empty()
    }

    fn begin(&mut self, source: usize) {
        self.state[source] = State::AtWork;
        let nodes = self.graph.nodes();
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.source = u32::try_from(source).expect("at most twice EVENTS_MAX nodes");
        frame.distance.clear();
        frame.distance.resize(nodes, FAR);
        let (reason, next) = (NOWHERE, NOWHERE);
        frame.via.resize(nodes, Step { reason, next });
        for arc in &self.graph.backward[source] {
            frame.relax(arc, 0, NOWHERE);
        }
        self.frames.push(frame);
    }

    /// Works on the innermost source until it is done, needs another one first, or closes a
    /// cycle. `None`: stopped.
    fn advance(&mut self, ticker: &mut Ticker<'_>) -> Option<Option<Outcome>> {
        let mut frame = self.frames.pop().expect("run looks first");
        if let Some((node, step)) = frame.waiting.take() {
            self.expand(&mut frame, node, step);
        }
        while let Some(Reverse((distance, node))) = frame.queue.pop() {
            let at = node as usize;
            if distance > frame.distance[at] {
                continue;
            }
            if !ticker.tick(1 + self.graph.forward[at].len()) {
                return None;
            }
            let step = self.log(&frame, node);
            if self.state[at] == State::AtWork {
                self.frames.push(frame);
                return Some(Some(self.cycle(node, step)));
            }
            if self.is_new_source(at) {
                frame.waiting = Some((node, step));
                self.frames.push(frame);
                self.begin(at);
                return Some(None);
            }
            self.expand(&mut frame, node, step);
        }
        for node in (0..).take(frame.distance.len()) {
            if (0..FAR).contains(&frame.distance[node as usize]) {
                self.log(&frame, node);
            }
        }
        self.state[frame.source as usize] = State::Done;
        self.spare.push(frame);
        Some(None)
    }

    /// Takes note of the distance of a node, now that it is final.
    fn log(&mut self, frame: &Frame, node: u32) -> u32 {
        let step = u32::try_from(self.steps.len()).expect("fewer than 2^22 pairs of nodes");
        self.steps.push(frame.via[node as usize]);
        if node != frame.source {
            let weight = frame.distance[node as usize];
            let (from, to) = (node, frame.source);
            self.derive(Derived { from, to, weight }, step);
        }
        step
    }

    /// Goes on backwards from a node at negative distance. Negative arcs that end there were
    /// followed when it was a source itself.
    fn expand(&self, frame: &mut Frame, node: u32, step: u32) {
        let base = frame.distance[node as usize];
        let link = self.graph.link_of(frame.source as usize);
        for arc in &self.graph.forward[node as usize] {
            // Nature cannot be early and late with one and the same link.
            let own = link.is_some_and(|link| self.graph.is_lower_case(arc.reason, link));
            if !own {
                frame.relax(arc, base, step);
            }
        }
    }

    /// Adds what follows from the arcs from `step` on: where it is not negative, to the graph.
    fn derive(&mut self, derived: Derived, step: u32) {
        if self.records_derived {
            self.derived.push(derived);
        }
        let Derived { from, to, weight } = derived;
        if weight >= 0 {
            let origins = u32::try_from(self.graph.origins.len()).expect("limits of the network");
            let reason = origins + step;
            self.graph.forward[to as usize].push(Arc {
                weight,
                from,
                reason,
            });
        }
    }

    /// The cycle from `node`, a source at work, to the innermost source, from there to the one
    /// that waits for it, and so on back to `node`.
    fn cycle(&self, node: u32, step: u32) -> Outcome {
        let mut uses = vec![0_i64; self.steps.len()];
        let mut value = 0;
        let (mut from, mut step) = (node, step);
        for frame in self.frames.iter().rev() {
            uses[step as usize] += 1;
            value += frame.distance[from as usize];
            if frame.source == node {
                break;
            }
            from = frame.source;
            let before = self.frames.iter().find_map(|outer| {
                outer
                    .waiting
                    .filter(|(waiting, _)| *waiting == frame.source)
            });
            (_, step) = before.expect("every source but the first was met by the one before");
        }
        let mut counts = vec![0_i64; self.graph.origins.len()];
        for index in (0..self.steps.len()).rev() {
            let Step { reason, next } = self.steps[index];
            let used = uses[index];
            if used == 0 {
                continue;
            }
            let slot = match (reason as usize).checked_sub(counts.len()) {
                None => &mut counts[reason as usize],
                Some(derived) => &mut uses[derived],
            };
            *slot = slot.saturating_add(used);
            if next != NOWHERE {
                uses[next as usize] = uses[next as usize].saturating_add(used);
            }
        }
        Outcome::Cycle { counts, value }
    }
}
