//! Greedy best-first search by relaxed plans, with their first actions as preferred operators (as
//! in the planner LAMA, Richter and Westphal, JAIR 2010). It finds good stories early, and proves
//! nothing.

use super::best_first::cost_limit;
use super::state_table::{NONE, StateTable, plan_to};
use crate::compiled::code::Writes;
use crate::compiled::diversity::Repeats;
use crate::compiled::index::World;
use crate::compiled::{ActionId, CompiledDomain};
use crate::plan::{Cost, Plan};
use crate::relax::ff_heuristic::{FfHeuristic, RelaxedPlan};
use crate::relax::{Goals, Relaxation, cost};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Weight of the heuristic in the priority of a node.
const HEURISTIC_WEIGHT: i64 = 2;
/// Guesses without progress after which the search is interrupted.
const PATIENCE: u64 = 40;
/// Guesses for each iteration of another search, which takes much longer.
const SHARE: u64 = 1;
/// One of this number of nodes is taken from all nodes, whether or not its action is preferred.
const ALL_NODES_PERIOD: u64 = 4;

struct Node {
    parent: u32,
    action_id: ActionId,
    depth: usize,
    cost: i64,
    believability: f64,
    state: u32,
    repeats: Repeats,
}

type Queue = BinaryHeap<(Reverse<i64>, Reverse<u32>)>;

/// Greedy best-first search, which may be interrupted.
pub(super) struct GreedySearch<'d> {
    compiled: &'d CompiledDomain,
    goals: Vec<(f64, Option<&'d [u32]>)>,
    marks: &'d [u32],
    heuristic: FfHeuristic<'d>,
    nodes: Vec<Node>,
    states: StateTable,
    /// By state: the least cost at which it was reached.
    known: Vec<i64>,
    /// Of preferred actions, and of all.
    queues: [Queue; 2],
    turn: u64,
    /// Iterations before the first evaluation, and evaluations made.
    since: u64,
    evaluations: u64,
    /// By node.
    is_opened: Vec<bool>,
    here: World,
    world: World,
    writes: Writes,
}

impl<'d> GreedySearch<'d> {
    pub(super) fn new(
        compiled: &'d CompiledDomain,
        (relaxed, goals): &'d (Relaxation, Goals),
    ) -> Self {
        let start = Node {
            parent: NONE,
            action_id: 0,
            depth: 0,
            cost: 0,
            believability: 1.0,
            state: 0,
            repeats: compiled.diversity.start(),
        };
        let mut states = StateTable::new(compiled.init.facts.len());
        states.insert(&compiled.init.facts);
        let all = Queue::from([(Reverse(0), Reverse(0))]);
        Self {
            compiled,
            goals: goals.needs(),
            marks: goals.mark_needs(),
            heuristic: FfHeuristic::new(relaxed),
            nodes: vec![start],
            states,
            known: vec![0],
            queues: [Queue::new(), all],
            turn: 0,
            since: 0,
            evaluations: 0,
            is_opened: Vec::new(),
            here: compiled.init.clone(),
            world: compiled.init.clone(),
            writes: Vec::new(),
        }
    }

    /// Starts: as long as a few evaluations each lead to a better story, or to a state from which
    /// less is needed.
    pub(super) fn start(&mut self, control: &mut Control<'_, Plan, Cost>) {
        self.since = control.iterations();
        self.run(0, control);
    }

    /// Goes on, in proportion to what was done besides since it began.
    pub(super) fn resume(&mut self, control: &mut Control<'_, Plan, Cost>) {
        let others = control.iterations() - self.since - self.evaluations;
        let open = (others * SHARE).saturating_sub(self.evaluations);
        if open >= PATIENCE {
            self.run(open, control);
        }
    }

    fn run(&mut self, evaluations: u64, control: &mut Control<'_, Plan, Cost>) {
        let until = control.iterations().saturating_add(evaluations);
        let (mut least, mut idle) = (i64::MAX, 0);
        while let Some(index) = self.next() {
            if self.nodes[index as usize].cost >= cost_limit(control) {
                continue;
            }
            if (idle >= PATIENCE && control.iterations() >= until)
                || self.nodes.len() >= control.limits().nodes_max
                || !control.tick()
            {
                // It is not lost.
                self.is_opened[index as usize] = false;
                self.queues[1].push((Reverse(0), Reverse(index)));
                return;
            }
            idle += 1;
            self.evaluations += 1;
            let Some(relaxed_plan) = self.evaluate(index) else {
                continue;
            };
            let before = cost_limit(control);
            self.expand(index, &relaxed_plan, control);
            if cost_limit(control) < before || relaxed_plan.cost < least {
                least = relaxed_plan.cost.min(least);
                idle = 0;
            }
        }
    }

    /// The next node that was not opened.
    fn next(&mut self) -> Option<u32> {
        self.is_opened.resize(self.nodes.len(), false);
        loop {
            self.turn += 1;
            let which = usize::from(self.turn.is_multiple_of(ALL_NODES_PERIOD));
            let [preferred, all] = &mut self.queues;
            let queues = if which == 0 {
                [preferred, all]
            } else {
                [all, preferred]
            };
            let (_, Reverse(index)) = queues.into_iter().find_map(BinaryHeap::pop)?;
            if !std::mem::replace(&mut self.is_opened[index as usize], true) {
                return Some(index);
            }
        }
    }

    /// A relaxed plan from the state of a node. None: all goals are out of reach.
    fn evaluate(&mut self, index: u32) -> Option<RelaxedPlan> {
        let node = &self.nodes[index as usize];
        self.heuristic.state(self.states.facts(node.state));
        self.heuristic.level(self.marks)?;
        let goals = self.goals.iter().filter_map(|(weight, needs)| {
            let needs = (*needs)?;
            Some((self.heuristic.level(needs)?, *weight, needs))
        });
        let mut goals: Vec<(i64, f64, &[u32])> = goals.collect();
        // Of goals those that cost little for their weight, as many as are best together.
        let per_weight = |goal: &(i64, f64, &[u32])| goal.0 as f64 / goal.1;
        goals.sort_by(|a, b| per_weight(a).total_cmp(&per_weight(b)));
        let all: f64 = self.goals.iter().map(|goal| goal.0).sum();
        let (mut sum, mut weight) = (0_i64, 0.0);
        let mut best = (i64::MAX, 0, 0);
        for (count, goal) in goals.iter().enumerate() {
            sum = sum.saturating_add(goal.0);
            weight += goal.1;
            let share = cost((weight / all).min(1.0));
            best = best.min((sum.saturating_add(share), count + 1, share));
        }
        let (_, count, share) = best;
        let needs = goals[..count].iter().flat_map(|goal| goal.2.iter());
        let needs = needs.chain(self.marks).copied();
        let mut relaxed_plan = self.heuristic.plan(needs.collect::<Vec<_>>().into_iter());
        relaxed_plan.cost += share;
        Some(relaxed_plan)
    }

    fn expand(
        &mut self,
        index: u32,
        relaxed_plan: &RelaxedPlan,
        control: &mut Control<'_, Plan, Cost>,
    ) {
        let node = &self.nodes[index as usize];
        let (paid, depth, believability) = (node.cost, node.depth + 1, node.believability);
        if depth > self.compiled.actions_max {
            return;
        }
        let repeats = node.repeats.clone();
        let facts = self.states.facts(node.state);
        self.compiled.load(&mut self.here, facts);
        let mut choices = Vec::new();
        self.compiled.applicable(&self.here, &mut choices);
        for action_id in choices {
            let mut repeats = repeats.clone();
            if !self.compiled.diversity.record(&mut repeats, action_id) {
                continue;
            }
            self.world.clone_from(&self.here);
            let step = self
                .compiled
                .apply(&mut self.world, &mut self.writes, action_id);
            let paid = paid + cost(step);
            if paid >= cost_limit(control) || self.world.facts == self.here.facts {
                continue;
            }
            let (state, is_new) = self.states.insert(&self.world.facts);
            if is_new {
                self.known.push(i64::MAX);
            }
            if self.known[state as usize] <= paid {
                continue;
            }
            self.known[state as usize] = paid;
            let number = self.nodes.len() as u32;
            self.nodes.push(Node {
                parent: index,
                action_id,
                depth,
                cost: paid,
                believability: believability * step,
                state,
                repeats,
            });
            self.offer(number, control);
            let priority = paid + HEURISTIC_WEIGHT * relaxed_plan.cost;
            self.queues[1].push((Reverse(priority), Reverse(number)));
            if relaxed_plan.preferred.binary_search(&action_id).is_ok() {
                self.queues[0].push((Reverse(priority), Reverse(number)));
            }
        }
    }

    /// Offers the story that leads to a node.
    fn offer(&mut self, number: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[number as usize];
        let facts = self.states.facts(node.state);
        if !self.compiled.is_allowed_end(facts) {
            return;
        }
        let cost = Cost::of_score(self.compiled.goal_share(facts) * node.believability);
        if control.best().is_some_and(|best| best <= cost) {
            return;
        }
        let plan = plan_to(self.compiled, number, |at| {
            let node = &self.nodes[at as usize];
            (node.parent, node.action_id)
        });
        control.offer(&plan, cost, "greedy");
    }
}
