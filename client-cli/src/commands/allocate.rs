//! `task allocate`.

use super::budget::Budget;
use super::follow::{Ended, follow};
use super::patience::patiently;
use crate::args::{AllocateArgs, ConnectionArgs, OutputFormat};
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, objective, progress::Progress, solve};
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocateTasksResponse, AllocationProblem, StreamAllocateTasksRequest,
    allocation_service_client::AllocationServiceClient,
};
use tonic::Request;
use tonic::transport::Channel;

const UNARY: &str = "stratagem.v1.AllocationService/AllocateTasks";
const STREAM: &str = "stratagem.v1.AllocationService/StreamAllocateTasks";

/// Reads the problem, has it solved, shows the answer.
pub(super) async fn run(
    args: &AllocateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let problem = input::allocation(&args.file, args.solomon, server).await?;
    let connection = Connection::open(server).await?;
    let method = if args.stream { STREAM } else { UNARY };
    let budget = Budget::find(&connection, method, args.search.budget).await;
    let call = Call {
        args,
        connection: &connection,
        display,
        budget,
    };
    let ended = if args.stream {
        call.stream(&problem).await?
    } else {
        call.unary(&problem).await?
    };
    if let (Some(path), Some(plan)) = (&args.svg, &ended.plan) {
        std::fs::write(path, stratagem_render::allocation::svg(&problem, plan))
            .map_err(|e| Failure::new(Exit::IO, format!("cannot write {}: {e}", path.display())))?;
    }
    let nothing = ended.cut.is_some() && ended.plan.is_none();
    if !nothing {
        call.show(&problem, &ended)?;
    }
    match ended.cut {
        Some(failure) => Err(failure),
        None => Ok(Exit::of_solve(ended.report.status())),
    }
}

struct Call<'a> {
    args: &'a AllocateArgs,
    connection: &'a Connection,
    display: &'a Display,
    budget: Budget,
}

impl Call<'_> {
    fn client(&self) -> AllocationServiceClient<Channel> {
        AllocationServiceClient::new(self.connection.channel())
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
    }

    /// A request with the call's deadline.
    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.set_timeout(self.budget.deadline);
        request
    }

    async fn unary(&self, problem: &AllocationProblem) -> Result<Ended, Failure> {
        let request = self.request(AllocateTasksRequest {
            problem: Some(problem.clone()),
            options: Some(self.args.options()),
        });
        let mut client = self.client();
        let call = self
            .connection
            .within(self.budget.deadline, client.allocate_tasks(request));
        let progress = Progress::new(self.display, self.budget.search);
        let hint = "interrupted; with --stream the best plan so far is printed";
        let answer = patiently(call, progress, hint).await?;
        let AllocateTasksResponse { plan, report } = answer;
        Ok(Ended {
            plan,
            report: report.unwrap_or_default(),
            cut: None,
        })
    }

    async fn stream(&self, problem: &AllocationProblem) -> Result<Ended, Failure> {
        let request = self.request(StreamAllocateTasksRequest {
            problem: Some(problem.clone()),
            options: Some(self.args.options()),
        });
        let mut client = self.client();
        let call = client.stream_allocate_tasks(request);
        let stream = tokio::select! {
            stream = self.connection.within(self.budget.deadline, call) => stream?,
            _ = tokio::signal::ctrl_c() => {
                return Err(Failure::new(Exit::INTERRUPTED, "interrupted before the first plan"));
            }
        };
        let progress = Progress::new(self.display, self.budget.search)
            .with_terms(objective::deciding(problem));
        follow(
            stream,
            self.connection,
            (self.display, progress),
            self.budget,
        )
        .await
    }

    /// Shows the answer; steps in ndjson have been shown already.
    fn show(&self, problem: &AllocationProblem, ended: &Ended) -> Result<(), Failure> {
        let format = self.display.format();
        if format == OutputFormat::Table {
            let text = solve::allocation(self.display, problem, ended.plan.as_ref(), &ended.report);
            return output::print(&text);
        }
        if self.args.stream && format == OutputFormat::Ndjson {
            return Ok(());
        }
        let answer = AllocateTasksResponse {
            plan: ended.plan.clone(),
            report: Some(ended.report.clone()),
        };
        output::message(format, &answer).map(|_| ())
    }
}
