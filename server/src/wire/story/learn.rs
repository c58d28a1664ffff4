//! Requests to learn a domain, from the wire.

use super::books::Named;
use super::info::ONLY_AUTO;
use super::problem::{ACTS_DEFAULT, goal};
use crate::wire::mistakes::{Code, Mistake, Mistakes};
use crate::wire::path::Path;
use crate::wire::request::{How, Request, identity};
use crate::wire::values::each;
use ::story::learn::Scholar;
use std::sync::Arc;
use story::learn::{
    Books, BooksSpec, Class, DomainParams, Edit, LearnError, LearnParams, LearnReason, kinds,
};
use stratagem_proto::v1 as pb;

/// The books of a request.
fn spec(given: pb::StoryBooks) -> BooksSpec {
    let pb::StoryBooks {
        text_chunks,
        relation_chunks,
        wordnet_data_chunks,
        wordnet_index_chunks,
        // What they name was read before, and is in the chunks.
        text_name: _,
        relations_name: _,
        wordnet_name: _,
    } = given;
    BooksSpec {
        text: text_chunks,
        relations: relation_chunks,
        wordnet: (wordnet_data_chunks, wordnet_index_chunks),
        kinds: kinds(),
        ..BooksSpec::default()
    }
}

/// A request to learn a domain.
///
/// # Errors
/// All mistakes that show without reading the text.
pub(crate) fn to_learn(
    mut message: pb::LearnStoryDomainRequest,
) -> Result<Request<Scholar, Named>, Mistakes> {
    let mut wrong = Mistakes::of(&mut message)?;
    let how = How::new(message.options.take(), ONLY_AUTO, &mut wrong);
    how.without_target(&mut wrong);
    let identity = identity("learn story", &message, &how.options, how.name());
    let pb::LearnStoryDomainRequest {
        books,
        learning,
        edits: given_edits,
        domain,
        options: _,
    } = message;
    let params = params(learning.unwrap_or_default());
    let has_books = books.is_some();
    let books = books.unwrap_or_default();
    let named = Named::of(&books);
    let text_bytes: usize = books.text_chunks.iter().map(Vec::len).sum();
    let edits = given_edits.into_iter().filter_map(edit);
    let spec = BooksSpec {
        edits: edits.collect(),
        domain: self::domain(domain.unwrap_or_default(), &mut wrong),
        ..spec(books)
    };
    let errors = params.mistakes();
    let checked = Books::new(spec);
    let others = checked.as_ref().err().into_iter().flatten();
    for error in errors.iter().chain(others) {
        let field = field_of(&error.path, named);
        // What is not there lacks nothing else.
        if has_books || !field.starts_with("books.") {
            wrong.add_unless_known(Mistake {
                field,
                code: code(error),
                description: error.reason.to_string(),
            });
        }
    }
    let Some(books) = checked.ok().filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    let bytes = usize::try_from(books.bytes()).unwrap_or(usize::MAX);
    Ok(Request {
        // The words of a text take more than the text.
        bytes: bytes.saturating_add(text_bytes.saturating_mul(3)),
        problem: Arc::new(books),
        names: Arc::new(named),
        strategy: how.name(),
        options: how.options,
        width: 1,
        params,
        target: None,
        identity,
    })
}

fn params(given: pb::StoryLearning) -> LearnParams {
    let pb::StoryLearning {
        max_rounds,
        smoothing,
        damping,
        tolerance,
    } = given;
    let usual = LearnParams::default();
    LearnParams {
        // What is out of range is not by the kit: it is a mistake of the parameters.
        iterations: max_rounds.map_or(usual.iterations, |rounds| {
            usize::try_from(rounds).unwrap_or(usize::MAX)
        }),
        smoothing: smoothing.unwrap_or(usual.smoothing),
        damping: damping.unwrap_or(usual.damping),
        tolerance: tolerance.unwrap_or(usual.tolerance),
    }
}

/// A correction; `None` when there are mistakes.
fn edit(given: pb::StoryEdit) -> Option<Edit> {
    use pb::story_edit::Kind;
    match given.kind? {
        Kind::WordClass(pb::StoryClassEdit {
            word,
            word_class: class,
        }) => {
            let class = match pb::StoryWordClass::try_from(class).ok()? {
                pb::StoryWordClass::Actor => Class::Actor,
                pb::StoryWordClass::Item => Class::Item,
                pb::StoryWordClass::Place => Class::Place,
                pb::StoryWordClass::Other | pb::StoryWordClass::Unspecified => Class::Other,
            };
            Some(Edit::Class { word, class })
        }
        Kind::Remove(pb::StoryRemoveEdit { word }) => Some(Edit::Remove { word }),
        Kind::Rename(pb::StoryRenameEdit { word, name }) => Some(Edit::Rename { word, name }),
        Kind::Merge(pb::StoryMergeEdit { words, into }) => Some(Edit::Merge { words, into }),
    }
}

fn domain(given: pb::StoryDomainChoice, wrong: &mut Mistakes) -> DomainParams {
    let pb::StoryDomainChoice {
        max_actors,
        max_items,
        max_places,
        pseudo_count,
        place_seed,
        max_acts,
        goals,
    } = given;
    let usual = DomainParams::default();
    let root = Path::root("domain");
    let count = |given: Option<i32>, usual: usize| {
        given.map_or(usual, |given| given.unsigned_abs() as usize)
    };
    DomainParams {
        actors: count(max_actors, usual.actors),
        items: count(max_items, usual.items),
        places: count(max_places, usual.places),
        pseudo_count: pseudo_count.unwrap_or(usual.pseudo_count),
        seed: place_seed.map(i64::cast_unsigned),
        goals: each(goals, &root.field("goals"), |it, at| goal(&it, at, wrong)),
        actions_max: count(max_acts, ACTS_DEFAULT),
    }
}

/// The field of the request that a path of the planner is about.
pub(super) fn field_of(path: &str, named: Named) -> String {
    match path {
        "text" if named.text => "books.text_name".into(),
        "text" => "books.text_chunks".into(),
        "relations" if named.relations => "books.relations_name".into(),
        "relations" => "books.relation_chunks".into(),
        path if path.starts_with("wordnet") && named.wordnet => "books.wordnet_name".into(),
        "wordnet_data" => "books.wordnet_data_chunks".into(),
        // Of one without the other the index is the one to add.
        path if path.starts_with("wordnet") => "books.wordnet_index_chunks".into(),
        "params.iterations" => "learning.max_rounds".into(),
        "domain.actors" => "domain.max_actors".into(),
        "domain.items" => "domain.max_items".into(),
        "domain.places" => "domain.max_places".into(),
        "domain.actions_max" => "domain.max_acts".into(),
        other => match other.strip_prefix("params.") {
            Some(param) => format!("learning.{param}"),
            None => other.into(),
        },
    }
}

fn code(error: &LearnError) -> Code {
    match error.reason {
        LearnReason::TextBytes | LearnReason::RelationBytes | LearnReason::WordNetBytes => {
            Code::TooLong
        }
        LearnReason::NotText { .. } => Code::CharacterUnknown,
        LearnReason::NoSentence => Code::Required,
        LearnReason::Edits { .. } => Code::TooMany,
        LearnReason::OutOfRange { given, .. } if !given.is_finite() => Code::NotFinite,
        _ => Code::OutOfRange,
    }
}
