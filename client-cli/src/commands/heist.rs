//! `heist plan`, `explain` and `render`; the others have files of their own.

mod analyze;
mod ask;
mod convert;
mod design;
mod simulate;

use super::ask::{Outcome, draw, end};
use crate::args::{
    ConnectionArgs, ExplainHeistArgs, HeistCommand, OutputFormat, PictureArgs, PlanHeistArgs,
    RenderHeistArgs, WhoArgs,
};
use crate::exit::{Exit, Failure};
use crate::input::{self, HeistFound};
use crate::output::{self, Display, heist as texts, temporal::text_options};
use stratagem_proto::v1::HeistProblem;
use stratagem_render::heist::{Drawn, Scene, scene};

/// Does what the command says.
pub(super) async fn run(
    command: HeistCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let planner = Planner { server, display };
    match command {
        HeistCommand::Plan(args) => planner.plan(&args).await,
        HeistCommand::Explain(args) => planner.explain(&args).await,
        HeistCommand::Analyze(args) => planner.analyze(&args).await,
        HeistCommand::Convert(args) => planner.convert(&args).await,
        HeistCommand::Render(args) => planner.render(&args).await,
        HeistCommand::Simulate(args) => planner.simulate(&args).await,
        HeistCommand::Design(args) => planner.design(&args).await,
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

    async fn plan(&self, args: &PlanHeistArgs) -> Result<Exit, Failure> {
        input::one_stdin(&[Some(&args.problem.file), args.previous.as_deref()])?;
        let problem = self.read(&args.problem.file, &args.who).await?;
        let previous = args.previous.as_deref();
        let previous = previous.map(|file| input::heist_plan(file, &problem));
        let previous = previous.transpose()?.map(|found| found.plan);
        let (answer, cut) = self.ask(&problem, args, previous).await?;
        if let Some(plan) = &answer.plan {
            let drawn = Drawn {
                plan: Some(plan),
                outcome: answer.outcome.as_ref(),
            };
            draw_all(&args.pictures, &problem, drawn)?;
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let text = || texts::answer(self.display, &problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn explain(&self, args: &ExplainHeistArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            let message = "`heist explain` prints text; for data see `heist analyze`, or `heist convert FILE - --to json`";
            return Err(Failure::usage(message));
        }
        let problem = self.read(&args.problem.file, &args.who).await?;
        known(&problem)?;
        output::print(&texts::sheet(self.display, &problem))?;
        Ok(Exit::OK)
    }

    async fn render(&self, args: &RenderHeistArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            let message = "`heist render` draws; for data see `heist plan -o json`";
            return Err(Failure::usage(message));
        }
        input::one_stdin(&[Some(&args.problem.file), args.plan.as_deref()])?;
        let problem = self.read(&args.problem.file, &args.who).await?;
        known(&problem)?;
        let found = args.plan.as_deref();
        let found = found.map(|file| input::heist_plan(file, &problem));
        let found: Option<HeistFound> = found.transpose()?;
        let drawn = Drawn {
            plan: found.as_ref().map(|f| &f.plan),
            outcome: found.as_ref().and_then(|f| f.outcome.as_ref()),
        };
        if !draw_all(&args.pictures, &problem, drawn)? {
            output::print(&scene(&problem, drawn).text(&text_options(self.display)))?;
        }
        Ok(Exit::OK)
    }
}

/// Checks the ids of the agent and of avoided rooms, since no server checks them here.
fn known(problem: &HeistProblem) -> Result<(), Failure> {
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

/// Draws what was asked for; false when that is nothing.
fn draw_all(args: &PictureArgs, problem: &HeistProblem, drawn: Drawn<'_>) -> Result<bool, Failure> {
    draw(args, || scene(problem, drawn))
}
