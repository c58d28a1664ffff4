//! `story learn`: books in, a domain out.

use super::super::ask::{show, write};
use super::super::follow::{Ended, Update};
use super::Teller;
use super::ask::client;
use crate::args::{LearnStoryArgs, OutputFormat};
use crate::exit::{Exit, Failure};
use crate::formats::json;
use crate::formats::wordnet::Nouns;
use crate::input;
use crate::output::story as texts;
use std::io::Read as _;
use std::path::Path;
use stratagem_proto::v1::{
    LearnStoryDomainRequest, LearnStoryDomainResponse, SolveEvent, SolveReport, StoryBooks,
    StoryLearnedDomain,
};

const LEARN: &str = "stratagem.v1.StoryService/LearnStoryDomain";
/// What names of books on the server's disk begin with.
const SERVER: &str = "server:";
/// Bytes of a piece of a file.
const CHUNK: usize = 1 << 20;
/// Most bytes of a file: more than any server takes.
const FILE_MAX: u64 = 257 << 20;

/// Reads the files, has them learned from, and shows or writes what comes of it.
pub(super) async fn run(args: &LearnStoryArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    input::one_stdin(&[
        Some(&args.book),
        args.relations.as_deref(),
        args.edits.as_deref(),
    ])?;
    let message = request(args)?;
    let call = async |channel, request| client(channel).learn_story_domain(request).await;
    let asking = teller.asking(&args.search, "interrupted");
    let message = (message, Vec::new());
    let Ended { plan, report, cut } = asking.stream(LEARN, message, call).await?;
    let answer = LearnStoryDomainResponse {
        event: None,
        plan,
        report: Some(report),
    };
    let domain = answer.plan.as_ref().and_then(|it| it.domain.as_ref());
    if let (Some(path), Some(domain)) = (&args.out, domain) {
        let text = json::write(domain).map_err(|m| Failure::new(Exit::IO, m.message))?;
        write(path, &text)?;
    }
    let nothing = cut.is_some() && answer.plan.is_none();
    // Steps in ndjson have been shown already; a domain on stdout stands alone.
    let shown = nothing
        || teller.display.format() == OutputFormat::Ndjson
        || args.out.as_deref() == Some(Path::new("-"));
    if !shown {
        show(teller.display, &answer, || {
            texts::learned(teller.display, &answer)
        })?;
    }
    let status = answer.report.unwrap_or_default().status();
    cut.map_or(Ok(Exit::of_solve(status)), Err)
}

fn request(args: &LearnStoryArgs) -> Result<LearnStoryDomainRequest, Failure> {
    let mut message = match &args.edits {
        Some(edits) => input::message(edits)?,
        None => LearnStoryDomainRequest::default(),
    };
    if message.books.is_some() || message.options.is_some() {
        let why = "edits have no books and no options: those are on the command line";
        return Err(Failure::usage(why));
    }
    message.books = Some(books(args)?);
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

/// What is to be sent, and what the server has.
fn books(args: &LearnStoryArgs) -> Result<StoryBooks, Failure> {
    let mut books = StoryBooks::default();
    let text = match args.book.strip_prefix(SERVER) {
        Some(_) => None,
        None => Some(file(Path::new(&args.book))?),
    };
    match &text {
        Some(text) => books.text_chunks = pieces(text),
        None => books.text_name = args.book[SERVER.len()..].into(),
    }
    if let Some(relations) = &args.relations {
        match relations.strip_prefix(SERVER) {
            Some(name) => books.relations_name = name.into(),
            None => books.relation_chunks = pieces(&file(Path::new(relations))?),
        }
    }
    if let Some(wordnet) = &args.wordnet {
        match wordnet.strip_prefix(SERVER) {
            Some(name) => books.wordnet_name = name.into(),
            None => {
                let folder = Path::new(wordnet);
                let all = Nouns {
                    data: file(&folder.join("data.noun"))?,
                    index: file(&folder.join("index.noun"))?,
                };
                // What a server has is not known here.
                let nouns = match &text {
                    Some(text) => {
                        let irregular = std::fs::read(folder.join("noun.exc")).unwrap_or_default();
                        let some = all.of_text(text, &irregular);
                        // What is not WordNet's is for the server to refuse.
                        let is_wordnet = !some.data.is_empty() && !some.index.is_empty();
                        if is_wordnet { some } else { all }
                    }
                    None => all,
                };
                books.wordnet_data_chunks = pieces(&nouns.data);
                books.wordnet_index_chunks = pieces(&nouns.index);
            }
        }
    }
    Ok(books)
}

/// A file, or stdin for `-`.
fn file(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |e: std::io::Error| Failure::usage(format!("cannot read {}: {e}", path.display()));
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let mut stdin = std::io::stdin().lock().take(FILE_MAX);
        stdin.read_to_end(&mut bytes).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(FILE_MAX).read_to_end(&mut bytes).map_err(fail)?;
    }
    Ok(bytes)
}

fn pieces(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.chunks(CHUNK).map(<[u8]>::to_vec).collect()
}

impl Update for LearnStoryDomainResponse {
    type Plan = StoryLearnedDomain;

    fn event(&self) -> Option<&SolveEvent> {
        self.event.as_ref()
    }

    fn split(
        self,
    ) -> (
        Option<SolveEvent>,
        Option<StoryLearnedDomain>,
        Option<SolveReport>,
    ) {
        let Self {
            event,
            plan: lesson,
            report,
        } = self;
        (event, lesson, report)
    }
}
