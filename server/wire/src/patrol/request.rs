//! Requests about patrols, from the wire.

use super::evaluation::cost;
use super::mixed_strategy::read as read_mixed_strategy;
use super::names::Names;
use super::problem::{Decoded, problem};
use super::read::{plan, previous};
use super::verdict::Judged;
use crate::mistakes::{Code, Mistakes};
use crate::request::{How, identity};
use crate::values::millionths;
use ::patrol::Patrol;
use ::patrol::diverse::DiversePlanner;
use ::patrol::mixed_strategy::MixedStrategyPlanner;
use anytime::Path;
use anytime::Runnable;
use bytes::Bytes;
use patrol::diverse::{DiverseCost, DiverseParams, DiverseProblem};
use patrol::mixed_strategy::MixedStrategyParams;
use patrol::problem::{Motion, Problem};
use patrol::solve::{STRATEGIES, Strategy};
use patrol::{Cost, Params, Plan};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// Valid request for a plan.
pub(crate) type Request = crate::request::Request<Patrol, Names>;

/// Valid request for a mixed strategy.
pub(crate) type MixRequest = crate::request::Request<MixedStrategyPlanner, Names>;

/// Request for a plan.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(mut message: pb::GeneratePatrolRequest) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let read = Read::new("patrol", message, &mut wrong);
    read.checked(wrong, |params| params)
}

/// Request for a mixed strategy.
///
/// # Errors
/// All mistakes.
pub(crate) fn mix_request(mut message: pb::MixPatrolsRequest) -> Result<MixRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::MixPatrolsRequest {
        problem,
        options,
        max_plans,
        max_plan_iterations,
    } = message;
    let default = MixedStrategyParams::default();
    let plans_max = max_plans.map_or(default.plans_max, |max| max.unsigned_abs() as usize);
    let iterations = max_plan_iterations.map_or(default.iterations, i64::unsigned_abs);
    // Part of the identity of the request, besides problem and options.
    let method = format!("patrol mixture of {plans_max}, {iterations} iterations each");
    let read = Read::new(&method, asked(problem, options), &mut wrong);
    read.checked(wrong, |params| MixedStrategyParams {
        plans_max,
        iterations,
        params,
    })
}

/// Valid request for diverse plans.
pub(crate) type VaryRequest = crate::request::Request<DiversePlanner, Names>;

/// Default number of plans, and default distance in millionths.
const VARIANTS_DEFAULT: usize = 3;
const DISTANCE_DEFAULT_MICRO: u32 = 500_000;

/// Request for diverse plans.
///
/// # Errors
/// All mistakes.
pub(crate) fn vary_request(mut message: pb::VaryPatrolsRequest) -> Result<VaryRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::VaryPatrolsRequest {
        problem,
        options,
        plan_count,
        min_distance,
    } = message;
    let plans = plan_count.map_or(VARIANTS_DEFAULT, |count| count.unsigned_abs() as usize);
    let distance_micro = min_distance.map_or(DISTANCE_DEFAULT_MICRO, |given| {
        u32::try_from(millionths(given)).expect("it is in range")
    });
    let method = format!("{plans} patrols {distance_micro} apart");
    let read = Read::new(&method, asked(problem, options), &mut wrong);
    let target = varied_target(read.how.target(3, &mut wrong));
    let Some((decoded, how)) = read
        .decoded
        .zip(Some(read.how))
        .filter(|_| wrong.is_empty())
    else {
        return Err(wrong);
    };
    let bytes = bytes(&decoded.problem);
    let variety = DiverseProblem::new(decoded.problem, plans, distance_micro);
    Ok(VaryRequest {
        bytes,
        problem: Arc::new(variety.expect("both numbers are in range")),
        names: Arc::new(decoded.names),
        strategy: how.name(),
        params: DiverseParams {
            params: params(&how, None),
            ..DiverseParams::default()
        },
        options: how.options,
        width: 1,
        target,
        identity: read.identity,
    })
}

/// Common parts of all requests for a search.
fn asked(
    problem: Option<pb::PatrolProblem>,
    options: Option<pb::SolveOptions>,
) -> pb::GeneratePatrolRequest {
    pb::GeneratePatrolRequest {
        problem,
        options,
        previous_plan: None,
    }
}

/// Parameters of the planner.
fn params(how: &How<Strategy>, warm: Option<Plan>) -> Params {
    Params {
        strategy: how.strategy.strategy,
        warm,
        ..Params::default()
    }
}

/// Target cost of diverse plans; levels that are not given are unlimited.
fn varied_target(levels: &[f64]) -> Option<DiverseCost> {
    let missing = *levels.first()?;
    let limit = |level: Option<&f64>| level.map_or(Some(Cost(u128::MAX)), |level| cost(*level));
    // No plan is missing at least.
    (missing >= 0.0).then_some(())?;
    Some(DiverseCost {
        missing: missing as usize,
        worst: limit(levels.get(1))?,
        sum: limit(levels.get(2))?,
    })
}

/// Common parts of all requests for a search, as read.
struct Read {
    how: How<Strategy>,
    decoded: Option<Decoded>,
    warm: Option<Plan>,
    identity: Option<Bytes>,
}

impl Read {
    /// `method` is part of the identity of the request.
    fn new(method: &str, mut message: pb::GeneratePatrolRequest, wrong: &mut Mistakes) -> Self {
        let how = How::new(message.options.take(), STRATEGIES, wrong);
        let identity = identity(method, &message, &how.options, how.name());
        let pb::GeneratePatrolRequest {
            problem,
            options: _,
            previous_plan,
        } = message;
        let problem_at = Path::root("problem");
        let decoded = problem.and_then(|given| self::problem(given, &problem_at, wrong));
        let previous_at = Path::root("previous_plan");
        let warm = decoded.as_ref().zip(previous_plan);
        let warm = warm.and_then(|(decoded, given)| previous(given, decoded, &previous_at, wrong));
        Self {
            how,
            decoded,
            warm,
            identity,
        }
    }

    /// The valid request; `params` converts the parameters of the planner.
    fn checked<P>(
        self,
        mut wrong: Mistakes,
        params: impl FnOnce(Params) -> P::Params,
    ) -> Result<crate::request::Request<P, Names>, Mistakes>
    where
        P: Runnable<Problem = Problem, Cost = Cost>,
    {
        let how = self.how;
        let target = how.target(1, &mut wrong).first();
        let target = target.and_then(|level| cost(*level));
        let Some(decoded) = self.decoded.filter(|_| wrong.is_empty()) else {
            return Err(wrong);
        };
        Ok(crate::request::Request {
            bytes: bytes(&decoded.problem),
            problem: Arc::new(decoded.problem),
            names: Arc::new(decoded.names),
            strategy: how.name(),
            params: params(self::params(&how, self.warm)),
            options: how.options,
            // One search.
            width: 1,
            target,
            identity: self.identity,
        })
    }
}

/// Request to evaluate a plan or a mixed strategy.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_evaluate(
    mut message: pb::EvaluatePatrolRequest,
) -> Result<(Decoded, Judged), Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::EvaluatePatrolRequest {
        problem,
        plan: given,
        mixture,
    } = message;
    let problem_at = Path::root("problem");
    let (plan_at, mixture_at) = (Path::root("plan"), Path::root("mixture"));
    match (&given, &mixture) {
        (None, None) => wrong.add(&plan_at, Code::Required, "is required"),
        (Some(_), Some(_)) => {
            let why = "is set, but there is a plan";
            wrong.add(&mixture_at, Code::Contradiction, why);
        }
        _ => {}
    }
    let decoded = problem.and_then(|given| self::problem(given, &problem_at, &mut wrong));
    let both = decoded.and_then(|decoded| {
        let judged = match (given, mixture) {
            (Some(given), _) => Judged::Plan(plan(given, &decoded, &plan_at, &mut wrong)?),
            (None, given) => Judged::MixedStrategy(read_mixed_strategy(
                given?,
                &decoded,
                &mixture_at,
                &mut wrong,
            )?),
        };
        wrong.is_empty().then_some((decoded, judged))
    });
    both.ok_or(wrong)
}

/// Approximate memory of a problem, names included.
pub(super) fn bytes(problem: &Problem) -> usize {
    let spec = problem.spec();
    let places = match problem.intruder().motion {
        Motion::Still => problem.vertices(),
        _ => problem.places(),
    };
    let seen: usize = spec.sights.iter().flatten().map(Vec::len).sum();
    400 * problem.vertices() + 200 * spec.edges.len() + 100 * places + 12 * seen
}
