//! `narrative what-if`.

use super::super::ask::show;
use super::Teller;
use crate::args::{OutputFormat, WhatIfArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::narrative::change;
use crate::output::narrative as texts;
use stratagem_proto::v1::NarrativeProblem;

/// Solves the narrative as it is and as it would be; other formats print the changed one's answer.
pub(super) async fn run(args: &WhatIfArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
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
