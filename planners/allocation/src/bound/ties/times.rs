//! Starts that couplings push.

use super::{Tie, Ties};
use crate::bound::reach::earliest_start;
use crate::certificate::{Limit, Link, Tied};
use crate::problem::Micros;

/// Most steps spent on ways from pickups to deliveries.
const STEPS_MAX: usize = 4_000_000;

/// That a task starts no earlier because of another.
#[derive(Clone, Copy)]
pub(super) struct Push {
    task: usize,
    by: Tied,
    from: usize,
    /// What had pushed the other before.
    before: Option<usize>,
    earliest_us: Micros,
}

impl Ties<'_, '_> {
    /// Earliest starts, pushed along least gaps and groups, against latest ones.
    ///
    /// Whoever is second in an order is done only if the first is, and a group only as a whole: so
    /// what pushes a task is done in every plan that does the task.
    pub(super) fn times(&mut self) {
        let problem = self.bars.problem;
        let couplings = problem.couplings();
        let mut steps = STEPS_MAX;
        // Circles there are none: a chain of all tasks is the longest.
        for _ in 0..=problem.tasks().len() {
            let before = self.earliest_us.clone();
            for (order, one) in couplings.orders.iter().enumerate() {
                let end_us = self.earliest_us[one.first] + problem.tasks()[one.first].service_us;
                let push = self.pushed(one.second, (Tied::Order(order), one.first));
                self.push(push(end_us + one.gap_min_us));
            }
            for (pair, one) in couplings.pairs.iter().enumerate() {
                let least_us = self.delivered_us((one.pickup, one.delivery), &mut steps);
                let push = self.pushed(one.delivery, (Tied::Pair(pair), one.pickup));
                self.push(push(least_us));
            }
            for (group, one) in couplings.groups.iter().enumerate() {
                let latest = one.tasks.iter().max_by_key(|task| self.earliest_us[**task]);
                let Some(&from) = latest else {
                    continue;
                };
                let least_us = self.earliest_us[from];
                for &task in &one.tasks {
                    let push = self.pushed(task, (Tied::Group(group), from));
                    self.push(push(least_us));
                }
            }
            if before == self.earliest_us {
                break;
            }
        }
        for (order, one) in couplings.orders.iter().enumerate() {
            let Some(gap_us) = one.gap_max_us else {
                continue;
            };
            let service_us = problem.tasks()[one.first].service_us;
            let latest_us = self.latest_us[one.first] + service_us + gap_us;
            let earliest_us = self.earliest_us[one.second];
            if earliest_us > latest_us {
                self.gap(one.second, (order, earliest_us, latest_us));
            }
        }
    }

    /// Notes that a task starts too late for the longest gap of an order.
    fn gap(&mut self, task: usize, (order, earliest_us, latest_us): (usize, Micros, Micros)) {
        let tie = Tie::Order {
            order,
            earliest_us,
            latest_us,
        };
        let limit = Limit::Gap { order, latest_us };
        match self.last[task] {
            Some(last) => self.note_late(self.pushes[last], (tie, limit)),
            None => {
                self.note(task, tie);
                if self.found[task] == Some(tie) {
                    self.chains[task] = Some((vec![self.first(task)], limit));
                }
            }
        }
    }

    /// Earliest start of a delivery after its pickup. A path between them is searched only where
    /// the direct arc is too long: in all other cases it proves nothing.
    fn delivered_us(&self, (pickup, delivery): (usize, usize), steps: &mut usize) -> Micros {
        let problem = self.bars.problem;
        let start_us = self.earliest_us[pickup];
        let end_us = start_us.saturating_add(problem.tasks()[pickup].service_us);
        let latest_us = self.latest_us[delivery];
        let is_open = |task: usize| {
            self.bars.started_by[task].is_none()
                && self.found[task].is_none()
                && !self.hopeless[task]
        };
        if !(is_open(pickup) && is_open(delivery)) {
            return end_us;
        }
        let mut least_us: Option<Micros> = None;
        for group in self.bars.reach.groups() {
            if group.starts_us[pickup].is_none() || group.starts_us[delivery].is_none() {
                continue;
            }
            let direct_us = group.between_us(problem, pickup, delivery);
            let direct_us = direct_us.map(|way_us| end_us.saturating_add(way_us));
            if direct_us.is_some_and(|us| us <= latest_us) {
                return end_us;
            }
            // With a way that is found nowhere before, later than the latest will do.
            let Some(after) = group.after(problem, (pickup, start_us, latest_us), steps) else {
                return end_us;
            };
            let arrival_us = after[delivery].unwrap_or(latest_us.saturating_add(1));
            least_us = Some(least_us.map_or(arrival_us, |us| us.min(arrival_us)));
        }
        least_us.unwrap_or(end_us)
    }

    /// A push of a task by another, once it is known to when.
    fn pushed(&self, task: usize, (by, from): (Tied, usize)) -> impl Fn(Micros) -> Push + use<> {
        let before = self.last[from];
        move |earliest_us| Push {
            task,
            by,
            from,
            before,
            earliest_us,
        }
    }

    fn push(&mut self, push: Push) {
        let (task, least) = (push.task, push.earliest_us);
        if least <= self.earliest_us[task] {
            return;
        }
        // What is too late stays where it is: it is not done, and pushes nobody.
        match earliest_start(&self.bars.problem.tasks()[task], least) {
            Some(start_us) if start_us <= self.latest_us[task] => {
                self.earliest_us[task] = start_us;
                self.last[task] = Some(self.pushes.len());
                self.pushes.push(push);
            }
            _ => {
                let (earliest_us, latest_us) = (least, self.latest_us[task]);
                let tie = late(push.by, earliest_us, latest_us);
                self.note_late(push, (tie, Limit::Start { latest_us }));
            }
        }
    }

    /// Notes that a task is too late because of what this push would be the last of.
    fn note_late(&mut self, push: Push, (tie, limit): (Tie, Limit)) {
        self.note(push.task, tie);
        if self.found[push.task] != Some(tie) || self.chains[push.task].is_some() {
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
                links.push(self.first(push.from));
            }
        }
        links.reverse();
        self.chains[push.task] = Some((links, limit));
    }

    /// A task that nothing pushes.
    fn first(&self, task: usize) -> Link {
        let groups = self.bars.reach.groups().iter();
        let starts = groups.filter_map(|group| group.starts_us[task]);
        let started = self.bars.started_by[task].is_some();
        let earliest_us = starts.min().filter(|_| !started).unwrap_or(0);
        Link {
            task,
            by: None,
            earliest_us,
        }
    }
}

fn late(by: Tied, earliest_us: Micros, latest_us: Micros) -> Tie {
    match by {
        Tied::Order(order) => Tie::Order {
            order,
            earliest_us,
            latest_us,
        },
        Tied::Group(group) => Tie::Together {
            group,
            earliest_us,
            latest_us,
        },
        Tied::Pair(pair) => Tie::Delivery {
            pair,
            earliest_us,
            latest_us,
        },
    }
}
