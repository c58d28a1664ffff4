//! The method: schedules of projects.

use super::answer::{answer, update};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::method::searches;
use ::schedule::Schedule;
use stratagem_proto::v1 as pb;

searches! {
    ScheduleProject: Schedule, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
        resume: continue_from,
    }
}

/// Continues the plan that was found.
fn continue_from(
    request: &mut pb::ScheduleProjectRequest,
    found: pb::ScheduleProjectResponse,
) -> bool {
    let is_found = found.plan.is_some();
    request.previous_plan = found.plan.or(request.previous_plan.take());
    is_found
}
