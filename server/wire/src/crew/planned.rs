//! Problems and plans, whatever the method.

use super::answer::objective;
use super::problem::problem;
use super::read;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::Path;
use stratagem_proto::v1 as pb;

impl Planned for pb::CrewProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, pb::CrewPlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = read::plan(plan, &decoded.names, &at.field("crew"), wrong)?;
        Some(Box::new(move |_| {
            let cost = crew::verify(&decoded.problem, &plan);
            let objective = cost.map(|cost| Some(objective(cost)));
            Some(verdict(objective, |fault| violation(fault, &decoded.names)))
        }))
    }
}
