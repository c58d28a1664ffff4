//! `story learn`: books in, a domain out; what else there is follows from the contract.

mod books;

use super::ask::{Asking, Outcome, show, write};
use crate::args::{ConnectionArgs, LearnStoryArgs, StoryCommand};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, story as texts};
use books::books;
use formats::{Described, json};
use std::path::Path;
use stratagem_proto::v1::{LearnStoryDomainRequest, LearnStoryDomainResponse};

/// Reads the files, has them learned from, and shows or writes what comes of it.
pub(super) async fn run(
    StoryCommand::Learn(args): StoryCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[
        Some(&args.book),
        args.relations.as_deref(),
        args.edits.as_deref(),
    ])?;
    let message = request(&args, display)?;
    if let Some(path) = &args.request {
        write_json(path, &message)?;
        return Ok(Exit::OK);
    }
    let asking = Asking::new(server, display, &args.search);
    let (answer, cut) = asking
        .stream::<_, LearnStoryDomainResponse>(&message, Vec::new())
        .await?;
    let domain = answer.plan.as_ref().and_then(|it| it.domain.as_ref());
    if let (Some(path), Some(domain)) = (&args.out, domain) {
        write_json(path, domain)?;
    }
    let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
    // A domain on stdout stands alone.
    let is_alone = args.out.as_deref() == Some(Path::new("-"));
    if outcome.is_open(display, true) && !is_alone {
        show(display, &answer, || texts::learned(display, &answer))?;
    }
    outcome.exit()
}

fn write_json<M: Described>(path: &Path, message: &M) -> Result<(), Failure> {
    let text = json::write(message).map_err(|m| Failure::new(Exit::IO, m.message))?;
    write(path, &text)
}

fn request(args: &LearnStoryArgs, display: &Display) -> Result<LearnStoryDomainRequest, Failure> {
    let mut message = match &args.edits {
        Some(edits) => input::message(edits)?,
        None => LearnStoryDomainRequest::default(),
    };
    if message.books.is_some() || message.options.is_some() {
        let why = "edits have no books and no options: those are on the command line";
        return Err(Failure::usage(why));
    }
    message.books = Some(books(args, display)?);
    message.options = Some(args.search.options());
    if let Some(rounds) = args.rounds {
        message.learning.get_or_insert_default().max_rounds = Some(rounds);
    }
    let domain = message.domain.get_or_insert_default();
    for (given, field) in [
        (args.actors, &mut domain.max_actors),
        (args.items, &mut domain.max_items),
        (args.places, &mut domain.max_places),
    ] {
        *field = given.or(*field);
    }
    Ok(message)
}
