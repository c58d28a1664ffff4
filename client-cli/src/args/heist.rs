//! `heist`: what burglars and guards are about to do.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use formats::Format;
use std::path::PathBuf;

/// Heists.
#[derive(Debug, Subcommand)]
pub enum HeistCommand {
    /// Convert a problem between JSON, YAML, the JSON of worlds and PDDL, or a plan of a PDDL
    /// planner into ours.
    ///
    /// PDDL is only written: the problem as the agent believes it, for any planner; the planner's
    /// plan is read with --plan. What the JSON of worlds cannot express is an error.
    Convert(ConvertHeistArgs),
}

/// A format of heists, by its name.
fn format() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new([
        PossibleValue::new("json").help("JSON of the contract"),
        PossibleValue::new("yaml").help("The same as YAML"),
        PossibleValue::new("pddl").help("PDDL, written only"),
        PossibleValue::new("museum")
            .alias("world")
            .help("JSON of worlds"),
    ]);
    names.map(|name| Format::named(&name).unwrap_or(Format::Museum))
}

/// What `heist convert` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist convert world.json museum.yaml
  stratagem heist convert museum.yaml world.json --to museum
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
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub to: Option<Format>,
    /// The agent whose problem it is: the id of the burglar or of a guard. Default: the file's,
    /// else the burglar.
    #[arg(long, value_name = "ID")]
    pub agent: Option<String>,
    /// A room that the agent must not enter; may be given several times.
    #[arg(long, value_name = "ROOM")]
    pub avoid: Vec<String>,
    /// Also write the domain that PDDL problems are of.
    #[arg(long, value_name = "FILE")]
    pub domain_file: Option<PathBuf>,
    /// Write this plan instead of the problem: a plan file of a PDDL planner, a list of actions in
    /// JSON, or a plan of ours.
    #[arg(long, value_name = "PLAN", conflicts_with = "domain_file")]
    pub plan: Option<String>,
}
