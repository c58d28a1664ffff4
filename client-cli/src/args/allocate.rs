//! `allocation plan`.

use super::given::{PlanArgs, ProblemArgs};
use super::{PictureArgs, SearchArgs, SolomonArgs};
use crate::durations::parse_span;
use clap::Args;
use stratagem_proto::v1;
use stratagem_render::time::from_micros;

/// What `allocation plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem allocation plan example:tavern
  stratagem allocation plan raid.yaml --budget 2s --stream
  stratagem allocation plan example:raid --svg raid.svg --html raid.html
  stratagem allocation plan raid.json --max-iterations 20000 --seed 7 -o json > answer.json
  stratagem allocation plan C101.txt --agents 10 --budget 10s --threads 2 --stream
  stratagem allocation plan X-n101-k25.vrp --agents 26 --budget 10s --routes X-n101-k25.sol
  stratagem allocation plan raid.json --now 90s
  stratagem allocation plan raid.json --target 0,2100 --stream -o ndjson | jq .event.objective

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing feasible found, 5 invalid problem, 130 Ctrl-C (the best
  plan so far is printed with --stream).")]
pub struct AllocateArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// What time it is.
    #[command(flatten)]
    pub now: NowArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Independent searches side by side, 1 to 64. Default: the strategy's choice.
    #[arg(
        long = "parallel-width",
        alias = "width",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=64),
        help_heading = "Search"
    )]
    pub width: Option<i32>,
    /// Stop at a plan at least this good: a value for each level of the objective, as in 0,830.5
    /// for nothing unserved and a travel cost of 830.5.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LEVELS",
        num_args = 1,
        value_parser = finite,
        allow_negative_numbers = true,
        help_heading = "Search"
    )]
    pub target: Vec<f64>,
    /// Show each better plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Also write the routes as they are published, `Route #1: 3 5 7`, to a file or, for `-`, to
    /// stdout.
    #[arg(long, value_name = "FILE")]
    pub routes: Option<std::path::PathBuf>,
    /// Pictures of the plan, besides the answer: map and timeline.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
}

impl AllocateArgs {
    /// The options of the search as a message.
    #[must_use]
    pub fn options(&self) -> v1::SolveOptions {
        let target = (!self.target.is_empty()).then(|| v1::ObjectiveTarget {
            levels: self.target.clone(),
        });
        let mut options = self.search.options();
        options.target = target;
        if let Some(width) = self.width {
            options.engine.get_or_insert_default().parallel_width = Some(width);
        }
        options
    }
}

/// The current time while a plan is carried out.
#[derive(Debug, Args)]
pub struct NowArgs {
    /// The current time, from the start of the plan, as in 90s: visits that are not started begin
    /// no earlier. Default: the problem's `now_offset`.
    #[arg(long = "now", value_name = "TIME", value_parser = parse_span)]
    pub now_us: Option<i64>,
}

impl NowArgs {
    /// Sets the current time of a problem if the option is given.
    pub fn apply(&self, problem: &mut v1::AllocationProblem) {
        problem.now_offset = self.now_us.map(from_micros).or(problem.now_offset.take());
    }
}

/// What `allocation insert` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem allocation plan raid.json -o json > answer.json
  stratagem allocation insert raid.json --plan answer.json --task rescue
  stratagem allocation insert raid.json --plan answer.json --task rescue --max-insertions 3 -o json | jq .plan

Exit codes:
  0 there is a place, 4 there is none, 5 invalid problem or plan.")]
pub struct InsertArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The plan, without the task; may be published routes.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Id of the task.
    #[arg(long, value_name = "ID")]
    pub task: String,
    /// What time it is.
    #[command(flatten)]
    pub now: NowArgs,
    /// Maximum number of positions to show, 1 to 100. Default: 10.
    #[arg(
        long = "max-insertions",
        alias = "most",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=100)
    )]
    pub most: Option<i32>,
    /// Pictures of the plan with the task at the cheapest position.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// What a Solomon file leaves open.
    #[command(flatten)]
    pub solomon: SolomonArgs,
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
