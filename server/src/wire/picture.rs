//! Pictures of problems and plans, drawn by the renderer that all share.

use super::mistakes::Mistakes;
use super::planning::together;
use stratagem_proto::v1::any_plan::Kind as Made;
use stratagem_proto::v1::any_problem::Kind as Asked;
use stratagem_proto::v1::{self as pb, PictureFormat as Format};
use stratagem_render as render;
use stratagem_render::crew::choices;
use stratagem_render::patrol::{Mixed, mixture_page, mixture_svg};
use stratagem_render::puzzle::Sheet;

/// What is to be drawn: messages that make sense.
#[derive(Debug)]
pub(crate) struct ToDraw {
    problem: Asked,
    plan: Option<Made>,
    format: Format,
    detail: pb::PictureDetail,
}

/// A problem, maybe with a plan for it, that can be drawn.
///
/// The renderer draws whatever it gets; that the problem makes sense keeps pictures as small as problems are.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_draw(mut request: pb::RenderPlanRequest) -> Result<ToDraw, Mistakes> {
    let mut wrong = Mistakes::of(&mut request)?;
    let pb::RenderPlanRequest {
        problem,
        plan,
        format,
        detail,
    } = request;
    let format = Format::try_from(format).unwrap_or_default();
    let problem = problem.and_then(|problem| problem.kind);
    let plan = plan.and_then(|plan| plan.kind);
    let problem = problem.ok_or_else(|| wrong.clone())?;
    // Only whether it can be read: what breaks rules is drawn, too.
    together(problem.clone(), plan.clone(), &mut wrong);
    match wrong.is_empty() {
        true => Ok(ToDraw {
            problem,
            plan,
            format,
            detail: detail.unwrap_or_default(),
        }),
        false => Err(wrong),
    }
}

/// The picture.
pub(crate) fn picture(drawn: &ToDraw) -> pb::RenderPlanResponse {
    let is_page = drawn.format == Format::Html;
    let picture = match is_page {
        true => page(drawn),
        false => svg(drawn),
    };
    let media_type = if is_page {
        "text/html"
    } else {
        "image/svg+xml"
    };
    pb::RenderPlanResponse {
        picture,
        media_type: media_type.into(),
    }
}

/// As a document of SVG.
fn svg(drawn: &ToDraw) -> String {
    let ToDraw {
        problem,
        plan,
        format,
        detail,
    } = drawn;
    let is_moving = *format == Format::AnimatedSvg;
    match (problem, plan) {
        (Asked::Allocation(problem), plan) => {
            let none = pb::AllocationPlan::default();
            render::allocation::svg(problem, allocation(plan).unwrap_or(&none))
        }
        (Asked::Crew(problem), plan) => render::crew::svg(problem, crew(plan, detail)),
        (Asked::Heist(problem), plan) => render::heist::svg(problem, heist(plan, detail)),
        (Asked::Narrative(problem), plan) => {
            render::narrative::svg(problem, narrative(plan, detail))
        }
        (Asked::Patrol(problem), Some(Made::PatrolMixture(mixture))) => {
            mixture_svg(problem, mixed(mixture))
        }
        (Asked::Patrol(problem), plan) if is_moving => {
            render::patrol::animated_svg(problem, patrol(plan, detail))
        }
        (Asked::Patrol(problem), plan) => render::patrol::svg(problem, patrol(plan, detail)),
        (Asked::Puzzle(problem), plan) => {
            let sheet = Sheet::of_plan(problem, puzzle(plan));
            match is_moving {
                true => render::puzzle::animated_svg(&sheet),
                false => render::puzzle::svg(&sheet),
            }
        }
        (Asked::Story(problem), plan) => render::story::svg(problem, story(plan)),
        (Asked::Temporal(network), plan) => render::temporal::svg(network, temporal(plan, detail)),
    }
}

/// As a page of HTML.
fn page(drawn: &ToDraw) -> String {
    let ToDraw {
        problem,
        plan,
        detail,
        ..
    } = drawn;
    match (problem, plan) {
        (Asked::Allocation(problem), plan) => {
            let none = pb::AllocationPlan::default();
            render::allocation::page(problem, allocation(plan).unwrap_or(&none))
        }
        (Asked::Crew(problem), plan) => render::crew::page(problem, crew(plan, detail)),
        (Asked::Heist(problem), plan) => render::heist::page(problem, heist(plan, detail)),
        (Asked::Narrative(problem), plan) => {
            render::narrative::page(problem, narrative(plan, detail))
        }
        (Asked::Patrol(problem), Some(Made::PatrolMixture(mixture))) => {
            mixture_page(problem, mixed(mixture))
        }
        (Asked::Patrol(problem), plan) => render::patrol::page(problem, patrol(plan, detail)),
        (Asked::Puzzle(problem), plan) => {
            let levels = puzzle(plan).map_or(&[][..], |plan| &plan.levels);
            render::puzzle::page(&Sheet::of_plan(problem, puzzle(plan)), levels)
        }
        (Asked::Story(problem), plan) => render::story::page(problem, story(plan)),
        (Asked::Temporal(network), plan) => render::temporal::page(network, temporal(plan, detail)),
    }
}

fn allocation(plan: &Option<Made>) -> Option<&pb::AllocationPlan> {
    match plan {
        Some(Made::Allocation(plan)) => Some(plan),
        _ => None,
    }
}

fn crew<'a>(plan: &'a Option<Made>, detail: &pb::PictureDetail) -> render::crew::Drawn<'a> {
    let plan = match plan {
        Some(Made::Crew(plan)) => Some(plan),
        _ => None,
    };
    let wanted = usize::try_from(detail.crew_choice).unwrap_or(0);
    render::crew::Drawn {
        plan,
        choice: plan.and_then(|plan| choices(plan).get(wanted).copied()),
    }
}

fn heist<'a>(plan: &'a Option<Made>, detail: &'a pb::PictureDetail) -> render::heist::Drawn<'a> {
    render::heist::Drawn {
        plan: match plan {
            Some(Made::Heist(plan)) => Some(plan),
            _ => None,
        },
        outcome: detail.heist_outcome.as_ref(),
    }
}

fn narrative<'a>(
    plan: &'a Option<Made>,
    detail: &'a pb::PictureDetail,
) -> render::narrative::Drawn<'a> {
    render::narrative::Drawn {
        plan: match plan {
            Some(Made::Narrative(plan)) => Some(plan),
            _ => None,
        },
        conflict: detail.narrative_conflict.as_ref(),
    }
}

fn patrol<'a>(plan: &'a Option<Made>, detail: &'a pb::PictureDetail) -> render::patrol::Drawn<'a> {
    render::patrol::Drawn {
        plan: match plan {
            Some(Made::Patrol(plan)) => Some(plan),
            _ => None,
        },
        evaluation: detail.patrol_evaluation.as_ref(),
    }
}

/// How good a mixture is nobody has said: its picture has probabilities alone.
fn mixed(mixture: &pb::PatrolMixture) -> Mixed<'_> {
    Mixed {
        mixture,
        evaluation: None,
    }
}

fn puzzle(plan: &Option<Made>) -> Option<&pb::PuzzlePlan> {
    match plan {
        Some(Made::Puzzle(plan)) => Some(plan),
        _ => None,
    }
}

fn story(plan: &Option<Made>) -> Option<&pb::StoryPlan> {
    match plan {
        Some(Made::Story(plan)) => Some(plan),
        _ => None,
    }
}

fn temporal<'a>(
    plan: &'a Option<Made>,
    detail: &'a pb::PictureDetail,
) -> render::temporal::Drawn<'a> {
    render::temporal::Drawn {
        schedule: match plan {
            Some(Made::Temporal(plan)) => Some(plan),
            _ => None,
        },
        conflict: detail.temporal_conflict.as_ref(),
    }
}
