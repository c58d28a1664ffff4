//! `narrative what-if` and `rehearse`; what else there is follows from the contract.

mod acting;
mod ask;
mod rehearse;
mod what_if;

use crate::args::{ConnectionArgs, NarrativeCommand};
use crate::exit::{Exit, Failure};
use crate::output::Display;

/// Does what the command says.
pub(super) async fn run(
    command: NarrativeCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let teller = Teller { server, display };
    match command {
        NarrativeCommand::WhatIf(args) => what_if::run(&args, &teller).await,
        NarrativeCommand::Rehearse(args) => rehearse::run(&args, &teller).await,
    }
}

/// A server to ask about narratives, and where to show what it says.
struct Teller<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}
