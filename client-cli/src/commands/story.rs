//! `story learn`; what else there is follows from the contract.

mod books;
mod learn;

use crate::args::{ConnectionArgs, StoryCommand};
use crate::exit::{Exit, Failure};
use crate::output::Display;

/// Does what the command says.
pub(super) async fn run(
    command: StoryCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        StoryCommand::Learn(args) => learn::run(&args, server, display).await,
    }
}
