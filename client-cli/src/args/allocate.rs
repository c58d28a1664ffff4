//! `task allocate`.

use super::SolomonArgs;
use crate::durations::parse_budget;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use stratagem_proto::v1;

/// Most iterations that can be asked for.
const ITERATIONS_MAX: i64 = 1_000_000_000_000;

/// What `task allocate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem task allocate example:tavern
  stratagem task allocate raid.yaml --budget 2s --stream
  stratagem task allocate raid.json --iterations 20000 --seed 7 -o json > answer.json
  stratagem task allocate C101.txt --agents 10 --budget 10s --threads 2 --stream
  stratagem task allocate raid.json --target 0,2100 --stream -o ndjson | jq .event.objective

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing feasible found, 5 invalid problem, 130 Ctrl-C (the best
  plan so far is printed with --stream).")]
pub struct AllocateArgs {
    /// The problem: a JSON, YAML or Solomon file, `-` for stdin, or example:NAME.
    pub file: String,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each better plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Also write map and timeline of the plan as an SVG file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
}

/// How to search.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Time budget, queueing included: 250ms, 2s, 1m. Default: the server's.
    #[arg(long, value_parser = parse_budget, value_name = "TIME")]
    pub budget: Option<Duration>,
    /// Stop after so many iterations: with the same seed, the same plan.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=ITERATIONS_MAX))]
    pub iterations: Option<i64>,
    /// Seed of all luck; any number.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    pub seed: i64,
    /// Threads that carry the search, 1 to 64. They never change the answer of a search that ends
    /// at its iteration limit. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=64))]
    pub threads: Option<i32>,
    /// Independent searches side by side, 1 to 64. Default: the strategy's choice.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=64))]
    pub width: Option<i32>,
    /// Name of the method; `stratagem server info` lists them. Default: auto.
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Who goes first when the server is busy.
    #[arg(long, value_enum, value_name = "CLASS")]
    pub priority: Option<Priority>,
    /// Stop at a plan at least this good: a value for each level of the objective, as in 0,830.5
    /// for nothing unserved and a travel cost of 830.5.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LEVELS",
        num_args = 1,
        value_parser = finite,
        allow_negative_numbers = true
    )]
    pub target: Vec<f64>,
}

/// Class of a request in the server's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Priority {
    /// Design tools and batch work.
    Low,
    /// The usual.
    Normal,
    /// A player is waiting.
    High,
}

impl SearchArgs {
    /// The same, as the contract says it.
    #[must_use]
    pub fn options(&self) -> v1::SolveOptions {
        let priority = self.priority.map(|class| match class {
            Priority::Low => v1::Priority::Low,
            Priority::Normal => v1::Priority::Normal,
            Priority::High => v1::Priority::High,
        });
        let target = (!self.target.is_empty()).then(|| v1::ObjectiveTarget {
            levels: self.target.clone(),
        });
        v1::SolveOptions {
            // At most 24 hours.
            time_budget: self
                .budget
                .map(|b| stratagem_render::time::from_micros(b.as_micros() as i64)),
            iteration_limit: self.iterations.unwrap_or(0),
            seed: self.seed,
            threads: self.threads.unwrap_or(0),
            strategy: self.strategy.clone().unwrap_or_default(),
            target,
            priority: priority.unwrap_or_default().into(),
            validate_only: false,
            parallel_width: self.width.unwrap_or(0),
        }
    }
}

/// A number that is one.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().map_err(|e| e.to_string())?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err("a finite number is wanted".into())
    }
}
