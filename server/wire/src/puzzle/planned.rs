//! Problems and plans, whatever the method.

use super::objective::objective;
use super::plan::features_of;
use super::problem::problem;
use super::read;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::{Path, Unnamed};
use stratagem_proto::v1 as pb;

impl Planned for pb::PuzzleProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong);
        let plan = plan.take(wrong, pb::PuzzlePlan::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = read::plan(plan, &decoded, &at.field("puzzle"), wrong)?;
        Some(Box::new(move |_| {
            let cost = puzzle::verify(&decoded, &plan);
            let cost = cost.map(|cost| Some(objective(&decoded, cost, &features_of(&plan))));
            let verdict = verdict(cost, |fault| violation(fault, &Unnamed));
            Some(pb::VerifyPlanResponse {
                partial: verdict.valid && plan.levels.len() < decoded.spec().levels,
                ..verdict
            })
        }))
    }
}
