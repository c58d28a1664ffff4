//! Tasks that leave the problem, and what that means for those coupled to them.

use super::routes::Stop;
use super::{NO_START, State, active_id, offset, take};
use crate::values::{duration_of_micros, rounded_micros};
use stratagem_proto::v1 as pb;

/// Tasks assumed to be done that are remembered, for each agent on average.
const ASSUMED_MAX: usize = 8;
/// The latest time that there is: ten years.
const LATEST_US: i64 = 315_360_000_000_000;

impl State {
    /// Takes a task out of the problem, but not out of couplings.
    pub(super) fn withdraw(&mut self, id: &str) {
        self.problem.tasks.retain(|task| task.id != id);
        self.active.retain(|one| active_id(one) != id);
        for route in &mut self.routes {
            route.remove(id);
        }
    }

    /// Takes a task out of the problem, with the other one of its pair.
    pub(super) fn drop_with_pair(&mut self, id: &str) {
        let couplings = self.problem.couplings.as_ref();
        let mut pairs = couplings.iter().flat_map(|it| &it.pairs);
        let pair = pairs.find(|it| it.pickup_task_id == id || it.delivery_task_id == id);
        let both = match pair {
            Some(pair) => vec![pair.pickup_task_id.clone(), pair.delivery_task_id.clone()],
            None => vec![id.to_owned()],
        };
        for id in both {
            self.withdraw(&id);
            self.uncouple(&id);
        }
    }

    /// A task that left the problem is done.
    pub(super) fn done(&mut self, task: &pb::AllocationTask, agent_id: &str, at_us: i64) {
        let couplings = self.problem.couplings.as_ref();
        let mut pairs = couplings.iter().flat_map(|it| &it.pairs);
        let pickup = pairs.find(|it| it.pickup_task_id == task.id).cloned();
        let orders = couplings.iter().flat_map(|it| &it.orders);
        let orders = orders.filter(|it| it.first_task_id == task.id).cloned();
        for order in orders.collect::<Vec<_>>() {
            self.follows(&order, agent_id, at_us);
        }
        self.uncouple(&task.id);
        if let Some(pair) = pickup {
            self.bind(pair.delivery_task_id, agent_id, task.demands.clone());
        } else {
            // It counts for the whole route. Deliveries have no demands.
            let mut agents = self.problem.agents.iter_mut();
            if let Some(agent) = agents.find(|agent| agent.id == agent_id) {
                take(&mut agent.capacities, &task.demands);
            }
        }
    }

    /// Tasks of an agent without positions that were done on time, as far as is known.
    pub(super) fn assume_done(&mut self, agent_id: &str, stops: &[Stop]) {
        for stop in stops {
            self.active.retain(|one| active_id(one) != stop.task_id);
            let index = self.task_index(&stop.task_id);
            let Some(task) = index.map(|index| self.problem.tasks.remove(index)) else {
                continue;
            };
            let mut agents = self.problem.agents.iter_mut();
            if let Some(agent) = agents.find(|agent| agent.id == agent_id) {
                agent.start.clone_from(&task.place);
            }
            self.begin_at(agent_id, stop.done_us);
            if let Some(couplings) = &mut self.problem.couplings {
                couplings
                    .breaks
                    .retain(|rest| !stop.break_ids.contains(&rest.id));
            }
            self.done(&task, agent_id, stop.done_us);
            self.assumed.push(pb::AllocationActiveTask {
                task: Some(task),
                agent_id: agent_id.to_owned(),
            });
        }
        let most = ASSUMED_MAX * self.problem.agents.len();
        let surplus = self.assumed.len().saturating_sub(most);
        self.assumed.drain(..surplus);
    }

    /// An agent begins then: its shift does not end before, and breaks that it missed are gone.
    pub(super) fn begin_at(&mut self, agent_id: &str, at_us: i64) {
        let mut agents = self.problem.agents.iter_mut();
        let Some(agent) = agents.find(|agent| agent.id == agent_id) else {
            return;
        };
        agent.shift_start_offset = offset(at_us);
        if let Some(end) = &mut agent.shift_end_offset
            && rounded_micros(end) < at_us
        {
            *end = duration_of_micros(at_us);
        }
        if let Some(couplings) = &mut self.problem.couplings {
            couplings.breaks.retain(|rest| {
                let latest = rest.latest_offset.as_ref().map_or(at_us, rounded_micros);
                rest.agent_id != agent_id || latest >= at_us
            });
        }
    }

    /// The first task of a precedence is done.
    fn follows(&mut self, order: &pb::AllocationOrder, agent_id: &str, at_us: i64) {
        let us = |gap: &Option<prost_types::Duration>| gap.as_ref().map(rounded_micros);
        let from_us = at_us.saturating_add(us(&order.min_gap_duration).unwrap_or(0));
        let until_us = us(&order.max_gap_duration).map(|gap| at_us.saturating_add(gap));
        let second = &order.second_task_id;
        let mut tasks = self.problem.tasks.iter_mut();
        if let Some(task) = tasks.find(|task| task.id == *second) {
            limit(task, from_us, until_us);
            if order.same_agent {
                self.bind(second.clone(), agent_id, Vec::new());
            }
        }
    }

    /// Commits an agent to a task. Two commitments of a task are one.
    fn bind(&mut self, task_id: String, agent_id: &str, demands: Vec<i64>) {
        let mut commitments = self.commitments.iter_mut();
        match commitments.find(|one| one.task_id == task_id) {
            Some(one) if demands.is_empty() => one.agent_id = agent_id.to_owned(),
            Some(one) => {
                one.agent_id = agent_id.to_owned();
                one.demands = demands;
            }
            None => self.commitments.push(pb::AllocationCommitment {
                task_id,
                agent_id: agent_id.to_owned(),
                demands,
            }),
        }
    }

    /// Takes a task out of couplings and commitments.
    fn uncouple(&mut self, id: &str) {
        self.commitments.retain(|one| one.task_id != id);
        let Some(couplings) = &mut self.problem.couplings else {
            return;
        };
        let (orders, pairs) = (&mut couplings.orders, &mut couplings.pairs);
        orders.retain(|it| it.first_task_id != id && it.second_task_id != id);
        pairs.retain(|it| it.pickup_task_id != id && it.delivery_task_id != id);
        for group in &mut couplings.groups {
            group.task_ids.retain(|task| task != id);
        }
        couplings.groups.retain(|group| group.task_ids.len() > 1);
        couplings.preferences.retain(|it| it.task_id != id);
    }
}

/// Lets a task start from then on, and until then.
fn limit(task: &mut pb::AllocationTask, from_us: i64, until_us: Option<i64>) {
    let any_time = task.windows.is_empty();
    if any_time {
        task.windows.push(pb::AllocationWindow {
            open_offset: None,
            close_offset: offset(LATEST_US),
        });
    }
    let windows = std::mem::take(&mut task.windows);
    let limited = windows.into_iter().filter_map(|window| {
        let open = window.open_offset.as_ref().map_or(0, rounded_micros);
        let close = window.close_offset.as_ref().map_or(0, rounded_micros);
        let open = open.max(from_us);
        let close = until_us.map_or(close, |until| close.min(until));
        (open <= close).then(|| pb::AllocationWindow {
            open_offset: offset(open),
            close_offset: offset(close),
        })
    });
    task.windows = limited.collect();
    if task.windows.is_empty() {
        task.required_skills.push(NO_START.to_owned());
    }
}
