//! Starts that couplings push.

use super::times::{Times, next_start};
use super::{CertificateCheck, Refuted, Verdict, only};
use crate::certificate::{Limit, Link, Tied};
use crate::problem::Micros;
use std::rc::Rc;

/// Whose times are taken.
#[derive(Debug, Clone, Copy)]
enum Whose {
    /// Those of an agent with the best values of all: no agent starts earlier, and none may start
    /// later.
    Best,
    /// The best of each who can do the tasks.
    Each,
}

/// A task, and when it starts and ends at the earliest.
#[derive(Debug, Clone, Copy)]
struct Start {
    task: usize,
    start_us: Micros,
    end_us: Micros,
}

impl CertificateCheck<'_> {
    /// That a task is pushed beyond its limit.
    pub(super) fn chain(&mut self, task: usize, chain: (&[Link], &Limit)) -> Verdict {
        // Times for each agent take long, and mostly the best of all is late as well.
        match self.pushed(task, chain, Whose::Best) {
            Ok(()) => Ok(()),
            Err(_) => self.pushed(task, chain, Whose::Each),
        }
    }

    fn pushed(&mut self, task: usize, (links, limit): (&[Link], &Limit), whose: Whose) -> Verdict {
        let count = self.problem.tasks().len();
        let known = links.iter().all(|link| link.task < count);
        let Some((first, rest)) = links.split_first().filter(|_| known) else {
            return Err(Refuted::Shape("a link is missing"));
        };
        let ends = links.last().is_some_and(|last| last.task == task);
        only(ends && first.by.is_none(), "the ends of the chain")?;
        only(self.clock.started_by[task].is_none(), "it is under way")?;
        if first.earliest_us > self.earliest_us(first.task, whose) {
            return Err(Refuted::Number("the first start"));
        }
        let mut before = *first;
        for link in rest {
            let service_us = self.problem.tasks()[before.task].service_us;
            let start_us = next_start(&self.problem.tasks()[before.task], before.earliest_us);
            let start_us = start_us.ok_or(Refuted::Number("a start"))?;
            let tie = link.by.ok_or(Refuted::Shape("a link has no tie"))?;
            let end_us = start_us.saturating_add(service_us);
            let start = Start {
                task: before.task,
                start_us,
                end_us,
            };
            let pushed_us = self.pushed_us(tie, (start, link.task), whose)?;
            if link.earliest_us > pushed_us {
                return Err(Refuted::Number("a link"));
            }
            before = *link;
        }
        let start_us = next_start(&self.problem.tasks()[task], before.earliest_us);
        let latest_us = match *limit {
            Limit::Start { latest_us } => {
                let own_us = self.latest_us(task, whose);
                (own_us <= latest_us).then_some(latest_us)
            }
            Limit::Gap { order, latest_us } => {
                let order = self.problem.couplings().orders.get(order);
                let order = order.filter(|order| order.second == task);
                let order = order.ok_or(Refuted::Shape("there is no such order"))?;
                let gap_us = order.gap_max_us.ok_or(Refuted::Shape("there is no gap"))?;
                only(
                    self.clock.started_by[order.first].is_none(),
                    "it is under way",
                )?;
                let service_us = self.problem.tasks()[order.first].service_us;
                let end_us = self
                    .latest_us(order.first, whose)
                    .saturating_add(service_us);
                (end_us.saturating_add(gap_us) <= latest_us).then_some(latest_us)
            }
        };
        let latest_us = latest_us.ok_or(Refuted::Number("the limit"))?;
        if start_us.is_none_or(|us| us > latest_us) {
            Ok(())
        } else {
            Err(Refuted::Enough("the start is in time"))
        }
    }

    /// When a task starts at the earliest because of one before.
    fn pushed_us(
        &mut self,
        tie: Tied,
        (before, task): (Start, usize),
        whose: Whose,
    ) -> Result<Micros, Refuted> {
        let couplings = self.problem.couplings();
        match tie {
            Tied::Order(order) => {
                let order = couplings.orders.get(order);
                let order = order.filter(|o| (o.first, o.second) == (before.task, task));
                let order = order.ok_or(Refuted::Shape("no order pushes the task"))?;
                Ok(before.end_us.saturating_add(order.gap_min_us))
            }
            Tied::Group(group) => {
                let group = couplings.groups.get(group);
                let group =
                    group.filter(|g| g.tasks.contains(&before.task) && g.tasks.contains(&task));
                group.ok_or(Refuted::Shape("no group pushes the task"))?;
                Ok(before.start_us)
            }
            Tied::Pair(pair) => {
                let pair = couplings.pairs.get(pair);
                let pair = pair.filter(|p| (p.pickup, p.delivery) == (before.task, task));
                pair.ok_or(Refuted::Shape("no pair pushes the task"))?;
                Ok(self.delivered_us(before, task, whose))
            }
        }
    }

    /// When an agent that can do both is at the second of a pair at the earliest.
    fn delivered_us(&mut self, pickup: Start, delivery: usize, whose: Whose) -> Micros {
        let under_way = [pickup.task, delivery].map(|task| self.clock.started_by[task].is_some());
        if under_way.contains(&true) {
            return pickup.end_us;
        }
        let all = self.of_able(&[pickup.task, delivery], whose);
        let mut least_us = Micros::MAX;
        for (index, times) in all.iter().enumerate() {
            // From there on only speed and what is passed make a difference.
            let same =
                |one: &Rc<Times>| one.speed_micro == times.speed_micro && one.able == times.able;
            if all[..index].iter().any(same) {
                continue;
            }
            let from = (pickup.task, pickup.start_us);
            let there_us = self.clock.between(times, from, delivery);
            least_us = least_us.min(there_us.unwrap_or(Micros::MAX));
        }
        least_us
    }

    /// When a task starts at the earliest, whoever does it; 0 of those under way.
    fn earliest_us(&mut self, task: usize, whose: Whose) -> Micros {
        if self.clock.started_by[task].is_some() {
            return 0;
        }
        let times = self.of_able(&[task], whose);
        let starts = times.iter().filter_map(|times| times.starts_us[task]);
        starts.min().unwrap_or(Micros::MAX)
    }

    /// When a task starts at the latest, whoever does it.
    fn latest_us(&mut self, task: usize, whose: Whose) -> Micros {
        let times = self.of_able(&[task], whose);
        let latest = times.iter().filter_map(|times| times.latest_us[task]);
        latest.max().unwrap_or(Micros::MIN)
    }

    /// Times of those who can do all of these tasks.
    fn of_able(&mut self, tasks: &[usize], whose: Whose) -> Vec<Rc<Times>> {
        let agents = match whose {
            Whose::Best => return vec![self.clock.best()],
            Whose::Each => 0..self.problem.agents().len(),
        };
        let clock = &mut self.clock;
        let able: Vec<usize> = agents
            .filter(|agent| tasks.iter().all(|task| clock.can(*agent, *task)))
            .collect();
        able.iter().map(|agent| clock.together(&[*agent])).collect()
    }
}
