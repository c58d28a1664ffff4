//! Branch and bound: stories in parts, by the actions that they contain.

use super::optimal::{Climb, Ended, limit_of};
use super::order::Order;
use super::proof::prove;
use super::scope::Scope;
use crate::machine::Machine;
use crate::plan::{Cost, Plan};
use crate::relax::Relaxed;
use crate::relax::cut::Cutter;
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Nodes opened before stories are looked for in parts.
const OPENED: u64 = 60;
/// How many times more nodes are opened where there are no parts.
const MORE: u64 = 4;

/// Stories that are still to be looked for.
enum Part<'a> {
    /// All that meet a target.
    Target(usize),
    Scope(Box<Scope<'a>>),
}

/// Parts of the stories that cost less than a limit, the most promising ones first.
pub(super) struct Branches<'a> {
    machine: &'a Machine,
    relaxed: &'a Relaxed,
    order: &'a Order,
    /// At the start.
    cutter: Cutter<'a>,
    /// By what is promised, how many nodes may be opened, and how new it is.
    queue: BTreeMap<(i64, u64, Reverse<usize>), Part<'a>>,
    count: usize,
    limit: i64,
    /// When to stop, in iterations.
    until: u64,
}

impl<'a> Branches<'a> {
    pub(super) fn new(
        (machine, relaxed, order): (&'a Machine, &'a Relaxed, &'a Order),
        limit: i64,
    ) -> Self {
        let mut cutter = Cutter::new(relaxed);
        cutter.state(&machine.init.facts);
        Self {
            machine,
            relaxed,
            order,
            cutter,
            queue: BTreeMap::new(),
            count: 0,
            limit,
            until: u64::MAX,
        }
    }

    /// The targets that are likely to cost least: by the sum of what their needs cost each.
    pub(super) fn likeliest(&self, count: usize) -> Vec<usize> {
        let sum = |target: &usize| {
            let target = &self.relaxed.targets[*target];
            let costs = target.needs.iter().map(|need| self.cutter.level(*need));
            costs.fold(target.cost, i64::saturating_add)
        };
        let mut all: Vec<usize> = (0..self.relaxed.targets.len()).collect();
        all.sort_by_key(sum);
        all.truncate(count);
        all
    }

    /// Adds all stories that meet a target, which cost as much as `known` at least.
    pub(super) fn add_target(&mut self, target: usize, known: i64) {
        let given = &self.relaxed.targets[target];
        let costs = given.needs.iter().map(|need| self.cutter.level(*need));
        let level = costs.max().unwrap_or(0).saturating_add(given.cost);
        let promised = level.max(known);
        self.add(promised, OPENED, Part::Target(target));
    }

    fn add(&mut self, promised: i64, opened_max: u64, part: Part<'a>) {
        if promised < self.limit {
            self.count += 1;
            self.queue
                .insert((promised, opened_max, Reverse(self.count)), part);
        }
    }

    /// Looks at so many parts at most, for so many iterations at most. Proves something where there is neither limit.
    pub(super) fn run(
        &mut self,
        (parts_max, iterations_max): (usize, u64),
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        self.until = control.iterations().saturating_add(iterations_max);
        let is_whole = parts_max == usize::MAX && iterations_max == u64::MAX;
        let mut ended = Ended::Proved;
        for _ in 0..parts_max {
            let Some(((promised, opened_max, _), part)) = self.queue.pop_first() else {
                return ended;
            };
            self.limit = self.limit.min(limit_of(control));
            if promised >= self.limit {
                return ended;
            }
            if control.iterations() >= self.until {
                return Ended::Full;
            }
            if is_whole && ended == Ended::Proved {
                prove(promised, control);
            }
            if !control.tick() {
                return Ended::Stopped;
            }
            match part {
                Part::Target(target) => {
                    let target = &self.relaxed.targets[target];
                    let given = ((self.machine, self.order), (self.relaxed, target));
                    if let Some(scope) = Scope::new(given.0, given.1, self.limit) {
                        self.add(scope.promised, OPENED, Part::Scope(Box::new(scope)));
                    }
                }
                Part::Scope(scope) => match self.look(*scope, opened_max, control) {
                    Ended::Proved => {}
                    Ended::Full => ended = Ended::Full,
                    Ended::Stopped => return Ended::Stopped,
                },
            }
        }
        Ended::Full
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
                self.add(part.promised, OPENED, Part::Scope(Box::new(part)));
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
