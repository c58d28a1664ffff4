//! `heist explain`; the others have files of their own, or follow from the contract.

mod convert;
mod simulate;

pub(super) use simulate::simulate;

use crate::args::{ConnectionArgs, ExplainHeistArgs, HeistCommand, WhoArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, heist as texts};
use stratagem_proto::v1::HeistProblem;
use stratagem_render::heist::Scene;

/// Does what the command says.
pub(super) async fn run(
    command: HeistCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let planner = Planner { server, display };
    match command {
        HeistCommand::Explain(args) => planner.explain(&args).await,
        HeistCommand::Convert(args) => planner.convert(&args).await,
    }
}

/// A server to ask about heists, and where to show what it says.
struct Planner<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Planner<'_> {
    /// The problem of a file, of whom the options say.
    async fn read(&self, file: &str, who: &WhoArgs) -> Result<HeistProblem, Failure> {
        let mut problem: HeistProblem = input::problem_of(file, self.server).await?;
        if let Some(agent) = &who.agent {
            if problem.agent_id != *agent && problem.current.is_some() {
                let message =
                    "the file has the current state of another agent: --agent has to be that one";
                return Err(Failure::usage(message));
            }
            problem.agent_id.clone_from(agent);
        }
        // A room that is named twice is avoided once.
        for room in &who.avoid {
            if !problem.avoided_room_ids.contains(room) {
                problem.avoided_room_ids.push(room.clone());
            }
        }
        Ok(problem)
    }

    async fn explain(&self, args: &ExplainHeistArgs) -> Result<Exit, Failure> {
        self.display.refuse_data("heist explain", "heist analyze")?;
        let problem = self.read(&args.problem.file, &args.who).await?;
        known(&problem)?;
        output::print(&texts::sheet(self.display, &problem))?;
        Ok(Exit::OK)
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
