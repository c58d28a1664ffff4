//! The methods of the allocation service.

use super::answer::{answer, found_objective, step};
use super::info;
use super::insertion::{ToInsert, inserted, to_insert};
use super::names::Names;
use super::request::request;
use crate::allocation::levels;
use crate::contract::InsertTask;
use crate::method::Asked;
use crate::method::Question;
use crate::method::Reading;
use crate::mistakes::Mistakes;
use crate::searches::searches;
use ::allocation::Allocation;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

searches! {
    AllocateTasks: Allocation, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, with: &Reading<'_>| request(message, with.until),
        answer: answer,
        step: step,
        objective: |asked: &_, found: &_, _| found_objective(asked, found),
        levels: |asked: &Asked<Self>, cost: &_| Some(levels(&asked.request.problem, cost)),
        resume: continue_from,
    }
}

/// Continues the plan that was found, unless the client gave one: that one binds, and the search
/// starts with it again.
fn continue_from(request: &mut pb::AllocateTasksRequest, found: pb::AllocateTasksResponse) -> bool {
    let (Some(problem), Some(plan)) = (&mut request.problem, found.plan) else {
        return false;
    };
    let is_free = problem.previous_plan.is_none();
    if is_free {
        problem.previous_plan = Some(previous(plan));
    }
    is_free
}

/// A plan to begin with: nothing of it binds.
fn previous(plan: pb::AllocationPlan) -> pb::AllocationPreviousPlan {
    let route = |route: pb::AllocationRoute| pb::AllocationPreviousRoute {
        agent_id: route.agent_id,
        task_ids: route.stops.into_iter().map(|stop| stop.task_id).collect(),
        started_count: 0,
    };
    pb::AllocationPreviousPlan {
        routes: plan.routes.into_iter().map(route).collect(),
        max_changes: None,
    }
}

impl Question for InsertTask {
    type Read = ToInsert;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_insert(message)
    }

    fn answer(read: Self::Read, _: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        inserted(&read).map(Some)
    }
}
