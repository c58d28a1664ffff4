//! Commands about files: validate, verify, convert.

use crate::formats::Format;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use stratagem_proto::v1::DistanceRounding;

/// What Solomon files leave open.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Solomon files")]
pub struct SolomonArgs {
    /// Number of vehicles in a Solomon file, 1 to 200. Default: the file's NUMBER.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub agents: Option<u16>,
    /// Rounding of distances in a Solomon file. Costs under different roundings do not compare.
    /// Default: one-decimal-down, as in the exact literature.
    #[arg(long, value_enum)]
    pub rounding: Option<Rounding>,
}

/// Conventions on rounding a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rounding {
    /// To the nearest millionth.
    Exact,
    /// Down to one decimal.
    OneDecimalDown,
    /// Down to a whole number.
    IntegerDown,
    /// To the nearest whole number.
    IntegerNearest,
}

impl From<Rounding> for DistanceRounding {
    fn from(rounding: Rounding) -> Self {
        match rounding {
            Rounding::Exact => Self::Exact,
            Rounding::OneDecimalDown => Self::OneDecimalDown,
            Rounding::IntegerDown => Self::IntegerDown,
            Rounding::IntegerNearest => Self::IntegerNearest,
        }
    }
}

/// Checks a problem without solving it.
///
/// Reads the file strictly, then asks the server, which lists every mistake with its field. Exit
/// code 0 when the problem is valid, 5 when not.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem validate raid.yaml
  stratagem validate C101.txt --agents 10
  stratagem example get tavern | stratagem validate -
  stratagem validate raid.json --offline")]
pub struct ValidateArgs {
    /// The problem: a file, `-` for stdin, or example:NAME.
    pub file: String,
    /// Only read the file: ask no server.
    #[arg(long)]
    pub offline: bool,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
}

/// Checks a plan against its problem.
///
/// The plan is a file with an AllocationPlan, or an answer of `task allocate -o json` as it is.
/// Exit code 0 when the plan keeps every rule, 6 when not or when it leaves out something
/// mandatory.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem task allocate raid.json -o json > answer.json
  stratagem verify raid.json answer.json
  stratagem verify C101.txt plan.yaml --agents 10 -o json")]
pub struct VerifyArgs {
    /// The problem: a file, `-` for stdin, or example:NAME.
    pub problem: String,
    /// The plan: a file, or `-` for stdin.
    pub plan: String,
    /// A plan that leaves out mandatory tasks is fine as long as it keeps every other rule.
    #[arg(long)]
    pub allow_partial: bool,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
}

/// Converts a problem between JSON, YAML and Solomon's format.
///
/// Formats are known by their names (.json, .yaml, .yml, .txt), input also by its content.
/// Solomon's format can say less than the others: what would get lost is an error.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem convert C101.txt c101.json --agents 10
  stratagem convert raid.json raid.yaml
  stratagem convert example:tavern - --to yaml")]
pub struct ConvertArgs {
    /// The problem: a file, `-` for stdin, or example:NAME.
    #[arg(value_name = "IN")]
    pub from: String,
    /// Where to write it: a file, which is overwritten, or `-` for stdout.
    #[arg(value_name = "OUT")]
    pub into: PathBuf,
    /// Format to write. Default: that of the output's name.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<Format>,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
}
