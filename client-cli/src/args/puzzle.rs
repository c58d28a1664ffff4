//! `puzzle`: levels of Sokoban.

use super::given::{OptionalProblemArgs, ProblemArgs};
use super::verb::{values, with_flag};
use super::{PictureArgs, SearchArgs};
use crate::contract::{self, Flag};
use clap::{ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Id, Subcommand};
use prost_reflect::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Levels of Sokoban.
#[derive(Debug, Subcommand)]
pub enum PuzzleCommand {
    /// Make levels of a wanted difficulty, each with a solution.
    ///
    /// Sends the problem to the server and shows the best levels found within the budget.
    #[command(alias = "generate")]
    Plan(Box<GeneratePuzzleArgs>),
    /// Solve levels with fewest pushes, or prove that they cannot be solved.
    Solve(SolvePuzzleArgs),
    /// Play levels on the terminal, with undo, hints and the solution.
    Play(PlayPuzzleArgs),
    /// Rate levels by what players said of pairs of them: the difficulty of each level, its causes,
    /// and weights with which to generate levels.
    Rate(RatePuzzleArgs),
    /// Draw levels, or write them in another format. Asks no server.
    Render(RenderPuzzleArgs),
}

/// The levels to generate: flags of the problem, each overrides the problem's file.
#[derive(Debug, Clone, Default)]
pub struct WantedArgs {
    /// The values of flags, by their names.
    pub values: BTreeMap<String, Vec<Value>>,
    /// Whether a difficulty is given by its name.
    pub is_named: bool,
}

impl WantedArgs {
    const GROUP: &'static str = "WantedArgs";

    /// The flags of the problem.
    #[must_use]
    pub fn flags() -> &'static [Flag] {
        let plan = contract::planner("puzzle").and_then(|planner| planner.verb_of("plan"));
        plan.map_or(&[], |plan| &plan.flags)
    }
}

impl FromArgMatches for WantedArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut difficulty = matches
            .get_many::<String>("difficulty")
            .into_iter()
            .flatten();
        Ok(Self {
            values: values(Self::flags(), matches)?,
            is_named: difficulty.any(|word| word.split("..").any(|it| it.parse::<f64>().is_err())),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for WantedArgs {
    fn group_id() -> Option<Id> {
        Some(Self::GROUP.into())
    }

    fn augment_args(command: Command) -> Command {
        let flags = Self::flags();
        let names = flags.iter().map(|flag| Id::from(flag.long.clone()));
        let group = ArgGroup::new(Self::GROUP).multiple(true).args(names);
        let command = command.next_help_heading("Levels");
        let command = flags.iter().fold(command, with_flag).group(group);
        command.next_help_heading(None)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Where levels are written besides the answer.
#[derive(Debug, Args)]
pub struct LevelFileArgs {
    /// Write the levels to a file, in the format of its name: .xsb, .txt, .sok (with solutions),
    /// .rle.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a picture as a PNG file; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Pictures of other kinds.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Animate the solutions in the SVG picture.
    #[arg(long, requires = "svg")]
    pub animate: bool,
}

/// What `puzzle plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem puzzle plan --size 8x8 --boxes 3 --difficulty hard
  stratagem puzzle plan --levels 20 --difficulty easy..expert --out set.sok --html set.html
  stratagem puzzle plan --template room.xsb --symmetry left-right --budget 5s --stream
  stratagem puzzle plan --size 7x7 --weights mine.json --seed 7 --max-iterations 200000 --svg level.svg
  stratagem puzzle plan problem.yaml -o json > answer.json

Strategies:
  auto (the solver in the loop), mcts (the thesis).

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing found, 5 invalid problem, 130 Ctrl-C (the best levels so
  far are printed with --stream).")]
pub struct GeneratePuzzleArgs {
    /// The problem. Default: the options.
    #[command(flatten)]
    pub problem: OptionalProblemArgs,
    /// What levels are wanted.
    #[command(flatten)]
    pub wanted: WantedArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each better answer as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Files besides the answer.
    #[command(flatten)]
    pub files: LevelFileArgs,
}

/// Levels from a file.
#[derive(Debug, Clone, Args)]
pub struct LevelsArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Only the level with this number, from 1. Default: all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub level: Option<u32>,
}

/// What `puzzle solve` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem puzzle solve microban.sok --level 3
  stratagem puzzle solve microban.sok --budget 5s --out solved.sok
  stratagem puzzle solve level.xsb --played rrUU --hint
  stratagem puzzle solve set.rle -o ndjson | jq -r .solution.lurd

Exit codes, of the worst level:
  0 solved, 3 proved to have no solution, 4 none found, 5 no valid level, 130 Ctrl-C.")]
pub struct SolvePuzzleArgs {
    /// The levels.
    #[command(flatten)]
    pub levels: LevelsArgs,
    /// What the player has done so far, as in rrUU; the search goes on from there.
    #[arg(
        long,
        value_name = "LURD",
        default_value = "",
        hide_default_value = true
    )]
    pub played: String,
    /// Print only the next push, not the solution.
    #[arg(long, conflicts_with_all = ["out", "png", "svg", "html"])]
    pub hint: bool,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each shorter solution as it is found: a live line on a terminal, else a line on stderr
    /// for each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Files besides the answer, with the solutions.
    #[command(flatten)]
    pub files: LevelFileArgs,
}

/// What `puzzle play` takes.
#[derive(Debug, Args)]
#[command(mut_group("WantedArgs", |it| it.conflicts_with_all(["file", "filename"])))]
#[command(after_long_help = "\
Examples:
  stratagem puzzle play
  stratagem puzzle play --size 8x8 --boxes 2..3 --difficulty medium
  stratagem puzzle play microban.sok
  stratagem puzzle play answer.json --level 5
  echo rrUUlL | stratagem puzzle play level.xsb --ascii

Keys:
  arrows, w a s d or h j k l  walk and push      u, Backspace  undo     r  redo
  ?  hint (asks the server)   !  play the solution               R  begin again
  n, p  next, previous level                                     q  end

Without a file the server makes the levels: the next one is harder if the last one was solved, else it is another
one of the same kind. Without a terminal keys are read from stdin, line by line.
Exit code 0 when the level shown last is solved, 4 when not.")]
pub struct PlayPuzzleArgs {
    /// The levels. Default: the server generates them, the first one `easy` or of `--difficulty`.
    #[command(flatten)]
    pub problem: OptionalProblemArgs,
    /// Only the level with this number, from 1. Default: all.
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u32).range(1..))]
    pub level: Option<u32>,
    /// What levels are made.
    #[command(flatten)]
    pub wanted: WantedArgs,
    /// How levels and hints are searched for.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What `puzzle rate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem puzzle rate set.sok --answers ada.ndjson --out mine.json
  stratagem puzzle rate set.sok --answers all.ndjson -o json
  stratagem puzzle plan --weights mine.json")]
pub struct RatePuzzleArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// What players said of pairs of levels: a line of JSON each (PuzzleComparison), as in
    /// {"harder_id": "2", "easier_id": "1"}; `-` for stdin. Ids are titles of levels, or #1, #2 and
    /// so on. Answers about other levels are passed over.
    #[arg(long, value_name = "FILE")]
    pub answers: String,
    /// Expected share of pairs that are equally hard, in percent. Default: 10.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=90))]
    pub draws: Option<i32>,
    /// Write the fitted weights to a file, for `puzzle plan --weights`.
    #[arg(long, alias = "weights", value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What `puzzle render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem puzzle render microban.sok
  stratagem puzzle render microban.sok --svg microban.svg --png microban.png
  stratagem puzzle render answer.json --html set.html
  stratagem puzzle render set.sok --out set.rle")]
pub struct RenderPuzzleArgs {
    /// The levels.
    #[command(flatten)]
    pub levels: LevelsArgs,
    /// Files. Default: text on stdout.
    #[command(flatten)]
    pub files: LevelFileArgs,
}
