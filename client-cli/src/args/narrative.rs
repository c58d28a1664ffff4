//! `narrative`: live stories that stay on schedule.

use super::SearchArgs;
use super::given::ProblemArgs;
use clap::{Args, Subcommand};

/// Live stories.
#[derive(Debug, Subcommand)]
pub enum NarrativeCommand {
    /// Change something, and report its effect on the plan.
    ///
    /// Solves the narrative as it is and as it would be. Exit code: that of the changed one.
    WhatIf(Box<WhatIfArgs>),
    /// Rehearse the plan in the terminal: you decide durations and players' choices.
    ///
    /// A session of the server executes the plan by what has happened so far, and you give commands
    /// on stdin: `wait 10m`, `happen EVENT`, `pick CHOICE OPTION`, `status`, `help`, `end`. No time
    /// really passes. Exit code 0 when every rule was satisfied, 6 when not.
    Rehearse(Box<RehearseArgs>),
}

/// A narrative and how to search.
#[derive(Debug, Args)]
pub struct StoryArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What `narrative what-if` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem narrative what-if example:dragon --set search.upper=60m
  stratagem narrative what-if example:vote --set how=system
  stratagem narrative what-if example:tonight --set how.robbery=offered
  stratagem narrative what-if evening.yaml --set clara=2 --set horizon=90m")]
pub struct WhatIfArgs {
    /// Narrative and search.
    #[command(flatten)]
    pub story: StoryArgs,
    /// A change: LINK.lower=TIME, LINK.upper=TIME (`none` for no bound), RESOURCE=NUMBER,
    /// CHOICE=system, CHOICE=player, CHOICE.OPTION=offered, CHOICE.OPTION=withheld or horizon=TIME.
    /// May be given several times.
    #[arg(long = "set", value_name = "CHANGE", required = true)]
    pub changes: Vec<String>,
}

/// What `narrative rehearse` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem narrative rehearse example:dragon
  stratagem narrative rehearse example:evening --auto 7
  stratagem narrative rehearse dragon.json --script rehearsal.txt
  printf 'happen dragon-found 20m\\nend\\n' | stratagem narrative rehearse example:dragon")]
pub struct RehearseArgs {
    /// Narrative and search.
    #[command(flatten)]
    pub story: StoryArgs,
    /// Read the commands from a file; `-` for stdin.
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    pub script: Option<String>,
    /// Draw durations and players' picks at random, with this seed.
    #[arg(long, value_name = "SEED")]
    pub auto: Option<u64>,
}
