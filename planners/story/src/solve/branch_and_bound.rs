//! Branch and bound: the stories of a round in parts, first by the goals that hold, then by the
//! actions that they contain.
//!
//! A part is searched best first for a limited number of expansions. A part that takes longer is
//! divided by a landmark, a set of actions of which each of its stories contains one: stories with
//! the first action, stories with the second and without the first, and so on.

use super::best_first::{BestFirst, Ended, cost_limit};
use super::cast::Casting;
use super::greedy::GreedySearch;
use super::proof::prove;
use super::relevant_actions::RelevantActions;
use super::scope::Scope;
use crate::compiled::CompiledDomain;
use crate::plan::{Cost, Plan};
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{Goals, Outcome, Relaxation};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Factor of the expansion limit where a part cannot be divided.
const EXPANSION_GROWTH: u64 = 4;

/// Stories that are still to be looked for.
enum Part<'a> {
    /// All that have an outcome.
    Outcome(Outcome),
    /// The same, where everything is decided and what is promised is a bound of its own.
    Bounded(Outcome),
    Scope(Box<Scope<'a>>),
}

/// What outcomes cost at least, as far as that was found out.
pub(super) type Bounds = BTreeMap<Outcome, i64>;

/// Parts of the stories that cost less than a limit, the most promising ones first.
pub(super) struct BranchAndBound<'a> {
    compiled: &'a CompiledDomain,
    relaxed: &'a Relaxation,
    goals: &'a Goals,
    order: &'a RelevantActions,
    /// At the start.
    landmark_cut: LandmarkCut<'a>,
    bounds: &'a mut Bounds,
    /// Whose stories are looked for.
    casting: Option<&'a Casting>,
    /// By how many nodes may be opened, what is promised, and how new it is.
    queue: BTreeMap<(u64, i64, Reverse<usize>), Part<'a>>,
    count: usize,
    limit: i64,
    /// When to stop, in iterations.
    until: u64,
}

impl<'a> BranchAndBound<'a> {
    pub(super) fn new(
        compiled: &'a CompiledDomain,
        order: &'a RelevantActions,
        (relaxed, goals): &'a (Relaxation, Goals),
        limit: i64,
        casting: Option<&'a Casting>,
        bounds: &'a mut Bounds,
    ) -> Self {
        let mut landmark_cut = LandmarkCut::new(relaxed);
        landmark_cut.state(&compiled.init.facts);
        Self {
            compiled,
            relaxed,
            goals,
            order,
            landmark_cut,
            bounds,
            casting,
            queue: BTreeMap::new(),
            count: 0,
            limit,
            until: u64::MAX,
        }
    }

    /// No story that is still to be looked for costs less.
    fn lower_bound(&self) -> i64 {
        let mut least = i64::MAX;
        let mut from = 0;
        while let Some((&(expansions_max, lower_bound, _), _)) = self
            .queue
            .range((from, i64::MIN, Reverse(usize::MAX))..)
            .next()
        {
            least = least.min(lower_bound);
            from = expansions_max + 1;
        }
        least
    }

    /// Adds all stories that have an outcome, which cost as much as `known` at least.
    pub(super) fn add_outcome(&mut self, outcome: Outcome, known: i64) {
        if let Some(target) = self.goals.target(&outcome) {
            let costs = target
                .needs
                .iter()
                .map(|need| self.landmark_cut.level(*need));
            let level = costs.max().unwrap_or(0).saturating_add(target.cost);
            self.add(
                level.max(known),
                self.relaxed.caps.opened,
                Part::Outcome(outcome),
            );
        }
    }

    /// What all stories added cost at least; none when it is stopped.
    pub(super) fn refined_bound(&mut self, control: &mut Control<'_, Plan, Cost>) -> Option<i64> {
        while let Some(((_, lower_bound, _), part)) = self.queue.pop_first() {
            let Part::Outcome(outcome) = part else {
                return Some(lower_bound);
            };
            self.branch(outcome, lower_bound);
            if !control.go_on() {
                return None;
            }
        }
        Some(self.limit)
    }

    /// Finds out what an outcome costs at least, and decides more of it.
    fn branch(&mut self, outcome: Outcome, lower_bound: i64) {
        let parts = self.goals.split(&outcome);
        if !self.is_wanted(&outcome, parts.is_none()) {
            return;
        }
        let bound = match self.bounds.get(&outcome) {
            Some(bound) => *bound,
            None => {
                let Some(target) = self.goals.target(&outcome) else {
                    return;
                };
                let found = self
                    .landmark_cut
                    .ordered(&target.needs, self.limit - target.cost);
                let bound = found.map_or(self.limit, |(_, bound)| bound + target.cost);
                // What costs more than the limit is not in this relaxation.
                let bound = bound.min(self.limit).max(lower_bound.min(self.limit));
                self.bounds.insert(outcome.clone(), bound);
                bound
            }
        };
        let bound = bound.max(lower_bound);
        match parts {
            Some(parts) => parts
                .into_iter()
                .for_each(|part| self.add_outcome(part, bound)),
            None => self.add(bound, self.relaxed.caps.opened, Part::Bounded(outcome)),
        }
    }

    /// Whether this cast handles an outcome or, if it is not decided, an outcome that decides more
    /// of it.
    fn is_wanted(&self, outcome: &Outcome, is_decided: bool) -> bool {
        let Some(casting) = self.casting else {
            return true;
        };
        let conj = self.goals.conj(outcome).unwrap_or_default();
        if is_decided {
            casting.handles(self.compiled, &conj)
        } else {
            casting.may_handle(self.compiled, &conj)
        }
    }

    fn add(&mut self, lower_bound: i64, expansions_max: u64, part: Part<'a>) {
        if lower_bound < self.limit {
            self.count += 1;
            self.queue
                .insert((expansions_max, lower_bound, Reverse(self.count)), part);
        }
    }

    /// Searches parts for at most `iterations_max` iterations; without a limit what is left proves
    /// a bound. Meanwhile a greedy search looks for better stories, which lower the limit.
    pub(super) fn run(
        &mut self,
        iterations_max: u64,
        mut greedy: Option<&mut GreedySearch<'_>>,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        self.until = control.iterations().saturating_add(iterations_max);
        let mut ended = Ended::Proved;
        loop {
            if let Some(greedy) = &mut greedy {
                greedy.resume(control);
            }
            let least = self.lower_bound();
            let Some(((expansions_max, lower_bound, _), part)) = self.queue.pop_first() else {
                return ended;
            };
            self.limit = self.limit.min(cost_limit(control));
            if lower_bound >= self.limit {
                continue;
            }
            if control.iterations() >= self.until {
                return Ended::Full;
            }
            if iterations_max == u64::MAX && ended == Ended::Proved {
                prove(least, control);
            }
            if !control.tick() {
                return Ended::Stopped;
            }
            match part {
                Part::Outcome(outcome) => self.branch(outcome, lower_bound),
                Part::Bounded(outcome) => {
                    let scope = Scope::new(
                        self.compiled,
                        self.order,
                        self.relaxed,
                        self.goals,
                        &outcome,
                        self.limit,
                    );
                    if let Some(scope) = scope {
                        self.add(
                            scope.lower_bound,
                            self.relaxed.caps.opened,
                            Part::Scope(Box::new(scope)),
                        );
                    }
                }
                Part::Scope(scope) => match self.search(*scope, expansions_max, control) {
                    Ended::Proved => {}
                    Ended::Full => ended = Ended::Full,
                    Ended::Stopped => return Ended::Stopped,
                },
            }
        }
    }

    /// Looks for stories of a part; where that takes too long, divides it.
    fn search(
        &mut self,
        scope: Scope<'a>,
        expansions_max: u64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        let Some(scope) = scope.tightened(self.compiled, self.limit) else {
            return Ended::Proved;
        };
        let left = self.until.saturating_sub(control.iterations());
        let expansions_max = expansions_max.min(left);
        let mut search = BestFirst::new(self.compiled, &scope, self.limit, expansions_max);
        let ended = search.run(control);
        if ended != Ended::Full || left <= expansions_max {
            return ended;
        }
        self.limit = self.limit.min(cost_limit(control));
        if let Some(parts) = scope.parts(self.compiled, self.limit) {
            for part in parts {
                self.add(
                    part.lower_bound,
                    self.relaxed.caps.opened,
                    Part::Scope(Box::new(part)),
                );
            }
            return Ended::Proved;
        }
        // With that many expansions there was no room for more.
        if expansions_max > control.limits().nodes_max as u64 {
            return Ended::Full;
        }
        self.add(
            scope.lower_bound,
            expansions_max * EXPANSION_GROWTH,
            Part::Scope(Box::new(scope)),
        );
        Ended::Proved
    }
}
