//! `heist simulate`.

use super::super::ask::{draw, show};
use super::super::budget::Budget;
use super::Planner;
use crate::args::{OutputFormat, PatienceArgs, SimulateHeistArgs};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::{json, reflect};
use crate::input;
use crate::output::{self, temporal::text_options};
use stratagem_proto::v1::{
    HeistEnding, HeistIntervention, HeistProblem, HeistRules, HeistWorld, SimulateHeistRequest,
    SimulateHeistResponse,
};
use stratagem_render::heist::{Game, game as scene};

impl Planner<'_> {
    pub(super) async fn simulate(&self, args: &SimulateHeistArgs) -> Result<Exit, Failure> {
        input::one_stdin(&[Some(&args.problem.file), args.player.as_deref()])?;
        let problem: HeistProblem = input::problem_of(&args.problem.file, self.server).await?;
        let world = problem.world.clone().unwrap_or_default();
        let mut deeds = args.deeds.clone();
        if let Some(file) = &args.player {
            deeds.extend(input::heist_deeds(file)?);
        }
        let format = self.display.format();
        let each = |message: &SimulateHeistResponse| match format {
            OutputFormat::Ndjson => output::message(format, message).map(|_| ()),
            _ => Ok(()),
        };
        let messages = self
            .game(&world, args.rules.rules(), deeds, &args.patience, each)
            .await?;
        let game = Game {
            world: &world,
            messages: &messages,
        };
        draw(&args.pictures, || scene(game))?;
        match format {
            OutputFormat::Ndjson => {}
            OutputFormat::Json => output::print(&list(&messages)?)?,
            OutputFormat::Yaml => {
                for message in &messages {
                    output::print("---\n")?;
                    show(self.display, message, String::new)?;
                }
            }
            OutputFormat::Table => {
                let heading = output::heading(self.display, &problem) + "\n";
                let text = scene(game).untitled().text(&text_options(self.display));
                output::print(&(heading + &text))?;
            }
        }
        let end = messages.last().and_then(|m| m.end.as_ref());
        Ok(match end.map(|e| e.ending()) {
            None | Some(HeistEnding::Stopped) => Exit::UNKNOWN,
            Some(_) => Exit::OK,
        })
    }

    /// All messages of a game, in their order, each given to `each` as it comes.
    pub(super) async fn game(
        &self,
        world: &HeistWorld,
        rules: HeistRules,
        interventions: Vec<HeistIntervention>,
        patience: &PatienceArgs,
        mut each: impl FnMut(&SimulateHeistResponse) -> Result<(), Failure>,
    ) -> Result<Vec<SimulateHeistResponse>, Failure> {
        let connection = Connection::open(self.server).await?;
        let method = reflect::method_for::<SimulateHeistRequest>(true);
        let wish = patience.budget;
        let budget = Budget::find(&connection, &reflect::full_name(&method), wish).await;
        let request = SimulateHeistRequest {
            problem: Some(world.clone()),
            rules: Some(rules),
            interventions,
            options: Some(patience.options()),
        };
        let call = call::stream(&connection, &method, call::timed(&request, budget.deadline));
        let mut stream = connection.wait_for(budget.deadline, call).await?;
        let mut messages = Vec::new();
        loop {
            let message = tokio::select! {
                message = call::next(&mut stream) => message.map_err(|s| connection.failure(&s))?,
                _ = tokio::signal::ctrl_c() => {
                    return Err(Failure::new(Exit::INTERRUPTED, "interrupted"));
                }
            };
            let Some(message) = message else {
                return Ok(messages);
            };
            each(&message)?;
            messages.push(message);
        }
    }
}

/// All messages as one JSON document.
fn list(messages: &[SimulateHeistResponse]) -> Result<String, Failure> {
    let lines: Result<Vec<_>, _> = messages.iter().map(json::line).collect();
    let lines = lines.map_err(|m| Failure::new(Exit::IO, m.message))?;
    Ok(format!("[\n  {}\n]\n", lines.join(",\n  ")))
}
