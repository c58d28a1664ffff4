//! `heist convert`; the others have files of their own, or follow from the contract.

mod simulate;

pub(super) use simulate::simulate;

use super::ask::{report_file, write};
use super::verb::refuse_other_agent;
use crate::args::{ConnectionArgs, ConvertHeistArgs, HeistCommand};
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem};
use crate::output::Display;
use formats::heist::pddl;
use formats::{Format, json, yaml};
use stratagem_proto::v1::any_plan::Kind as Plan;
use stratagem_proto::v1::{HeistPlan, HeistProblem};
use stratagem_render::heist::Scene;

/// Does what the command says.
pub(super) async fn run(
    HeistCommand::Convert(args): HeistCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    convert(&args, server, display).await
}

/// The problem of a file, of the agent that the options name.
async fn read(args: &ConvertHeistArgs, server: &ConnectionArgs) -> Result<HeistProblem, Failure> {
    let mut problem: HeistProblem = input::problem_of(&args.from, server).await?;
    if let Some(agent) = &args.agent {
        refuse_other_agent(agent, &problem)?;
        problem.agent_id.clone_from(agent);
    }
    // A room that is named twice is avoided once.
    for room in &args.avoid {
        if !problem.avoided_room_ids.contains(room) {
            problem.avoided_room_ids.push(room.clone());
        }
    }
    known(&problem)?;
    Ok(problem)
}

/// Reads a problem or a plan in one format and writes it in another.
async fn convert(
    args: &ConvertHeistArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.from), args.plan.as_deref()])?;
    let of_heists = [Format::Json, Format::Yaml, Format::Pddl];
    let of_name = Format::of_name(&args.into).filter(|it| of_heists.contains(it));
    let Some(format) = args.to.or(of_name) else {
        let name = args.into.display();
        return Err(Failure::usage(format!(
            "cannot recognize the format of `{name}`: give --to json, yaml, museum or pddl"
        )));
    };
    if args.domain_file.is_some() && format != Format::Pddl {
        return Err(Failure::usage("--domain-file goes with problems in PDDL"));
    }
    let problem = read(args, server).await?;
    let domain = pddl::domain(&problem).to_owned();
    let whole = Problem::Heist(problem);
    let text = match &args.plan {
        Some(source) => {
            let Plan::Heist(plan) = input::plan_for(source, &whole)? else {
                return Err(Failure::usage(format!("{source} is no plan of a heist")));
            };
            written(&plan, format)
        }
        None => formats::write(&whole, format).map(|mut parts| parts.swap_remove(0).text),
    };
    let text = text.map_err(|m| Failure::new(Exit::INVALID, format!("{}: {m}", args.from)))?;
    let domain = args.domain_file.iter().map(|path| (path, &domain));
    for (path, text) in domain.chain([(&args.into, &text)]) {
        write(path, text)?;
        report_file(display, path);
    }
    Ok(Exit::OK)
}

/// A plan in one of our own formats.
fn written(plan: &HeistPlan, format: Format) -> Result<String, String> {
    match format {
        Format::Json => json::write(plan).map_err(|m| m.message),
        Format::Yaml => yaml::write(plan).map_err(|m| m.message),
        _ => Err("plans are written as JSON or YAML of our message".into()),
    }
}

/// Checks the ids of the agent and of avoided rooms, since no server checks them here.
pub(super) fn known(problem: &HeistProblem) -> Result<(), Failure> {
    let scene = Scene::new(problem);
    let agent = problem.agent_id.as_str();
    let mut agents = scene.agents();
    if !agent.is_empty() && !agents.any(|(id, _)| id == agent) {
        let who: Vec<_> = scene.agents().map(|(id, _)| id).collect();
        let who = who.join(", ");
        return Err(Failure::usage(format!("there is no `{agent}`, only {who}")));
    }
    let mut avoided = problem.avoided_room_ids.iter();
    match avoided.find(|id| scene.room(id).is_none()) {
        Some(room) => Err(Failure::usage(format!("there is no room `{room}`"))),
        None => Ok(()),
    }
}
