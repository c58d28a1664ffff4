//! Commands about files: validate, verify, convert.

use super::given::{PlanArgs, ProblemArgs};
use super::verb::of_enum;
use crate::durations::parse_span;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use formats::patrol::parse_tick;
use formats::{Format, Options};
use std::path::PathBuf;

/// What files of Solomon and VRPLIB leave open.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Files of Solomon and VRPLIB")]
pub struct SolomonArgs {
    /// Number of vehicles, 1 to 1,000. Default: the file's NUMBER or VEHICLES, else one for each
    /// customer.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub agents: Option<u16>,
    /// Rounding of distances between coordinates. Costs under different roundings are not
    /// comparable. Default: one-decimal-down for Solomon files, as in exact methods; for VRPLIB
    /// files, as specified there.
    #[arg(long, value_parser = of_enum("stratagem.v1.AllocationDistanceRounding"))]
    pub rounding: Option<i32>,
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

/// What files in foreign formats leave open.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ForeignArgs {
    /// Of Solomon files.
    #[command(flatten)]
    pub solomon: SolomonArgs,
    /// Of maps of tiles.
    #[command(flatten)]
    pub tiles: TileArgs,
}

impl ForeignArgs {
    /// This as options of formats.
    #[must_use]
    pub fn options(self) -> Options {
        let Self { solomon, tiles } = self;
        Options {
            agents: solomon.agents.map(usize::from),
            rounding: solomon.rounding.and_then(|it| it.try_into().ok()),
            sight: tiles.sight,
            tick_us: tiles.tick_us,
            rooms: tiles.rooms,
        }
    }
}

/// What `validate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem validate raid.yaml
  stratagem validate C101.txt --agents 10
  stratagem example get tavern | stratagem validate -
  stratagem validate dungeon.map --sight 4
  stratagem validate raid.json --offline")]
pub struct ValidateArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Only read the file: ask no server.
    #[arg(long)]
    pub offline: bool,
    /// What files in foreign formats leave open.
    #[command(flatten)]
    pub foreign: ForeignArgs,
}

/// What `verify` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem allocation plan raid.json -o json > answer.json
  stratagem verify raid.json --plan answer.json
  stratagem verify raid.json --plan answer.json --now 90s
  stratagem verify C101.txt --plan plan.yaml --agents 10 -o json")]
pub struct VerifyArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The plan.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Accept a plan that leaves out mandatory tasks if it satisfies every other rule.
    #[arg(long)]
    pub allow_partial: bool,
    /// The current time, from the start of the plan, as in 90s: visits that are not started begin
    /// no earlier. Default: the problem's `now_offset`.
    #[arg(long = "now", value_name = "TIME", value_parser = parse_span)]
    pub now_us: Option<i64>,
    /// What files in foreign formats leave open.
    #[command(flatten)]
    pub foreign: ForeignArgs,
}

/// A format that `convert` writes, by its name.
fn written_format() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new(Format::written());
    names.map(|name| Format::named(&name).unwrap_or(Format::Json))
}

/// What `convert` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem convert C101.txt c101.json --agents 10
  stratagem convert raid.json raid.yaml
  stratagem convert dungeon.map dungeon.json --rooms
  stratagem convert microban.sok microban.rle
  stratagem convert example:tavern - --to yaml")]
pub struct ConvertArgs {
    /// The problem: a file, `-` for stdin, or example:NAME.
    #[arg(value_name = "IN")]
    pub from: String,
    /// Where to write it: a file, which is overwritten, or `-` for stdout.
    #[arg(value_name = "OUT")]
    pub into: PathBuf,
    /// Format to write. Default: that of the output's name.
    #[arg(long, value_parser = written_format(), value_name = "FORMAT")]
    pub to: Option<Format>,
    /// What files in foreign formats leave open.
    #[command(flatten)]
    pub foreign: ForeignArgs,
}
