//! What a story may come to: which goals hold at its end, and by which of their alternatives.
//!
//! An *outcome* decides goal by goal what is asked of stories. One that decides nothing stands for
//! all stories; [`Goals::split`] divides one into outcomes that decide more. So outcomes are a
//! tree, and a search looks only at what may lead to a better story: goals multiply the work where
//! they compete, not where they hold anyway.

use super::conditions::{ConditionAnalysis, Conj, conjoin};
use super::read_write_sets::{ReadWriteSet, Reads};
use crate::compiled::CompiledDomain;
use crate::compiled::code::SLOTS;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is asked of one goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GoalDecision {
    /// Not decided yet.
    Open,
    /// Nothing: it counts as not met.
    Nothing,
    /// It holds.
    Met,
    /// It holds by this alternative.
    By(u32),
}

/// What is asked of a story, goal by goal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Outcome(Vec<GoalDecision>);

/// An outcome in terms of the relaxation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Target {
    /// Propositions that have to hold.
    pub(crate) needs: Vec<u32>,
    /// -ln of the share of the weight of all goals that are met, or not decided.
    pub(crate) cost: i64,
}

/// One alternative of a goal.
#[derive(Debug, Clone)]
struct Choice {
    conj: Conj,
    needs: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Goal {
    weight: f64,
    /// None: it cannot hold.
    choices: Vec<Choice>,
    /// That one of several choices holds.
    any: Vec<u32>,
    /// Whether its choices say all that it says.
    is_whole: bool,
    /// All that the goal reads.
    reads: Reads,
}

/// What decides whether a story has an outcome.
pub(crate) struct Ends {
    /// Has to hold.
    conj: Conj,
    /// Makes a difference, one way or the other.
    reads: Reads,
}

impl Ends {
    /// Whether an action may bring the outcome about, where it matters how. What only undoes it is
    /// of no use: without it the story has the outcome as well.
    pub(crate) fn want(&self, action: &ReadWriteSet) -> bool {
        action.disturbs(&self.reads) || action.may_establish(&self.conj)
    }
}

/// The goals of a domain, and what has to happen in any case.
#[derive(Debug, Clone)]
pub(crate) struct Goals {
    goals: Vec<Goal>,
    /// Numbers of goals in the order in which they are decided.
    order: Vec<usize>,
    weight: f64,
    /// That what has to happen has happened.
    marks: Conj,
    mark_needs: Vec<u32>,
    ranked_max: usize,
}

/// Makes propositions: of a conjunction, and that one of several holds.
pub(super) trait Propositions {
    fn all_of(&mut self, conj: &Conj) -> Vec<u32>;
    fn one_of(&mut self, choices: &[Conj]) -> u32;
}

impl Goals {
    pub(super) fn new(
        compiled: &CompiledDomain,
        analysis: &ConditionAnalysis<'_>,
        propositions: &mut dyn Propositions,
    ) -> Self {
        let slots = [0; SLOTS];
        let goal = |goal: &crate::compiled::CompiledGoal| {
            analysis.is_exact();
            let choices = analysis.or_true(analysis.choices(&goal.truth, &slots, true));
            let is_whole = analysis.is_exact();
            let reads = Reads::of_truth(analysis, &goal.truth);
            let any = match choices.len() {
                0 | 1 => Vec::new(),
                _ if choices.iter().any(Vec::is_empty) => Vec::new(),
                _ => vec![propositions.one_of(&choices)],
            };
            let choice = |conj: Conj| Choice {
                needs: propositions.all_of(&conj),
                conj,
            };
            Goal {
                weight: goal.weight,
                choices: choices.into_iter().map(choice).collect(),
                any,
                is_whole,
                reads,
            }
        };
        let goals: Vec<Goal> = compiled.goals.iter().map(goal).collect();
        let mut order: Vec<usize> = (0..goals.len()).collect();
        order.sort_by(|a, b| goals[*b].weight.total_cmp(&goals[*a].weight));
        let marks = compiled.facts.len()..compiled.init.facts.len();
        let marks = marks.filter_map(|fact| analysis.literal(fact, 1, true)?.pop()?.pop());
        let marks: Conj = marks.collect();
        Self {
            weight: goals.iter().map(|goal| goal.weight).sum(),
            goals,
            order,
            mark_needs: propositions.all_of(&marks),
            marks,
            ranked_max: analysis.caps.outcomes,
        }
    }

    /// All stories.
    pub(crate) fn undecided(&self) -> Outcome {
        let asked = self.goals.iter().map(|goal| match goal.choices.len() {
            0 => GoalDecision::Nothing,
            _ => GoalDecision::Open,
        });
        Outcome(asked.collect())
    }

    /// None: stories of this outcome are worth nothing, and it is no better to have one than none.
    pub(crate) fn target(&self, outcome: &Outcome) -> Option<Target> {
        let share = self.share(outcome);
        if share <= 0.0 && self.marks.is_empty() {
            return None;
        }
        // In the order of the facts.
        let mut needs: Vec<(u32, u32)> = Vec::new();
        for (goal, asked) in self.goals.iter().zip(&outcome.0) {
            match asked {
                GoalDecision::Open | GoalDecision::Nothing => {}
                GoalDecision::Met => needs.extend(goal.any.iter().map(|any| (u32::MAX, *any))),
                GoalDecision::By(choice) => {
                    let choice = &goal.choices[*choice as usize];
                    let facts = choice.conj.iter().map(|(fact, _)| *fact);
                    needs.extend(facts.zip(choice.needs.iter().copied()));
                }
            }
        }
        needs.sort_unstable();
        needs.dedup();
        let needs = needs.into_iter().map(|(_, need)| need);
        let needs = needs.chain(self.mark_needs.iter().copied());
        Some(Target {
            needs: needs.collect(),
            cost: super::cost(share),
        })
    }

    fn share(&self, outcome: &Outcome) -> f64 {
        let asked = self.goals.iter().zip(&outcome.0);
        let asked = asked.filter(|(_, asked)| **asked != GoalDecision::Nothing);
        let weight: f64 = asked.map(|(goal, _)| goal.weight).sum();
        (weight / self.weight).min(1.0)
    }

    /// What decides whether a story has an outcome in which everything is decided.
    pub(crate) fn ends(&self, outcome: &Outcome) -> Ends {
        let mut reads = Reads::default();
        for (goal, asked) in self.goals.iter().zip(&outcome.0) {
            // What an alternative does not say may matter to the goal where something was left out.
            if *asked != GoalDecision::Nothing && !goal.is_whole {
                reads.join(&goal.reads);
            }
        }
        Ends {
            conj: self.conj(outcome).unwrap_or_default(),
            reads,
        }
    }

    /// What has to hold. None: it contradicts itself.
    pub(crate) fn conj(&self, outcome: &Outcome) -> Option<Conj> {
        let mut conj = self.marks.clone();
        for (goal, asked) in self.goals.iter().zip(&outcome.0) {
            if let GoalDecision::By(choice) = asked {
                conj = conjoin(&conj, &goal.choices[*choice as usize].conj)?;
            }
        }
        Some(conj)
    }

    /// By goal: its weight, and what it needs. None: it cannot hold.
    pub(crate) fn needs(&self) -> Vec<(f64, Option<&[u32]>)> {
        let needs = self.goals.iter().map(|goal| {
            let needs: Option<&[u32]> = match &goal.choices[..] {
                [] => None,
                [only] => Some(&only.needs),
                _ => Some(&goal.any),
            };
            (goal.weight, needs)
        });
        needs.collect()
    }

    /// What has to hold in any case.
    pub(crate) fn mark_needs(&self) -> &[u32] {
        &self.mark_needs
    }

    /// By goal: whether it holds. None: not decided.
    pub(crate) fn held(&self, outcome: &Outcome) -> Vec<Option<bool>> {
        let held = outcome.0.iter().map(|asked| match asked {
            GoalDecision::Open => None,
            GoalDecision::Nothing => Some(false),
            GoalDecision::Met | GoalDecision::By(_) => Some(true),
        });
        held.collect()
    }

    /// The alternatives by which goals hold, as far as that is decided.
    pub(crate) fn alternatives(&self, outcome: &Outcome) -> Vec<&Conj> {
        let goals = self.goals.iter().zip(&outcome.0);
        let chosen = goals.filter_map(|(goal, asked)| match asked {
            GoalDecision::By(choice) => Some(&goal.choices[*choice as usize].conj),
            _ => None,
        });
        chosen.collect()
    }

    /// Outcomes that decide more, of which each story of this one that is worth as much has one.
    /// None: everything is decided.
    pub(crate) fn split(&self, outcome: &Outcome) -> Option<Vec<Outcome>> {
        let decided = |goal: usize, asked: GoalDecision| {
            let mut outcome = outcome.clone();
            outcome.0[goal] = asked;
            outcome
        };
        let is = |asked: GoalDecision| move |goal: &&usize| outcome.0[**goal] == asked;
        if let Some(&open) = self.order.iter().find(is(GoalDecision::Open)) {
            let met = match self.goals[open].choices.len() {
                1 => GoalDecision::By(0),
                _ => GoalDecision::Met,
            };
            let outcomes = [decided(open, met), decided(open, GoalDecision::Nothing)];
            return Some(
                outcomes
                    .into_iter()
                    .filter(|o| self.is_possible(o))
                    .collect(),
            );
        }
        let met = self.order.iter().filter(is(GoalDecision::Met));
        let &met = met.min_by_key(|goal| self.goals[**goal].choices.len())?;
        let choices = 0..self.goals[met].choices.len() as u32;
        let outcomes = choices.map(|choice| decided(met, GoalDecision::By(choice)));
        Some(outcomes.filter(|o| self.is_possible(o)).collect())
    }

    fn is_possible(&self, outcome: &Outcome) -> bool {
        self.conj(outcome).is_some()
    }

    /// Outcomes in which everything is decided, those first that cost least by what their needs
    /// cost one by one.
    pub(crate) fn ranked<'g>(&'g self, rank: Rank, level: impl Fn(u32) -> i64 + 'g) -> Ranked<'g> {
        let combined = |needs: &[u32]| rank.combined(needs.iter().map(|need| level(*need)));
        let choices = self.goals.iter().map(|goal| {
            let choices = goal.choices.iter().map(|choice| combined(&choice.needs));
            choices.collect::<Vec<i64>>()
        });
        let mut ranked = Ranked {
            goals: self,
            rank,
            marks: combined(&self.mark_needs),
            choices: choices.collect(),
            queue: BinaryHeap::new(),
            count: 0,
            count_max: self.ranked_max,
        };
        ranked.push(self.undecided());
        ranked
    }
}

/// What several needs cost together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// As much as the dearest: never too much.
    Dearest,
    /// As much as all of them: likely too much.
    Sum,
}

impl Rank {
    fn combined(self, costs: impl Iterator<Item = i64>) -> i64 {
        match self {
            Self::Dearest => costs.max().unwrap_or(0),
            Self::Sum => costs.fold(0, i64::saturating_add),
        }
    }
}

/// Outcomes by rising cost, as far as there are at most `count_max` of them and of those that they
/// are parts of: outcomes of goals that contradict each other in most of their alternatives are
/// without end.
pub(crate) struct Ranked<'g> {
    goals: &'g Goals,
    rank: Rank,
    marks: i64,
    /// By goal and alternative.
    choices: Vec<Vec<i64>>,
    queue: BinaryHeap<Reverse<(i64, usize, Outcome)>>,
    count: usize,
    count_max: usize,
}

impl Ranked<'_> {
    fn push(&mut self, outcome: Outcome) {
        let Some(target) = self.goals.target(&outcome) else {
            return;
        };
        let asked = self.choices.iter().zip(&outcome.0);
        let costs = asked.map(|(choices, asked)| match asked {
            GoalDecision::Open | GoalDecision::Nothing => 0,
            GoalDecision::Met => choices.iter().copied().min().unwrap_or(0),
            GoalDecision::By(choice) => choices[*choice as usize],
        });
        let cost = self.rank.combined(costs.chain([self.marks]));
        self.count += 1;
        // Of those that cost as much the last: it decides most.
        let turn = usize::MAX - self.count;
        let key = (cost.saturating_add(target.cost), turn, outcome);
        self.queue.push(Reverse(key));
    }
}

impl Ranked<'_> {
    /// What every outcome costs at least, by the rank.
    pub(crate) fn lower_bound(mut self) -> i64 {
        match self.next() {
            Some((cost, _)) => cost,
            // Those that are left were not ranked to the end.
            None => self.queue.peek().map_or(i64::MAX, |Reverse(first)| first.0),
        }
    }
}

impl Iterator for Ranked<'_> {
    type Item = (i64, Outcome);

    fn next(&mut self) -> Option<(i64, Outcome)> {
        while self.count < self.count_max {
            let Reverse((cost, _, outcome)) = self.queue.pop()?;
            match self.goals.split(&outcome) {
                None => return Some((cost, outcome)),
                Some(parts) => parts.into_iter().rev().for_each(|part| self.push(part)),
            }
        }
        None
    }
}
