//! Best-first search in -ln E for one target, with the landmark cut bound: ends with a proof.
//!
//! A node stands for all stories with one prefix. Its lower bound is
//!
//! ```text
//! f = cost of the prefix + landmark cut bound of its state - ln G of the target
//! ```
//!
//! A node is dropped if f is not below the cost of the incumbent, or if another node dominates it:
//! that one reaches the same state, is as believable and as short, and permits at least the same
//! continuations. Bounds are lazy: computed only for nodes at the head of the queue. Until then a
//! node inherits its parent's bound, less the cost of its action.

use super::partial_order_reduction::PendingActions;
use super::scope::Scope;
use super::state_table::{NONE, StateTable, plan_to};
use crate::compiled::code::Writes;
use crate::compiled::diversity::Repeats;
use crate::compiled::index::World;
use crate::compiled::{ActionId, CompiledDomain};
use crate::plan::{Cost, Plan};
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{BITS, cost};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A story has to be better by more than this, as costs go, to be looked for: costs are rounded. It
/// changes a score by 0.4 of 10^-12 at most, which is less than half of what losses are rounded to:
/// what is not looked for has no lower rounded loss.
const ROUNDING: i64 = 400;
/// The bound of a state from which the target is out of reach.
const UNREACHABLE: i64 = i64::MAX / 4;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is better than the best story offered.
    Proved,
    /// No room for more nodes, or enough was done.
    Full,
    /// The control stopped it.
    Stopped,
}

/// Weight of the bound in the priority of a node (weighted A*): stories are finished rather than
/// compared.
const BOUND_WEIGHT: i64 = 3;

struct Node {
    state: u32,
    parent: u32,
    action_id: ActionId,
    /// The node before it in the same state.
    other: u32,
    depth: u8,
    /// Costs so far, rounded down one by one.
    cost: i64,
    believability: f64,
    pending: PendingActions,
    repeats: Repeats,
}

/// A state in the transposition table.
struct StateRecord {
    /// Lower bound on the cost of what follows.
    bound: i64,
    /// Whether that was computed for this state, not inherited.
    is_own: bool,
    /// The last of its nodes.
    node: u32,
}

/// Best-first search for better stories that meet a target.
pub(super) struct BestFirst<'m> {
    compiled: &'m CompiledDomain,
    scope: &'m Scope<'m>,
    landmark_cut: LandmarkCut<'m>,
    expansions_max: u64,
    nodes: Vec<Node>,
    states: StateTable,
    known: Vec<StateRecord>,
    queue: BinaryHeap<(Reverse<i64>, u8, Reverse<u32>)>,
    /// Stories that cost as much or more are not looked for.
    limit: i64,
    /// -ln of the share of the goals.
    goals: i64,
    here: World,
    world: World,
    writes: Writes,
    choices: Vec<ActionId>,
    next: Vec<i16>,
}

impl<'m> BestFirst<'m> {
    pub(super) fn new(
        compiled: &'m CompiledDomain,
        scope: &'m Scope<'m>,
        limit: i64,
        expansions_max: u64,
    ) -> Self {
        Self {
            compiled,
            scope,
            landmark_cut: LandmarkCut::new(&scope.relaxed),
            expansions_max,
            nodes: Vec::new(),
            states: StateTable::new(scope.start(compiled).len()),
            known: Vec::new(),
            queue: BinaryHeap::new(),
            limit,
            goals: scope.relaxed.target.cost,
            here: compiled.init.clone(),
            world: compiled.init.clone(),
            writes: Vec::new(),
            choices: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Searches; `control` has been offered the story in which nothing happens, where that is
    /// allowed.
    pub(super) fn run(&mut self, control: &mut Control<'_, Plan, Cost>) -> Ended {
        self.limit = self.limit.min(cost_limit(control));
        let (state, _) = self.states.insert(&self.scope.start(self.compiled));
        self.known.push(StateRecord {
            bound: 0,
            is_own: false,
            node: 0,
        });
        self.nodes.push(Node {
            state,
            parent: NONE,
            action_id: 0,
            other: NONE,
            depth: 0,
            cost: 0,
            believability: 1.0,
            pending: PendingActions::default(),
            repeats: self.compiled.diversity.start(),
        });
        self.queue.push((Reverse(0), 0, Reverse(0)));
        let mut expanded = 0;
        while let Some((Reverse(lower_bound), depth, Reverse(index))) = self.queue.pop() {
            if self.node_bound(index) >= self.limit || self.is_dominated(index) {
                continue;
            }
            if expanded >= self.expansions_max || self.nodes.len() >= control.limits().nodes_max {
                return Ended::Full;
            }
            if !control.go_on() {
                return Ended::Stopped;
            }
            self.evaluate(index);
            if self.node_bound(index) >= self.limit {
                continue;
            }
            let priority = self.priority(index);
            if priority > lower_bound {
                self.queue.push((Reverse(priority), depth, Reverse(index)));
                continue;
            }
            if !control.tick() {
                return Ended::Stopped;
            }
            expanded += 1;
            self.expand(index, control);
        }
        Ended::Proved
    }

    /// Lower bound on the cost of stories that begin like this and meet the target.
    fn node_bound(&self, index: u32) -> i64 {
        let node = &self.nodes[index as usize];
        node.cost + self.known[node.state as usize].bound + self.goals
    }

    fn priority(&self, index: u32) -> i64 {
        let node = &self.nodes[index as usize];
        node.cost + BOUND_WEIGHT * self.known[node.state as usize].bound + self.goals
    }

    /// Computes the bound of a node's state.
    fn evaluate(&mut self, index: u32) {
        let node = &self.nodes[index as usize];
        let known = &mut self.known[node.state as usize];
        if known.is_own {
            return;
        }
        let enough = self.limit - node.cost - self.goals;
        self.landmark_cut.state(self.states.facts(node.state));
        let needs = &self.scope.relaxed.target.needs;
        let bound = match self.landmark_cut.bound(needs, enough) {
            None => UNREACHABLE,
            Some(bound) if bound >= enough.min(known.bound) => bound,
            // Less than what its parent's bound leaves: here another order is better.
            Some(bound) => {
                let better = self.landmark_cut.improved(needs, bound, enough);
                better.unwrap_or(UNREACHABLE)
            }
        };
        known.bound = known.bound.max(bound);
        // With more room it might be found to be higher.
        known.is_own = bound < enough;
    }

    /// Whether another node leads where this one does, as cheaply and as soon, and whether whatever
    /// may follow on this may follow on it.
    fn is_dominated(&self, index: u32) -> bool {
        let node = &self.nodes[index as usize];
        let mut other = self.known[node.state as usize].node;
        while other != NONE {
            if other != index && self.dominates(other, node) {
                return true;
            }
            other = self.nodes[other as usize].other;
        }
        false
    }

    fn dominates(&self, other: u32, node: &Node) -> bool {
        let other = &self.nodes[other as usize];
        let (cheap, soon) = (other.cost.cmp(&node.cost), other.depth.cmp(&node.depth));
        // Whatever may follow the one may follow the other, which repeats no more of earlier
        // stories.
        let mut repeats = other.repeats.iter().zip(&node.repeats);
        cheap.is_le()
            && soon.is_le()
            && repeats.all(|(other, node)| other & !node == 0)
            && other.pending.allows_all_of(&node.pending)
    }

    fn expand(&mut self, index: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[index as usize];
        let (paid, depth, believability) = (node.cost, node.depth + 1, node.believability);
        let (state, pending, repeats) = (node.state, node.pending.clone(), node.repeats.clone());
        let bound = self.known[state as usize].bound;
        let width = self.compiled.init.facts.len();
        let (facts, done) = self.states.facts(state).split_at(width);
        self.compiled.load(&mut self.here, facts);
        let done = done.to_vec();
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        self.compiled.applicable(&self.here, &mut choices);
        for &action_id in &choices {
            let place = self.scope.order.places[action_id as usize];
            if !self.scope.is_alive(place) {
                continue;
            }
            let Some(pending) = pending.after(place, self.scope) else {
                continue;
            };
            let mut repeats = repeats.clone();
            if !self.compiled.diversity.record(&mut repeats, action_id) {
                continue;
            }
            self.world.clone_from(&self.here);
            let step = self
                .compiled
                .apply(&mut self.world, &mut self.writes, action_id);
            let cost = cost(step);
            let left = (bound - cost).max(0);
            if self.world.facts == self.here.facts || paid + cost + left + self.goals >= self.limit
            {
                continue;
            }
            let next = Node {
                state: 0,
                parent: index,
                action_id,
                other: NONE,
                depth,
                cost: paid + cost,
                believability: believability * step,
                pending,
                repeats,
            };
            self.next.clone_from(&self.world.facts);
            self.next.extend_from_slice(&done);
            let mut required = self.scope.relaxed.required.iter();
            if let Some(index) = required.position(|(required, _)| *required == action_id) {
                self.next[width + index / BITS] |= 1 << (index % BITS);
            }
            self.add(next, left, control);
        }
        self.choices = choices;
    }

    /// Adds a node in the state `next`, of which it is known that so much is still to be paid.
    fn add(&mut self, mut node: Node, left: i64, control: &mut Control<'_, Plan, Cost>) {
        let (state, is_new) = self.states.insert(&self.next);
        node.state = state;
        if is_new {
            self.known.push(StateRecord {
                bound: left,
                is_own: false,
                node: NONE,
            });
        }
        let known = &mut self.known[state as usize];
        known.bound = known.bound.max(left);
        if known.bound + node.cost + self.goals >= self.limit {
            return;
        }
        node.other = known.node;
        let mut other = known.node;
        while other != NONE {
            if self.dominates(other, &node) {
                return;
            }
            other = self.nodes[other as usize].other;
        }
        let number = self.nodes.len() as u32;
        self.known[state as usize].node = number;
        let depth = node.depth;
        self.nodes.push(node);
        self.offer(number, control);
        if usize::from(depth) < self.compiled.actions_max {
            self.queue
                .push((Reverse(self.priority(number)), depth, Reverse(number)));
        }
    }

    /// Offers the story that leads to a node.
    fn offer(&mut self, number: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[number as usize];
        let facts = &self.states.facts(node.state)[..self.compiled.init.facts.len()];
        if !self.compiled.is_allowed_end(facts) {
            return;
        }
        let score = self.compiled.goal_share(facts) * node.believability;
        let cost = Cost::of_score(score);
        if control.best().is_some_and(|best| best <= cost) {
            return;
        }
        let plan = plan_to(self.compiled, number, |at| {
            let node = &self.nodes[at as usize];
            (node.parent, node.action_id)
        });
        control.offer(&plan, cost, "best first");
        self.limit = self.limit.min(cost_limit(control));
    }
}

/// The cost at which stories are no better than the best one offered.
pub(super) fn cost_limit(control: &Control<'_, Plan, Cost>) -> i64 {
    cost_limit_below(control.best())
}

/// The cost at which stories are no better than this one.
pub(super) fn cost_limit_below(best: Option<Cost>) -> i64 {
    let score = best.map_or(0.0, Cost::score);
    if score > 0.0 {
        cost(score) - ROUNDING
    } else {
        i64::MAX / 8
    }
}
