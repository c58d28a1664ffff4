//! Problems and plans, whatever the method.

use super::objective;
use super::plan::orders;
use super::problem::{Decoded, problem};
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{self, Check, PlanAt, PlanKind, Planned};
use ::allocation::{Plan, verify};
use anytime::Path;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Planned for pb::AllocationProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong, &Pulse::unbounded());
        let plan = plan.take(wrong, pb::AllocationPlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = orders(plan, &decoded, &at.field("allocation"), wrong)?;
        Some(Box::new(move |_| Some(verdict(&decoded, &plan))))
    }
}

fn verdict(Decoded { problem, names }: &Decoded, plan: &Plan) -> pb::VerifyPlanResponse {
    let checked = verify::terms(problem, plan).map(|terms| Some(objective(problem, &terms)));
    let verdict = planning::verdict(checked, |fault| violation(fault, names));
    pb::VerifyPlanResponse {
        partial: verdict.valid && verify::is_partial(problem, plan),
        ..verdict
    }
}
