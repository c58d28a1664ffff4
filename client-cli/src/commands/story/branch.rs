//! `story branch`: a story whose player has choices.

use super::super::ask::{Answered, Outcome, show, write};
use super::{Teller, Wanted};
use crate::args::{BranchStoryArgs, OutputFormat, SearchArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::story as texts;
use std::path::Path;
use stratagem_proto::v1::{BranchStoryRequest, BranchStoryResponse, StoryPlan};

/// Has choices found, and shows or writes them.
pub(super) async fn run(args: &BranchStoryArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), args.story.as_deref()])?;
    let mut wanted = teller.read(&args.problem.file, &args.telling).await?;
    wanted.previous = match &args.story {
        Some(story) => input::plan_of::<StoryPlan>(story)?.acts,
        None => {
            // Strategies are those of continuations.
            let search = SearchArgs {
                strategy: None,
                ..args.search.clone()
            };
            let (answer, _) = teller.ask(&wanted, &search, false).await?;
            let acts = answer.plan.unwrap_or_default().acts;
            if acts.is_empty() {
                return Err(Failure::new(
                    Exit::UNKNOWN,
                    "no story was found in which anything happens: see `story plan`",
                ));
            }
            acts
        }
    };
    let (answer, cut) = ask(args, &wanted, teller).await?;
    // What is on stdout stands alone.
    let is_told = args.ink.as_deref() == Some(Path::new("-"));
    if let (Some(path), false) = (&args.ink, answer.ink.is_empty()) {
        write(path, &answer.ink)?;
    }
    // Steps in ndjson have been shown already.
    let shown = args.stream && teller.display.format() == OutputFormat::Ndjson;
    if answer.plan.is_some() && !shown && !is_told {
        let text = || texts::branched(teller.display, &wanted.problem, &answer);
        show(teller.display, &answer, text)?;
    }
    Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut).exit()
}

async fn ask(
    args: &BranchStoryArgs,
    wanted: &Wanted,
    teller: &Teller<'_>,
) -> Answered<BranchStoryResponse> {
    let request = BranchStoryRequest {
        problem: Some(wanted.problem.clone()),
        acts: wanted.previous.clone(),
        player_id: args.player.clone().unwrap_or_default(),
        max_depth: args.depth,
        max_width: args.width,
        max_choices: args.choices,
        max_continuation_iterations: args.continuation_iterations,
        options: Some(args.search.options()),
        style: Some(wanted.style),
    };
    let asking = teller.asking(&args.search);
    asking
        .ask(&request, args.stream, texts::branch_terms())
        .await
}
