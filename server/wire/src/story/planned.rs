//! Problems and plans, whatever the method.

use super::answer::objective;
use super::problem::problem;
use super::read;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::Path;
use anytime::Unnamed;
use story::account;
use stratagem_proto::v1 as pb;

impl Planned for pb::StoryProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, pb::StoryPlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = read::plan(plan, &decoded.problem, &at.field("story"), wrong)?;
        Some(Box::new(move |_| {
            let checked = account(&decoded.problem, &plan).map(|account| {
                let acts = plan.actions.len();
                Some(objective(account.cost, acts, Some(&account)))
            });
            Some(verdict(checked, |fault| violation(fault, &Unnamed)))
        }))
    }
}
