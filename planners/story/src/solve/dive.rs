//! Good stories early: greedy best-first search by plans of the relaxation, with their first
//! actions preferred (as in the planner LAMA, Richter and Westphal, JAIR 2010). It proves nothing.

use super::optimal::limit_of;
use super::states::{NONE, States, story};
use crate::machine::avoid::Again;
use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::{Cost, Plan};
use crate::relax::guess::{Guess, Guesser};
use crate::relax::{Goals, Relaxed, cost};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many times more than what is done what is still to be done counts.
const GREED: i64 = 2;
/// Guesses without progress after which a dive is interrupted.
const PATIENCE: u64 = 40;
/// Guesses for each iteration of another search, which takes much longer.
const SHARE: u64 = 1;
/// Of so many nodes one is taken whose action is not preferred.
const OTHERS: u64 = 4;

struct Node {
    parent: u32,
    ground: Ground,
    depth: usize,
    cost: i64,
    believability: f64,
    state: u32,
    again: Again,
}

type Queue = BinaryHeap<(Reverse<i64>, Reverse<u32>)>;

/// A dive, which may be interrupted.
pub(super) struct Dive<'d> {
    machine: &'d Machine,
    goals: Vec<(f64, Option<&'d [u32]>)>,
    marks: &'d [u32],
    guesser: Guesser<'d>,
    nodes: Vec<Node>,
    states: States,
    /// By state: the least cost at which it was reached.
    known: Vec<i64>,
    /// Of preferred actions, and of all.
    queues: [Queue; 2],
    turn: u64,
    /// Iterations before the first guess, and guesses made.
    since: u64,
    guesses: u64,
    /// By node.
    is_opened: Vec<bool>,
    here: World,
    world: World,
    writes: Writes,
}

impl<'d> Dive<'d> {
    pub(super) fn new(machine: &'d Machine, (relaxed, goals): &'d (Relaxed, Goals)) -> Self {
        let start = Node {
            parent: NONE,
            ground: 0,
            depth: 0,
            cost: 0,
            believability: 1.0,
            state: 0,
            again: machine.avoid.start(),
        };
        let mut states = States::new(machine.init.facts.len());
        states.number(&machine.init.facts);
        let all = Queue::from([(Reverse(0), Reverse(0))]);
        Self {
            machine,
            goals: goals.needs(),
            marks: goals.mark_needs(),
            guesser: Guesser::new(relaxed),
            nodes: vec![start],
            states,
            known: vec![0],
            queues: [Queue::new(), all],
            turn: 0,
            since: 0,
            guesses: 0,
            is_opened: Vec::new(),
            here: machine.init.clone(),
            world: machine.init.clone(),
            writes: Vec::new(),
        }
    }

    /// Begins: as long as each few guesses lead to a better story, or to a state from which less is
    /// needed.
    pub(super) fn begin(&mut self, control: &mut Control<'_, Plan, Cost>) {
        self.since = control.iterations();
        self.run(0, control);
    }

    /// Goes on, in proportion to what was done besides since it began.
    pub(super) fn keep_up(&mut self, control: &mut Control<'_, Plan, Cost>) {
        let others = control.iterations() - self.since - self.guesses;
        let open = (others * SHARE).saturating_sub(self.guesses);
        if open >= PATIENCE {
            self.run(open, control);
        }
    }

    fn run(&mut self, guesses: u64, control: &mut Control<'_, Plan, Cost>) {
        let until = control.iterations().saturating_add(guesses);
        let (mut least, mut idle) = (i64::MAX, 0);
        while let Some(index) = self.next() {
            if self.nodes[index as usize].cost >= limit_of(control) {
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
            self.guesses += 1;
            let Some(guess) = self.guess(index) else {
                continue;
            };
            let before = limit_of(control);
            self.open(index, &guess, control);
            if limit_of(control) < before || guess.cost < least {
                least = guess.cost.min(least);
                idle = 0;
            }
        }
    }

    /// The next node that was not opened.
    fn next(&mut self) -> Option<u32> {
        self.is_opened.resize(self.nodes.len(), false);
        loop {
            self.turn += 1;
            let which = usize::from(self.turn.is_multiple_of(OTHERS));
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

    /// What a story that begins with a node still needs. None: all goals are out of reach.
    fn guess(&mut self, index: u32) -> Option<Guess> {
        let node = &self.nodes[index as usize];
        self.guesser.state(self.states.facts(node.state));
        self.guesser.level(self.marks)?;
        let goals = self.goals.iter().filter_map(|(weight, needs)| {
            let needs = (*needs)?;
            Some((self.guesser.level(needs)?, *weight, needs))
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
        let mut guess = self.guesser.plan(needs.collect::<Vec<_>>().into_iter());
        guess.cost += share;
        Some(guess)
    }

    fn open(&mut self, index: u32, guess: &Guess, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[index as usize];
        let (paid, depth, believability) = (node.cost, node.depth + 1, node.believability);
        if depth > self.machine.actions_max {
            return;
        }
        let again = node.again.clone();
        let facts = self.states.facts(node.state);
        self.machine.load(&mut self.here, facts);
        let mut choices = Vec::new();
        self.machine.applicable(&self.here, &mut choices);
        for ground in choices {
            let mut again = again.clone();
            if !self.machine.avoid.tell(&mut again, ground) {
                continue;
            }
            self.world.clone_from(&self.here);
            let step = self
                .machine
                .apply(&mut self.world, &mut self.writes, ground);
            let paid = paid + cost(step);
            if paid >= limit_of(control) || self.world.facts == self.here.facts {
                continue;
            }
            let (state, is_new) = self.states.number(&self.world.facts);
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
                ground,
                depth,
                cost: paid,
                believability: believability * step,
                state,
                again,
            });
            self.offer(number, control);
            let priority = paid + GREED * guess.cost;
            self.queues[1].push((Reverse(priority), Reverse(number)));
            if guess.first.binary_search(&ground).is_ok() {
                self.queues[0].push((Reverse(priority), Reverse(number)));
            }
        }
    }

    /// Offers the story that leads to a node.
    fn offer(&mut self, number: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[number as usize];
        let facts = self.states.facts(node.state);
        if !self.machine.is_allowed_end(facts) {
            return;
        }
        let cost = Cost::of_score(self.machine.goals(facts) * node.believability);
        if control.best().is_some_and(|best| best <= cost) {
            return;
        }
        let plan = story(self.machine, number, |at| {
            let node = &self.nodes[at as usize];
            (node.parent, node.ground)
        });
        control.offer(&plan, cost, "greedy");
    }
}
