//! Requests for plans, from the wire.

use super::info::ONLY_AUTO;
use super::names::Names;
use super::plan::plan;
use super::problem::{Decoded, problem};
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use crate::values::percent;
use anytime::Path;
use heist::{BurglarPlanner, PlanRequest};
use heist::{Cost, Params, Problem};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A request for a plan.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::PlanBurglarRequest,
) -> Result<Request<BurglarPlanner, Names>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), ONLY_AUTO, &mut wrong);
    let identity = identity("heist", &message, &how.options, how.name());
    let pb::PlanBurglarRequest {
        problem: given,
        options: _,
        max_gap,
        previous_plan,
        max_alternatives,
    } = message;
    let target = actions(how.target(1, &mut wrong));
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let Some(Decoded { problem, names }) = decoded else {
        return Err(wrong);
    };
    let previous_at = Path::root("previous_plan");
    let warm = previous_plan.and_then(|given| plan(&given, &names, &previous_at, &mut wrong));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Request {
        bytes: bytes(&problem),
        problem: Arc::new(PlanRequest {
            problem,
            alternatives: max_alternatives.unsigned_abs() as usize,
        }),
        names: Arc::new(names),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: Params {
            slack_percent: max_gap.map_or(0, percent),
            warm,
        },
        target,
        identity,
    })
}

/// The actions to stop at. Saturates: a target beyond all plans is reached by every one.
fn actions(levels: &[f64]) -> Option<Cost> {
    let actions = *levels.first()?;
    let whole = actions.floor() as u32;
    (actions >= 0.0).then_some(Cost { actions: whole })
}

/// Memory that a problem takes, near enough: what is there, once and for each agent again.
fn bytes(problem: &Problem) -> usize {
    let museum = problem.museum().layout();
    let things = museum.rooms + museum.doors.len() + museum.containers.len();
    let others = museum.machines.len() + museum.cameras.len();
    200 * (things + others) + 8 * things * problem.world().agents().len() + 10_000
}
