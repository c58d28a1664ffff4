//! Branch and bound: stories in parts, by the actions that they contain.

use super::cast::Casting;
use super::dive::Dive;
use super::optimal::{Climb, Ended, limit_of};
use super::order::Order;
use super::proof::prove;
use super::scope::Scope;
use crate::machine::Machine;
use crate::plan::{Cost, Plan};
use crate::relax::cut::Cutter;
use crate::relax::{Goals, Outcome, Relaxed};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many times more nodes are opened where there are no parts.
const MORE: u64 = 4;

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
pub(super) struct Branches<'a> {
    machine: &'a Machine,
    relaxed: &'a Relaxed,
    goals: &'a Goals,
    order: &'a Order,
    /// At the start.
    cutter: Cutter<'a>,
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

impl<'a> Branches<'a> {
    pub(super) fn new(
        (machine, order): (&'a Machine, &'a Order),
        (relaxed, goals): &'a (Relaxed, Goals),
        (limit, casting): (i64, Option<&'a Casting>),
        bounds: &'a mut Bounds,
    ) -> Self {
        let mut cutter = Cutter::new(relaxed);
        cutter.state(&machine.init.facts);
        Self {
            machine,
            relaxed,
            goals,
            order,
            cutter,
            bounds,
            casting,
            queue: BTreeMap::new(),
            count: 0,
            limit,
            until: u64::MAX,
        }
    }

    /// No story that is still to be looked for costs less.
    fn promised(&self) -> i64 {
        let mut least = i64::MAX;
        let mut from = 0;
        while let Some((&(opened_max, promised, _), _)) = self
            .queue
            .range((from, i64::MIN, Reverse(usize::MAX))..)
            .next()
        {
            least = least.min(promised);
            from = opened_max + 1;
        }
        least
    }

    /// Adds all stories that have an outcome, which cost as much as `known` at least.
    pub(super) fn add_outcome(&mut self, outcome: Outcome, known: i64) {
        if let Some(target) = self.goals.target(&outcome) {
            let costs = target.needs.iter().map(|need| self.cutter.level(*need));
            let level = costs.max().unwrap_or(0).saturating_add(target.cost);
            self.add(
                level.max(known),
                self.relaxed.caps.opened,
                Part::Outcome(outcome),
            );
        }
    }

    /// What all stories added cost at least; none when it is stopped.
    pub(super) fn least(&mut self, control: &mut Control<'_, Plan, Cost>) -> Option<i64> {
        while let Some(((_, promised, _), part)) = self.queue.pop_first() {
            let Part::Outcome(outcome) = part else {
                return Some(promised);
            };
            self.divide(outcome, promised);
            if !control.go_on() {
                return None;
            }
        }
        Some(self.limit)
    }

    /// Finds out what an outcome costs at least, and decides more of it.
    fn divide(&mut self, outcome: Outcome, promised: i64) {
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
                let found = self.cutter.ordered(&target.needs, self.limit - target.cost);
                let bound = found.map_or(self.limit, |(_, bound)| bound + target.cost);
                // What costs more than the limit is not in this relaxation.
                let bound = bound.min(self.limit).max(promised.min(self.limit));
                self.bounds.insert(outcome.clone(), bound);
                bound
            }
        };
        let bound = bound.max(promised);
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
            casting.is_for(self.machine, &conj)
        } else {
            casting.may_be_for(self.machine, &conj)
        }
    }

    fn add(&mut self, promised: i64, opened_max: u64, part: Part<'a>) {
        if promised < self.limit {
            self.count += 1;
            self.queue
                .insert((opened_max, promised, Reverse(self.count)), part);
        }
    }

    /// Looks at parts for at most `iterations_max` iterations; without a limit what is left proves
    /// a bound. Meanwhile a dive looks for better stories, which leave less to be looked for.
    pub(super) fn run(
        &mut self,
        (iterations_max, mut dive): (u64, Option<&mut Dive<'_>>),
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        self.until = control.iterations().saturating_add(iterations_max);
        let mut ended = Ended::Proved;
        loop {
            if let Some(dive) = &mut dive {
                dive.keep_up(control);
            }
            let least = self.promised();
            let Some(((opened_max, promised, _), part)) = self.queue.pop_first() else {
                return ended;
            };
            self.limit = self.limit.min(limit_of(control));
            if promised >= self.limit {
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
                Part::Outcome(outcome) => self.divide(outcome, promised),
                Part::Bounded(outcome) => {
                    let rules = (self.machine, self.order);
                    let given = (self.relaxed, self.goals, &outcome);
                    if let Some(scope) = Scope::new(rules, given, self.limit) {
                        self.add(
                            scope.promised,
                            self.relaxed.caps.opened,
                            Part::Scope(Box::new(scope)),
                        );
                    }
                }
                Part::Scope(scope) => match self.look(*scope, opened_max, control) {
                    Ended::Proved => {}
                    Ended::Full => ended = Ended::Full,
                    Ended::Stopped => return Ended::Stopped,
                },
            }
        }
    }

    /// Looks for stories of a part; where that takes too long, divides it.
    fn look(
        &mut self,
        scope: Scope<'a>,
        opened_max: u64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        let Some(scope) = scope.tightened(self.machine, self.limit) else {
            return Ended::Proved;
        };
        let left = self.until.saturating_sub(control.iterations());
        let given = (self.limit, opened_max.min(left));
        let ended = Climb::new(self.machine, &scope, given).run(control);
        if ended != Ended::Full || left <= opened_max {
            return ended;
        }
        self.limit = self.limit.min(limit_of(control));
        if let Some(parts) = scope.parts(self.machine, self.limit) {
            for part in parts {
                self.add(
                    part.promised,
                    self.relaxed.caps.opened,
                    Part::Scope(Box::new(part)),
                );
            }
            return Ended::Proved;
        }
        // With so many there was no room for more.
        if opened_max > control.limits().nodes_max as u64 {
            return Ended::Full;
        }
        self.add(
            scope.promised,
            opened_max * MORE,
            Part::Scope(Box::new(scope)),
        );
        Ended::Proved
    }
}
