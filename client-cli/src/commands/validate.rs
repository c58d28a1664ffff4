//! `validate`.

use crate::args::{ConnectionArgs, ValidateArgs};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, Style, numbers};
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocateTasksResponse, SolveOptions,
    allocation_service_client::AllocationServiceClient,
};

/// Reads a problem and has the server check it.
pub(super) async fn run(
    args: &ValidateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let problem = input::problem(&args.file, args.solomon, server).await?;
    let tasks = numbers::things(problem.tasks.len() as i64, "tasks");
    let agents = numbers::things(problem.agents.len() as i64, "agents");
    let mut answer = AllocateTasksResponse::default();
    let mut verdict = "readable";
    if !args.offline {
        let connection = Connection::open(server).await?;
        let mut client = AllocationServiceClient::new(connection.channel());
        let request = AllocateTasksRequest {
            problem: Some(problem),
            options: Some(SolveOptions {
                validate_only: true,
                ..SolveOptions::default()
            }),
        };
        answer = connection.quick(client.allocate_tasks(request)).await?;
        verdict = "valid";
    }
    if !output::message(display.format(), &answer)? {
        let verdict = display.styled(Style::Good, verdict);
        output::print(&format!("{verdict}: {tasks}, {agents}\n"))?;
    }
    Ok(Exit::OK)
}
