//! `heist convert`.

use super::{Planner, known};
use crate::args::{ConvertHeistArgs, HeistFormat};
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem};
use crate::output;
use formats::heist::{pddl, world};
use formats::{Described, json, yaml};
use std::path::Path;
use stratagem_proto::v1::any_plan::Kind as Plan;

impl Planner<'_> {
    /// Reads a problem or a plan in one format and writes it in another.
    pub(super) async fn convert(&self, args: &ConvertHeistArgs) -> Result<Exit, Failure> {
        input::one_stdin(&[Some(&args.from), args.plan.as_deref()])?;
        let Some(format) = args.to.or_else(|| of_name(&args.into)) else {
            let name = args.into.display();
            return Err(Failure::usage(format!(
                "cannot recognize the format of `{name}`: give --to json, yaml, world or pddl"
            )));
        };
        if args.domain_file.is_some() && format != HeistFormat::Pddl {
            return Err(Failure::usage("--domain-file goes with problems in PDDL"));
        }
        let problem = self.read(&args.from, &args.who).await?;
        known(&problem)?;
        let text = match &args.plan {
            Some(source) => {
                let whole = Problem::Heist(problem.clone());
                let Plan::Heist(plan) = input::plan_for(source, &whole)? else {
                    return Err(Failure::usage(format!("{source} is no plan of a heist")));
                };
                message(&plan, format)
            }
            None => match format {
                HeistFormat::World => world::write(&problem),
                HeistFormat::Pddl => pddl::write(&problem),
                other => message(&problem, other),
            },
        };
        let text = text.map_err(|m| Failure::new(Exit::INVALID, format!("{}: {m}", args.from)))?;
        if let Some(domain) = &args.domain_file {
            self.put(domain, pddl::domain(&problem))?;
        }
        self.put(&args.into, &text)?;
        Ok(Exit::OK)
    }

    /// Writes a file or, for `-`, to stdout.
    pub(super) fn put(&self, path: &Path, text: &str) -> Result<(), Failure> {
        if path == Path::new("-") {
            return output::print(text);
        }
        let name = path.display();
        std::fs::write(path, text)
            .map_err(|e| Failure::new(Exit::IO, format!("cannot write {name}: {e}")))?;
        if self.display.live && !self.display.quiet {
            eprintln!("{name} written");
        }
        Ok(())
    }
}

/// The format that a file name ends in.
fn of_name(path: &Path) -> Option<HeistFormat> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "json" => Some(HeistFormat::Json),
        "yaml" | "yml" => Some(HeistFormat::Yaml),
        "pddl" => Some(HeistFormat::Pddl),
        _ => None,
    }
}

/// A message in one of our own formats.
fn message<M: Described>(message: &M, format: HeistFormat) -> Result<String, String> {
    match format {
        HeistFormat::Json => json::write(message).map_err(|m| m.message),
        HeistFormat::Yaml => yaml::write(message).map_err(|m| m.message),
        HeistFormat::World | HeistFormat::Pddl => {
            Err("plans are written as JSON or YAML of our message".into())
        }
    }
}
