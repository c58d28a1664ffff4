//! `narrative render`.

use super::super::ask::draw;
use super::Teller;
use crate::args::{OutputFormat, PictureArgs, RenderStoryArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, answer::text_options};
use stratagem_proto::v1::{NarrativeConflict, NarrativePlan, NarrativeProblem};
use stratagem_render::narrative::{Drawn, scene};

/// A plan, or why there is none.
type Found<'a> = (Option<&'a NarrativePlan>, Option<&'a NarrativeConflict>);

/// Draws a narrative with its plan.
pub(super) async fn run(args: &RenderStoryArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    if teller.display.format() != OutputFormat::Table {
        let message = "`narrative render` draws; for data see `narrative plan -o json`";
        return Err(Failure::usage(message));
    }
    input::one_stdin(&[Some(&args.story.problem.file), args.plan()])?;
    let problem = input::problem_of(&args.story.problem.file, teller.server).await?;
    let (plan, conflict) = match args.plan() {
        Some(source) => (Some(input::plan_of(source)?), None),
        None => {
            let response = teller.once(&problem, &args.story.search).await?;
            (response.plan, response.conflict)
        }
    };
    let found = (plan.as_ref(), conflict.as_ref());
    if !draw_all(&args.pictures, &problem, found)? {
        let options = text_options(teller.display);
        output::print(&scene(&problem, drawn(found)).text(&options))?;
    }
    Ok(Exit::OK)
}

fn drawn((plan, conflict): Found<'_>) -> Drawn<'_> {
    Drawn { plan, conflict }
}

/// Draws what was asked for; false when that is nothing.
fn draw_all(
    args: &PictureArgs,
    problem: &NarrativeProblem,
    found: Found<'_>,
) -> Result<bool, Failure> {
    draw(args, || scene(problem, drawn(found)))
}
