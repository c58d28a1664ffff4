//! `allocation plan`.

use super::ask::{Asking, Outcome, draw, end, write};
use crate::args::{AllocateArgs, ConnectionArgs};
use crate::exit::{Exit, Failure};
use crate::formats::vrplib;
use crate::input;
use crate::output::{Display, objective, solve};
use stratagem_proto::v1::{AllocateTasksRequest, AllocateTasksResponse};
use stratagem_render::allocation::scene;

/// Reads the problem, has it solved, shows the answer.
pub(super) async fn run(
    args: &AllocateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut problem =
        input::foreign_problem_of(&args.problem.file, args.solomon.into(), server).await?;
    args.now.apply(&mut problem);
    let asking = Asking {
        server,
        display,
        budget: args.search.budget,
    };
    let terms = objective::deciding(&problem);
    let request = AllocateTasksRequest {
        problem: Some(problem.clone()),
        options: Some(args.options()),
    };
    let (answer, cut) = asking
        .ask::<_, AllocateTasksResponse>(&request, args.stream, terms)
        .await?;
    if let Some(plan) = &answer.plan {
        draw(&args.pictures, || scene(&problem, plan))?;
        if let Some(path) = &args.routes {
            let routes = vrplib::write_routes(plan).map_err(|id| {
                let why = format!("the id of task `{id}` has a blank: no routes are written");
                Failure::new(Exit::INVALID, why)
            })?;
            write(path, &routes)?;
        }
    }
    let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
    let text = || solve::allocation(display, &problem, &answer);
    end(display, args.stream, &answer, outcome, text)
}
