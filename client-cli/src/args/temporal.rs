//! `temporal`: questions about temporal networks.

use super::given::ProblemArgs;
use super::search::SEARCH;
use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand, ValueEnum};
use stratagem_proto::v1::TemporalControllabilityLevel;

/// Questions about a temporal network.
#[derive(Debug, Subcommand)]
pub enum TemporalCommand {
    /// Decide consistency and controllability, with a schedule or the reason why not.
    ///
    /// Exit code 0 when every verdict HOLDS, 3 when one FAILS, 4 when none fails and one is
    /// UNKNOWN.
    #[command(after_long_help = "\
Examples:
  stratagem temporal check example:heist
  stratagem temporal check heist.yaml --budget 2s -o json > answer.json
  stratagem temporal check delivery.json --level dynamic
  stratagem temporal check network.json --level strong --strategy milp --budget 1m")]
    Check(Box<QuestionArgs>),
    /// Explain why a question fails: the conflict, its amount, and the durations of others that
    /// cause it.
    ///
    /// Exit codes are those of `check`.
    #[command(after_long_help = "\
Examples:
  stratagem temporal explain example:ambush
  stratagem temporal explain delivery.json --level strong -o json")]
    Explain(Box<QuestionArgs>),
    /// Find changes of bounds that make the question hold, cheapest first, and apply one.
    ///
    /// Exit code 0 when nothing needs repair or there are changes that help, 3 when none was found.
    Repair(Box<RepairArgs>),
    /// Simulate the schedule with models of teammates and show how often every rule is satisfied.
    ///
    /// Teammates of the model `random` take any time that is left, those of `early` the first.
    Simulate(Box<SimulateArgs>),
    /// Draw a network: precedences, time windows of events, conflicts.
    ///
    /// Exit code 0 whatever the verdict.
    Render(Box<RenderArgs>),
}

/// Which question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Consistency: some times satisfy every rule.
    Consistent,
    /// Weak controllability: all durations of Nature, known in advance, have a schedule.
    Weak,
    /// Dynamic controllability: times can be chosen during execution from what was seen so far.
    Dynamic,
    /// Strong controllability: times can be fixed in advance.
    Strong,
    /// Every question that applies to the network.
    All,
}

impl Level {
    /// The questions as messages: none means all that apply.
    #[must_use]
    pub fn questions(self) -> Vec<TemporalControllabilityLevel> {
        match self {
            Self::Consistent => vec![TemporalControllabilityLevel::Consistent],
            Self::Weak => vec![TemporalControllabilityLevel::Weak],
            Self::Dynamic => vec![TemporalControllabilityLevel::Dynamic],
            Self::Strong => vec![TemporalControllabilityLevel::Strong],
            Self::All => Vec::new(),
        }
    }
}

/// A network and how to search.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What `temporal check` and `temporal explain` take.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    /// Network and search.
    #[command(flatten)]
    pub network: NetworkArgs,
    /// The question. Default: strong for networks with teammates, all for networks with contingent
    /// links, else consistent.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
}

/// What `temporal repair` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem temporal repair example:ambush
  stratagem temporal repair example:ambush --max-relaxations 10
  stratagem temporal repair ambush.json --apply 1 > repaired.json")]
pub struct RepairArgs {
    /// Network and search.
    #[command(flatten)]
    pub network: NetworkArgs,
    /// The question that is to hold. Default: strong for networks with teammates, dynamic for
    /// networks with contingent links, else consistent.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Maximum number of changes to find, 1 to 20.
    #[arg(
        long = "max-relaxations", alias = "max",
        default_value_t = 3,
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=20)
    )]
    pub max: i32,
    /// Write the network with change number N to stdout (JSON, or YAML with -o yaml).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=20))]
    pub apply: Option<u16>,
}

/// What `temporal simulate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem temporal simulate example:heist --runs 1000
  stratagem temporal simulate heist.json --runs 500 --strategy early --seed 7 -o ndjson")]
pub struct SimulateArgs {
    /// Network and search.
    #[command(flatten)]
    pub network: NetworkArgs,
    /// Runs for each model of a teammate, 1 to 100,000.
    #[arg(
        long,
        default_value_t = 1_000,
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=100_000)
    )]
    pub runs: i32,
}

/// What `temporal render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem temporal render example:heist
  stratagem temporal render example:ambush --svg ambush.svg
  stratagem temporal render example:delivery --level strong --html delivery.html
  stratagem temporal render network.json --offline --ascii")]
pub struct RenderArgs {
    /// Network and search.
    #[command(flatten)]
    pub network: NetworkArgs,
    /// The question whose answer is drawn. Default: strong for networks with teammates, dynamic for
    /// networks with contingent links, else consistent.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Draw the network alone: ask no server.
    #[arg(long, conflicts_with = "level", conflicts_with_all = SEARCH)]
    pub offline: bool,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
