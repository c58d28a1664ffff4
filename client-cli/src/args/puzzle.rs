//! `puzzle`: levels of Sokoban.

mod words;

pub use words::{Difficulty, Span, Worth};

use words::{size, span};

use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use stratagem_proto::v1;

/// Levels of Sokoban.
#[derive(Debug, Subcommand)]
pub enum PuzzleCommand {
    /// Make levels of a wanted difficulty, each with a solution.
    ///
    /// Sends the problem to the server and shows the best levels found within the budget.
    Generate(Box<GeneratePuzzleArgs>),
    /// Solve levels with fewest pushes, or prove that they cannot be solved.
    Solve(SolvePuzzleArgs),
    /// Play levels on the terminal, with undo, hints and the solution.
    Play(PlayPuzzleArgs),
    /// Tell which of two levels is harder, again and again; then see how hard each one is, what
    /// that depends on, and with which weights to make the next levels.
    Rate(RatePuzzleArgs),
    /// Draw levels, or write them in another format. No server is asked.
    Render(RenderPuzzleArgs),
}

/// What the walls look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SymmetryChoice {
    /// As it comes.
    None,
    /// Left and right are mirror images.
    LeftRight,
    /// Top and bottom are mirror images.
    TopBottom,
    /// The same after half a turn.
    HalfTurn,
    /// Left and right, and top and bottom.
    Both,
    /// The same after a quarter of a turn; for square boards.
    QuarterTurn,
}

impl From<SymmetryChoice> for v1::PuzzleSymmetry {
    fn from(choice: SymmetryChoice) -> Self {
        match choice {
            SymmetryChoice::None => Self::None,
            SymmetryChoice::LeftRight => Self::LeftRight,
            SymmetryChoice::TopBottom => Self::TopBottom,
            SymmetryChoice::HalfTurn => Self::HalfTurn,
            SymmetryChoice::Both => Self::Both,
            SymmetryChoice::QuarterTurn => Self::QuarterTurn,
        }
    }
}

/// Where difficulty is to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeChoice {
    /// As it comes.
    Any,
    /// Few walls: boxes are in each other's way.
    Dynamic,
    /// Many walls: ways are narrow.
    Static,
}

impl From<ThemeChoice> for v1::PuzzleTheme {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Any => Self::Any,
            ThemeChoice::Dynamic => Self::Dynamic,
            ThemeChoice::Static => Self::Static,
        }
    }
}

/// Which walls there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WallsChoice {
    /// Whatever the player cannot reach: full rectangles.
    Full,
    /// None that touch no floor.
    Outline,
    /// As outline, and no inner wall without which the level would be as hard.
    Needed,
}

impl From<WallsChoice> for v1::PuzzleWalls {
    fn from(choice: WallsChoice) -> Self {
        match choice {
            WallsChoice::Full => Self::Full,
            WallsChoice::Outline => Self::Outline,
            WallsChoice::Needed => Self::Needed,
        }
    }
}

/// What levels are wanted: each option takes the place of what the problem's file says.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Levels")]
pub struct WantedArgs {
    /// Columns and rows, the walls of the border included, 3x3 to 64x64. Default: those of the
    /// template, else 10x10.
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(i32, i32)>,
    /// How many boxes: N, or A..B. Default: 1..4.
    #[arg(long, value_name = "N", value_parser = span)]
    pub boxes: Option<Span>,
    /// How difficult: easy, medium, hard, expert, a number, or from A to B as in easy..hard, rising
    /// from level to level. A number is what the level is worth by its weights. Default: as
    /// difficult as can be found.
    #[arg(long, value_name = "VALUE")]
    pub difficulty: Option<Difficulty>,
    /// By how much a level may miss its difficulty, in percent of it. Default: 15.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=100))]
    pub tolerance: Option<i32>,
    /// How many levels, of rising difficulty. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=50))]
    pub levels: Option<i32>,
    /// A file with what each cell has to be: XSB, and `?` for anything.
    #[arg(long, value_name = "FILE")]
    pub template: Option<String>,
    /// What the walls look like.
    #[arg(long, value_enum, value_name = "KIND")]
    pub symmetry: Option<SymmetryChoice>,
    /// Where difficulty is to come from.
    #[arg(long, value_enum, value_name = "KIND")]
    pub theme: Option<ThemeChoice>,
    /// Which walls there are.
    #[arg(long, value_enum, value_name = "KIND")]
    pub walls: Option<WallsChoice>,
    /// What levels are worth: a file with PuzzleWeights, as `puzzle rate` writes it, or `thesis`
    /// for the score of equation 6.3. Default: how difficult they are to players.
    #[arg(long, value_name = "FILE")]
    pub weights: Option<Worth>,
    /// In how many of its cells each level differs from each other, in percent. Default: 20.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=100))]
    pub difference: Option<i32>,
    /// How often each box has to be pushed, at least. Default: 2.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=100))]
    pub box_pushes: Option<i32>,
    /// A file with levels to differ from; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub avoid: Vec<String>,
}

/// Where levels go beside the answer.
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
    /// The solutions in the SVG picture play.
    #[arg(long, requires = "svg")]
    pub animate: bool,
}

/// What `puzzle generate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem puzzle generate --size 8x8 --boxes 3 --difficulty hard
  stratagem puzzle generate --levels 20 --difficulty easy..expert --out set.sok --html set.html
  stratagem puzzle generate --template room.xsb --symmetry left-right --budget 5s --stream
  stratagem puzzle generate --size 7x7 --weights mine.json --seed 7 --iterations 200000 --svg level.svg
  stratagem puzzle generate problem.yaml -o json > answer.json

Strategies:
  auto (the solver in the loop), mcts (the thesis).

Exit codes:
  0 solved, 3 proved infeasible, 4 nothing found, 5 invalid problem, 130 Ctrl-C (the best levels so
  far are printed with --stream).")]
pub struct GeneratePuzzleArgs {
    /// The problem: a JSON or YAML file, `-` for stdin, or example:NAME. Default: what the options
    /// say.
    pub file: Option<String>,
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
    /// Files beside the answer.
    #[command(flatten)]
    pub files: LevelFileArgs,
}

/// Levels from a file.
#[derive(Debug, Clone, Args)]
pub struct LevelsArgs {
    /// The levels: XSB, .sok, RLE or .slc, an answer of `puzzle generate -o json`, or `-` for
    /// stdin.
    pub file: String,
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
    /// Tell the next push only, not the solution.
    #[arg(long, conflicts_with_all = ["out", "png", "svg", "html"])]
    pub hint: bool,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each shorter solution as it is found: a live line on a terminal, else a line on stderr
    /// for each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Files beside the answer, with the solutions.
    #[command(flatten)]
    pub files: LevelFileArgs,
}

/// What `puzzle play` takes.
#[derive(Debug, Args)]
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
    /// The levels: XSB, .sok, RLE or .slc, or an answer of `puzzle generate -o json`. Default: the
    /// server makes them, the first one `easy`, or as `--difficulty` says.
    #[arg(conflicts_with = "WantedArgs")]
    pub file: Option<String>,
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
  stratagem puzzle rate set.sok
  stratagem puzzle rate set.sok --answers ada.ndjson --questions 40 --weights mine.json
  stratagem puzzle rate set.sok --answers all.ndjson --questions 0 -o json
  stratagem puzzle generate --weights mine.json

Keys:
  a  the left one is harder   b  the right one   =  neither   s  skip   u  take back   q  no more
  1  play the left one first  2  play the right one

Without a terminal answers are read from stdin, a line each.")]
pub struct RatePuzzleArgs {
    /// The levels, 2 to 200: XSB, .sok, RLE or .slc, or an answer of `puzzle generate -o json`.
    pub file: String,
    /// Where answers are kept, a line of JSON each (PuzzleComparison); those that are there count.
    #[arg(long, value_name = "FILE", default_value = "answers.ndjson")]
    pub answers: PathBuf,
    /// How many questions are asked, at most. Default: until `q`.
    #[arg(long, value_name = "N")]
    pub questions: Option<usize>,
    /// Which pairs are asked about first; any number.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    pub seed: i64,
    /// How often two levels are expected to be equally hard, in percent. Default: 10.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=90))]
    pub draws: Option<i32>,
    /// Write the fitted weights to a file, for `puzzle generate --weights`.
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
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
