//! What the commands do, one file each.

mod ask;
mod bench;
mod budget;
mod context;
mod convert;
mod dev;
mod example;
mod follow;
mod heist;
mod job;
mod lines;
mod narrative;
mod patience;
mod puzzle;
mod replay;
mod server;
mod story;
mod temporal;
mod validate;
mod verb;
mod verify;

use crate::args::{Cli, Command, ConnectionArgs, PlannerCommand, Special};
use crate::bundle::written;
use crate::exit::{Exit, Failure};
use crate::output::Display;
use clap::CommandFactory as _;

/// Does what the command line says.
///
/// # Errors
/// What went wrong, with the exit code.
pub(crate) async fn run(cli: Cli) -> Result<Exit, Failure> {
    let display = Display::new(&cli.display);
    let server = &cli.connection;
    let exit = obey(cli.command, server, &display).await?;
    if server.bundle.is_some() && !written() {
        eprintln!("note: --bundle: nothing was asked that can be asked again");
    }
    Ok(exit)
}

async fn obey(
    command: Command,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        Command::Planner(PlannerCommand::Verb(args)) => verb::run(&args, server, display).await,
        Command::Planner(PlannerCommand::Special(command)) => {
            special(*command, server, display).await
        }
        Command::Job(command) => job::run(command, server, display).await,
        Command::Dev(args) => dev::run(&args, display).await,
        Command::Server(command) => server::run(command, server, display).await,
        Command::Context(command) => context::run(&command, server, display),
        Command::Bench(args) => bench::run(&args, server, display).await,
        Command::Replay(args) => replay::run(&args, server, display).await,
        Command::Validate(args) => validate::run(&args, server, display).await,
        Command::Verify(args) => verify::run(&args, server, display).await,
        Command::Example(command) => example::run(command, server, display).await,
        Command::Convert(args) => convert::run(&args, server, display).await,
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "stratagem", &mut script);
            crate::output::print(&String::from_utf8_lossy(&script))?;
            Ok(Exit::OK)
        }
    }
}

async fn special(
    command: Special,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        Special::Narrative(command) => narrative::run(command, server, display).await,
        Special::Puzzle(command) => puzzle::run(command, server, display).await,
        Special::Heist(command) => heist::run(command, server, display).await,
        Special::Story(command) => story::run(command, server, display).await,
    }
}
