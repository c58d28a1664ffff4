//! `story`: believable stories that reach their goals.

use super::given::{PlanArgs, ProblemArgs};
use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::str::FromStr;

/// Stories.
#[derive(Debug, Subcommand)]
pub enum StoryCommand {
    /// Find the best story: believable, and reaching as many goals as that allows.
    #[command(alias = "generate")]
    Plan(Box<GenerateStoryArgs>),
    /// Generate a branching story: choices of one character, each with its best continuation, as an
    /// Ink script or as JSON.
    Branch(Box<BranchStoryArgs>),
    /// Explain the believability of a story: base, rules, slider and effects of each action.
    Explain(ExplainStoryArgs),
    /// Learn a domain from a text: actors, items, places, actions and their believability.
    Learn(Box<LearnStoryArgs>),
    /// Draw a story: believabilities, the score over time, and places of characters. Asks a server
    /// only for an example that is not built in.
    Render(RenderTaleArgs),
}

/// A factor on the believability of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct SliderChoice {
    /// Name of the action.
    pub action: String,
    /// 0 to 100.
    pub factor: f64,
}

impl FromStr for SliderChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (action, factor) = text
            .rsplit_once('=')
            .ok_or("expected is NAME=FACTOR, as in Kill=0.5")?;
        let factor: f64 = factor
            .trim()
            .parse()
            .map_err(|_| format!("`{factor}` is no number"))?;
        if !(0.0..=100.0).contains(&factor) {
            return Err(format!("{factor} is outside of 0 to 100"));
        }
        let action = action.trim().to_owned();
        Ok(Self { action, factor })
    }
}

/// The text of a story, and the sliders.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Story")]
pub struct TellingArgs {
    /// Factor on the believability of an action, as in Kill=0.5; 0 forbids it. May be given several
    /// times.
    #[arg(long = "slider", value_name = "NAME=FACTOR")]
    pub sliders: Vec<SliderChoice>,
    /// Maximum number of actions, whatever the file specifies.
    #[arg(
        long = "max-acts",
        alias = "acts",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=50)
    )]
    pub acts: Option<i32>,
    /// Seed of the random choice among texts; any number.
    #[arg(
        long = "text-seed",
        alias = "words",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_name = "SEED"
    )]
    pub words: i64,
    /// A sentence for each action, with names every time.
    #[arg(long)]
    pub plain: bool,
}

/// Stories as files, besides the answer.
#[derive(Debug, Args)]
pub struct StoryFileArgs {
    /// Write the text of the story and nothing else; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
    /// Write the story as Markdown: text, and what each step is made of; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Pictures of the story.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What `story plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem story plan example:inheritance
  stratagem story plan crown.yaml --slider Defeat=0.1 --budget 5s --stream
  stratagem story plan crown.yaml --strategy mcts --max-iterations 20000 --seed 3
  stratagem story plan crown.yaml --previous answer.json --slider Marry=0 --svg crown.svg
  stratagem story plan crown.yaml --different 3 --markdown crown.md --html crown.html

Exit codes:
  0 solved, 3 proved that what has to happen cannot, 4 nothing found, 5 invalid problem,
  130 Ctrl-C.")]
pub struct GenerateStoryArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// A story to begin with: a StoryPlan, or an answer of `story plan -o json`; `-` for stdin.
    #[arg(long, value_name = "STORY")]
    pub previous: Option<String>,
    /// Number of diverse stories to find, each the best that differs from those before it.
    #[arg(
        long,
        value_name = "COUNT",
        conflicts_with_all = ["previous", "svg"],
        value_parser = clap::value_parser!(i32).range(1..=10)
    )]
    pub different: Option<i32>,
    /// Minimum number of acts of each better story that each --different story leaves out. Default:
    /// 2.
    #[arg(
        long = "min-difference",
        alias = "difference",
        value_name = "ACTS",
        requires = "different",
        value_parser = clap::value_parser!(i32).range(1..=50)
    )]
    pub difference: Option<i32>,
    /// Show each better story as it is found.
    #[arg(long)]
    pub stream: bool,
    /// The text and the sliders.
    #[command(flatten)]
    pub telling: TellingArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Files with the story, besides the answer.
    #[command(flatten)]
    pub files: StoryFileArgs,
}

/// What `story branch` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --plan the best story is looked for first, with the same budget, limits and seed.

Examples:
  stratagem story branch example:inheritance --player Ada --ink ada.ink
  stratagem story branch crown.yaml --plan answer.json --max-depth 3 --max-width 2 --ink crown.ink
  stratagem story branch crown.yaml --max-iterations 20000 --seed 3 -o json

Exit codes:
  0 choices found, 4 no story found, 5 invalid problem, story or player, 130 Ctrl-C.")]
pub struct BranchStoryArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The story: a StoryPlan, or an answer of `story plan -o json`; `-` for stdin. Default:
    /// the best.
    #[arg(long = "plan", alias = "story", value_name = "PLAN")]
    pub story: Option<String>,
    /// The character that chooses, by id. Default: the one with most acts.
    #[arg(long, value_name = "ID")]
    pub player: Option<String>,
    /// How often the player may leave best continuations without coming back, 1 to 6. Default: 2.
    #[arg(
        long = "max-depth",
        alias = "depth",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=6)
    )]
    pub depth: Option<i32>,
    /// Maximum number of choices at one point besides the best, 1 to 10. Default: 3.
    #[arg(
        long = "max-width",
        alias = "width",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=10)
    )]
    pub width: Option<i32>,
    /// Maximum number of choices off best continuations in total, 1 to 300. Default: 60.
    #[arg(
        long = "max-choices",
        alias = "choices",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=300)
    )]
    pub choices: Option<i32>,
    /// Iterations for each continuation; `--max-iterations` is for all of them together. Default:
    /// 400.
    #[arg(
        long = "max-continuation-iterations", alias = "continuation-iterations",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=1_000_000)
    )]
    pub continuation_iterations: Option<i32>,
    /// Write a script of Ink; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub ink: Option<PathBuf>,
    /// Show how choices are found.
    #[arg(long)]
    pub stream: bool,
    /// The text and the sliders.
    #[command(flatten)]
    pub telling: TellingArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What `story explain` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem story plan example:inheritance -o json > story.json
  stratagem story explain example:inheritance --plan story.json
  stratagem story explain example:inheritance --plan story.json --slider Kill=0.5 -o json

Exit codes:
  0 explained, 5 invalid problem, or a story that breaks rules.")]
pub struct ExplainStoryArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The story.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// The text and the sliders.
    #[command(flatten)]
    pub telling: TellingArgs,
    /// Files with the story, besides the answer.
    #[command(flatten)]
    pub files: StoryFileArgs,
}

/// What `story learn` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EDITS are a `LearnStoryDomainRequest` without books, in JSON or YAML:
  edits:
    - rename: { word: holmes, name: Sherlock Holmes }
    - word_class: { word: study, word_class: STORY_WORD_CLASS_PLACE }
    - remove: { word: way }
    - merge: { words: [knife], into: dagger }

Examples:
  stratagem story learn tale.txt --relations assertions.csv.gz --wordnet /usr/share/wordnet
  stratagem story learn tale.txt --relations assertions.csv.gz --request request.json
  stratagem story learn server:tales/manor.txt --wordnet server:wordnet
  stratagem story learn tale.txt --edits edits.yaml --max-actors 5 --out domain.json
  stratagem story plan domain.json

Exit codes:
  0 learned, 3 no domain can be learned from this text, 4 no time to learn, 5 invalid request,
  130 Ctrl-C.")]
pub struct LearnStoryArgs {
    /// The text, UTF-8; `-` for stdin, server:NAME for one in the server's folder of books.
    pub book: String,
    /// Relations of words: lines of relation, head and tail separated by tabs, or assertions of
    /// ConceptNet; a file of any size, also `.gz`, or server:NAME. Only lines about the text are
    /// sent.
    #[arg(long, value_name = "FILE")]
    pub relations: Option<String>,
    /// Senses of nouns: a folder with `data.noun` and `index.noun` of WordNet 3, or server:NAME.
    /// Only what concerns the text is sent.
    #[arg(long, value_name = "FOLDER")]
    pub wordnet: Option<String>,
    /// Corrections, and how to learn: a JSON or YAML file.
    #[arg(long, value_name = "FILE")]
    pub edits: Option<String>,
    /// Write the domain as JSON; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the request as JSON, for clients in other languages, and do not send it; `-` for
    /// stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub request: Option<PathBuf>,
    /// Most actors, 1 to 60. Default: 8.
    #[arg(
        long = "max-actors",
        alias = "actors",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub actors: Option<i32>,
    /// Most items, 1 to 60. Default: 8.
    #[arg(
        long = "max-items",
        alias = "items",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub items: Option<i32>,
    /// Most places, 1 to 60. Default: 8.
    #[arg(
        long = "max-places",
        alias = "places",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub places: Option<i32>,
    /// Most rounds of learning, 1 to 100. Default: 3.
    #[arg(
        long = "max-rounds",
        alias = "rounds",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=100)
    )]
    pub rounds: Option<i32>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What `story render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem story render example:inheritance
  stratagem story render crown.yaml --plan answer.json --svg crown.svg --html crown.html
  stratagem story render crown.yaml --plan answer.json --markdown crown.md")]
pub struct RenderTaleArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The story: a StoryPlan, or an answer of `story plan -o json`; `-` for stdin.
    #[arg(long, value_name = "STORY")]
    pub plan: Option<String>,
    /// Files. Default: text on stdout.
    #[command(flatten)]
    pub files: StoryFileArgs,
}
