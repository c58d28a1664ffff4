//! Problems and plans of any planner.

#[cfg(test)]
mod tests;

use super::mistakes::{Code, Mistakes};
use crate::contract::{RenderPlan, VerifyPlan, each_plan, each_planner};
use crate::method::Question;
use anytime::Path;
use anytime::Pulse;
use formats::answers::response_about;
use formats::messages;
use stratagem_proto::v1::any_plan::Kind as AnyPlan;
use stratagem_proto::v1::any_problem::Kind as AnyProblem;
use stratagem_proto::v1::{self as pb, PictureFormat as Format};
use stratagem_render::picture::{self, Selection};
use stratagem_render::{Scene, crew};

/// Most violations that are sent.
const VIOLATIONS_MAX: usize = 1_000;

/// The check of a plan that can be read. Returns `None` when the answer is not wanted any more.
pub type Check = Box<dyn FnOnce(&Pulse) -> Option<pb::VerifyPlanResponse> + Send>;

/// A problem on the wire: what is done with problems and plans of its planner, whatever the method.
pub(super) trait Planned: Sized {
    /// Reads the problem, and the plan if there is one; `None` when there are mistakes, or no plan.
    /// A plan of another planner is a mistake: see [`PlanAt::take`].
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check>;
}

/// The response about a checked plan: its objective, or the rules that it breaks.
pub(super) fn verdict<T>(
    checked: Result<Option<pb::Objective>, Vec<T>>,
    violation: impl Fn(&T) -> pb::PlanViolation,
) -> pb::VerifyPlanResponse {
    match checked {
        Ok(objective) => pb::VerifyPlanResponse {
            valid: true,
            objective,
            ..pb::VerifyPlanResponse::default()
        },
        Err(broken) => pb::VerifyPlanResponse {
            violations: broken.iter().take(VIOLATIONS_MAX).map(violation).collect(),
            ..pb::VerifyPlanResponse::default()
        },
    }
}

/// A member of the union of plans.
pub(super) trait PlanKind: Sized {
    /// The plan, if it is of this kind.
    fn take(plan: AnyPlan) -> Option<Self>;
}

macro_rules! plan_kinds {
    ($($kind:ident: $message:ident;)*) => {
        $(impl PlanKind for pb::$message {
            fn take(plan: AnyPlan) -> Option<Self> {
                match plan {
                    AnyPlan::$kind(plan) => Some(plan),
                    _ => None,
                }
            }
        })*
    };
}

each_plan!(plan_kinds);

/// The plan of a request, and the field that has the problem it should be for.
pub(super) struct PlanAt {
    plan: Option<AnyPlan>,
    planner: &'static str,
}

impl PlanAt {
    /// The plan, if it is of the problem's planner; notes when it is of another.
    pub(super) fn take<T>(
        self,
        wrong: &mut Mistakes,
        of: impl FnOnce(AnyPlan) -> Option<T>,
    ) -> Option<T> {
        let plan = of(self.plan?);
        if plan.is_none() {
            let planner = self.planner;
            let why = format!("is of another planner than the problem, which is of {planner}");
            wrong.add(&Path::root("plan"), Code::Contradiction, why);
        }
        plan
    }
}

/// What all do for any planner.
macro_rules! for_planners {
    ($($module:ident: $kind:ident, $name:literal;)*) => {
        /// Names of the planners, as in the contract.
        pub const PLANNERS: &[&str] = &[$($name),*];

        /// A check of a plan; `None` when there are mistakes, or no plan.
        pub(super) fn check_of(
            problem: AnyProblem,
            plan: Option<AnyPlan>,
            wrong: &mut Mistakes,
        ) -> Option<Check> {
            let at = Path::root("problem");
            match problem {
                $(AnyProblem::$kind(problem) => {
                    let planner = $name;
                    problem.with_plan(&at.field(planner), PlanAt { plan, planner }, wrong)
                })*
            }
        }

        /// Name of the planner of a problem.
        fn planner(problem: &AnyProblem) -> &'static str {
            match problem {
                $(AnyProblem::$kind(_) => $name,)*
            }
        }
    };
}

each_planner!(for_planners);

impl Question for VerifyPlan {
    type Read = Check;

    fn read(mut request: pb::VerifyPlanRequest) -> Result<Check, Mistakes> {
        let mut wrong = Mistakes::in_fields(&mut request)?;
        let pb::VerifyPlanRequest { problem, plan } = request;
        let problem = problem.and_then(|problem| problem.kind);
        let plan = plan.and_then(|plan| plan.kind);
        let check = problem.and_then(|problem| check_of(problem, plan, &mut wrong));
        check.filter(|_| wrong.is_empty()).ok_or(wrong)
    }

    fn answer(check: Check, wanted: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        Ok(check(wanted))
    }
}

/// What is to be drawn: messages that make sense.
#[derive(Debug)]
pub struct ToDraw {
    problem: AnyProblem,
    plan: Option<AnyPlan>,
    format: Format,
    detail: pb::PictureDetail,
}

/// The scene of a problem, and of a response with the plan and its details.
fn scene(problem: &AnyProblem, plan: Option<AnyPlan>, detail: &pb::PictureDetail) -> Scene {
    let part = match &plan {
        Some(AnyPlan::Crew(plan)) => crew::selection(plan, detail.crew_choice),
        _ => Selection::default(),
    };
    let plan = messages::member(&pb::AnyPlan { kind: plan });
    let known = messages::described(detail);
    let response = response_about(planner(problem), plan.as_ref(), &known);
    picture::scene(problem, response.as_ref(), part).unwrap_or_default()
}

impl Question for RenderPlan {
    type Read = ToDraw;

    // The renderer draws whatever it gets; that the problem makes sense keeps pictures as small as
    // problems are.
    fn read(mut request: pb::RenderPlanRequest) -> Result<ToDraw, Mistakes> {
        let mut wrong = Mistakes::in_fields(&mut request)?;
        let format = request.format();
        let detail = request.detail.take().unwrap_or_default();
        let pb::RenderPlanRequest { problem, plan, .. } = request;
        let problem = problem.and_then(|problem| problem.kind);
        let plan = plan.and_then(|plan| plan.kind);
        let problem = problem.ok_or_else(|| wrong.clone())?;
        // Only whether it can be read: what breaks rules is drawn, too.
        check_of(problem.clone(), plan.clone(), &mut wrong);
        let to_draw = ToDraw {
            problem,
            plan,
            format,
            detail,
        };
        Some(to_draw).filter(|_| wrong.is_empty()).ok_or(wrong)
    }

    fn answer(drawn: ToDraw, _: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        let scene = scene(&drawn.problem, drawn.plan, &drawn.detail);
        let (media_type, picture) = match drawn.format {
            Format::Html => ("text/html", scene.html()),
            Format::AnimatedSvg => ("image/svg+xml", scene.animated_svg()),
            _ => ("image/svg+xml", scene.svg()),
        };
        Ok(Some(pb::RenderPlanResponse {
            picture,
            media_type: media_type.into(),
        }))
    }
}
