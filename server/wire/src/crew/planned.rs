//! Problems and plans, whatever the method.

use super::answer::objective;
use super::problem::problem;
use super::read;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::Path;
use stratagem_proto::v1 as pb;
use stratagem_proto::v1::any_plan::Kind;
use stratagem_render::Scene;
use stratagem_render::crew as render;

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

    fn scene(&self, plan: Option<&Kind>, detail: &pb::PictureDetail) -> Scene {
        let plan = plan.and_then(PlanKind::borrow);
        let wanted = usize::try_from(detail.crew_choice).unwrap_or(0);
        let drawn = render::Drawn {
            plan,
            choice: plan.and_then(|plan| render::choices(plan).get(wanted).copied()),
        };
        render::scene(self, drawn)
    }
}
