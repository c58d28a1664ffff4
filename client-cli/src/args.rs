//! The command line.

mod bench;
mod connection;
mod context;
mod dev;
mod files;
mod given;
mod heist;
mod job;
mod narrative;
mod pictures;
mod puzzle;
mod replay;
mod search;
mod story;
mod verb;

pub use bench::BenchArgs;
pub use connection::{ConnectionArgs, Given, Nearness, Secret};
pub use context::{AddContextArgs, ContextCommand, UseContextArgs};
pub use dev::DevArgs;
pub use files::{ConvertArgs, ForeignArgs, SolomonArgs, TileArgs, ValidateArgs, VerifyArgs};
pub use given::{OptionalProblemArgs, PlanArgs, ProblemArgs};
pub use heist::{ConvertHeistArgs, HeistCommand};
pub use job::{CreateJobArgs, JobCommand, ListJobsArgs, NamedJobArgs, WatchJobArgs};
pub use narrative::{NarrativeCommand, RehearseArgs, StoryArgs, WhatIfArgs};
pub use pictures::PictureArgs;
pub use puzzle::{
    GeneratePuzzleArgs, LevelFileArgs, LevelsArgs, PlayPuzzleArgs, PuzzleCommand, RatePuzzleArgs,
    RenderPuzzleArgs, SolvePuzzleArgs, WantedArgs,
};
pub use replay::ReplayArgs;
pub use search::SearchArgs;
pub use story::{LearnStoryArgs, StoryCommand};
pub use verb::{PlannerCommand, Special, VerbArgs};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::ffi::OsString;

/// Plans for games, from the command line: send a problem to a Stratagem server, watch it being
/// solved, check, convert and draw problems and plans.
#[derive(Debug, Parser)]
#[command(
    name = "stratagem",
    version,
    max_term_width = 100,
    after_long_help = "\
Examples:
  stratagem allocation plan example:tavern
  stratagem allocation plan raid.yaml --budget 2s --stream
  stratagem temporal check example:heist
  stratagem narrative plan example:dragon
  stratagem patrol plan example:museum
  stratagem puzzle plan --size 8x8 --boxes 3 --difficulty hard
  stratagem heist plan example:opal
  stratagem job create raid.yaml --budget 1h --watch
  stratagem story plan example:inheritance
  stratagem example get raid > raid.json
  stratagem verify raid.json --plan plan.json

Exit codes:
  0 solved, holds or done, 1 input/output, 2 usage, 3 infeasible or fails, 4 nothing feasible
  found or undecided, 5 invalid input, 6 verification failed, 20+n code n of gRPC (34: no
  server), 130 Ctrl-C."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Where the server is.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// How answers look.
    #[command(flatten)]
    pub display: DisplayArgs,
}

impl Cli {
    /// Reads a command line, and notes where its options come from.
    ///
    /// # Errors
    /// The command line is invalid, or asks for help.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let words: Vec<OsString> = words.into_iter().collect();
        let matches = command.try_get_matches_from_mut(&words);
        let matches = matches.map_err(|error| removed(&words).unwrap_or(error))?;
        let cli = Self::from_arg_matches(&matches);
        let mut cli = cli.map_err(|error| error.format(&mut command))?;
        cli.connection.given = Given::from_matches(&matches);
        Ok(cli)
    }
}

/// Commands that were documented once, with what replaces them.
const REMOVED: &[([&str; 2], &str)] = &[
    (
        ["heist", "play"],
        "play levels in the playground (`stratagem dev`), or give all actions to `heist simulate --do`",
    ),
    (
        ["temporal", "play"],
        "see `temporal simulate`, or the playground (`stratagem dev`)",
    ),
    (
        ["stn", "play"],
        "see `temporal simulate`, or the playground (`stratagem dev`)",
    ),
    (
        ["story", "watch"],
        "see `story plan` and `story explain`, or the playground (`stratagem dev`)",
    ),
    (
        ["server", "top"],
        "see `server info`, and the dashboards of deploy/",
    ),
];

/// The error of a command that was removed.
fn removed(words: &[OsString]) -> Option<clap::Error> {
    let named = |name: &[&str; 2]| words.windows(2).any(|two| two == name);
    let (name, instead) = REMOVED.iter().find(|(name, _)| named(name))?;
    let message = format!("`{}` was removed: {instead}\n", name.join(" "));
    Some(clap::Error::raw(ErrorKind::InvalidSubcommand, message))
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What follows from the contract: a noun for each planner, a verb for each method.
    #[command(flatten)]
    Planner(PlannerCommand),
    /// Create jobs that survive the end of the call and restarts; list, watch, cancel, delete them.
    #[command(subcommand)]
    Job(JobCommand),
    /// Start a server of your own and open its playground: edit problems in the browser, and watch
    /// plans get better.
    ///
    /// The server listens on this machine only, has the examples, keeps nothing, and ends with
    /// Ctrl-C.
    Dev(DevArgs),
    /// Show the state and the limits of servers.
    #[command(subcommand)]
    Server(ServerCommand),
    /// Save the addresses and credentials of servers under names; choose one.
    #[command(subcommand)]
    Context(ContextCommand),
    /// Measure a server under load: calls at random moments, and the share answered by their
    /// deadlines.
    Bench(Box<BenchArgs>),
    /// Repeat a saved request, and report whether the answer is the same, byte for byte except
    /// times.
    Replay(ReplayArgs),
    /// Check a problem without solving it, and list every mistake.
    ///
    /// Reads the file strictly, then asks the server, which lists every mistake with its field.
    /// Exit code 0 when the problem is valid, 5 when not.
    Validate(ValidateArgs),
    /// Check a plan against its problem, by code that shares nothing with the planner.
    ///
    /// The plan is a file with the planner's plan message, or the answer with `-o json` of the
    /// command that made it; for a heist also what a PDDL planner wrote. Exit code 0 when the plan
    /// satisfies every rule, 6 when it breaks one or leaves out something mandatory.
    Verify(VerifyArgs),
    /// The problems that come with Stratagem.
    #[command(subcommand)]
    Example(ExampleCommand),
    /// Convert a problem between JSON, YAML, Solomon's format, maps of tiles and the literature's
    /// instances of patrols.
    ///
    /// Formats are recognised by their names (.json, .yaml, .yml, .txt, .map), input also by its
    /// content. docs/reference/formats.md lists all formats. Levels of Sokoban are converted
    /// between .xsb, .sok and .rle. What a format cannot express is an error.
    Convert(ConvertArgs),
    /// Print a script that completes commands in a shell.
    #[command(after_long_help = "\
Examples:
  stratagem completion bash > ~/.local/share/bash-completion/completions/stratagem
  stratagem completion zsh > ~/.zfunc/_stratagem
  stratagem completion fish > ~/.config/fish/completions/stratagem.fish")]
    Completion {
        /// For which shell.
        shell: Shell,
    },
}

/// Questions to a server.
#[derive(Debug, Subcommand)]
pub enum ServerCommand {
    /// Show version, load, methods, strategies and limits.
    #[command(after_long_help = "\
Examples:
  stratagem server info
  stratagem server info -o json --address https://plans.example.org --tls")]
    Info,
    /// Check a server and the connection to it: health, latency, services, version, free slots, and
    /// what to do about what is found.
    ///
    /// Exit code 0 when the server takes requests, 6 when a part of it does not work, 34 when it
    /// takes none. With --quiet or --service only its health is checked.
    #[command(after_long_help = "\
Examples:
  stratagem server check
  stratagem server check --solve --address https://plans.example.org
  stratagem server check --service stratagem.v1.AllocationService
  stratagem server check --quiet")]
    Check(CheckArgs),
    /// Show the limits on the size of requests and the length of searches.
    #[command(after_long_help = "\
Examples:
  stratagem server limits
  stratagem server limits -o ndjson")]
    Limits,
}

/// What `server check` takes.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Full name of a service, as in stratagem.v1.AllocationService. Default: the whole server.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub service: String,
    /// Also solve a small problem, and measure its time.
    #[arg(long)]
    pub solve: bool,
}

/// Problems that come with Stratagem.
#[derive(Debug, Subcommand)]
pub enum ExampleCommand {
    /// List the server's examples.
    #[command(
        visible_alias = "ls",
        after_long_help = "\
Examples:
  stratagem example list
  stratagem example list --offline -o json"
    )]
    List {
        /// List those that are built into this program; ask no server.
        #[arg(long)]
        offline: bool,
        /// Only those of one planner, as in `allocation`.
        #[arg(long, default_value = "", hide_default_value = true)]
        planner: String,
    },
    /// Print the problem of an example, as a file to start from (JSON, or YAML with -o yaml).
    #[command(after_long_help = "\
Examples:
  stratagem example get tavern
  stratagem example get allocation/raid -o yaml > raid.yaml")]
    Get {
        /// Its name, as in `allocation/raid` or, where that is clear, `raid`.
        name: String,
        /// Take it from those that are built into this program; ask no server.
        #[arg(long)]
        offline: bool,
    },
}

/// How answers look.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct DisplayArgs {
    /// Format of the answer on stdout. Default: table.
    #[arg(short, long, global = true, value_enum, value_name = "FORMAT")]
    pub output: Option<OutputFormat>,
    /// Colours: `auto` is yes on a terminal unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Draw with ASCII characters only.
    #[arg(long, global = true)]
    pub ascii: bool,
    /// Print no progress on stderr, only errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// Formats of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people.
    Table,
    /// The whole answer as one JSON document (proto3 JSON).
    Json,
    /// The same as YAML.
    Yaml,
    /// A line of JSON for each element: with --stream, for each step of the search.
    Ndjson,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorChoice {
    /// On terminals, unless NO_COLOR is set or TERM is dumb.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
