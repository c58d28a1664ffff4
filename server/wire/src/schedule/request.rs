//! Requests for schedules, from the wire.

use super::info::STRATEGIES;
use super::names::Names;
use super::problem::{Decoded, problem};
use super::read;
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use crate::values::millionths;
use ::schedule::{Cost, Params, Problem, Schedule};
use anytime::Path;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A request for a schedule.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::ScheduleProjectRequest,
) -> Result<Request<Schedule, Names>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), STRATEGIES, &mut wrong);
    let target = how.target(1, &mut wrong).first().copied();
    let identity = identity("schedule", &message, &how.options, how.name());
    let pb::ScheduleProjectRequest {
        problem: given,
        options: _,
        previous_plan,
    } = message;
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let Some(Decoded { problem, names }) = decoded.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    let previous_plan = previous_plan.map(|it| read::previous(&it, &names));
    Ok(Request {
        bytes: bytes(&problem),
        problem: Arc::new(problem),
        names: Arc::new(names),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: Params { previous_plan },
        target: target.map(|seconds| Cost {
            makespan_us: millionths(seconds),
        }),
        identity,
    })
}

/// Memory that a problem takes, near enough: its elements, and what a search keeps for each.
fn bytes(problem: &Problem) -> usize {
    let spec = problem.spec();
    let modes = spec.activities.iter().flat_map(|it| &it.modes);
    let demands: usize = modes.clone().map(|mode| mode.demands.len()).sum();
    2_000 * spec.activities.len()
        + 300 * modes.count()
        + 50 * demands
        + 300 * spec.precedences.len()
        + 10_000
}
