//! Problems and plans of any planner.

#[cfg(test)]
mod tests;

use super::allocation;
use super::mistakes::{Code, Mistakes};
use super::path::Path;
use super::{crew, heist, narrative, patrol, puzzle, story, temporal};
use ::allocation::{Plan, Violation};
use anytime::Pulse;
use stratagem_proto::v1 as pb;

/// Most violations that are sent.
pub(super) const VIOLATIONS_MAX: usize = 1_000;

/// A problem and a plan for it.
#[derive(Debug)]
pub(crate) enum ToVerify {
    /// Of the allocation planner.
    Allocation(Box<allocation::Decoded>, Plan),
    /// Of the crew planner.
    Crew(Box<crew::Decoded>, ::crew::Plan),
    /// Of the heist planner.
    Heist(Box<heist::Decoded>, ::heist::Plan),
    /// Of the narrative planner.
    Narrative(Box<narrative::Decoded>, narrative::ReadPlan),
    /// Of the patrol planner.
    Patrol(Box<patrol::Decoded>, patrol::ReadPlan),
    /// Of the patrol planner, a mixture.
    PatrolMixture(Box<patrol::Decoded>, patrol::ReadMixture),
    /// Of the puzzle planner.
    Puzzle(Box<::puzzle::Problem>, ::puzzle::Plan),
    /// Of the story planner.
    Story(Box<story::Decoded>, ::story::Plan),
    /// Of the temporal planner.
    Temporal(Box<temporal::Decoded>, temporal::ReadSchedule),
}

/// A problem and a plan to check against it.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_verify(mut request: pb::VerifyPlanRequest) -> Result<ToVerify, Mistakes> {
    let mut wrong = Mistakes::of(&mut request)?;
    let pb::VerifyPlanRequest { problem, plan } = request;
    let problem = problem.and_then(|problem| problem.kind);
    let plan = plan.and_then(|plan| plan.kind);
    let checked = problem.and_then(|problem| together(problem, plan, &mut wrong));
    checked.filter(|_| wrong.is_empty()).ok_or(wrong)
}

/// A problem and its plan; `None` when there are mistakes, or no plan.
pub(super) fn together(
    problem: pb::any_problem::Kind,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
) -> Option<ToVerify> {
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    match problem {
        pb::any_problem::Kind::Allocation(problem) => {
            let decoded = allocation::problem(
                problem,
                &problem_at.field("allocation"),
                wrong,
                &anytime::Pulse::endless(),
            );
            let plan = of_planner("allocation", plan, wrong, |kind| match kind {
                pb::any_plan::Kind::Allocation(plan) => Some(plan),
                _ => None,
            });
            decoded.zip(plan).and_then(|(decoded, plan)| {
                let at = plan_at.field("allocation");
                let plan = allocation::orders(plan, &decoded, &at, wrong)?;
                Some(ToVerify::Allocation(Box::new(decoded), plan))
            })
        }
        pb::any_problem::Kind::Crew(problem) => assigned(problem, plan, wrong),
        pb::any_problem::Kind::Heist(problem) => burgled(problem, plan, wrong),
        pb::any_problem::Kind::Narrative(problem) => {
            let decoded = narrative::problem(problem, &problem_at.field("narrative"), wrong);
            let plan = of_planner("narrative", plan, wrong, |kind| match kind {
                pb::any_plan::Kind::Narrative(plan) => Some(plan),
                _ => None,
            });
            decoded.zip(plan).and_then(|(decoded, plan)| {
                let at = plan_at.field("narrative");
                let plan = narrative::plan(plan, &decoded, &at, wrong)?;
                Some(ToVerify::Narrative(Box::new(decoded), plan))
            })
        }
        pb::any_problem::Kind::Patrol(problem) => patrolled(problem, plan, wrong),
        pb::any_problem::Kind::Puzzle(problem) => {
            let problem = puzzle::problem(problem, &problem_at.field("puzzle"), wrong);
            let plan = of_planner("puzzle", plan, wrong, |kind| match kind {
                pb::any_plan::Kind::Puzzle(plan) => Some(plan),
                _ => None,
            });
            problem.zip(plan).and_then(|(problem, plan)| {
                let at = plan_at.field("puzzle");
                let plan = puzzle::plan(plan, &problem, &at, wrong)?;
                Some(ToVerify::Puzzle(Box::new(problem), plan))
            })
        }
        pb::any_problem::Kind::Story(problem) => story_with_plan(problem, plan, wrong),
        pb::any_problem::Kind::Temporal(network) => {
            let decoded = temporal::network(network, &problem_at.field("temporal"), wrong);
            let plan = of_planner("temporal", plan, wrong, |kind| match kind {
                pb::any_plan::Kind::Temporal(plan) => Some(plan),
                _ => None,
            });
            decoded.zip(plan).and_then(|(decoded, plan)| {
                let at = plan_at.field("temporal");
                let plan = temporal::plan(plan, &decoded, &at, wrong)?;
                Some(ToVerify::Temporal(Box::new(decoded), plan))
            })
        }
    }
}

/// A problem of crews with its plan.
fn assigned(
    problem: pb::CrewProblem,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
) -> Option<ToVerify> {
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let decoded = crew::problem(problem, &problem_at.field("crew"), wrong);
    let plan = of_planner("crew", plan, wrong, |kind| match kind {
        pb::any_plan::Kind::Crew(plan) => Some(plan),
        _ => None,
    });
    decoded.zip(plan).and_then(|(decoded, plan)| {
        let at = plan_at.field("crew");
        let plan = crew::plan(plan, &decoded.names, &at, wrong)?;
        Some(ToVerify::Crew(Box::new(decoded), plan))
    })
}

/// A problem of stories with its plan.
fn story_with_plan(
    problem: pb::StoryProblem,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
) -> Option<ToVerify> {
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let decoded = story::problem(problem, &problem_at.field("story"), wrong);
    let plan = of_planner("story", plan, wrong, |kind| match kind {
        pb::any_plan::Kind::Story(plan) => Some(plan),
        _ => None,
    });
    decoded.zip(plan).and_then(|(decoded, plan)| {
        let at = plan_at.field("story");
        let plan = story::plan(plan, &decoded.problem, &at, wrong)?;
        Some(ToVerify::Story(Box::new(decoded), plan))
    })
}

/// A problem of heists with its plan.
fn burgled(
    problem: pb::HeistProblem,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
) -> Option<ToVerify> {
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let decoded = heist::problem(problem, &problem_at.field("heist"), wrong);
    let plan = of_planner("heist", plan, wrong, |kind| match kind {
        pb::any_plan::Kind::Heist(plan) => Some(plan),
        _ => None,
    });
    decoded.zip(plan).and_then(|(decoded, plan)| {
        let at = plan_at.field("heist");
        let plan = heist::plan(&plan, &decoded.names, &at, wrong)?;
        Some(ToVerify::Heist(Box::new(decoded), plan))
    })
}

/// A problem of patrols with a plan or a mixture of plans.
fn patrolled(
    problem: pb::PatrolProblem,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
) -> Option<ToVerify> {
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let decoded = patrol::problem(problem, &problem_at.field("patrol"), wrong);
    let plan = of_planner("patrol", plan, wrong, |kind| match kind {
        pb::any_plan::Kind::Patrol(_) | pb::any_plan::Kind::PatrolMixture(_) => Some(kind),
        _ => None,
    });
    decoded.zip(plan).and_then(|(decoded, plan)| match plan {
        pb::any_plan::Kind::PatrolMixture(mixture) => {
            let at = plan_at.field("patrol_mixture");
            let mixture = patrol::mixture(mixture, &decoded, &at, wrong)?;
            Some(ToVerify::PatrolMixture(Box::new(decoded), mixture))
        }
        pb::any_plan::Kind::Patrol(plan) => {
            let at = plan_at.field("patrol");
            let plan = patrol::plan(plan, &decoded, &at, wrong)?;
            Some(ToVerify::Patrol(Box::new(decoded), plan))
        }
        _ => None,
    })
}

/// The plan, if it is of the problem's planner; notes when it is of another.
fn of_planner<T>(
    planner: &str,
    plan: Option<pb::any_plan::Kind>,
    wrong: &mut Mistakes,
    take: impl FnOnce(pb::any_plan::Kind) -> Option<T>,
) -> Option<T> {
    let plan = take(plan?);
    if plan.is_none() {
        let why = format!("is of another planner than the problem, which is of {planner}");
        wrong.add(&Path::root("plan"), Code::Contradiction, why);
    }
    plan
}

/// Broken rules for the wire.
fn violations(broken: &[Violation]) -> Vec<pb::PlanViolation> {
    let violation = |one: &Violation| pb::PlanViolation {
        code: one.code().into(),
        message: one.to_string(),
        field: allocation::rule_field(one),
    };
    broken.iter().take(VIOLATIONS_MAX).map(violation).collect()
}

/// What comes of the check; `None`: it is not wanted any more.
pub(crate) fn verdict(checked: &ToVerify, wanted: &Pulse) -> Option<pb::VerifyPlanResponse> {
    Some(match checked {
        ToVerify::Allocation(decoded, plan) => {
            let problem = &decoded.problem;
            match ::allocation::verify::terms(problem, plan) {
                Ok(terms) => pb::VerifyPlanResponse {
                    valid: true,
                    violations: Vec::new(),
                    objective: Some(allocation::objective(problem, &terms)),
                    partial: ::allocation::verify::is_partial(problem, plan),
                },
                Err(broken) => pb::VerifyPlanResponse {
                    violations: violations(&broken),
                    ..pb::VerifyPlanResponse::default()
                },
            }
        }
        ToVerify::Crew(decoded, plan) => crew::verdict(decoded, plan),
        ToVerify::Heist(decoded, plan) => heist::verdict(decoded, plan),
        ToVerify::Narrative(decoded, read) => narrative::verdict(decoded, read),
        ToVerify::Patrol(decoded, read) => patrol::verdict(decoded, read, wanted)?,
        ToVerify::PatrolMixture(decoded, read) => patrol::mixture_verdict(decoded, read, wanted)?,
        ToVerify::Puzzle(problem, plan) => puzzle::verdict(problem, plan),
        ToVerify::Story(decoded, plan) => story::verdict(decoded, plan),
        ToVerify::Temporal(decoded, read) => temporal::verdict(decoded, read),
    })
}
