//! `narrative what-if` and `rehearse`; what else there is follows from the contract.

mod acting;
mod rehearse;

use super::ask::{Asking, show};
use crate::args::{ConnectionArgs, NarrativeCommand, OutputFormat, SearchArgs, WhatIfArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::narrative::change;
use crate::output::{Display, narrative as texts};
use stratagem_proto::v1::{
    NarrativeDetail, NarrativeProblem, ScheduleNarrativeRequest, ScheduleNarrativeResponse,
};

/// Does what the command says.
pub(super) async fn run(
    command: NarrativeCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let teller = Teller { server, display };
    match command {
        NarrativeCommand::WhatIf(args) => what_if(&args, &teller).await,
        NarrativeCommand::Rehearse(args) => rehearse::run(&args, &teller).await,
    }
}

/// A server to ask about narratives, and where to show what it says.
struct Teller<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Teller<'_> {
    /// A plan or the reason why not, and nothing else.
    async fn once(
        &self,
        problem: &NarrativeProblem,
        search: &SearchArgs,
    ) -> Result<ScheduleNarrativeResponse, Failure> {
        let request = ScheduleNarrativeRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
            detail: Some(NarrativeDetail {
                max_relaxations: Some(0),
                ..NarrativeDetail::default()
            }),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.once(&request).await
    }
}

/// Solves the narrative as it is and as it would be; other formats print the changed one's answer.
async fn what_if(args: &WhatIfArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    let before: NarrativeProblem =
        input::problem_of(&args.story.problem.file, teller.server).await?;
    let mut after = before.clone();
    for wanted in &args.changes {
        change::apply(&mut after, wanted).map_err(Failure::usage)?;
    }
    let search = &args.story.search;
    let then = teller.once(&after, search).await?;
    let status = then.report.clone().unwrap_or_default().status();
    let display = teller.display;
    if display.format() == OutputFormat::Table {
        let now = teller.once(&before, search).await?;
        let text = || texts::difference(display, (&before, &now), (&after, &then), &args.changes);
        show(display, &then, text)?;
    } else {
        show(display, &then, String::new)?;
    }
    Ok(Exit::of_solve(status))
}
