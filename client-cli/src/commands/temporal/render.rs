//! `temporal render`.

use super::super::ask::draw;
use super::{Checker, drawable};
use crate::args::RenderArgs;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::network;
use crate::output::answer::text_options;
use crate::output::heading;
use crate::output::temporal::{Answer, verdict_line};
use crate::output::{self, Display};
use stratagem_proto::v1::TemporalNetwork;
use stratagem_render::temporal::{Drawn, scene};

/// Draws a network with what the server says about it.
pub(super) async fn run(args: &RenderArgs, checker: &Checker<'_>) -> Result<Exit, Failure> {
    let display = checker.display;
    display.refuse_data("temporal render", "temporal check -o json")?;
    let (network, answer) = if args.offline {
        (
            input::problem_of(&args.network.problem.file, checker.server).await?,
            None,
        )
    } else {
        let level = |network: &_| args.level.unwrap_or(network::natural_level(network));
        let (network, answer) = checker.ask(&args.network, level, drawable()).await?;
        (network, Some(answer))
    };
    let drawn = answer.as_ref().map_or(Drawn::default(), drawn);
    if !draw(&args.pictures, || scene(&network, drawn))? {
        output::print(&picture(display, &network, answer.as_ref(), drawn))?;
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
    answer: Option<&Answer>,
    drawn: Drawn<'_>,
) -> String {
    let options = text_options(display);
    let findings = answer.map_or(Vec::new(), Answer::findings);
    let verdicts: String = findings.iter().map(|f| verdict_line(display, f)).collect();
    let text = scene(network, drawn).untitled().text(&options);
    let title = heading(display, network);
    format!("{title}{verdicts}\n{text}")
}
