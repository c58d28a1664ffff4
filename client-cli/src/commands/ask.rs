//! Having a server solve something: the way of every command that asks for a search.

use super::budget::Budget;
use super::follow::{Ended, Following, Saving, Update, follow};
use super::patience::patiently;
use crate::args::{ConnectionArgs, OutputFormat, PictureArgs};
use crate::connect::Channel;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::Described;
use crate::output::progress::Progress;
use crate::output::{self, Display};
use prost::Message;
use std::path::Path;
use std::time::Duration;
use stratagem_proto::v1::{SolveReport, SolveStatus};
use tonic::{Request, Response, Status, Streaming};

/// Whom to ask, and how long to wait.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) server: &'a ConnectionArgs,
    pub(super) display: &'a Display,
    /// Time budget that the user asks for.
    pub(super) budget: Option<Duration>,
    /// The message upon Ctrl-C while an answer is awaited.
    pub(super) interrupted: &'static str,
}

impl Asking<'_> {
    /// Asks for one answer, and shows that time goes by. `method` is as in
    /// "stratagem.v1.AllocationService/AllocateTasks", `call` makes the call on a channel.
    pub(super) async fn unary<Q: Message, A: Message>(
        &self,
        method: &str,
        message: Q,
        call: impl AsyncFnOnce(Channel, Request<Q>) -> Result<Response<A>, Status>,
    ) -> Result<A, Failure> {
        let (connection, budget) = self.open(method).await?;
        let saving = self.saving(method, &message);
        let call = call(connection.channel(), request(message, budget));
        let call = connection.wait_for(budget.deadline, call);
        let progress = Progress::new(self.display, budget.search);
        let answer = patiently(call, progress, self.interrupted).await?;
        if let Some(saving) = saving {
            saving.save(&answer.encode_to_vec())?;
        }
        Ok(answer)
    }

    /// What is to be saved with the answer, where that was asked for.
    fn saving(&self, method: &str, message: &impl Message) -> Option<Saving> {
        let path = self.server.bundle.clone()?;
        Some(Saving {
            path,
            method: method.to_owned(),
            request: message.encode_to_vec(),
        })
    }

    /// Asks for a stream and follows it to its end. `terms` are those of the objective that plans
    /// are compared by.
    pub(super) async fn stream<Q: Message, U: Update>(
        &self,
        method: &str,
        message: Q,
        terms: Vec<String>,
        call: impl AsyncFnOnce(Channel, Request<Q>) -> Result<Response<Streaming<U>>, Status>,
    ) -> Result<Ended<U::Plan>, Failure> {
        let (connection, budget) = self.open(method).await?;
        let saving = self.saving(method, &message);
        let call = call(connection.channel(), request(message, budget));
        let stream = tokio::select! {
            stream = connection.wait_for(budget.deadline, call) => stream?,
            _ = tokio::signal::ctrl_c() => {
                return Err(Failure::new(Exit::INTERRUPTED, "interrupted before the first plan"));
            }
        };
        let progress = Progress::new(self.display, budget.search).with_terms(terms);
        let follower = Following {
            display: self.display,
            progress,
            saving,
        };
        follow(stream, &connection, follower, budget).await
    }

    async fn open(&self, method: &str) -> Result<(Connection, Budget), Failure> {
        let connection = Connection::open(self.server).await?;
        let budget = Budget::find(&connection, method, self.budget).await;
        Ok((connection, budget))
    }
}

/// A request with the call's deadline.
fn request<Q>(message: Q, budget: Budget) -> Request<Q> {
    let mut request = Request::new(message);
    request.set_timeout(budget.deadline);
    request
}

/// Prints an answer: in the format that was asked for, or as text for people.
pub(super) fn show<M: Described>(
    display: &Display,
    answer: &M,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if !output::message(display.format(), answer)? {
        output::print(&text())?;
    }
    Ok(())
}

/// How a search ended.
pub(super) struct Outcome {
    is_found: bool,
    status: SolveStatus,
    cut: Option<Failure>,
}

impl Outcome {
    /// `is_found`: whether there is a plan; `cut`: why the stream was cut, if it was.
    pub(super) fn new(is_found: bool, report: Option<&SolveReport>, cut: Option<Failure>) -> Self {
        let status = report.map(SolveReport::status).unwrap_or_default();
        Self {
            is_found,
            status,
            cut,
        }
    }

    /// With what the command ends.
    pub(super) fn exit(self) -> Result<Exit, Failure> {
        self.cut.map_or(Ok(Exit::of_solve(self.status)), Err)
    }
}

/// Prints the answer of a search that ended, and returns with what the command ends.
pub(super) fn end<A: Described>(
    display: &Display,
    streamed: bool,
    answer: &A,
    outcome: Outcome,
    text: impl FnOnce() -> String,
) -> Result<Exit, Failure> {
    let is_empty = outcome.cut.is_some() && !outcome.is_found;
    // Steps in ndjson have been shown already.
    let is_shown = streamed && display.format() == OutputFormat::Ndjson;
    if !is_empty && !is_shown {
        show(display, answer, text)?;
    }
    outcome.exit()
}

/// Draws what was asked for, as SVG and as a page of HTML; false when that is nothing.
pub(super) fn draw(
    args: &PictureArgs,
    svg: impl FnOnce() -> String,
    page: impl FnOnce() -> String,
) -> Result<bool, Failure> {
    if let Some(path) = &args.svg {
        write(path, &svg())?;
    }
    if let Some(path) = &args.html {
        write(path, &page())?;
    }
    Ok(args.svg.is_some() || args.html.is_some())
}

/// Writes a picture or the like to a file or, for `-`, to stdout.
pub(super) fn write(path: &Path, picture: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        return output::print(picture);
    }
    std::fs::write(path, picture)
        .map_err(|e| Failure::new(Exit::IO, format!("cannot write {}: {e}", path.display())))
}
