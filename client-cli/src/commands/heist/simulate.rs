//! `heist simulate`.

use super::super::ask::{draw, show};
use super::super::budget::Budget;
use super::super::verb::Asked;
use crate::args::{ConnectionArgs, OutputFormat, VerbArgs};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::output::{self, Display, answer::text_options};
use crate::reflect;
use formats::messages;
use stratagem_proto::v1::{HeistEnding, SimulateHeistRequest, SimulateHeistResponse};
use stratagem_render::heist::{Game, game as scene};

/// Has a game simulated, and shows it.
pub(in crate::commands) async fn simulate(
    asked: &Asked,
    args: &VerbArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let request: SimulateHeistRequest = messages::typed(&asked.request);
    let world = request.problem.clone().unwrap_or_default();
    let format = display.format();
    let each = |message: &SimulateHeistResponse| match format {
        OutputFormat::Ndjson => output::message(format, message).map(|_| ()),
        _ => Ok(()),
    };
    let messages = game(&request, args, server, each).await?;
    let game = Game {
        world: &world,
        messages: &messages,
    };
    draw(&args.pictures, || scene(game))?;
    match format {
        OutputFormat::Ndjson => {}
        OutputFormat::Json => output::print(&output::json_list(&messages)?)?,
        OutputFormat::Yaml => {
            for message in &messages {
                output::print("---\n")?;
                show(display, message, String::new)?;
            }
        }
        OutputFormat::Table => {
            let problem = messages::of_problem(&asked.problem);
            let heading = output::heading_of(display, &args.planner, &problem) + "\n";
            let text = scene(game).untitled().text(&text_options(display));
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
async fn game(
    request: &SimulateHeistRequest,
    args: &VerbArgs,
    server: &ConnectionArgs,
    mut each: impl FnMut(&SimulateHeistResponse) -> Result<(), Failure>,
) -> Result<Vec<SimulateHeistResponse>, Failure> {
    let connection = Connection::open(server).await?;
    let method = reflect::method_for::<SimulateHeistRequest>(true);
    let wish = args.search.budget;
    let budget = Budget::find(&connection, &messages::full_name(&method), wish).await;
    let call = call::stream(&connection, &method, call::timed(request, budget.deadline));
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
