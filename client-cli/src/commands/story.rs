//! `story learn`; what else there is follows from the contract.

mod books;
mod learn;

use super::ask::Asking;
use crate::args::{ConnectionArgs, SearchArgs, StoryCommand};
use crate::exit::{Exit, Failure};
use crate::output::Display;

/// Does what the command says.
pub(super) async fn run(
    command: StoryCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let teller = Teller { server, display };
    match command {
        StoryCommand::Learn(args) => learn::run(&args, &teller).await,
    }
}

/// A server to ask about stories, and where to show what it says.
struct Teller<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Teller<'_> {
    fn asking(&self, search: &SearchArgs) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget: search.budget,
        }
    }
}
