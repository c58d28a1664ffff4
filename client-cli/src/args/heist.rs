//! `heist`: what burglars and guards are about to do.

use super::given::ProblemArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Heists.
#[derive(Debug, Subcommand)]
pub enum HeistCommand {
    /// Explain a problem: the agent's goal and wrong beliefs, guarded rooms, keys and locks, and
    /// what blocks the agent. Asks a server only for an example that is not built in.
    Explain(ExplainHeistArgs),
    /// Convert a problem between JSON, YAML, the JSON of worlds and PDDL, or a plan of a PDDL
    /// planner into ours.
    ///
    /// PDDL is only written: the problem as the agent believes it, for any planner; the planner's
    /// plan is read with --plan. What the JSON of worlds cannot express is an error.
    Convert(ConvertHeistArgs),
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
