//! `schedule`: projects with limited resources.

use super::given::ProblemArgs;
use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand};

/// Schedules of projects.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Schedule a project: when each activity starts, in which mode, with the resources there are.
    ///
    /// Minimises the makespan. Where no schedule exists, prints requirements that conflict.
    Plan(Box<PlanScheduleArgs>),
    /// Draw a project: activities over time, and how much of each resource is held. Without a plan
    /// the activities are at the earliest times that precedences allow. Asks a server only for an
    /// example that is not built in.
    Render(RenderScheduleArgs),
}

/// What `schedule plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem schedule plan example:keep
  stratagem schedule plan keep.yaml --budget 10s --stream
  stratagem schedule plan j301_1.sm --max-iterations 20000 --svg j301_1.svg
  stratagem schedule plan keep.json -o json > answer.json
  stratagem schedule plan later.json --previous answer.json --budget 250ms

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing feasible found, 5 invalid problem, 130 Ctrl-C (the best
  plan so far is printed with --stream).")]
pub struct PlanScheduleArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// A plan to begin with: a SchedulePlan, or an answer of `schedule plan -o json`; `-` for
    /// stdin. One that satisfies every requirement is offered first; any other is a hint.
    #[arg(long, value_name = "PLAN")]
    pub previous: Option<String>,
    /// Show each better plan as it is found: a live line on a terminal, else a line on stderr for
    /// each plan; with `-o ndjson` each plan on stdout.
    #[arg(long)]
    pub stream: bool,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Pictures of the plan, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What `schedule render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem schedule render example:keep
  stratagem schedule render keep.json --plan answer.json --svg keep.svg")]
pub struct RenderScheduleArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The plan, or an answer of `schedule plan -o json`; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
