//! `patrol`: guards that go round for ever.

use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand};

/// Patrols.
#[derive(Debug, Subcommand)]
pub enum PatrolCommand {
    /// Plan endless routes for guards, so that an intruder is caught before he is done.
    ///
    /// Sends the problem to the server and shows the best plan found within the budget: how likely
    /// the intruder is caught, exactly, who goes where and when, and a map of it.
    Generate(Box<GenerateArgs>),
    /// Tell exactly how good a patrol is, vertex by vertex, whoever planned it.
    ///
    /// Nothing is searched. A plan that breaks rules is refused with every broken rule: exit code
    /// 5.
    Evaluate(EvaluateArgs),
    /// Draw a patrol: routes by colour, and how well each place is watched.
    ///
    /// How well is taken from the answer that the plan is in; for a plan alone the server is asked,
    /// unless --offline is given.
    Render(RenderPatrolArgs),
}

/// A problem that may be a map of tiles.
#[derive(Debug, Clone, Args)]
pub struct GroundArgs {
    /// The problem: a JSON or YAML file, a map of tiles, `-` for stdin, or example:NAME.
    pub file: String,
    /// How to read a map of tiles.
    #[command(flatten)]
    pub tiles: TileArgs,
}

/// How a map of tiles is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Maps of tiles")]
pub struct TileArgs {
    /// How many tiles far guards see, where neither wall nor door is between; 0 is their own tile
    /// alone. Default: what the map says, else 0.
    #[arg(long, value_name = "RANGE", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub sight: Option<u32>,
    /// Take each room for one place: what lies between walls and doors. Ways lead through doors from
    /// the middle of one room to the middle of the next.
    #[arg(long)]
    pub rooms: bool,
}

/// What `patrol generate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem patrol generate example:museum
  stratagem patrol generate dungeon.map --sight 4 --budget 10s --stream
  stratagem patrol generate example:museum --strategy mcts-uc --iterations 20000 --seed 7
  stratagem patrol generate museum.yaml --svg museum.svg --html museum.html
  stratagem patrol generate museum.json -o json > answer.json

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
    /// Show each better plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Pictures of the plan, beside the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// The guards in the SVG picture go round.
    #[arg(long, requires = "svg")]
    pub animate: bool,
}

/// What `patrol evaluate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem patrol evaluate example:museum --plan answer.json
  stratagem patrol evaluate dungeon.map --plan mine.yaml -o json | jq .evaluation.worst
  stratagem patrol generate example:fence -o json | stratagem patrol evaluate example:fence --plan -")]
pub struct EvaluateArgs {
    /// The problem.
    #[command(flatten)]
    pub ground: GroundArgs,
    /// The plan: a PatrolPlan, or an answer of `patrol generate -o json`; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: String,
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
    /// The plan: a PatrolPlan, or an answer of `patrol generate -o json`; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: String,
    /// Ask no server: a plan alone is drawn without how well it watches.
    #[arg(long)]
    pub offline: bool,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// The guards in the SVG picture go round.
    #[arg(long, requires = "svg")]
    pub animate: bool,
}
