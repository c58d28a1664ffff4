//! `crew`: assignment of tools to players in an emergency.

use super::given::ProblemArgs;
use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand};

/// Crews.
#[derive(Debug, Subcommand)]
pub enum CrewCommand {
    /// Assign tools to players for an event: all trade-offs of time and damage, for each number of
    /// players.
    ///
    /// Prints the players of each point of the front, whether fewer players do as well, and why a
    /// number of players is infeasible.
    #[command(alias = "assign")]
    Plan(Box<AssignCrewArgs>),
    /// Compare the moves of players with an optimal plan: time and damage lost by detours, by the
    /// assignment of tools, and because too few or too many players came.
    Compare(CompareCrewArgs),
    /// Draw a ship: players, tools, sources of damage, and, with a plan, the paths of one of its
    /// points and a plot of its fronts. Asks a server only for an example that is not built in.
    Render(RenderCrewArgs),
}

/// Which point of a plan is meant.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ChoiceArgs {
    /// The event, by its number in the problem, from 1. Default: with several events, the plan for
    /// all of them together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    pub event: Option<u16>,
    /// The front for this number of players. Default: the first that has points.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub players: Option<u16>,
    /// The point of that front, from 1, in order of time. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub point: Option<u16>,
}

/// What `crew plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem crew plan example:ship
  stratagem crew plan ship.json --max-ties 5 --players 3
  stratagem crew plan ship.json --no-revisits --svg ship.svg --html ship.html
  stratagem crew plan ship.json -o json > answer.json

Exit codes:
  0 solved, 3 proved that nobody can do it, 4 nothing found, 5 invalid problem, 130 Ctrl-C.")]
pub struct AssignCrewArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Number of alternative optima to list at each point. Default: 0.
    #[arg(
        long = "max-ties",
        alias = "ties",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(0..=1_000)
    )]
    pub ties: Option<i32>,
    /// Paths are elementary (visit no node twice), whatever the file specifies.
    #[arg(long = "no-revisits", alias = "once")]
    pub once: bool,
    /// The point whose paths are printed and drawn.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Pictures of the plan, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What `crew compare` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The moves are a `CompareCrewMovesRequest` without its problem, in JSON or YAML:
  event_id: fire
  moves:
    - role: { player_id: Ada, tool_id: foam, fetch_node_ids: [bridge, hold], carry_node_ids: [hold, fire] }
      idle_duration: 2s
Roles look as in an answer of `crew plan -o json`.

Examples:
  stratagem crew compare example:ship --moves moves.yaml
  stratagem crew compare ship.json --moves moves.json -o json

Exit codes:
  0 compared, 5 invalid problem or moves that cannot be.")]
pub struct CompareCrewArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The moves: a JSON or YAML file, or `-` for stdin.
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "moves_by_position"
    )]
    moves: Option<String>,
    /// The same by its position, where it once stood.
    #[arg(hide = true, conflicts_with = "moves")]
    moves_by_position: Option<String>,
}

impl CompareCrewArgs {
    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &str {
        let moves = self.moves.as_ref().or(self.moves_by_position.as_ref());
        moves.map_or("", String::as_str)
    }
}

/// What `crew render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem crew render example:ship
  stratagem crew render ship.json --plan answer.json --players 2 --svg ship.svg")]
pub struct RenderCrewArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The plan, or an answer of `crew plan -o json`; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// The point whose paths are drawn.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
