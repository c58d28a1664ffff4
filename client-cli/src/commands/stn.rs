//! `stn check`, `explain`, `repair`, `simulate`; the others have files of their own.

mod ask;
mod play;
mod render;

use crate::args::{CheckArgs, ConnectionArgs, Level, OutputFormat, StnCommand};
use crate::args::{ExplainArgs, RepairArgs, SimulateArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::network;
use crate::output::temporal::{self, Answer};
use crate::output::{self, Display};
use ask::{Asking, Question};
use stratagem_proto::v1::{TemporalDetail, TemporalNetwork, TemporalRelaxation, TemporalVerdict};

/// Does what the command says.
pub(super) async fn run(
    command: StnCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        StnCommand::Check(args) => check(&args, server, display).await,
        StnCommand::Explain(args) => explain(&args, server, display).await,
        StnCommand::Repair(args) => repair(&args, server, display).await,
        StnCommand::Simulate(args) => simulate(&args, server, display).await,
        StnCommand::Play(args) => play::run(&args, server, display).await,
        StnCommand::Render(args) => render::run(&args, server, display).await,
    }
}

/// The question of `check` and `explain`, which tell all where there is more than one.
fn level(wish: Option<Level>, network: &TemporalNetwork) -> Level {
    let natural = match network::natural_level(network) {
        Level::Dynamic => Level::All,
        other => other,
    };
    wish.unwrap_or(natural)
}

/// What the verdicts end with: the worst decides.
fn exit(answer: &Answer) -> Exit {
    let findings = answer.findings();
    let any = |verdict| findings.iter().any(|f| f.verdict == verdict);
    let open = findings.is_empty() || any(TemporalVerdict::Unspecified);
    if any(TemporalVerdict::Fails) {
        Exit::INFEASIBLE
    } else if open || any(TemporalVerdict::Unknown) {
        Exit::UNKNOWN
    } else {
        Exit::OK
    }
}

/// Shows an answer in a format other than the table; `Ok(false)` for the table.
fn message(display: &Display, answer: &Answer) -> Result<bool, Failure> {
    match answer {
        Answer::Strong(answer) => output::message(display.format(), &**answer),
        Answer::Levels(answer) => output::message(display.format(), &**answer),
    }
}

async fn check(
    args: &CheckArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let network = input::network(&args.network.file, server).await?;
    let question = Question {
        level: level(args.level, &network),
        options: args.network.search.options(),
        detail: TemporalDetail::default(),
    };
    let asking = Asking::new(server, display, args.network.search.budget);
    let answer = asking.ask(&network, question).await?;
    if !message(display, &answer)? {
        output::print(&temporal::check(display, &network, &answer))?;
    }
    Ok(exit(&answer))
}

async fn explain(
    args: &ExplainArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let network = input::network(&args.network.file, server).await?;
    let question = Question {
        level: level(args.level, &network),
        options: args.network.search.options(),
        detail: TemporalDetail {
            without_robustness: true,
            ..TemporalDetail::default()
        },
    };
    let asking = Asking::new(server, display, args.network.search.budget);
    let answer = asking.ask(&network, question).await?;
    if !message(display, &answer)? {
        let mut text = temporal::heading(display, &network);
        for finding in answer.findings() {
            text += &temporal::explanation(display, &finding);
        }
        output::print(&text)?;
    }
    Ok(exit(&answer))
}

async fn repair(
    args: &RepairArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let network = input::network(&args.network.file, server).await?;
    let question = Question {
        level: args.level.unwrap_or(network::natural_level(&network)),
        options: args.network.search.options(),
        detail: TemporalDetail {
            without_conflict: true,
            relaxations_max: Some(args.max.max(args.apply.map_or(0, i32::from))),
            without_robustness: true,
            simulation_runs: 0,
        },
    };
    let asking = Asking::new(server, display, args.network.search.budget);
    let answer = asking.ask(&network, question).await?;
    if let Some(number) = args.apply {
        return apply(network, (&answer, number), display);
    }
    if !message(display, &answer)? {
        let mut text = temporal::heading(display, &network);
        for finding in answer.findings() {
            text += &temporal::repair(display, &finding);
        }
        output::print(&text)?;
    }
    Ok(match exit(&answer) {
        Exit::INFEASIBLE if helped(&answer) => Exit::OK,
        exit => exit,
    })
}

/// Whether every verdict that fails has a change that helps.
fn helped(answer: &Answer) -> bool {
    let findings = answer.findings();
    let mut failing = findings
        .iter()
        .filter(|f| f.verdict == TemporalVerdict::Fails);
    failing.all(|f| !f.relaxations.is_empty())
}

/// Writes the network with a change; where everything holds, as it is.
fn apply(
    mut network: TemporalNetwork,
    (answer, number): (&Answer, u16),
    display: &Display,
) -> Result<Exit, Failure> {
    let findings = answer.findings();
    let changes: Vec<&TemporalRelaxation> = findings.iter().flat_map(|f| f.relaxations).collect();
    match changes.get(usize::from(number) - 1) {
        Some(change) => network::apply(&mut network, change)
            .map_err(|e| Failure::new(Exit::INVALID, format!("cannot make the change: {e}")))?,
        None if exit(answer) == Exit::OK => {
            eprintln!("nothing to repair: the network is written as it is");
        }
        None => {
            let message = format!(
                "there is no change number {number}: {} found",
                changes.len()
            );
            return Err(Failure::new(exit(answer), message));
        }
    }
    let format = match display.format() {
        OutputFormat::Table => OutputFormat::Json,
        format => format,
    };
    output::message(format, &network)?;
    Ok(Exit::OK)
}

async fn simulate(
    args: &SimulateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let network = input::network(&args.network.file, server).await?;
    let question = Question {
        level: Level::Strong,
        options: args.network.search.options(),
        detail: TemporalDetail {
            relaxations_max: Some(0),
            without_robustness: true,
            simulation_runs: args.runs,
            without_conflict: false,
        },
    };
    let asking = Asking::new(server, display, args.network.search.budget);
    let answer = asking.ask(&network, question).await?;
    if !message(display, &answer)? {
        let mut text = temporal::heading(display, &network);
        for finding in answer.findings() {
            text += &temporal::simulated(display, &finding);
        }
        output::print(&text)?;
    }
    Ok(exit(&answer))
}
