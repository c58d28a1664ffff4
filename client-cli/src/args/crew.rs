//! `crew`: who carries which tool to the emergency.

use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand};

/// Crews.
#[derive(Debug, Subcommand)]
pub enum CrewCommand {
    /// Find who is to carry which tool to the event: all trade-offs of time and damage, for each
    /// number of players.
    ///
    /// Tells each point with who takes part, whether fewer players do as well, and why so many
    /// cannot do it at all.
    Assign(Box<AssignCrewArgs>),
    /// Compare what players really did with the best that they could have done: time and damage
    /// lost on their ways, by who took what, and because too few or too many came.
    Compare(CompareCrewArgs),
    /// Draw a ship: who and what is where, what does damage, and, with a plan, the ways of one of
    /// its points and all of them as a plot. Asks no server, unless for an example that only it
    /// has.
    Render(RenderCrewArgs),
}

/// Which point of a plan is meant.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ChoiceArgs {
    /// The event, by its number in the problem, from 1. Default: with several events what is done
    /// about all at once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    pub event: Option<u16>,
    /// The front of so many players. Default: the first that has points.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub players: Option<u16>,
    /// The point of that front, from 1, by rising time. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub point: Option<u16>,
}

/// What `crew assign` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem crew assign example:ship
  stratagem crew assign ship.json --ties 5 --players 3
  stratagem crew assign ship.json --once --svg ship.svg --html ship.html
  stratagem crew assign ship.json -o json > answer.json

Exit codes:
  0 solved, 3 proved that nobody can do it, 4 nothing found, 5 invalid problem, 130 Ctrl-C.")]
pub struct AssignCrewArgs {
    /// The problem: a JSON or YAML file, `-` for stdin, or example:NAME.
    pub file: String,
    /// How many other assignments are told at each point. Default: 0.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=1_000))]
    pub ties: Option<i32>,
    /// Nobody may come to a node twice, whatever the file says.
    #[arg(long)]
    pub once: bool,
    /// Whose ways are told and drawn.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Pictures of the plan, beside the answer.
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
Roles look as in an answer of `crew assign -o json`.

Examples:
  stratagem crew compare example:ship moves.yaml
  stratagem crew compare ship.json moves.json -o json

Exit codes:
  0 compared, 5 invalid problem or moves that cannot be.")]
pub struct CompareCrewArgs {
    /// The problem: a JSON or YAML file, `-` for stdin, or example:NAME.
    pub file: String,
    /// The moves: a JSON or YAML file, or `-` for stdin.
    pub moves: String,
}

/// What `crew render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem crew render example:ship
  stratagem crew render ship.json --plan answer.json --players 2 --svg ship.svg")]
pub struct RenderCrewArgs {
    /// The problem: a JSON or YAML file, `-` for stdin, or example:NAME.
    pub file: String,
    /// What there is to choose from: a plan, or an answer of `crew assign -o json`; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Whose ways are drawn.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
