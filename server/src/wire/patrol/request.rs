//! Requests about patrols, from the wire.

use super::evaluation::cost;
use super::names::Names;
use super::problem::{Decoded, problem};
use super::read::{ReadPlan, plan};
use crate::run::PatrolPlanner;
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::request::{How, identity};
use patrol::problem::{Motion, Problem};
use patrol::solve::STRATEGIES;
use patrol::{Cost, Params};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A checked request.
pub(crate) type Request = crate::wire::request::Request<PatrolPlanner, Names>;

/// A request for a plan.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(message: pb::GeneratePatrolRequest) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::default();
    let pb::GeneratePatrolRequest { problem, options } = message;
    let how = How::new(options, STRATEGIES, &mut wrong);
    let params = Params {
        strategy: how.strategy.strategy,
        ..Params::default()
    };
    let problem_at = Path::root("problem");
    let given = wrong.required(&problem_at, problem);
    let identity = given
        .as_ref()
        .filter(|_| wrong.is_empty())
        .and_then(|given| identity("patrol", given, &how.options, how.name()));
    let decoded = given.and_then(|given| self::problem(given, &problem_at, &mut wrong));
    let target = target(&how.options.target, &mut wrong);
    let Some(decoded) = decoded.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        bytes: bytes(&decoded.problem),
        problem: Arc::new(decoded.problem),
        names: Arc::new(decoded.names),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params,
        target,
        identity,
    })
}

/// A request to judge a plan.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_evaluate(
    message: pb::EvaluatePatrolRequest,
) -> Result<(Decoded, ReadPlan), Mistakes> {
    let mut wrong = Mistakes::default();
    let pb::EvaluatePatrolRequest {
        problem,
        plan: given,
    } = message;
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let problem = wrong.required(&problem_at, problem);
    let given = wrong.required(&plan_at, given);
    let decoded = problem.and_then(|given| self::problem(given, &problem_at, &mut wrong));
    let both = decoded.zip(given).and_then(|(decoded, given)| {
        let read = plan(given, &decoded, &plan_at, &mut wrong)?;
        Some((decoded, read))
    });
    both.ok_or(wrong)
}

/// The cost to stop at.
fn target(levels: &[f64], wrong: &mut Mistakes) -> Option<Cost> {
    let at = Path::root("options");
    let at = at.field("target");
    wrong.size(&at.field("levels"), levels.len(), 1);
    cost(*levels.first()?)
}

/// Memory that a problem takes, names included, near enough.
fn bytes(problem: &Problem) -> usize {
    let spec = problem.spec();
    let places = match problem.intruder().motion {
        Motion::Still => problem.vertices(),
        _ => problem.places(),
    };
    let seen: usize = spec.sights.iter().flatten().map(Vec::len).sum();
    400 * problem.vertices() + 200 * spec.edges.len() + 100 * places + 12 * seen
}
