//! Problems and plans, whatever the method.

use super::problem::problem;
use super::read;
use super::verdict::verdict;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned};
use anytime::Path;
use stratagem_proto::v1 as pb;

impl Planned for pb::NarrativeProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, pb::NarrativePlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let (narrative, names) = (&decoded.narrative, &decoded.names);
        let plan = read::plan(plan, narrative, names, &at.field("narrative"), wrong)?;
        Some(Box::new(move |_| Some(verdict(&decoded, &plan))))
    }
}
