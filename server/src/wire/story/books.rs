//! Books that are sent, and books that are named.

use super::learn::to_learn;
use crate::books::{self, BookError};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use std::path::Path as Folder;
use story::learn::{RELATION_BYTES_MAX, TEXT_BYTES_MAX, WORDNET_BYTES_MAX};
use stratagem_proto::v1 as pb;

/// Which books were named and not sent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Named {
    pub text: bool,
    pub relations: bool,
    pub wordnet: bool,
}

impl Named {
    pub(super) fn of(books: &pb::StoryBooks) -> Self {
        Self {
            text: !books.text_name.is_empty(),
            relations: !books.relations_name.is_empty(),
            wordnet: !books.wordnet_name.is_empty(),
        }
    }
}

/// The same request with the books that it names, as if they had been sent. Reads files.
///
/// # Errors
/// All mistakes: names without a book, books that are sent, too, and whatever else is wrong.
pub(crate) fn with_books(
    mut message: pb::LearnStoryDomainRequest,
    folder: Option<&Folder>,
) -> Result<pb::LearnStoryDomainRequest, Mistakes> {
    let mut wrong = Mistakes::of(&mut message)?;
    if let Some(given) = &mut message.books {
        fill(given, (folder, &mut wrong));
    }
    if wrong.is_empty() {
        return Ok(message);
    }
    if let Err(others) = to_learn(message) {
        let others = others.into_list().into_iter();
        for other in others.filter(|other| !other.field.starts_with("books")) {
            wrong.add_unless_known(other);
        }
    }
    Err(wrong)
}

/// Reads what is named.
fn fill(given: &mut pb::StoryBooks, (folder, wrong): (Option<&Folder>, &mut Mistakes)) {
    let named = Named::of(given);
    let pb::StoryBooks {
        text_chunks,
        relation_chunks,
        text_name,
        relations_name,
        wordnet_data_chunks,
        wordnet_index_chunks,
        wordnet_name,
    } = given;
    let mut read = |field: &'static str, name: String, sent: &mut Vec<Vec<u8>>, max: u64| {
        let at = Path::root("books");
        let at = at.field(field);
        if !sent.is_empty() {
            wrong.add(&at, Code::Contradiction, "is given, and its chunks, too");
            return;
        }
        let Some(folder) = folder else {
            let why = "names a book, but this server has none (its setting `books`)";
            wrong.add(&at, Code::Unknown, why);
            return;
        };
        match books::read(folder, &name, max) {
            Ok(bytes) => sent.push(bytes),
            Err(error @ BookError::TooLarge { .. }) => wrong.add(&at, Code::TooLong, error),
            Err(error) => wrong.add(&at, Code::Unknown, error),
        }
    };
    if named.text {
        read("text_name", text_name.clone(), text_chunks, TEXT_BYTES_MAX);
    }
    if named.relations {
        let name = relations_name.clone();
        read("relations_name", name, relation_chunks, RELATION_BYTES_MAX);
    }
    if named.wordnet {
        for (file, chunks) in [
            ("data.noun", wordnet_data_chunks),
            ("index.noun", wordnet_index_chunks),
        ] {
            let name = format!("{wordnet_name}/{file}");
            read("wordnet_name", name, chunks, WORDNET_BYTES_MAX);
        }
    }
}
