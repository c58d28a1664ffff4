//! Problems and plans of any planner.

use super::allocation::{self, Decoded};
use super::mistakes::{Code, Mistakes};
use super::path::Path;
use ::allocation::{Plan, Violation};
use stratagem_proto::v1 as pb;

/// Most violations that are sent.
const VIOLATIONS_MAX: usize = 1_000;

/// A problem and a plan for it.
#[derive(Debug)]
pub(crate) enum ToVerify {
    /// Of the allocation planner.
    Allocation(Box<Decoded>, Plan),
}

/// A problem and a plan to check against it.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_verify(request: pb::VerifyPlanRequest) -> Result<ToVerify, Mistakes> {
    let pb::VerifyPlanRequest { problem, plan } = request;
    let mut wrong = Mistakes::default();
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let problem = wrong
        .required(&problem_at, problem)
        .and_then(|problem| required_kind(&problem_at, problem.kind, &mut wrong));
    let plan = wrong
        .required(&plan_at, plan)
        .and_then(|plan| required_kind(&plan_at, plan.kind, &mut wrong));
    let checked = match (problem, plan) {
        (Some(pb::problem::Kind::Allocation(problem)), Some(pb::plan::Kind::Allocation(plan))) => {
            let decoded = allocation::problem(problem, &problem_at.field("allocation"), &mut wrong);
            decoded.and_then(|decoded| {
                let at = plan_at.field("allocation");
                let plan = allocation::orders(plan, &decoded, &at, &mut wrong)?;
                Some(ToVerify::Allocation(Box::new(decoded), plan))
            })
        }
        (Some(pb::problem::Kind::Allocation(problem)), None) => {
            allocation::problem(problem, &problem_at.field("allocation"), &mut wrong);
            None
        }
        (None, _) => None,
    };
    checked.ok_or(wrong)
}

fn required_kind<T>(at: &Path<'_>, kind: Option<T>, wrong: &mut Mistakes) -> Option<T> {
    if kind.is_none() {
        let why = "names no planner that this server has";
        wrong.add(at, Code::Required, why);
    }
    kind
}

/// Broken rules for the wire.
fn violations(broken: &[Violation]) -> Vec<pb::Violation> {
    let violation = |one: &Violation| pb::Violation {
        code: one.code().into(),
        message: one.to_string(),
        field: match one.at() {
            (Some(route), Some(stop)) => format!("routes[{route}].stops[{stop}]"),
            (Some(route), None) => format!("routes[{route}]"),
            (None, _) => String::new(),
        },
    };
    broken.iter().take(VIOLATIONS_MAX).map(violation).collect()
}

/// What comes of the check.
pub(crate) fn verdict(checked: &ToVerify) -> pb::VerifyPlanResponse {
    let ToVerify::Allocation(decoded, plan) = checked;
    let problem = &decoded.problem;
    match ::allocation::verify::terms(problem, plan) {
        Ok(terms) => pb::VerifyPlanResponse {
            valid: true,
            violations: Vec::new(),
            objective: Some(allocation::objective(problem, &terms)),
            partial: ::allocation::verify::is_partial(problem, plan),
        },
        Err(broken) => pb::VerifyPlanResponse {
            violations: violations(&broken),
            ..pb::VerifyPlanResponse::default()
        },
    }
}
