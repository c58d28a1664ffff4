//! A request to allocate tasks, from the wire.

use super::names::Names;
use super::problem::problem;
use super::target;
use crate::mistakes::Mistakes;
use crate::request::{How, identity};
use ::allocation::Allocation;
use allocation::Params;
use allocation::problem::Problem;
use allocation::solve::STRATEGIES;
use anytime::Path;
use anytime::{CancelToken, Pulse};
use std::sync::Arc;
use std::time::Instant;
use stratagem_proto::v1 as pb;

/// A checked request.
pub(crate) type Request = crate::request::Request<Allocation, Names>;

/// A request. Agents are released from tasks under way until its time budget or `until` ends that.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::AllocateTasksRequest,
    until: Option<Instant>,
) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::AllocateTasksRequest { problem, options } = message;
    let how = How::new(options, STRATEGIES, &mut wrong);
    let params = Params {
        strategy: how.strategy.strategy,
        width: how.options.width,
    };
    let problem_at = Path::root("problem");
    let identity = problem
        .as_ref()
        .filter(|_| wrong.is_empty())
        .and_then(|given| identity("allocation", given, &how.options, how.name()));
    let own = how.options.budget;
    let own = own.and_then(|budget| Instant::now().checked_add(budget));
    let wanted = Pulse::new(own.into_iter().chain(until).min(), CancelToken::new());
    let decoded = problem.and_then(|given| self::problem(given, &problem_at, &mut wrong, &wanted));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let levels = decoded.problem.levels().len();
    let target = target(how.target(levels, &mut wrong));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Request {
        bytes: bytes(&decoded.problem),
        problem: Arc::new(decoded.problem),
        names: Arc::new(decoded.names),
        strategy: how.name(),
        options: how.options,
        width: params.trees(),
        params,
        target,
        // An answer that depends on the time is not shared.
        identity: identity.filter(|_| wanted.beats()),
    })
}

/// Memory that a problem takes, near enough: the tables are nearly all of it.
fn bytes(problem: &Problem) -> usize {
    let travel = problem.travel();
    let costs = travel.costs_micro.as_ref().map_or(0, Vec::len);
    let per_element = 400 * (problem.tasks().len() + problem.agents().len());
    8 * (travel.durations_us.len() + costs) + per_element
}
