//! A request to allocate tasks, from the wire.

use super::problem::{Names, problem};
use super::{params, target};
use crate::run::AllocationPlanner;
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::request::identity;
use crate::wire::solve::options;
use allocation::problem::Problem;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A checked request.
pub(crate) type Request = crate::wire::request::Request<AllocationPlanner, Names>;

/// A request.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    given: Option<pb::AllocationProblem>,
    how: Option<pb::SolveOptions>,
) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::default();
    let at = Path::root("options");
    let options = options(how, &at, &mut wrong);
    let params = params(&options.strategy, options.width, &at, &mut wrong);
    let problem_at = Path::root("problem");
    let given = wrong.required(&problem_at, given);
    let strategy = params.strategy.name();
    let identity = given
        .as_ref()
        .filter(|_| wrong.is_empty())
        .and_then(|given| identity("allocation", given, &options, strategy));
    let decoded = given.and_then(|given| problem(given, &problem_at, &mut wrong));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let target = target(&decoded.problem, &options.target, &at, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Request {
        bytes: bytes(&decoded.problem),
        problem: Arc::new(decoded.problem),
        names: Arc::new(decoded.names),
        options,
        strategy,
        width: params.trees(),
        params,
        target,
        identity,
    })
}

/// Memory that a problem takes, near enough: the tables are nearly all of it.
fn bytes(problem: &Problem) -> usize {
    let travel = problem.travel();
    let costs = travel.costs_micro.as_ref().map_or(0, Vec::len);
    let per_element = 400 * (problem.tasks().len() + problem.agents().len());
    8 * (travel.durations_us.len() + costs) + per_element
}
