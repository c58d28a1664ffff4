//! `patrol`: cyclic routes of guards.

use super::given::{PlanArgs, ProblemArgs};
use super::{PictureArgs, SearchArgs};
use crate::formats::patrol::parse_tick;
use clap::{Args, Subcommand};

/// Patrols.
#[derive(Debug, Subcommand)]
pub enum PatrolCommand {
    /// Plan cyclic routes for guards that catch an intruder before the attack is complete.
    ///
    /// Sends the problem to the server and shows the best plan found within the budget: the exact
    /// capture probability, the routes, and a map.
    #[command(alias = "generate")]
    Plan(Box<GenerateArgs>),
    /// Evaluate a patrol exactly, vertex by vertex, whatever planned it.
    ///
    /// Searches nothing. A plan that violates rules is refused with all violations: exit code 5.
    Evaluate(EvaluateArgs),
    /// Draw a patrol: routes by colour, and the capture probability at each place.
    ///
    /// The probabilities are those of the answer with the plan; a plan alone is evaluated by the
    /// server, unless --offline is given.
    Render(RenderPatrolArgs),
}

/// A problem that may be a map of tiles.
#[derive(Debug, Clone, Args)]
pub struct GroundArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// How to read a map of tiles.
    #[command(flatten)]
    pub tiles: TileArgs,
}

/// How a map of tiles is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Maps of tiles")]
pub struct TileArgs {
    /// Range of guards' sight in tiles, where neither wall nor door is between; 0 is their own tile
    /// only. Default: the map's, else 0.
    #[arg(long, value_name = "RANGE", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub sight: Option<u32>,
    /// Length of a tick, 1ms to 1h, in a map of tiles or an instance of the literature. Default:
    /// the file's, else 1s.
    #[arg(long = "tick", value_name = "TIME", value_parser = parse_tick)]
    pub tick_us: Option<i64>,
    /// Make one place of each room (the tiles between walls and doors). Edges lead through doors
    /// from the middle of one room to the middle of the next.
    #[arg(long)]
    pub rooms: bool,
}

/// What `patrol plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem patrol plan example:museum
  stratagem patrol plan dungeon.map --sight 4 --budget 10s --stream
  stratagem patrol plan example:museum --strategy mcts-uc --max-iterations 20000 --seed 7
  stratagem patrol plan museum.yaml --svg museum.svg --html museum.html
  stratagem patrol plan example:museum --different 3 --html nights.html
  stratagem patrol plan example:museum --mixture --max-plans 6 --html mixture.html
  stratagem patrol plan museum.json -o json > answer.json
  stratagem patrol plan later.json --previous answer.json --budget 250ms

Strategies:
  auto, mcts (walks of a finite length), mcts-uc (useful cycles), iterative.

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing feasible found, 5 invalid problem, 130 Ctrl-C (the best
  plan so far is printed with --stream).")]
pub struct GenerateArgs {
    /// The problem.
    #[command(flatten)]
    pub ground: GroundArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// A patrol that is being carried out: a PatrolPlan, or an answer of `patrol plan -o json`;
    /// `-` for stdin. The first plan never costs more than the previous plan continued from the
    /// first visit of each guard to its start: on its prefix, else on its cycle, else by a quickest
    /// path to the nearest stop of its cycle. Exceptions: that breaks a rule, is too long to be
    /// judged, or the search is stopped before it is judged.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["mixture", "different"])]
    pub previous: Option<String>,
    /// Number of diverse patrols to find.
    #[arg(
        long,
        value_name = "COUNT",
        conflicts_with = "mixture",
        value_parser = clap::value_parser!(i32).range(1..=16)
    )]
    pub different: Option<i32>,
    /// Share of their time, 0 to 1, that guards have to spend differently between any two of
    /// --different patrols. Default: 0.5.
    #[arg(long = "min-difference", alias = "distance", value_name = "SHARE", requires = "different", value_parser = share)]
    pub distance: Option<f64>,
    /// Find a mixed strategy: several patrols with probabilities, best against an intruder that
    /// knows both, but not which patrol is drawn.
    #[arg(long)]
    pub mixture: bool,
    /// Maximum number of patrols in a mixture. Default: 16.
    #[arg(
        long = "max-plans", alias = "plans-max",
        value_name = "COUNT",
        requires = "mixture",
        value_parser = clap::value_parser!(i32).range(1..=64)
    )]
    pub plans_max: Option<i32>,
    /// Iterations for each patrol of a mixture: few make patrols soon, many make each one good.
    /// `--max-iterations` is for all of them together. Default: 20000.
    #[arg(
        long = "max-plan-iterations", alias = "plan-iterations",
        value_name = "N",
        requires = "mixture",
        value_parser = clap::value_parser!(i64).range(1..=1_000_000_000_000)
    )]
    pub plan_iterations: Option<i64>,
    /// Show each better plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Pictures of the plan, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Animate the guards in the SVG picture.
    #[arg(long, requires = "svg", conflicts_with_all = ["mixture", "different"])]
    pub animate: bool,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a number from 0 to 1 is wanted".into())
}

/// What `patrol evaluate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem patrol evaluate example:museum --plan answer.json
  stratagem patrol evaluate dungeon.map --plan mine.yaml -o json | jq .evaluation.worst
  stratagem patrol plan example:fence -o json | stratagem patrol evaluate example:fence --plan -")]
pub struct EvaluateArgs {
    /// The problem.
    #[command(flatten)]
    pub ground: GroundArgs,
    /// The plan: a PatrolPlan or a PatrolMixture.
    #[command(flatten)]
    pub plan: PlanArgs,
}

/// What `patrol render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem patrol render example:museum --plan answer.json
  stratagem patrol render example:museum --plan answer.json --svg museum.svg --animate
  stratagem patrol render dungeon.map --plan answer.json --html dungeon.html")]
pub struct RenderPatrolArgs {
    /// The problem.
    #[command(flatten)]
    pub ground: GroundArgs,
    /// The plan: a PatrolPlan or a PatrolMixture.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Ask no server: a plan alone is drawn without probabilities.
    #[arg(long)]
    pub offline: bool,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Animate the guards in the SVG picture.
    #[arg(long, requires = "svg")]
    pub animate: bool,
}
