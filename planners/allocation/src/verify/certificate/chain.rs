//! Check of chains: earliest starts, propagated along couplings.

use super::times::{Times, next_start};
use super::{CertificateCheck, Refuted, Verdict, require};
use crate::certificate::{CouplingId, Limit, Link};
use crate::problem::Micros;
use std::rc::Rc;

/// The agents whose bounds are taken.
#[derive(Debug, Clone, Copy)]
enum Agents {
    /// One agent with the best values of all: no agent starts earlier or later.
    Merged,
    /// Each agent that can do the tasks.
    Separate,
}

/// A task with its earliest start and end.
#[derive(Debug, Clone, Copy)]
struct Start {
    task: usize,
    start_us: Micros,
    end_us: Micros,
}

impl CertificateCheck<'_> {
    /// Checks that couplings push a task beyond its limit.
    pub(super) fn chain(&mut self, task: usize, links: &[Link], limit: Limit) -> Verdict {
        // Bounds of each agent take long, and mostly those of the merged one suffice.
        self.chain_of(task, links, limit, Agents::Merged)
            .or_else(|_| self.chain_of(task, links, limit, Agents::Separate))
    }

    fn chain_of(&mut self, task: usize, links: &[Link], limit: Limit, agents: Agents) -> Verdict {
        let count = self.problem.tasks().len();
        let known = links.iter().all(|link| link.task < count);
        let Some((first, rest)) = links.split_first().filter(|_| known) else {
            return Err(Refuted::Shape("a link is missing"));
        };
        let ends = links.last().is_some_and(|last| last.task == task);
        require(ends && first.by.is_none(), "the ends of the chain")?;
        require(self.bounds.committed_to[task].is_none(), "it is under way")?;
        if first.earliest_us > self.earliest_us(first.task, agents) {
            return Err(Refuted::Number("the first start"));
        }
        let mut before = *first;
        for link in rest {
            let service_us = self.problem.tasks()[before.task].service_us;
            let start_us = next_start(&self.problem.tasks()[before.task], before.earliest_us);
            let start_us = start_us.ok_or(Refuted::Number("a start"))?;
            let coupling = link.by.ok_or(Refuted::Shape("a link has no coupling"))?;
            let end_us = start_us.saturating_add(service_us);
            let start = Start {
                task: before.task,
                start_us,
                end_us,
            };
            let pushed_us = self.pushed_us(coupling, start, link.task, agents)?;
            if link.earliest_us > pushed_us {
                return Err(Refuted::Number("a link"));
            }
            before = *link;
        }
        let start_us = next_start(&self.problem.tasks()[task], before.earliest_us);
        let latest_us = match limit {
            Limit::Start { latest_us } => {
                let own_us = self.latest_us(task, agents);
                (own_us <= latest_us).then_some(latest_us)
            }
            Limit::Gap { order, latest_us } => {
                let order = self.problem.couplings().orders.get(order);
                let order = order.filter(|order| order.second == task);
                let order = order.ok_or(Refuted::Shape("there is no such order"))?;
                let gap_us = order.gap_max_us.ok_or(Refuted::Shape("there is no gap"))?;
                require(
                    self.bounds.committed_to[order.first].is_none(),
                    "it is under way",
                )?;
                let service_us = self.problem.tasks()[order.first].service_us;
                let end_us = self
                    .latest_us(order.first, agents)
                    .saturating_add(service_us);
                (end_us.saturating_add(gap_us) <= latest_us).then_some(latest_us)
            }
        };
        let latest_us = latest_us.ok_or(Refuted::Number("the limit"))?;
        if start_us.is_none_or(|us| us > latest_us) {
            Ok(())
        } else {
            Err(Refuted::Inconclusive("the start is in time"))
        }
    }

    /// Earliest start of a task because of the task before.
    fn pushed_us(
        &mut self,
        coupling: CouplingId,
        before: Start,
        task: usize,
        agents: Agents,
    ) -> Result<Micros, Refuted> {
        let couplings = self.problem.couplings();
        match coupling {
            CouplingId::Order(order) => {
                let order = couplings.orders.get(order);
                let order = order.filter(|o| (o.first, o.second) == (before.task, task));
                let order = order.ok_or(Refuted::Shape("no order pushes the task"))?;
                Ok(before.end_us.saturating_add(order.gap_min_us))
            }
            CouplingId::Group(group) => {
                let group = couplings.groups.get(group);
                let group =
                    group.filter(|g| g.tasks.contains(&before.task) && g.tasks.contains(&task));
                group.ok_or(Refuted::Shape("no group pushes the task"))?;
                Ok(before.start_us)
            }
            CouplingId::Pair(pair) => {
                let pair = couplings.pairs.get(pair);
                let pair = pair.filter(|p| (p.pickup, p.delivery) == (before.task, task));
                pair.ok_or(Refuted::Shape("no pair pushes the task"))?;
                Ok(self.delivered_us(before, task, agents))
            }
        }
    }

    /// Earliest arrival at a delivery of an agent that can do both tasks of the pair.
    fn delivered_us(&mut self, pickup: Start, delivery: usize, agents: Agents) -> Micros {
        let under_way =
            [pickup.task, delivery].map(|task| self.bounds.committed_to[task].is_some());
        if under_way.contains(&true) {
            return pickup.end_us;
        }
        let all = self.able_agents(&[pickup.task, delivery], agents);
        let mut least_us = Micros::MAX;
        for (index, times) in all.iter().enumerate() {
            // Only speed and possible tasks make a difference after the pickup.
            let same =
                |one: &Rc<Times>| one.speed_micro == times.speed_micro && one.able == times.able;
            if all[..index].iter().any(same) {
                continue;
            }
            let bounds = &self.bounds;
            let there_us = bounds.arrival_after(times, pickup.task, pickup.start_us, delivery);
            least_us = least_us.min(there_us.unwrap_or(Micros::MAX));
        }
        least_us
    }

    /// Earliest start of a task by any agent; 0 for those under way.
    fn earliest_us(&mut self, task: usize, agents: Agents) -> Micros {
        if self.bounds.committed_to[task].is_some() {
            return 0;
        }
        let times = self.able_agents(&[task], agents);
        let starts = times.iter().filter_map(|times| times.starts_us[task]);
        starts.min().unwrap_or(Micros::MAX)
    }

    /// Latest start of a task by any agent.
    fn latest_us(&mut self, task: usize, agents: Agents) -> Micros {
        let times = self.able_agents(&[task], agents);
        let latest = times.iter().filter_map(|times| times.latest_us[task]);
        latest.max().unwrap_or(Micros::MIN)
    }

    /// Bounds of the agents that can do all of these tasks.
    fn able_agents(&mut self, tasks: &[usize], agents: Agents) -> Vec<Rc<Times>> {
        let agents = match agents {
            Agents::Merged => return vec![self.bounds.all_merged()],
            Agents::Separate => 0..self.problem.agents().len(),
        };
        let bounds = &mut self.bounds;
        let able: Vec<usize> = agents
            .filter(|agent| tasks.iter().all(|task| bounds.can(*agent, *task)))
            .collect();
        able.iter().map(|agent| bounds.merged(&[*agent])).collect()
    }
}
