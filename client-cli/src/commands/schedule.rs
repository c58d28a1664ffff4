//! `schedule plan` and `render`.

use super::ask::{Asking, Outcome, draw, end};
use crate::args::{
    ConnectionArgs, OutputFormat, PlanScheduleArgs, RenderScheduleArgs, ScheduleCommand,
};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, schedule as texts, temporal::text_options};
use stratagem_proto::v1::{ScheduleProblem, ScheduleProjectRequest, ScheduleProjectResponse};
use stratagem_render::schedule::scene;

/// Does what the command says.
pub(super) async fn run(
    command: ScheduleCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        ScheduleCommand::Plan(args) => plan(&args, server, display).await,
        ScheduleCommand::Render(args) => render(&args, server, display).await,
    }
}

async fn plan(
    args: &PlanScheduleArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), args.previous.as_deref()])?;
    let problem: ScheduleProblem = input::problem_of(&args.problem.file, server).await?;
    let asking = Asking {
        server,
        display,
        budget: args.search.budget,
    };
    let request = ScheduleProjectRequest {
        problem: Some(problem.clone()),
        options: Some(args.search.options()),
        previous_plan: args.previous.as_deref().map(input::plan_of).transpose()?,
    };
    let terms = texts::deciding(&problem);
    let (answer, cut) = asking
        .ask::<_, ScheduleProjectResponse>(&request, args.stream, terms)
        .await?;
    if let Some(plan) = &answer.plan {
        draw(&args.pictures, || scene(&problem, Some(plan)))?;
    }
    let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
    let text = || texts::answer(display, &problem, &answer);
    end(display, args.stream, &answer, outcome, text)
}

async fn render(
    args: &RenderScheduleArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if display.format() != OutputFormat::Table {
        let message = "`schedule render` draws; for data see `schedule plan -o json`";
        return Err(Failure::usage(message));
    }
    input::one_stdin(&[Some(&args.problem.file), args.plan.as_deref()])?;
    let problem: ScheduleProblem = input::problem_of(&args.problem.file, server).await?;
    let plan = args.plan.as_deref().map(input::plan_of).transpose()?;
    let plan = plan.as_ref();
    if !draw(&args.pictures, || scene(&problem, plan))? {
        output::print(&scene(&problem, plan).text(&text_options(display)))?;
    }
    Ok(Exit::OK)
}
