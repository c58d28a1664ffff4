//! Best-first search in -ln E for one target, with the landmark cut bound: ends with a proof.
//!
//! A node stands for all stories with one beginning. Its bound is the cost of its beginning, plus
//! the bound of its state, plus -ln G of the target. Nodes whose bound is not below the cost of the
//! best story so far are dropped, and so are dominated nodes: another one reaches the same state,
//! is as believable and as short, and at least the same may follow it. Bounds are computed only for
//! nodes whose turn it is; until then they inherit what their parents' bounds leave.

use super::pending::Pending;
use super::scope::Scope;
use super::states::{NONE, States, story};
use crate::machine::avoid::Again;
use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::{Cost, Plan};
use crate::relax::cut::Cutter;
use crate::relax::{BITS, cost};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A story has to be better by more than this, as costs go, to be looked for: costs are rounded. It
/// changes a score by 0.4 of 10^-12 at most, which is less than half of what losses are rounded to:
/// what is not looked for has no lower rounded loss.
const SLACK: i64 = 400;
/// The bound of a state from which the target is out of reach.
const FAR: i64 = i64::MAX / 4;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is better than the best story offered.
    Proved,
    /// No room for more nodes, or enough was done.
    Full,
    /// Told to stop.
    Stopped,
}

/// How many times more than what is done what is still to be done counts: stories are finished
/// rather than compared.
const GREED: i64 = 3;

struct Node {
    state: u32,
    parent: u32,
    ground: Ground,
    /// The node before it in the same state.
    other: u32,
    depth: u8,
    /// Costs so far, rounded down one by one.
    cost: i64,
    believability: f64,
    pending: Pending,
    again: Again,
}

/// What is known of a state.
struct Known {
    /// What is still to be paid at least.
    bound: i64,
    /// Whether that was worked out here.
    is_own: bool,
    /// The last of its nodes.
    node: u32,
}

/// A search for better stories that meet a target.
pub(super) struct Climb<'m> {
    machine: &'m Machine,
    scope: &'m Scope<'m>,
    cutter: Cutter<'m>,
    opened_max: u64,
    nodes: Vec<Node>,
    states: States,
    known: Vec<Known>,
    queue: BinaryHeap<(Reverse<i64>, u8, Reverse<u32>)>,
    /// Stories that cost as much or more are not looked for.
    limit: i64,
    /// -ln of the share of the goals.
    goals: i64,
    here: World,
    world: World,
    writes: Writes,
    choices: Vec<Ground>,
    next: Vec<i16>,
}

impl<'m> Climb<'m> {
    pub(super) fn new(
        machine: &'m Machine,
        scope: &'m Scope<'m>,
        (limit, opened_max): (i64, u64),
    ) -> Self {
        Self {
            machine,
            scope,
            cutter: Cutter::new(&scope.relaxed),
            opened_max,
            nodes: Vec::new(),
            states: States::new(scope.start(machine).len()),
            known: Vec::new(),
            queue: BinaryHeap::new(),
            limit,
            goals: scope.relaxed.target.cost,
            here: machine.init.clone(),
            world: machine.init.clone(),
            writes: Vec::new(),
            choices: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Searches; `control` has been offered the story in which nothing happens, where that is
    /// allowed.
    pub(super) fn run(&mut self, control: &mut Control<'_, Plan, Cost>) -> Ended {
        self.limit = self.limit.min(limit_of(control));
        let (state, _) = self.states.number(&self.scope.start(self.machine));
        self.known.push(Known {
            bound: 0,
            is_own: false,
            node: 0,
        });
        self.nodes.push(Node {
            state,
            parent: NONE,
            ground: 0,
            other: NONE,
            depth: 0,
            cost: 0,
            believability: 1.0,
            pending: Pending::default(),
            again: self.machine.avoid.start(),
        });
        self.queue.push((Reverse(0), 0, Reverse(0)));
        let mut opened = 0;
        while let Some((Reverse(promised), depth, Reverse(index))) = self.queue.pop() {
            if self.promise(index) >= self.limit || self.is_beaten(index) {
                continue;
            }
            if opened >= self.opened_max || self.nodes.len() >= control.limits().nodes_max {
                return Ended::Full;
            }
            if !control.go_on() {
                return Ended::Stopped;
            }
            self.look(index);
            if self.promise(index) >= self.limit {
                continue;
            }
            let priority = self.priority(index);
            if priority > promised {
                self.queue.push((Reverse(priority), depth, Reverse(index)));
                continue;
            }
            if !control.tick() {
                return Ended::Stopped;
            }
            opened += 1;
            self.open(index, control);
        }
        Ended::Proved
    }

    /// No story that begins like this and meets the target costs less.
    fn promise(&self, index: u32) -> i64 {
        let node = &self.nodes[index as usize];
        node.cost + self.known[node.state as usize].bound + self.goals
    }

    fn priority(&self, index: u32) -> i64 {
        let node = &self.nodes[index as usize];
        node.cost + GREED * self.known[node.state as usize].bound + self.goals
    }

    /// Works out the bound of a node's state.
    fn look(&mut self, index: u32) {
        let node = &self.nodes[index as usize];
        let known = &mut self.known[node.state as usize];
        if known.is_own {
            return;
        }
        let enough = self.limit - node.cost - self.goals;
        self.cutter.state(self.states.facts(node.state));
        let needs = &self.scope.relaxed.target.needs;
        let bound = match self.cutter.bound(needs, enough) {
            None => FAR,
            Some(bound) if bound >= enough.min(known.bound) => bound,
            // Less than what its parent's bound leaves: here another order is better.
            Some(bound) => {
                let better = self.cutter.improved(needs, bound, enough);
                better.unwrap_or(FAR)
            }
        };
        known.bound = known.bound.max(bound);
        // With more room it might be found to be higher.
        known.is_own = bound < enough;
    }

    /// Whether another node leads where this one does, as cheaply and as soon, and whether whatever
    /// may follow on this may follow on it.
    fn is_beaten(&self, index: u32) -> bool {
        let node = &self.nodes[index as usize];
        let mut other = self.known[node.state as usize].node;
        while other != NONE {
            if other != index && self.beats(other, node) {
                return true;
            }
            other = self.nodes[other as usize].other;
        }
        false
    }

    fn beats(&self, other: u32, node: &Node) -> bool {
        let other = &self.nodes[other as usize];
        let (cheap, soon) = (other.cost.cmp(&node.cost), other.depth.cmp(&node.depth));
        // Whatever may follow the one may follow the other, which repeats no more of earlier
        // stories.
        let mut again = other.again.iter().zip(&node.again);
        cheap.is_le()
            && soon.is_le()
            && again.all(|(other, node)| other & !node == 0)
            && other.pending.allows_all_of(&node.pending)
    }

    fn open(&mut self, index: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[index as usize];
        let (paid, depth, believability) = (node.cost, node.depth + 1, node.believability);
        let (state, pending, told) = (node.state, node.pending.clone(), node.again.clone());
        let bound = self.known[state as usize].bound;
        let width = self.machine.init.facts.len();
        let (facts, done) = self.states.facts(state).split_at(width);
        self.machine.load(&mut self.here, facts);
        let done = done.to_vec();
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        self.machine.applicable(&self.here, &mut choices);
        for &ground in &choices {
            let place = self.scope.order.places[ground as usize];
            if !self.scope.is_alive(place) {
                continue;
            }
            let Some(pending) = pending.after(place, self.scope) else {
                continue;
            };
            let mut again = told.clone();
            if !self.machine.avoid.tell(&mut again, ground) {
                continue;
            }
            self.world.clone_from(&self.here);
            let step = self
                .machine
                .apply(&mut self.world, &mut self.writes, ground);
            let cost = cost(step);
            let left = (bound - cost).max(0);
            if self.world.facts == self.here.facts || paid + cost + left + self.goals >= self.limit
            {
                continue;
            }
            let next = Node {
                state: 0,
                parent: index,
                ground,
                other: NONE,
                depth,
                cost: paid + cost,
                believability: believability * step,
                pending,
                again,
            };
            self.next.clone_from(&self.world.facts);
            self.next.extend_from_slice(&done);
            let mut required = self.scope.relaxed.required.iter();
            if let Some(index) = required.position(|(required, _)| *required == ground) {
                self.next[width + index / BITS] |= 1 << (index % BITS);
            }
            self.add(next, left, control);
        }
        self.choices = choices;
    }

    /// Adds a node in the state `next`, of which it is known that so much is still to be paid.
    fn add(&mut self, mut node: Node, left: i64, control: &mut Control<'_, Plan, Cost>) {
        let (state, is_new) = self.states.number(&self.next);
        node.state = state;
        if is_new {
            self.known.push(Known {
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
            if self.beats(other, &node) {
                return;
            }
            other = self.nodes[other as usize].other;
        }
        let number = self.nodes.len() as u32;
        self.known[state as usize].node = number;
        let depth = node.depth;
        self.nodes.push(node);
        self.offer(number, control);
        if usize::from(depth) < self.machine.actions_max {
            self.queue
                .push((Reverse(self.priority(number)), depth, Reverse(number)));
        }
    }

    /// Offers the story that leads to a node.
    fn offer(&mut self, number: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[number as usize];
        let facts = &self.states.facts(node.state)[..self.machine.init.facts.len()];
        if !self.machine.is_allowed_end(facts) {
            return;
        }
        let score = self.machine.goals(facts) * node.believability;
        let cost = Cost::of_score(score);
        if control.best().is_some_and(|best| best <= cost) {
            return;
        }
        let plan = story(self.machine, number, |at| {
            let node = &self.nodes[at as usize];
            (node.parent, node.ground)
        });
        control.offer(&plan, cost, "best first");
        self.limit = self.limit.min(limit_of(control));
    }
}

/// The cost at which stories are no better than the best one offered.
pub(super) fn limit_of(control: &Control<'_, Plan, Cost>) -> i64 {
    limit_below(control.best())
}

/// The cost at which stories are no better than this one.
pub(super) fn limit_below(best: Option<Cost>) -> i64 {
    let score = best.map_or(0.0, Cost::score);
    if score > 0.0 {
        cost(score) - SLACK
    } else {
        i64::MAX / 8
    }
}
