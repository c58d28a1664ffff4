//! `replay`: the same request again.

use super::ask::write;
use super::budget::Budget;
use super::patience::patiently;
use crate::args::{ConnectionArgs, OutputFormat, ReplayArgs};
use crate::bundle::{Bundle, exit, unknown_method};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::progress::Progress;
use crate::output::{self, Display, Style};
use bytes::Bytes;
use serde::Serialize;
use tonic::{Request, Response};

/// Repeats the request, and reports whether the answer is the same.
pub(super) async fn run(
    args: &ReplayArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let text = input::plain(&args.file)?;
    let wrong = |e: String| Failure::new(Exit::INVALID, format!("{}: {e}", args.file));
    let mut bundle = Bundle::read(&text).map_err(wrong)?;
    let promised = bundle.promised() || args.by_work;
    if args.by_work {
        bundle.by_work().map_err(wrong)?;
    }
    let answer = ask(&bundle, server, display).await?;
    if let Some(path) = &args.out {
        let again = Bundle::new(&bundle.method, &bundle.request(), &answer);
        let again = again.ok_or_else(|| unknown_method(&bundle.method))?;
        write(path, &again.text().map_err(wrong)?)?;
    }
    let differences = bundle
        .differences(&answer, args.by_work)
        .map_err(|e| Failure::new(Exit::IO, format!("the server's answer: {e}")))?;
    let verdict = Verdict {
        method: &bundle.method,
        same: differences.is_empty(),
        promised,
        bytes: answer.len(),
        differences,
    };
    match display.format() {
        OutputFormat::Table => output::print(&verdict.text(display))?,
        format => output::plain(format, &verdict)?,
    }
    Ok(exit(verdict.same, promised))
}

/// The last message that the method answers with.
async fn ask(
    bundle: &Bundle,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Bytes, Failure> {
    let method = &bundle.method;
    let method = bundle.descriptor().ok_or_else(|| unknown_method(method))?;
    let connection = Connection::open(server).await?;
    let budget = Budget::find(&connection, &bundle.method, bundle.budget()).await;
    let mut request = Request::new(bundle.request());
    request.set_timeout(budget.deadline);
    let call = async {
        if !method.is_server_streaming() {
            return call::unary(&connection, &method, request).await;
        }
        let stream = call::stream(&connection, &method, request).await?;
        let (mut stream, mut last) = (stream.into_inner(), Bytes::new());
        while let Some(message) = stream.message().await? {
            last = message;
        }
        Ok(Response::new(last))
    };
    let call = connection.wait_for(budget.deadline, call);
    let progress = Progress::new(display, budget.search);
    patiently(call, progress, "interrupted").await
}

#[derive(Serialize)]
struct Verdict<'a> {
    method: &'a str,
    /// Nothing differs that does not depend on clock, machine and load.
    same: bool,
    /// The answer was to be the same.
    promised: bool,
    /// Of the new answer.
    bytes: usize,
    differences: Vec<String>,
}

impl Verdict<'_> {
    fn text(&self, display: &Display) -> String {
        let method = self.method;
        if self.same {
            let same = display.styled(Style::Good, "the same answer");
            let size = self.bytes;
            return format!("{same} of {method}, byte for byte but for times ({size} bytes)\n");
        }
        let (style, why) = if self.promised {
            (Style::Bad, "")
        } else {
            (
                Style::Doubtful,
                "\nThe clock ended one of the searches: --by-work compares what the same work comes to.",
            )
        };
        let other = display.styled(style, "another answer");
        let mut text = format!("{other} of {method}{why}\n");
        for difference in &self.differences {
            text += "  ";
            text += &output::table::printable(difference);
            text.push('\n');
        }
        text
    }
}
