//! `task allocate`.

use super::ask::{Asking, Outcome, draw, end, write};
use super::follow::{Ended, update};
use crate::args::{AllocateArgs, ConnectionArgs};
use crate::connect::Channel;
use crate::connect::MESSAGE_BYTES_MAX;
use crate::exit::{Exit, Failure};
use crate::formats::vrplib;
use crate::input;
use crate::output::{Display, objective, solve};
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocateTasksResponse, AllocationPlan, AllocationProblem,
    allocation_service_client::AllocationServiceClient,
};
use stratagem_render::allocation::{page, svg};

const UNARY: &str = "stratagem.v1.AllocationService/AllocateTasks";
const STREAM: &str = "stratagem.v1.AllocationService/StreamAllocateTasks";

/// Reads the problem, has it solved, shows the answer.
pub(super) async fn run(
    args: &AllocateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut problem = input::foreign_problem_of(&args.file, args.solomon.into(), server).await?;
    args.now.apply(&mut problem);
    let asking = Asking {
        server,
        display,
        budget: args.search.budget,
        interrupted: "interrupted; with --stream the best plan so far is printed",
    };
    let ended = ask(args, &problem, asking).await?;
    if let Some(plan) = &ended.plan {
        let (svg, html) = (|| svg(&problem, plan), || page(&problem, plan));
        draw(&args.pictures, svg, html)?;
        if let Some(path) = &args.routes {
            let routes = vrplib::write_routes(plan).map_err(|id| {
                let why = format!("the id of task `{id}` has a blank: no routes are written");
                Failure::new(Exit::INVALID, why)
            })?;
            write(path, &routes)?;
        }
    }
    let Ended { plan, report, cut } = ended;
    let outcome = Outcome::new(plan.is_some(), Some(&report), cut);
    let answer = AllocateTasksResponse {
        event: None,
        plan,
        report: Some(report),
    };
    let text = || solve::allocation(display, &problem, &answer);
    end(display, args.stream, &answer, outcome, text)
}

fn client(channel: Channel) -> AllocationServiceClient<Channel> {
    AllocationServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

async fn ask(
    args: &AllocateArgs,
    problem: &AllocationProblem,
    asking: Asking<'_>,
) -> Result<Ended<AllocationPlan>, Failure> {
    let terms = objective::deciding(problem);
    let message = AllocateTasksRequest {
        problem: Some(problem.clone()),
        options: Some(args.options()),
    };
    if args.stream {
        let call = async |channel, request| client(channel).stream_allocate_tasks(request).await;
        return asking.stream(STREAM, message, terms, call).await;
    }
    let call = async |channel, request| client(channel).allocate_tasks(request).await;
    let AllocateTasksResponse { plan, report, .. } = asking.unary(UNARY, message, call).await?;
    Ok(Ended::whole(plan, report))
}

update!(AllocateTasksResponse, AllocationPlan, |plan| plan);
