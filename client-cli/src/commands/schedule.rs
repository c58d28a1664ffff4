//! `schedule plan` and `render`.

use super::ask::{Asking, Outcome, draw, end};
use super::follow::{Ended, update};
use crate::args::{
    ConnectionArgs, OutputFormat, PlanScheduleArgs, RenderScheduleArgs, ScheduleCommand,
};
use crate::connect::{Channel, MESSAGE_BYTES_MAX};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, schedule as texts, temporal::text_options};
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{
    SchedulePlan, ScheduleProblem, ScheduleProjectRequest, ScheduleProjectResponse,
    schedule_service_client::ScheduleServiceClient,
};
use stratagem_render::schedule::{page, svg, text};

const UNARY: &str = "stratagem.v1.ScheduleService/ScheduleProject";
const STREAM: &str = "stratagem.v1.ScheduleService/StreamScheduleProject";

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
    input::one_stdin(&[Some(&args.file), args.previous.as_deref()])?;
    let problem: ScheduleProblem = input::problem_of(&args.file, server).await?;
    let asking = Asking {
        server,
        display,
        budget: args.search.budget,
        interrupted: "interrupted; with --stream the best plan so far is printed",
    };
    let Ended { plan, report, cut } = ask(args, &problem, asking).await?;
    if let Some(plan) = &plan {
        let drawn = Some(plan);
        draw(
            &args.pictures,
            || svg(&problem, drawn),
            || page(&problem, drawn),
        )?;
    }
    let outcome = Outcome::new(plan.is_some(), Some(&report), cut);
    let answer = ScheduleProjectResponse {
        plan,
        report: Some(report),
        event: None,
    };
    let text = || texts::answer(display, &problem, &answer);
    end(display, args.stream, &answer, outcome, text)
}

fn client(channel: Channel) -> ScheduleServiceClient<Channel> {
    ScheduleServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

async fn ask(
    args: &PlanScheduleArgs,
    problem: &ScheduleProblem,
    asking: Asking<'_>,
) -> Result<Ended<SchedulePlan>, Failure> {
    let message = ScheduleProjectRequest {
        problem: Some(problem.clone()),
        options: Some(args.search.options()),
        previous_plan: args.previous.as_deref().map(read_plan).transpose()?,
    };
    if args.stream {
        let terms = texts::deciding(problem);
        let call = async |channel, request| client(channel).stream_schedule_project(request).await;
        return asking.stream(STREAM, message, terms, call).await;
    }
    let call = async |channel, request| client(channel).schedule_project(request).await;
    let answer = asking.unary(UNARY, message, call).await?;
    Ok(Ended::whole(answer.plan, answer.report))
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
    input::one_stdin(&[Some(&args.file), args.plan.as_deref()])?;
    let problem: ScheduleProblem = input::problem_of(&args.file, server).await?;
    let plan = args.plan.as_deref().map(read_plan).transpose()?;
    let plan = plan.as_ref();
    if !draw(
        &args.pictures,
        || svg(&problem, plan),
        || page(&problem, plan),
    )? {
        output::print(&text(&problem, plan, &text_options(display)))?;
    }
    Ok(Exit::OK)
}

fn read_plan(source: &str) -> Result<SchedulePlan, Failure> {
    match input::plan(source)? {
        Kind::Schedule(plan) => Ok(plan),
        _ => Err(Failure::usage(format!("{source} is no plan of a schedule"))),
    }
}

update!(ScheduleProjectResponse, SchedulePlan, |plan| plan);
