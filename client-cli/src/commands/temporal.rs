//! `temporal check`, `explain`, `repair`, `simulate`; the others have files of their own.

mod ask;
mod render;

use super::ask::show;
use crate::args::{ConnectionArgs, Level, NetworkArgs, OutputFormat, TemporalCommand};
use crate::args::{QuestionArgs, RepairArgs, SimulateArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::network;
use crate::output::temporal::{self, Answer, Finding};
use crate::output::{self, Display};
use stratagem_proto::v1::{TemporalDetail, TemporalNetwork, TemporalRelaxation, TemporalVerdict};

/// Does what the command says.
pub(super) async fn run(
    command: TemporalCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let checker = Checker { server, display };
    match command {
        TemporalCommand::Check(args) => checker.check(&args).await,
        TemporalCommand::Explain(args) => checker.explain(&args).await,
        TemporalCommand::Repair(args) => checker.repair(&args).await,
        TemporalCommand::Simulate(args) => checker.simulate(&args).await,
        TemporalCommand::Render(args) => render::run(&args, &checker).await,
    }
}

/// A server to ask about networks, and where to show what it says.
struct Checker<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Checker<'_> {
    /// Reads a network and has the question about it answered that `level` says it is.
    async fn ask(
        &self,
        args: &NetworkArgs,
        level: impl FnOnce(&TemporalNetwork) -> Level,
        detail: TemporalDetail,
    ) -> Result<(TemporalNetwork, Answer), Failure> {
        let network = input::problem_of(&args.problem.file, self.server).await?;
        let level = level(&network);
        let answer = self.answer(args, &network, level, detail).await?;
        Ok((network, answer))
    }

    async fn check(&self, args: &QuestionArgs) -> Result<Exit, Failure> {
        let level = |network: &_| level(args.level, network);
        let detail = TemporalDetail::default();
        let (network, answer) = self.ask(&args.network, level, detail).await?;
        self.show(&answer, || temporal::check(self.display, &network, &answer))
    }

    async fn explain(&self, args: &QuestionArgs) -> Result<Exit, Failure> {
        let level = |network: &_| level(args.level, network);
        let detail = TemporalDetail {
            with_robustness: Some(false),
            ..TemporalDetail::default()
        };
        let (network, answer) = self.ask(&args.network, level, detail).await?;
        let text = || findings(self.display, &network, &answer, temporal::explanation);
        self.show(&answer, text)
    }

    async fn repair(&self, args: &RepairArgs) -> Result<Exit, Failure> {
        let level = |network: &_| args.level.unwrap_or(network::natural_level(network));
        let detail = TemporalDetail {
            with_conflict: Some(false),
            max_relaxations: Some(args.max.max(args.apply.map_or(0, i32::from))),
            with_robustness: Some(false),
            simulation_runs: 0,
        };
        let (network, answer) = self.ask(&args.network, level, detail).await?;
        if let Some(number) = args.apply {
            return apply(network, &answer, number, self.display);
        }
        let text = || findings(self.display, &network, &answer, temporal::repair);
        Ok(match self.show(&answer, text)? {
            Exit::INFEASIBLE if helped(&answer) => Exit::OK,
            exit => exit,
        })
    }

    async fn simulate(&self, args: &SimulateArgs) -> Result<Exit, Failure> {
        let detail = TemporalDetail {
            max_relaxations: Some(0),
            with_robustness: Some(false),
            simulation_runs: args.runs,
            with_conflict: None,
        };
        let (network, answer) = self.ask(&args.network, |_| Level::Strong, detail).await?;
        let text = || findings(self.display, &network, &answer, temporal::simulated);
        self.show(&answer, text)
    }

    /// Prints an answer; gives what its verdicts end with.
    fn show(&self, answer: &Answer, text: impl FnOnce() -> String) -> Result<Exit, Failure> {
        match answer {
            Answer::Strong(answer) => show(self.display, &**answer, text)?,
            Answer::Levels(answer) => show(self.display, &**answer, text)?,
        }
        Ok(exit(answer))
    }
}

/// The parts of an answer that are drawn.
fn drawable() -> TemporalDetail {
    TemporalDetail {
        max_relaxations: Some(0),
        with_robustness: Some(false),
        ..TemporalDetail::default()
    }
}

/// A heading, and a text about each question.
fn findings(
    display: &Display,
    network: &TemporalNetwork,
    answer: &Answer,
    text: fn(&Display, &Finding<'_>) -> String,
) -> String {
    let findings = answer.findings();
    let texts = findings.iter().map(|finding| text(display, finding));
    output::heading(display, network) + &texts.collect::<String>()
}

/// The question of `check` and `explain`, which show all where there is more than one.
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
    answer: &Answer,
    number: u16,
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
