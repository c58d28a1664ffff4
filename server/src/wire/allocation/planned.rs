//! Problems and plans, whatever the method.

use super::insertion::rule_field;
use super::objective;
use super::plan::orders;
use super::problem::{Decoded, problem};
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::planning::{Check, Drawing, PlanAt, Planned, VIOLATIONS_MAX};
use ::allocation::{Plan, Violation, verify};
use anytime::Pulse;
use stratagem_proto::v1 as pb;
use stratagem_proto::v1::any_plan::Kind;
use stratagem_render::allocation as render;

impl Planned for pb::AllocationProblem {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = problem(self, at, wrong, &Pulse::endless());
        let plan = plan.take(wrong, |kind| match kind {
            Kind::Allocation(plan) => Some(plan),
            _ => None,
        });
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = orders(plan, &decoded, &at.field("allocation"), wrong)?;
        Some(Box::new(move |_| Some(verdict(&decoded, &plan))))
    }

    fn draw(&self, plan: Option<&Kind>, drawing: &Drawing) -> String {
        let none = pb::AllocationPlan::default();
        let plan = match plan {
            Some(Kind::Allocation(plan)) => plan,
            _ => &none,
        };
        drawing.of(
            plan,
            |it| render::page(self, it),
            |it| render::svg(self, it),
        )
    }
}

fn verdict(Decoded { problem, .. }: &Decoded, plan: &Plan) -> pb::VerifyPlanResponse {
    match verify::terms(problem, plan) {
        Ok(terms) => pb::VerifyPlanResponse {
            valid: true,
            violations: Vec::new(),
            objective: Some(objective(problem, &terms)),
            partial: verify::is_partial(problem, plan),
        },
        Err(broken) => {
            let violation = |one: &Violation| pb::PlanViolation {
                code: one.code().into(),
                message: one.to_string(),
                field: rule_field(one),
            };
            let broken = broken.iter().take(VIOLATIONS_MAX);
            pb::VerifyPlanResponse {
                violations: broken.map(violation).collect(),
                ..pb::VerifyPlanResponse::default()
            }
        }
    }
}
