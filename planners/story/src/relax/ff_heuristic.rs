//! The FF heuristic: a plan of the delete relaxation whose actions are chosen by additive
//! costs (Hoffmann and Nebel, "The FF planning system", JAIR 2001, with the costs of Bonet and
//! Geffner, "Planning as heuristic search", AIJ 2001). It guides, and proves nothing.

use super::{Relaxation, UNIT};
use crate::compiled::ActionId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const UNREACHABLE: i64 = i64::MAX / 4;
const NONE: u32 = u32::MAX;
/// Additional cost of each action, so that shorter plans are better.
const ACTION_COST: i64 = (UNIT / 1e3) as i64;

/// Evaluates states by relaxed plans.
pub(crate) struct FfHeuristic<'r> {
    relaxed: &'r Relaxation,
    /// By proposition: what it costs, by which operator; and whether a plan has it.
    cost: Vec<i64>,
    by: Vec<u32>,
    is_planned: Vec<bool>,
    /// By operator: what all of its needs cost, and how many of them are not reached.
    before: Vec<i64>,
    missing: Vec<u32>,
    needs: Vec<u32>,
    free: Vec<u32>,
    holding: Vec<u32>,
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    stack: Vec<u32>,
    /// Groups of a plan.
    groups: Vec<u32>,
}

/// A plan of the delete relaxation.
#[derive(Debug, Default)]
pub(crate) struct RelaxedPlan {
    pub(crate) cost: i64,
    /// Preferred operators: its actions that can be done first, in the order of their numbers.
    pub(crate) preferred: Vec<ActionId>,
}

impl<'r> FfHeuristic<'r> {
    pub(crate) fn new(relaxed: &'r Relaxation) -> Self {
        let operators = 0..relaxed.group_of.len();
        let needs = operators.map(|o| relaxed.needs.row(o).len() as u32);
        let needs: Vec<u32> = needs.collect();
        let free = needs.iter().enumerate().filter(|(_, needs)| **needs == 0);
        Self {
            free: free.map(|(operator, _)| operator as u32).collect(),
            relaxed,
            cost: Vec::new(),
            by: Vec::new(),
            is_planned: Vec::new(),
            before: Vec::new(),
            missing: Vec::new(),
            needs,
            holding: Vec::new(),
            queue: BinaryHeap::new(),
            stack: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Looks at a state.
    pub(crate) fn state(&mut self, state: &[i16]) {
        let relaxed = self.relaxed;
        relaxed.holding(state, &mut self.holding);
        super::landmark_cut::refill(&mut self.cost, relaxed.propositions, UNREACHABLE);
        super::landmark_cut::refill(&mut self.by, relaxed.propositions, NONE);
        super::landmark_cut::refill(&mut self.before, self.needs.len(), 0);
        self.missing.clone_from(&self.needs);
        self.queue.clear();
        self.stack.clear();
        for &proposition in &self.holding {
            self.cost[proposition as usize] = 0;
            self.stack.push(proposition);
        }
        for index in 0..self.free.len() {
            self.reach(self.free[index]);
        }
        loop {
            // What costs nothing needs no order.
            let (at, proposition) = match self.stack.pop() {
                Some(proposition) => (0, proposition),
                None => match self.queue.pop() {
                    Some(Reverse(next)) => next,
                    None => return,
                },
            };
            if at > self.cost[proposition as usize] {
                continue;
            }
            for &operator in relaxed.needed_by.row(proposition as usize) {
                let index = operator as usize;
                self.before[index] = self.before[index].saturating_add(at);
                self.missing[index] -= 1;
                if self.missing[index] == 0 {
                    self.reach(operator);
                }
            }
        }
    }

    fn reach(&mut self, operator: u32) {
        let index = operator as usize;
        let group = self.relaxed.group_of[index] as usize;
        let each = if group == 0 { 0 } else { ACTION_COST };
        let after = self.before[index] + self.relaxed.groups[group].cost + each;
        for &add in self.relaxed.adds.row(index) {
            if after < self.cost[add as usize] {
                self.cost[add as usize] = after;
                self.by[add as usize] = operator;
                if after == 0 {
                    self.stack.push(add);
                } else {
                    self.queue.push(Reverse((after, add)));
                }
            }
        }
    }

    /// What some needs cost one by one. None: they are out of reach.
    pub(crate) fn level(&self, needs: &[u32]) -> Option<i64> {
        let costs = needs.iter().map(|need| self.cost[*need as usize]);
        let sum = costs.fold(0, i64::saturating_add);
        (sum < UNREACHABLE).then_some(sum)
    }

    /// A plan for some needs that are in reach.
    pub(crate) fn plan(&mut self, needs: impl Iterator<Item = u32>) -> RelaxedPlan {
        let relaxed = self.relaxed;
        super::landmark_cut::refill(&mut self.is_planned, relaxed.propositions, false);
        self.stack.clear();
        self.stack.extend(needs);
        self.groups.clear();
        let mut first = Vec::new();
        while let Some(proposition) = self.stack.pop() {
            if std::mem::replace(&mut self.is_planned[proposition as usize], true) {
                continue;
            }
            let operator = self.by[proposition as usize];
            if operator == NONE || self.cost[proposition as usize] == 0 {
                continue;
            }
            let group = relaxed.group_of[operator as usize];
            if group > 0 {
                self.groups.push(group);
                if self.before[operator as usize] == 0 {
                    first.push(relaxed.groups[group as usize].action_id);
                }
            }
            self.stack.extend(relaxed.needs.row(operator as usize));
        }
        self.groups.sort_unstable();
        self.groups.dedup();
        first.sort_unstable();
        first.dedup();
        let costs = self.groups.iter();
        let costs = costs.map(|group| relaxed.groups[*group as usize].cost + ACTION_COST);
        RelaxedPlan {
            cost: costs.sum(),
            preferred: first,
        }
    }
}
