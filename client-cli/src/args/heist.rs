//! `heist`: what burglars and guards are about to do.

mod games;

pub use games::{
    DesignHeistArgs, MomentArgs, PatienceArgs, Payable, PlayHeistArgs, ReplanChoice, RulesArgs,
    SimulateHeistArgs, TrapChoice, deed_verb,
};

use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Heists.
#[derive(Debug, Subcommand)]
pub enum HeistCommand {
    /// Plan what a burglar or a guard does, by what he believes, in as few steps as can be.
    ///
    /// Tells each step with its room, whether no plan is shorter, what comes of it as things really
    /// are, and, where there is no plan, why.
    Plan(Box<PlanHeistArgs>),
    /// Tell a problem: what he wants and believes wrongly, which rooms catch him, which keys open
    /// what, and what stands in his way. Asks no server, unless for an example that only it has, or
    /// for --rate and --hint.
    Explain(Box<ExplainHeistArgs>),
    /// Convert a problem between JSON, YAML, the JSON of worlds and PDDL, or a plan of a PDDL
    /// planner into ours.
    ///
    /// PDDL is only written, as the problem that he believes to have, for any planner; what the
    /// planner finds is read with --plan. The JSON of worlds says less than ours: what would get
    /// lost is an error.
    Convert(ConvertHeistArgs),
    /// Draw a museum: doors and keys, who is where, what he believes wrongly, and what he is about
    /// to do.
    Render(RenderHeistArgs),
    /// Play a whole game: burglar and guards in step, who plan again when they were wrong, and what
    /// the player does.
    Simulate(SimulateHeistArgs),
    /// Make a level of a world: traps on the burglar's way of which he does not know, from which
    /// the player can save him.
    Design(Box<DesignHeistArgs>),
    /// Play a level: watch the burglar, and help him in time.
    Play(PlayHeistArgs),
}

/// Whose problem it is.
#[derive(Debug, Clone, Default, Args)]
pub struct WhoArgs {
    /// Whose problem it is: the id of the burglar or of a guard. Default: what the file says, else
    /// the burglar.
    #[arg(long, value_name = "ID")]
    pub agent: Option<String>,
    /// A room that he is not to enter; may be given several times.
    #[arg(long, value_name = "ROOM")]
    pub avoid: Vec<String>,
}

/// What `heist plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist plan example:opal
  stratagem heist plan museum.json --avoid gallery --alternatives 3
  stratagem heist plan museum.json --agent guard1 --budget 50ms -o json > answer.json
  stratagem heist plan later.json --previous answer.json --slack 10
  stratagem heist plan museum.json --stream --svg plan.svg --html plan.html

Exit codes:
  0 solved, 3 proved that there is no plan, 4 nothing found, 5 invalid problem, 130 Ctrl-C (the
  best plan so far is printed with --stream).")]
pub struct PlanHeistArgs {
    /// The problem: a JSON or YAML file, a world in JSON, `-` for stdin, or example:NAME.
    pub file: String,
    /// Whose plan is wanted.
    #[command(flatten)]
    pub who: WhoArgs,
    /// How much longer than the shortest a plan may be, in percent. Default: 0.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=1_000))]
    pub slack: Option<i32>,
    /// How many other plans are wanted that do without some room of the plan. Default: 0.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=20))]
    pub alternatives: Option<i32>,
    /// What he was about to do: a plan, an answer of `heist plan -o json`, or a plan file of a PDDL
    /// planner. What is left of it is the first plan, if he can still do it.
    #[arg(long, value_name = "PLAN")]
    pub previous: Option<String>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each shorter plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Pictures of the plan, beside the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What `heist explain` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist explain example:opal
  stratagem heist explain museum.json --agent guard1
  stratagem heist explain level.json --rate
  stratagem heist explain level.json --hint 2 --tick 5 --do 3:lock:d_west

Exit codes with --rate and --hint:
  0 all is known by proof, or some help, 4 no game could be played in time, 5 invalid problem.")]
pub struct ExplainHeistArgs {
    /// The problem: a JSON or YAML file, a world in JSON, `-` for stdin, or example:NAME.
    pub file: String,
    /// Whose problem is told.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Also have games played: traps on the burglar's way, how difficult the level is, and the
    /// cheapest help.
    #[arg(long)]
    pub rate: bool,
    /// Only hints for who plays, up to this grade: 1 how many deeds it takes, 2 where and until
    /// when, 3 to what, 4 the deed.
    #[arg(long, value_name = "GRADE", conflicts_with = "rate", value_parser = clap::value_parser!(i32).range(1..=4))]
    pub hint: Option<i32>,
    /// The game that it is about.
    #[command(flatten)]
    pub moment: MomentArgs,
    /// How it is played.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

impl ExplainHeistArgs {
    /// Whether games are to be played.
    #[must_use]
    pub fn plays(&self) -> bool {
        self.rate || self.hint.is_some()
    }

    /// Whether it says something about games, though none is to be played.
    #[must_use]
    pub fn asks_in_vain(&self) -> bool {
        let is_silent = self.moment == MomentArgs::default()
            && self.rules == RulesArgs::default()
            && self.search == SearchArgs::default();
        !self.plays() && !is_silent
    }
}

/// How a heist is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeistFormat {
    /// Our message as proto3 JSON.
    Json,
    /// The same as YAML.
    Yaml,
    /// A world in JSON.
    World,
    /// The problem that he believes to have, in PDDL.
    Pddl,
}

/// What `heist convert` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist convert world.json museum.yaml
  stratagem heist convert museum.yaml world.json --to world
  stratagem heist convert museum.json museum.pddl --domain-file domain.pddl
  stratagem heist convert museum.json plan.json --plan sas_plan")]
pub struct ConvertHeistArgs {
    /// The problem: a JSON or YAML file, a world in JSON, `-` for stdin, or example:NAME.
    #[arg(value_name = "IN")]
    pub from: String,
    /// Where to write it: a file, which is overwritten, or `-` for stdout.
    #[arg(value_name = "OUT")]
    pub into: PathBuf,
    /// Format to write. Default: that of the output's name: .json, .yaml, .yml, .pddl.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<HeistFormat>,
    /// Whose problem it is.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Also write the domain that PDDL problems are of.
    #[arg(long, value_name = "FILE")]
    pub domain_file: Option<PathBuf>,
    /// Write this plan instead of the problem: a plan file of a PDDL planner, a list of actions in
    /// JSON, or a plan of ours.
    #[arg(long, value_name = "PLAN", conflicts_with = "domain_file")]
    pub plan: Option<String>,
}

/// What `heist render` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist render example:opal
  stratagem heist render museum.json --plan answer.json --svg museum.svg
  stratagem heist render museum.json --plan sas_plan --html museum.html")]
pub struct RenderHeistArgs {
    /// The problem: a JSON or YAML file, a world in JSON, `-` for stdin, or example:NAME.
    pub file: String,
    /// Whose beliefs are drawn.
    #[command(flatten)]
    pub who: WhoArgs,
    /// What he is about to do: a plan, an answer of `heist plan -o json`, or a plan file of a PDDL
    /// planner; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
