//! The route that an agent follows.

use crate::values::rounded_micros;
use stratagem_proto::v1 as pb;

/// The tasks of an agent, and when it leaves for each of them. A message of logs, too.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Route {
    #[prost(string, tag = "1")]
    pub(super) agent_id: String,
    #[prost(message, repeated, tag = "2")]
    stops: Vec<Stop>,
    /// How many of them, from the first, it is committed to.
    #[prost(uint32, tag = "3")]
    started: u32,
    /// When the route was planned: the agent leaves for others then at the earliest.
    #[prost(int64, tag = "4")]
    planned_us: i64,
}

/// A task of a route.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Stop {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
    /// When its agent leaves for it.
    #[prost(int64, tag = "2")]
    pub(super) leave_us: i64,
    /// When it is done.
    #[prost(int64, tag = "3")]
    pub(super) done_us: i64,
    /// Breaks that are taken before it.
    #[prost(string, repeated, tag = "4")]
    pub(super) break_ids: Vec<String>,
}

impl Route {
    /// A planned route of an agent whose shift starts then, with its committed tasks. Others are
    /// left for at now at the earliest.
    pub(super) fn new(
        planned: &pb::AllocationRoute,
        started: usize,
        start_us: i64,
        now_us: i64,
    ) -> Self {
        let mut free_us = start_us;
        let stops = planned.stops.iter().enumerate().map(|(index, stop)| {
            let done_us = stop.departure_offset.as_ref().map_or(0, rounded_micros);
            let rests = planned.rests.iter();
            let rests = rests.filter(|rest| usize::try_from(rest.stop_index) == Ok(index));
            let leave_us = std::mem::replace(&mut free_us, done_us);
            Stop {
                task_id: stop.task_id.clone(),
                leave_us: if index < started {
                    leave_us
                } else {
                    leave_us.max(now_us)
                },
                done_us,
                break_ids: rests.map(|rest| rest.break_id.clone()).collect(),
            }
        });
        let stops: Vec<_> = stops.collect();
        Self {
            agent_id: planned.agent_id.clone(),
            started: count(started.min(stops.len())),
            stops,
            planned_us: now_us,
        }
    }

    /// Of an agent without tasks.
    pub(super) fn empty(agent_id: &str) -> Self {
        Self {
            agent_id: agent_id.to_owned(),
            stops: Vec::new(),
            started: 0,
            planned_us: 0,
        }
    }

    /// The agent serves a task that is not in the route: then all others follow.
    pub(super) fn serve(&mut self, task_id: &str, start_us: i64, done_us: i64) {
        self.free_at(done_us);
        let stop = Stop {
            task_id: task_id.to_owned(),
            leave_us: start_us,
            done_us,
            break_ids: Vec::new(),
        };
        self.stops.insert(0, stop);
        self.started = 1;
    }

    fn started(&self) -> usize {
        usize::try_from(self.started).unwrap_or(usize::MAX)
    }

    /// How many tasks the agent is committed to.
    pub(super) fn started_count(&self) -> i32 {
        i32::try_from(self.started).unwrap_or(i32::MAX)
    }

    /// As the previous route of a problem.
    pub(super) fn previous(&self) -> pb::AllocationPreviousRoute {
        pb::AllocationPreviousRoute {
            agent_id: self.agent_id.clone(),
            task_ids: self.stops.iter().map(|stop| stop.task_id.clone()).collect(),
            started_count: self.started_count(),
        }
    }

    /// The tasks for which the agent has left: before now, or by now.
    pub(super) fn left(&self, now_us: i64, by_now: bool) -> &[Stop] {
        let has_left = |stop: &&Stop| stop.leave_us < now_us || (by_now && stop.leave_us == now_us);
        let left = self.stops.iter().take_while(has_left).count();
        &self.stops[..left.max(self.started())]
    }

    /// The agent is committed to its first task alone, or to nothing.
    pub(super) fn set_committed(&mut self, is_committed: bool) {
        self.started = u32::from(is_committed && !self.stops.is_empty());
    }

    /// Takes a task out, if it is there.
    pub(super) fn remove(&mut self, task_id: &str) {
        let found = self.stops.iter().position(|stop| stop.task_id == task_id);
        if let Some(index) = found {
            self.stops.remove(index);
            self.started -= u32::from(index < self.started());
        }
    }

    /// The agent begins with its next task then: all that follows moves with it.
    pub(super) fn free_at(&mut self, leave_us: i64) {
        self.started = 0;
        let Some(first) = self.stops.first() else {
            return;
        };
        let by_us = leave_us.max(self.planned_us) - first.leave_us;
        for stop in &mut self.stops {
            stop.leave_us = stop.leave_us.saturating_add(by_us);
            stop.done_us = stop.done_us.saturating_add(by_us);
        }
    }
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
