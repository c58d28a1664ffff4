//! The methods: allocation of tasks to agents.

use super::answer::{answer, update};
use super::info;
use super::insertion::{ToInsert, inserted, to_insert};
use super::problem::Names;
use super::request::request;
use crate::rpc::contract::{AllocateTasks, InsertTask};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::question::Question;
use crate::rpc::{Now, Streamed};
use crate::run::Outcome;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::allocation::Allocation;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Method for AllocateTasks {
    type Planner = Allocation;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, with: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        request(message, with.until)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Allocation>) -> Self::Answer {
        answer(asked, outcome)
    }

    fn continue_from(request: &mut Self::Request, found: Self::Answer) -> bool {
        let (Some(problem), Some(plan)) = (&mut request.problem, found.plan) else {
            return false;
        };
        // A plan of the caller binds: the search starts with that one again.
        let is_free = problem.previous_plan.is_none();
        if is_free {
            problem.previous_plan = Some(previous(plan));
        }
        is_free
    }
}

impl Streamed for AllocateTasks {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
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

    fn answer(read: Self::Read, _: &Pulse) -> Result<Self::Answer, Refusal> {
        inserted(&read).map_err(Refusal::Mistakes)
    }
}
