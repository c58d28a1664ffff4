//! Requests to learn a domain, from the wire.

#[cfg(test)]
mod tests;

use super::books::{Named, fill};
use super::domain::check;
use super::info::ONLY_AUTO;
use super::problem::{ACTS_DEFAULT, goal};
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use crate::values::read_each;
use anytime::{Names as _, Path};
use domain_learning::domain::Goal;
use domain_learning::{
    Class, DomainLearning, DomainParams, Edit, LearnParams, LearningProblem, Sources, kinds,
};
use std::path::Path as Folder;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// The books of a request, those that it names among them.
fn spec(books: pb::StoryBooks) -> Sources {
    Sources {
        text: books.text,
        relations: books.relations,
        wordnet_data: books.wordnet_data,
        wordnet_index: books.wordnet_index,
        kinds: kinds(),
        ..Sources::default()
    }
}

/// A request to learn a domain. Reads the books that it names.
///
/// # Errors
/// All mistakes that show without learning, those of named books, too.
pub(crate) fn to_learn(
    mut message: pb::LearnStoryDomainRequest,
    folder: Option<&Folder>,
) -> Result<Request<DomainLearning, Named>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), ONLY_AUTO, &mut wrong);
    how.without_target(&mut wrong);
    let has_books = message.books.is_some();
    let named = message.books.as_mut();
    let named = named.map(|books| fill(books, folder, &mut wrong));
    let named = named.unwrap_or_default();
    let is_read = wrong.is_empty();
    let identity = identity("learn story", &message, &how.options, how.name());
    let pb::LearnStoryDomainRequest {
        books,
        learning,
        edits: given_edits,
        domain,
        options: _,
    } = message;
    let params = params(learning.unwrap_or_default());
    let books = books.unwrap_or_default();
    let text_bytes = books.text.len();
    let edits = given_edits.into_iter().filter_map(edit);
    let spec = Sources {
        edits: edits.collect(),
        domain: self::domain(domain.unwrap_or_default(), &mut wrong),
        ..spec(books)
    };
    let mut faults = params.mistakes();
    let checked = LearningProblem::new(spec, check).map_err(|others| faults.extend(others));
    // What is not there, or was not read, lacks nothing else.
    let is_unread = named.text && text_bytes == 0 && !is_read;
    faults.retain(|fault| match named.path(&fault.at) {
        field if field == "books.text_name" => !is_unread,
        field => has_books || !field.starts_with("books."),
    });
    wrong.add_faults(&faults, &named, &Path::WHOLE);
    let Some(books) = checked.ok().filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        // The words of a text take more than the text.
        bytes: books.bytes() + 3 * text_bytes,
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
        goals: read_each(goals, &root.field("goals"), |it, at| {
            let goal = goal(&it, at, wrong);
            Goal {
                name: goal.name,
                condition: it.condition,
                weight: goal.weight,
            }
        }),
        actions_max: count(max_acts, ACTS_DEFAULT),
    }
}
