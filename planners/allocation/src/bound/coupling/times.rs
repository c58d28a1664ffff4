//! Earliest starts, propagated along couplings.

use super::{CouplingAnalysis, CouplingConflict};
use crate::bound::earliest_arrival::earliest_start;
use crate::certificate::{CouplingId, Limit, Link};
use crate::problem::Micros;

/// Limit on the steps spent on paths from pickups to deliveries.
const STEPS_MAX: usize = 4_000_000;

/// A push: a coupling delays the start of a task because of another task.
#[derive(Clone, Copy)]
pub(super) struct Push {
    task: usize,
    by: CouplingId,
    from: usize,
    /// The push that delayed the other task.
    before: Option<usize>,
    earliest_us: Micros,
}

impl CouplingAnalysis<'_, '_> {
    /// Compares earliest starts, pushed along least gaps and groups, with latest ones.
    ///
    /// The second task of an order is done only if the first is, and a group only as a whole. So
    /// the tasks that push another are done in every plan that does it.
    pub(super) fn check_times(&mut self) {
        let problem = self.incompatibilities.problem;
        let couplings = problem.couplings();
        let mut steps = STEPS_MAX;
        // There are no cycles: a chain of all tasks is the longest.
        for _ in 0..=problem.tasks().len() {
            let before = self.earliest_us.clone();
            for (order, one) in couplings.orders.iter().enumerate() {
                let end_us = self.earliest_us[one.first] + problem.tasks()[one.first].service_us;
                let earliest_us = end_us + one.gap_min_us;
                self.push(one.second, CouplingId::Order(order), one.first, earliest_us);
            }
            for (pair, one) in couplings.pairs.iter().enumerate() {
                let earliest_us = self.delivered_us(one.pickup, one.delivery, &mut steps);
                self.push(
                    one.delivery,
                    CouplingId::Pair(pair),
                    one.pickup,
                    earliest_us,
                );
            }
            for (group, one) in couplings.groups.iter().enumerate() {
                let latest = one.tasks.iter().max_by_key(|task| self.earliest_us[**task]);
                let Some(&from) = latest else {
                    continue;
                };
                let earliest_us = self.earliest_us[from];
                for &task in &one.tasks {
                    self.push(task, CouplingId::Group(group), from, earliest_us);
                }
            }
            if before == self.earliest_us {
                break;
            }
        }
        for order in 0..couplings.orders.len() {
            self.check_gap(order);
        }
    }

    /// Compares the earliest start of the second task of an order with its longest gap.
    fn check_gap(&mut self, order: usize) {
        let problem = self.incompatibilities.problem;
        let one = problem.couplings().orders[order];
        let Some(gap_us) = one.gap_max_us else {
            return;
        };
        let service_us = problem.tasks()[one.first].service_us;
        let latest_us = self.latest_us[one.first] + service_us + gap_us;
        let earliest_us = self.earliest_us[one.second];
        if earliest_us <= latest_us {
            return;
        }
        let conflict = CouplingConflict::Late {
            by: CouplingId::Order(order),
            earliest_us,
            latest_us,
        };
        let limit = Limit::Gap { order, latest_us };
        match self.last[one.second] {
            Some(last) => self.note_late(self.pushes[last], conflict, limit),
            None => {
                self.note(one.second, conflict);
                if self.found[one.second] == Some(conflict) {
                    self.chains[one.second] = Some((vec![self.first_link(one.second)], limit));
                }
            }
        }
    }

    /// Earliest start of a delivery after its pickup. A path between them is searched only where
    /// the direct arc is too long: in all other cases it proves nothing.
    fn delivered_us(&self, pickup: usize, delivery: usize, steps: &mut usize) -> Micros {
        let problem = self.incompatibilities.problem;
        let start_us = self.earliest_us[pickup];
        let end_us = start_us.saturating_add(problem.tasks()[pickup].service_us);
        let latest_us = self.latest_us[delivery];
        let is_open = |task: usize| {
            self.incompatibilities.committed_to[task].is_none() && !self.is_impossible(task)
        };
        if !(is_open(pickup) && is_open(delivery)) {
            return end_us;
        }
        let mut earliest_us: Option<Micros> = None;
        for group in self.incompatibilities.arrivals.groups() {
            if group.starts_us[pickup].is_none() || group.starts_us[delivery].is_none() {
                continue;
            }
            let direct_us = group.travel_us(problem, pickup, delivery);
            let direct_us = direct_us.map(|travel_us| end_us.saturating_add(travel_us));
            if direct_us.is_some_and(|us| us <= latest_us) {
                return end_us;
            }
            let after = group.arrivals_after(problem, pickup, start_us, latest_us, steps);
            let Some(after) = after else {
                return end_us;
            };
            // Without a path up to the latest start anything later than it will do.
            let arrival_us = after[delivery].unwrap_or(latest_us.saturating_add(1));
            earliest_us = Some(earliest_us.map_or(arrival_us, |us| us.min(arrival_us)));
        }
        earliest_us.unwrap_or(end_us)
    }

    /// Delays the start of a task to `earliest_us` because of the task `from`.
    fn push(&mut self, task: usize, by: CouplingId, from: usize, earliest_us: Micros) {
        if earliest_us <= self.earliest_us[task] {
            return;
        }
        let push = Push {
            task,
            by,
            from,
            before: self.last[from],
            earliest_us,
        };
        let latest_us = self.latest_us[task];
        // A task that is too late keeps its start: it is not done, and pushes no other.
        match earliest_start(&self.incompatibilities.problem.tasks()[task], earliest_us) {
            Some(start_us) if start_us <= latest_us => {
                self.earliest_us[task] = start_us;
                self.last[task] = Some(self.pushes.len());
                self.pushes.push(push);
            }
            _ => {
                let conflict = CouplingConflict::Late {
                    by,
                    earliest_us,
                    latest_us,
                };
                self.note_late(push, conflict, Limit::Start { latest_us });
            }
        }
    }

    /// Notes that a task is too late, with the chain of pushes of which this is the last.
    fn note_late(&mut self, push: Push, conflict: CouplingConflict, limit: Limit) {
        self.note(push.task, conflict);
        if self.found[push.task] != Some(conflict) || self.chains[push.task].is_some() {
            return;
        }
        let mut links = Vec::new();
        let mut at = Some(push);
        while let Some(push) = at {
            links.push(Link {
                task: push.task,
                by: Some(push.by),
                earliest_us: push.earliest_us,
            });
            at = push.before.map(|before| self.pushes[before]);
            if at.is_none() {
                links.push(self.first_link(push.from));
            }
        }
        links.reverse();
        self.chains[push.task] = Some((links, limit));
    }

    /// The first link of a chain: a task that no other pushes.
    fn first_link(&self, task: usize) -> Link {
        let groups = self.incompatibilities.arrivals.groups().iter();
        let starts = groups.filter_map(|group| group.starts_us[task]);
        let is_committed = self.incompatibilities.committed_to[task].is_some();
        let earliest_us = starts.min().filter(|_| !is_committed).unwrap_or(0);
        Link {
            task,
            by: None,
            earliest_us,
        }
    }
}
