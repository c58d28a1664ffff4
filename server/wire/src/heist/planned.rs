//! Problems and plans, whatever the method.

use super::answer::objective;
use super::plan;
use super::problem::problem;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::Path;
use stratagem_proto::v1 as pb;

impl Planned for pb::HeistProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, pb::HeistPlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = plan::plan(&plan, &decoded.names, &at.field("heist"), wrong)?;
        Some(Box::new(move |_| {
            let cost = heist::verify(&decoded.problem, &plan);
            let objective = cost.map(|cost| Some(objective(cost)));
            Some(verdict(objective, |fault| violation(fault, &decoded.names)))
        }))
    }
}
