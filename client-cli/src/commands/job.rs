//! `job create`, `list`, `get`, `watch`, `cancel` and `delete`.

use crate::args::{
    ConnectionArgs, CreateJobArgs, JobCommand, ListJobsArgs, OutputFormat, SearchArgs, WatchJobArgs,
};
use crate::call::{self, quick};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::progress::Progress;
use crate::output::{self, Display, job as texts};
use crate::reflect;
use prost::Message as _;
use std::time::Duration;
use stratagem_proto::v1::{
    CancelJobRequest, CancelJobResponse, CreateJobRequest, CreateJobResponse, DeleteJobRequest,
    DeleteJobResponse, GetJobRequest, GetJobResponse, Job, JobState, ListJobsRequest,
    ListJobsResponse, SolveStatus, WatchJobRequest, WatchJobResponse,
};
use stratagem_render::time::from_micros;
use tonic::{Code, Request};

/// Jobs that are asked for at once.
const PAGE: u32 = 1_000;
/// How long to wait before a job is followed again, whose server is gone.
const PAUSE: Duration = Duration::from_millis(500);
/// How often it is tried to follow a job again, without hearing of it.
const TRIES_MAX: u32 = 60;

/// Does what the command says.
pub(super) async fn run(
    command: JobCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if let JobCommand::Create(args) = &command {
        return create(args, server, display).await;
    }
    let connection = Connection::open(server).await?;
    let office = Office {
        connection: &connection,
        display,
    };
    match command {
        // Above.
        JobCommand::Create(_) => Ok(Exit::OK),
        JobCommand::List(args) => office.list(args).await,
        JobCommand::Get(args) => {
            let answer = office.get(&args.job).await?;
            office.show(&answer)
        }
        JobCommand::Watch(WatchJobArgs { named, after }) => office.watch(&named.job, after).await,
        JobCommand::Cancel(args) => {
            let request = CancelJobRequest { job_id: args.job };
            let answer: CancelJobResponse = quick(&connection, &request).await?;
            let job = answer.job;
            office.show(&GetJobResponse { job })?;
            Ok(Exit::OK)
        }
        JobCommand::Delete(args) => {
            let request = DeleteJobRequest { job_id: args.job };
            let _: DeleteJobResponse = quick(&connection, &request).await?;
            Ok(Exit::OK)
        }
    }
}

async fn create(
    args: &CreateJobArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut job = input::job(&args.problem.file, args.foreign, server).await?;
    if !reflect::has_options(&job) {
        job = reflect::with_options(&job, &args.search.options());
    } else if args.search != SearchArgs::default() {
        let why = "the request has `options`: it cannot be combined with options of the search";
        return Err(Failure::usage(why));
    }
    // At most ten years.
    let duration = |length: Duration| from_micros(length.as_micros() as i64);
    let request = CreateJobRequest {
        request_id: args.id.clone().unwrap_or_default(),
        request: Some(job),
        labels: args.labels.clone(),
        deadline_duration: args.deadline.map(duration),
        keep_duration: args.keep.map(duration),
    };
    let connection = Connection::open(server).await?;
    let office = Office {
        connection: &connection,
        display,
    };
    let answer: CreateJobResponse = quick(&connection, &request).await?;
    let job = answer.job.clone().unwrap_or_default();
    if args.watch {
        return office.watch(&job.job_id, 0).await;
    }
    if !output::message(display.format(), &answer)? {
        output::print(&texts::created(display, &job, answer.existed))?;
    }
    Ok(Exit::OK)
}

/// A server that keeps jobs, and where to show what it says.
struct Office<'a> {
    connection: &'a Connection,
    display: &'a Display,
}

/// How following a job was interrupted.
#[derive(Debug, PartialEq)]
enum Cut {
    /// The server is gone; the job is not.
    Gone(Failure),
    /// For good.
    Failed(Failure),
}

impl From<Failure> for Cut {
    /// A server that shuts down reports it; the connection to one that is killed breaks.
    fn from(failure: Failure) -> Self {
        if failure.exit == Exit::of_code(Code::Unavailable) {
            return Self::Gone(failure);
        }
        Self::Failed(failure)
    }
}

impl Office<'_> {
    async fn get(&self, id: &str) -> Result<GetJobResponse, Failure> {
        let request = GetJobRequest { job_id: id.into() };
        quick(self.connection, &request).await
    }

    fn show(&self, answer: &GetJobResponse) -> Result<Exit, Failure> {
        let job = answer.job.clone().unwrap_or_default();
        if !output::message(self.display.format(), answer)? {
            output::print(&texts::described(self.display, &job))?;
        }
        Ok(exit(&job))
    }

    async fn list(&self, args: ListJobsArgs) -> Result<Exit, Failure> {
        let mut request = ListJobsRequest {
            states: args.states,
            labels: args.labels,
            planner: args.planner,
            ..ListJobsRequest::default()
        };
        let limit = args.limit as usize;
        let mut jobs: Vec<Job> = Vec::new();
        while jobs.len() < limit {
            let left = u32::try_from(limit - jobs.len()).unwrap_or(PAGE);
            // At most 1,000.
            request.page_size = Some(left.min(PAGE) as i32);
            let page: ListJobsResponse = quick(self.connection, &request).await?;
            jobs.extend(page.jobs);
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        match self.display.format() {
            OutputFormat::Table => output::print(&texts::listed(self.display, &jobs))?,
            OutputFormat::Ndjson => {
                for job in jobs {
                    output::message(OutputFormat::Ndjson, &job)?;
                }
            }
            format => {
                let next_page_token = request.page_token;
                let list = ListJobsResponse {
                    jobs,
                    next_page_token,
                };
                output::message(format, &list)?;
            }
        }
        Ok(Exit::OK)
    }

    /// Follows a job to its end, over the end of servers.
    async fn watch(&self, id: &str, mut after: i64) -> Result<Exit, Failure> {
        let mut progress = Progress::new(self.display, None);
        let (mut tries, mut interrupt) = (0, Box::pin(tokio::signal::ctrl_c()));
        loop {
            let before = after;
            let cut = tokio::select! {
                cut = self.follow(id, &mut after, &mut progress) => cut,
                _ = &mut interrupt => {
                    progress.finish();
                    let hint = format!("the job goes on; see `stratagem job watch {id} --after {after}`");
                    return Err(Failure::new(Exit::INTERRUPTED, hint));
                }
            };
            match cut {
                Ok(()) => break,
                Err(Cut::Failed(failure)) => return Err(failure),
                Err(Cut::Gone(failure)) if after == before && tries >= TRIES_MAX => {
                    return Err(failure);
                }
                Err(Cut::Gone(_)) => {
                    tries = if after == before { tries + 1 } else { 0 };
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        progress.finish();
        let answer = self.get(id).await?;
        match self.display.format() {
            // Its events have been shown.
            OutputFormat::Ndjson => Ok(exit(&answer.job.unwrap_or_default())),
            _ => self.show(&answer),
        }
    }

    /// Shows events until the job has ended or the stream has.
    async fn follow(&self, id: &str, after: &mut i64, progress: &mut Progress) -> Result<(), Cut> {
        let request = WatchJobRequest {
            job_id: id.into(),
            after_sequence: *after,
        };
        let cut = |status: tonic::Status| Cut::from(self.connection.failure(&status));
        let method = reflect::method_for::<WatchJobRequest>(true);
        let request = Request::new(request.encode_to_vec().into());
        let stream = call::stream(self.connection, &method, request).await;
        let mut stream = stream.map_err(cut)?.into_inner();
        while let Some(message) = call::next::<WatchJobResponse>(&mut stream)
            .await
            .map_err(cut)?
        {
            let event = message.event.clone().unwrap_or_default();
            *after = event.sequence;
            if let Some(step) = &event.progress {
                progress.step(step);
            }
            if self.display.format() == OutputFormat::Ndjson {
                output::message(OutputFormat::Ndjson, &message).map_err(Cut::Failed)?;
            }
        }
        Ok(())
    }
}

/// What a job in this state ends the program with.
fn exit(job: &Job) -> Exit {
    match job.state() {
        JobState::Queued | JobState::Running => Exit::OK,
        JobState::Succeeded | JobState::Cancelled => {
            let report = texts::of_response(job);
            let status = report.map_or(SolveStatus::Unknown, |report| report.status());
            Exit::of_solve(status)
        }
        _ => Exit::UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Status;

    #[test]
    fn a_job_is_followed_again_when_its_server_shuts_down_or_is_killed() {
        let killed = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        for (status, is_gone) in [
            (Status::unavailable("it shuts down"), true),
            (Status::from_error(Box::new(killed())), true),
            (Status::not_found("no such job"), false),
            (Status::unknown("the server says it"), false),
        ] {
            let cut = Cut::from(Failure::of_status(&status, "http://x"));
            assert_eq!(matches!(cut, Cut::Gone(_)), is_gone, "{cut:?}");
        }
    }
}
