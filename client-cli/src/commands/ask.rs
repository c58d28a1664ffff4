//! Having a server solve something: the way of every command that asks for a search.

use super::budget::Budget;
use super::follow::{Following, Saving, follow};
use super::patience::patiently;
use crate::args::{ConnectionArgs, OutputFormat, PictureArgs, SearchArgs};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::output::progress::Progress;
use crate::output::{self, Display};
use crate::reflect;
use formats::Described;
use formats::messages;
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use std::path::Path;
use std::time::Duration;
use stratagem_proto::v1::{SolveReport, SolveStatus};
use stratagem_render::Scene;

/// What the server found, and why there is no report of it where that is so.
pub(super) type Answered<A> = Result<(A, Option<Failure>), Failure>;

/// Whom to ask, and how long to wait.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
    /// Time budget that the user asks for.
    budget: Option<Duration>,
}

impl<'a> Asking<'a> {
    /// A search with the user's budget.
    pub(super) fn new(
        server: &'a ConnectionArgs,
        display: &'a Display,
        search: &SearchArgs,
    ) -> Self {
        Self {
            server,
            display,
            budget: search.budget,
        }
    }

    /// Asks for one answer or, if `streams`, for a stream, and follows it to its end. `terms` are
    /// those of the objective that plans are compared by.
    pub(super) async fn ask<Q: Described, A: Described>(
        &self,
        request: &Q,
        streams: bool,
        terms: Vec<String>,
    ) -> Answered<A> {
        if streams {
            self.stream(request, terms).await
        } else {
            self.once(request).await.map(|answer| (answer, None))
        }
    }

    /// Asks for one answer, and shows that time goes by.
    pub(super) async fn once<Q: Described, A: Described>(&self, request: &Q) -> Result<A, Failure> {
        let method = reflect::method_for::<Q>(false);
        let request = messages::described(request);
        let answer = self.answer_of(&method, &request, reflect::has_stream::<Q>());
        Ok(messages::typed(&answer.await?))
    }

    /// The same of any method; `has_stream`: whether it could be streamed.
    pub(super) async fn answer_of(
        &self,
        method: &MethodDescriptor,
        request: &DynamicMessage,
        has_stream: bool,
    ) -> Result<DynamicMessage, Failure> {
        let (connection, budget) = self.open(method).await?;
        let call = call::unary(&connection, method, call::timed(request, budget.deadline));
        let call = connection.wait_for(budget.deadline, call);
        let hint = if has_stream {
            "interrupted; with --stream the best so far is printed"
        } else {
            "interrupted"
        };
        let answer = patiently(call, Progress::new(self.display, budget.search), hint).await?;
        if let Some(saving) = self.saving(method, request) {
            saving.save(&answer)?;
        }
        DynamicMessage::decode(method.output(), answer).map_err(|e| call::unreadable(&e))
    }

    /// Asks for a stream, and follows it to its end.
    pub(super) async fn stream<Q: Described, A: Described>(
        &self,
        request: &Q,
        terms: Vec<String>,
    ) -> Answered<A> {
        let method = reflect::method_for::<Q>(true);
        let request = messages::described(request);
        let (answer, cut) = self.stream_of(&method, &request, terms).await?;
        Ok((messages::typed(&answer), cut))
    }

    /// The same of any method.
    pub(super) async fn stream_of(
        &self,
        method: &MethodDescriptor,
        request: &DynamicMessage,
        terms: Vec<String>,
    ) -> Answered<DynamicMessage> {
        let (connection, budget) = self.open(method).await?;
        let call = call::stream(&connection, method, call::timed(request, budget.deadline));
        let stream = tokio::select! {
            stream = connection.wait_for(budget.deadline, call) => stream?,
            _ = tokio::signal::ctrl_c() => {
                return Err(Failure::new(Exit::INTERRUPTED, "interrupted before the first plan"));
            }
        };
        let follower = Following {
            display: self.display,
            progress: Progress::new(self.display, budget.search).with_terms(terms),
            saving: self.saving(method, request),
            kind: method.output(),
        };
        follow(stream, &connection, follower, budget).await
    }

    /// What is to be saved with the answer, where that was asked for.
    fn saving(&self, method: &MethodDescriptor, request: &impl Message) -> Option<Saving> {
        let path = self.server.bundle.clone()?;
        Some(Saving {
            path,
            method: messages::full_name(method),
            request: request.encode_to_vec(),
        })
    }

    async fn open(&self, method: &MethodDescriptor) -> Result<(Connection, Budget), Failure> {
        let connection = Connection::open(self.server).await?;
        let budget = Budget::find(&connection, &messages::full_name(method), self.budget).await;
        Ok((connection, budget))
    }
}

/// Prints an answer: in the format that was asked for, or as text for people.
pub(super) fn show<M: Described>(
    display: &Display,
    answer: &M,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    show_dynamic(display, &messages::described(answer), text)
}

/// The same of a message of any type.
pub(super) fn show_dynamic(
    display: &Display,
    answer: &DynamicMessage,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    match display.format() {
        OutputFormat::Table => output::print(&text()),
        format => output::dynamic(format, answer),
    }
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

    /// Whether there is something to show: steps in ndjson have been shown already.
    pub(super) fn is_open(&self, display: &Display, streamed: bool) -> bool {
        let is_shown = streamed && display.format() == OutputFormat::Ndjson;
        !is_shown && (self.is_found || self.cut.is_none())
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
    if outcome.is_open(display, streamed) {
        show(display, answer, text)?;
    }
    outcome.exit()
}

/// Draws what was asked for, as SVG and as a page of HTML; false when that is nothing.
pub(super) fn draw(args: &PictureArgs, scene: impl FnOnce() -> Scene) -> Result<bool, Failure> {
    draw_film(args, false, scene)
}

/// The same, with an animation in the picture if that is wanted.
pub(super) fn draw_film(
    args: &PictureArgs,
    animate: bool,
    scene: impl FnOnce() -> Scene,
) -> Result<bool, Failure> {
    if args.svg.is_some() || args.html.is_some() {
        let scene = scene();
        if let Some(path) = &args.svg {
            let picture = if animate {
                scene.animated_svg()
            } else {
                scene.svg()
            };
            write(path, &picture)?;
        }
        if let Some(path) = &args.html {
            write(path, scene.html())?;
        }
    }
    Ok(args.svg.is_some() || args.html.is_some())
}

/// Writes a picture or the like to a file or, for `-`, to stdout.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    if path == Path::new("-") {
        return output::print_bytes(content.as_ref());
    }
    std::fs::write(path, content)
        .map_err(|e| Failure::new(Exit::IO, format!("cannot write {}: {e}", path.display())))
}

/// Prints that there is a file now.
pub(super) fn report_file(display: &Display, path: &Path) {
    if display.live && !display.quiet && path != Path::new("-") {
        eprintln!("{} written", path.display());
    }
}
