//! How to search, for each command that solves something.

use super::verb::of_enum;
use crate::durations::parse_budget;
use clap::Args;
use std::time::Duration;
use stratagem_proto::v1;

/// The maximum number of iterations.
const ITERATIONS_MAX: i64 = 1_000_000_000_000;

/// The options of [`SearchArgs`], for commands that do not always search and refuse them then.
pub(super) const SEARCH: [&str; 6] = [
    "budget",
    "iterations",
    "seed",
    "threads",
    "strategy",
    "priority",
];

/// How to search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Time budget, queueing included: 250ms, 2s, 1m. Default: the server's.
    #[arg(long, value_parser = parse_budget, value_name = "TIME")]
    pub budget: Option<Duration>,
    /// Stop after this number of iterations: the same seed then gives the same answer.
    #[arg(
        long = "max-iterations",
        alias = "iterations",
        value_name = "N",
        value_parser = clap::value_parser!(i64).range(1..=ITERATIONS_MAX)
    )]
    pub iterations: Option<i64>,
    /// Seed of all randomness; any number.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    pub seed: i64,
    /// Threads of the search, 1 to 64. They never change the answer of a search that ends at its
    /// iteration limit. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=64))]
    pub threads: Option<i32>,
    /// Name of the method; `stratagem server info` lists them. Default: auto.
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Priority when the server is busy.
    #[arg(long, value_name = "CLASS", value_parser = of_enum("stratagem.v1.Priority"))]
    pub priority: Option<i32>,
}

impl SearchArgs {
    /// This as a message.
    #[must_use]
    pub fn options(&self) -> v1::SolveOptions {
        v1::SolveOptions {
            // At most 24 hours.
            time_budget: self
                .budget
                .map(|b| stratagem_render::time::from_micros(b.as_micros() as i64)),
            max_iterations: self.iterations,
            seed: self.seed,
            strategy: self.strategy.clone().unwrap_or_default(),
            priority: self.priority.unwrap_or_default(),
            engine: self.threads.map(|threads| v1::SolveEngineOptions {
                threads: Some(threads),
                parallel_width: None,
            }),
            ..v1::SolveOptions::default()
        }
    }
}
