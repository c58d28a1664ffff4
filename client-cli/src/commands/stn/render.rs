//! `stn render`.

use super::ask::{Asking, Question};
use crate::args::{ConnectionArgs, OutputFormat, RenderArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::network;
use crate::output::temporal::{Answer, heading, text_options, verdict_line};
use crate::output::{self, Display};
use std::path::Path;
use stratagem_proto::v1::{TemporalDetail, TemporalNetwork};
use stratagem_render::temporal::{Drawn, links_text, svg, timeline_text};

/// Draws a network with what the server says about it.
pub(super) async fn run(
    args: &RenderArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if display.format() != OutputFormat::Table {
        let message = "`stn render` draws; for data see `stn check -o json`";
        return Err(Failure::usage(message));
    }
    let network = input::network(&args.network.file, server).await?;
    let answer = if args.offline {
        None
    } else {
        let question = Question {
            level: args.level.unwrap_or(network::natural_level(&network)),
            options: args.network.search.options(),
            detail: TemporalDetail {
                relaxations_max: Some(0),
                without_robustness: true,
                ..TemporalDetail::default()
            },
        };
        let asking = Asking::new(server, display, args.network.search.budget);
        Some(asking.ask(&network, question).await?)
    };
    let drawn = answer.as_ref().map_or(Drawn::default(), drawn);
    match args.svg.as_deref() {
        None => output::print(&picture(display, &network, (answer.as_ref(), drawn)))?,
        Some(path) if path == Path::new("-") => output::print(&svg(&network, drawn))?,
        Some(path) => std::fs::write(path, svg(&network, drawn))
            .map_err(|e| Failure::new(Exit::IO, format!("cannot write {}: {e}", path.display())))?,
    }
    Ok(Exit::OK)
}

/// What is drawn of an answer: the first clash, or else the times of the strongest question.
fn drawn(answer: &Answer) -> Drawn<'_> {
    let findings = answer.findings();
    let conflict = findings.iter().find_map(|f| f.conflict);
    let schedule = findings.iter().rev().find_map(|f| f.schedule);
    match conflict {
        Some(_) => Drawn {
            schedule: None,
            conflict,
        },
        None => Drawn { schedule, conflict },
    }
}

/// Verdicts, links and time line.
fn picture(
    display: &Display,
    network: &TemporalNetwork,
    (answer, drawn): (Option<&Answer>, Drawn<'_>),
) -> String {
    let options = text_options(display);
    let findings = answer.map_or(Vec::new(), Answer::findings);
    let verdicts: String = findings.iter().map(|f| verdict_line(display, f)).collect();
    let links = links_text(network, drawn, &options);
    let times = timeline_text(network, drawn, &options);
    let title = heading(display, network);
    format!("{title}{verdicts}\n{links}\n{times}")
}
