//! `heist`: what burglars and guards are about to do.

mod games;

pub use games::{
    DesignHeistArgs, MomentArgs, PatienceArgs, Payable, ReplanChoice, RulesArgs, SimulateHeistArgs,
    TrapChoice,
};

use super::given::ProblemArgs;
use super::{PictureArgs, SearchArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Heists.
#[derive(Debug, Subcommand)]
pub enum HeistCommand {
    /// Plan the actions of a burglar or a guard from their beliefs, with fewest steps.
    ///
    /// Prints each step with its room, whether the plan is optimal, its outcome in the true world,
    /// or why there is no plan.
    Plan(Box<PlanHeistArgs>),
    /// Explain a problem: the agent's goal and wrong beliefs, guarded rooms, keys and locks, and
    /// what blocks the agent. Asks a server only for an example that is not built in.
    Explain(ExplainHeistArgs),
    /// Analyze a level, or the state of a game: traps on the burglar's route, difficulty, and
    /// least-cost help.
    Analyze(Box<AnalyzeHeistArgs>),
    /// Convert a problem between JSON, YAML, the JSON of worlds and PDDL, or a plan of a PDDL
    /// planner into ours.
    ///
    /// PDDL is only written: the problem as the agent believes it, for any planner; the planner's
    /// plan is read with --plan. What the JSON of worlds cannot express is an error.
    Convert(ConvertHeistArgs),
    /// Draw a museum: doors, keys and agents, the agent's wrong beliefs and plan.
    Render(RenderHeistArgs),
    /// Simulate a game: burglar and guards move in step and replan when they were wrong; the player
    /// acts as given.
    Simulate(SimulateHeistArgs),
    /// Make a level of a world: unknown traps on the burglar's route from which the player can save
    /// the burglar.
    Design(Box<DesignHeistArgs>),
}

/// Whose problem it is.
#[derive(Debug, Clone, Default, Args)]
pub struct WhoArgs {
    /// The agent whose problem it is: the id of the burglar or of a guard. Default: the file's,
    /// else the burglar.
    #[arg(long, value_name = "ID")]
    pub agent: Option<String>,
    /// A room that the agent must not enter; may be given several times.
    #[arg(long, value_name = "ROOM")]
    pub avoid: Vec<String>,
}

/// What `heist plan` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist plan example:opal
  stratagem heist plan museum.json --avoid gallery --max-alternatives 3
  stratagem heist plan museum.json --agent guard1 --budget 50ms -o json > answer.json
  stratagem heist plan later.json --previous answer.json --slack 10
  stratagem heist plan museum.json --stream --svg plan.svg --html plan.html

Exit codes:
  0 solved, 3 proved that there is no plan, 4 nothing found, 5 invalid problem, 130 Ctrl-C (the
  best plan so far is printed with --stream).")]
pub struct PlanHeistArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Whose plan is wanted.
    #[command(flatten)]
    pub who: WhoArgs,
    /// How much longer than the shortest a plan may be, in percent. Default: 0.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=1_000))]
    pub slack: Option<i32>,
    /// Number of alternative plans, each of which avoids some room of the plan. Default: 0.
    #[arg(
        long = "max-alternatives",
        alias = "alternatives",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(0..=20)
    )]
    pub alternatives: Option<i32>,
    /// The agent's previous plan: a plan, an answer of `heist plan -o json`, or a plan file of a
    /// PDDL planner. Its rest is the warm start if the agent can still carry it out.
    #[arg(long, value_name = "PLAN")]
    pub previous: Option<String>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each shorter plan as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Pictures of the plan, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What `heist explain` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist explain example:opal
  stratagem heist explain museum.json --agent guard1")]
pub struct ExplainHeistArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The agent whose problem is explained.
    #[command(flatten)]
    pub who: WhoArgs,
}

/// What `heist analyze` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist analyze level.json
  stratagem heist analyze level.json --hint 2 --tick 5 --do 3:lock:d_west

Exit codes:
  0 all is known by proof, or some help, 4 no game could be played in time, 5 invalid problem.")]
pub struct AnalyzeHeistArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The agent whose problem is explained.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Print only hints for the player, up to this grade: 1 the number of deeds, 2 where and until
    /// when, 3 their targets, 4 the deeds.
    #[arg(long, value_name = "GRADE", value_parser = clap::value_parser!(i32).range(1..=4))]
    pub hint: Option<i32>,
    /// The state of the game.
    #[command(flatten)]
    pub moment: MomentArgs,
    /// How it is played.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
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
    /// The problem as the agent believes it, in PDDL.
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
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// The agent whose beliefs are drawn.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The agent's plan: a plan, an answer of `heist plan -o json`, or a plan file of a PDDL
    /// planner; `-` for stdin.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Pictures. Default: text on stdout.
    #[command(flatten)]
    pub pictures: PictureArgs,
}
