//! Problems and plans, whatever the method.

use super::problem::problem;
use super::verdict::Judged;
use super::{mixed_strategy, read};
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, Planned};
use anytime::Path;
use stratagem_proto::v1 as pb;
use stratagem_proto::v1::any_plan::Kind;

impl Planned for pb::PatrolProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, |kind| match kind {
            Kind::Patrol(_) | Kind::PatrolMixture(_) => Some(kind),
            _ => None,
        });
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let judged = match plan {
            Kind::Patrol(plan) => {
                Judged::Plan(read::plan(plan, &decoded, &at.field("patrol"), wrong)?)
            }
            Kind::PatrolMixture(plan) => {
                let at = at.field("patrol_mixture");
                Judged::MixedStrategy(mixed_strategy::read(plan, &decoded, &at, wrong)?)
            }
            _ => return None,
        };
        Some(Box::new(move |wanted| judged.verdict(&decoded, wanted)))
    }
}
