//! `narrative plan` and `watch`; the others have files of their own.

mod acting;
mod ask;
mod rehearse;
mod render;
mod what_if;

use super::ask::{Outcome, end};
use crate::args::{ConnectionArgs, NarrativeCommand, ScheduleArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, narrative as texts};
use ask::Wishes;

/// Does what the command says.
pub(super) async fn run(
    command: NarrativeCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let teller = Teller { server, display };
    match command {
        NarrativeCommand::Plan(args) => teller.schedule(&args, args.stream).await,
        NarrativeCommand::Watch(args) => teller.schedule(&args, true).await,
        NarrativeCommand::WhatIf(args) => what_if::run(&args, &teller).await,
        NarrativeCommand::Rehearse(args) => rehearse::run(&args, &teller).await,
        NarrativeCommand::Render(args) => render::run(&args, &teller).await,
    }
}

/// A server to ask about narratives, and where to show what it says.
struct Teller<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Teller<'_> {
    async fn schedule(&self, args: &ScheduleArgs, streamed: bool) -> Result<Exit, Failure> {
        let problem = input::problem_of(&args.story.problem.file, self.server).await?;
        let wishes = Wishes::new(args);
        let (response, cut) = self.ask(&problem, wishes, streamed).await?;
        let conflict = response.conflict.as_ref();
        render::draw_all(&args.pictures, &problem, (response.plan.as_ref(), conflict))?;
        let outcome = Outcome::new(response.plan.is_some(), response.report.as_ref(), cut);
        let text = || texts::answer(self.display, &problem, &response);
        end(self.display, streamed, &response, outcome, text)
    }
}
