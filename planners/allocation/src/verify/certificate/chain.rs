//! Starts that couplings push.

use super::times::{Times, next_start};
use super::{Check, Refuted, Verdict, only};
use crate::certificate::{Limit, Link, Tied};
use crate::problem::Micros;
use std::rc::Rc;

impl Check<'_> {
    /// That a task is pushed beyond its limit.
    pub(super) fn chain(&mut self, task: usize, (links, limit): (&[Link], &Limit)) -> Verdict {
        let count = self.problem.tasks().len();
        let known = links.iter().all(|link| link.task < count);
        let Some((first, rest)) = links.split_first().filter(|_| known) else {
            return Err(Refuted::Shape("a link is missing"));
        };
        let ends = links.last().is_some_and(|last| last.task == task);
        only(ends && first.by.is_none(), "the ends of the chain")?;
        only(self.clock.started_by[task].is_none(), "it is under way")?;
        if first.earliest_us > self.earliest_us(first.task) {
            return Err(Refuted::Number("the first start"));
        }
        let mut before = *first;
        for link in rest {
            let service_us = self.problem.tasks()[before.task].service_us;
            let start_us = next_start(&self.problem.tasks()[before.task], before.earliest_us);
            let start_us = start_us.ok_or(Refuted::Number("a start"))?;
            let tie = link.by.ok_or(Refuted::Shape("a link has no tie"))?;
            let end_us = start_us.saturating_add(service_us);
            let pushed_us = self.pushed_us(tie, (before.task, start_us, end_us), link.task)?;
            if link.earliest_us > pushed_us {
                return Err(Refuted::Number("a link"));
            }
            before = *link;
        }
        let start_us = next_start(&self.problem.tasks()[task], before.earliest_us);
        let latest_us = match *limit {
            Limit::Start { latest_us } => {
                let own_us = self.latest_us(task);
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
                let end_us = self.latest_us(order.first).saturating_add(service_us);
                (end_us.saturating_add(gap_us) <= latest_us).then_some(latest_us)
            }
        };
        let latest_us = latest_us.ok_or(Refuted::Number("the limit"))?;
        match start_us.is_none_or(|us| us > latest_us) {
            true => Ok(()),
            false => Err(Refuted::Enough("the start is in time")),
        }
    }

    /// When a task starts at the earliest because of one before.
    fn pushed_us(
        &mut self,
        tie: Tied,
        (before, start_us, end_us): (usize, Micros, Micros),
        task: usize,
    ) -> Result<Micros, Refuted> {
        let couplings = self.problem.couplings();
        match tie {
            Tied::Order(order) => {
                let order = couplings.orders.get(order);
                let order = order.filter(|o| (o.first, o.second) == (before, task));
                let order = order.ok_or(Refuted::Shape("no order pushes the task"))?;
                Ok(end_us.saturating_add(order.gap_min_us))
            }
            Tied::Group(group) => {
                let group = couplings.groups.get(group);
                let group = group.filter(|g| g.tasks.contains(&before) && g.tasks.contains(&task));
                group.ok_or(Refuted::Shape("no group pushes the task"))?;
                Ok(start_us)
            }
            Tied::Pair(pair) => {
                let pair = couplings.pairs.get(pair);
                let pair = pair.filter(|p| (p.pickup, p.delivery) == (before, task));
                pair.ok_or(Refuted::Shape("no pair pushes the task"))?;
                Ok(self.delivered_us(before, (start_us, end_us), task))
            }
        }
    }

    /// When an agent that can do both is at the second of a pair at the earliest.
    fn delivered_us(
        &mut self,
        pickup: usize,
        (start_us, end_us): (Micros, Micros),
        delivery: usize,
    ) -> Micros {
        let under_way = [pickup, delivery].map(|task| self.clock.started_by[task].is_some());
        if under_way.contains(&true) {
            return end_us;
        }
        let agents = 0..self.problem.agents().len();
        let both = |check: &mut Self, agent: usize| {
            check.clock.can(agent, pickup) && check.clock.can(agent, delivery)
        };
        let agents: Vec<usize> = agents.filter(|agent| both(self, *agent)).collect();
        let mut least_us = Micros::MAX;
        let mut seen: Vec<&crate::problem::Agent> = Vec::new();
        for agent in agents {
            let own = &self.problem.agents()[agent];
            if self.problem.started(agent).is_empty() {
                if seen.contains(&own) {
                    continue;
                }
                seen.push(own);
            }
            let times: Rc<Times> = self.clock.together(&[agent]);
            let from = (pickup, start_us, Micros::MAX);
            let there_us = self.clock.following(&times, from)[delivery];
            least_us = least_us.min(there_us.unwrap_or(Micros::MAX));
        }
        least_us
    }

    /// When a task starts at the earliest, whoever does it; 0 of those under way.
    fn earliest_us(&mut self, task: usize) -> Micros {
        if self.clock.started_by[task].is_some() {
            return 0;
        }
        let agents: Vec<usize> = self.able(task);
        let starts = agents.into_iter().map(|agent| {
            let times = self.clock.together(&[agent]);
            times.starts_us[task].unwrap_or(Micros::MAX)
        });
        starts.min().unwrap_or(Micros::MAX)
    }

    /// When a task starts at the latest, whoever does it.
    fn latest_us(&mut self, task: usize) -> Micros {
        let agents: Vec<usize> = self.able(task);
        let latest = agents.into_iter().map(|agent| {
            let times = self.clock.together(&[agent]);
            times.latest_us[task].unwrap_or(Micros::MIN)
        });
        latest.max().unwrap_or(Micros::MIN)
    }

    fn able(&mut self, task: usize) -> Vec<usize> {
        let agents = 0..self.problem.agents().len();
        agents
            .filter(|agent| self.clock.can(*agent, task))
            .collect()
    }
}
