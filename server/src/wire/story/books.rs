//! Books that are sent, and books that are named.

use crate::books::{self, BookError};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use std::path::Path as Folder;
use story::learn::{RELATION_BYTES_MAX, TEXT_BYTES_MAX, WORDNET_BYTES_MAX};
use stratagem_proto::v1 as pb;

/// Most bytes of each part that is sent.
pub(crate) const SENT_BYTES_MAX: usize = 4 << 20;

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

/// Reads what is named, as if it had been sent.
pub(super) fn fill(
    given: &mut pb::StoryBooks,
    folder: Option<&Folder>,
    wrong: &mut Mistakes,
) -> Named {
    let named = Named::of(given);
    let mut read = |field: &'static str, name: &str, sent: &mut String, max: u64| {
        let at = Path::root("books");
        let at = at.field(field);
        if !sent.is_empty() {
            wrong.add(&at, Code::Contradiction, "names what is sent, too");
            return;
        }
        let Some(folder) = folder else {
            let why = "names a book, but this server has none (its setting `books`)";
            wrong.add(&at, Code::Unknown, why);
            return;
        };
        match books::read(folder, name, max) {
            Ok(text) => *sent = text,
            Err(error) => {
                let code = match error {
                    BookError::TooLarge { .. } => Code::TooLong,
                    BookError::NotText { .. } => Code::CharacterUnknown,
                    BookError::Name | BookError::Unknown => Code::Unknown,
                };
                wrong.add(&at, code, error);
            }
        }
    };
    if named.text {
        let name = &given.text_name;
        read("text_name", name, &mut given.text, TEXT_BYTES_MAX);
    }
    if named.relations {
        let (name, sent) = (&given.relations_name, &mut given.relations);
        read("relations_name", name, sent, RELATION_BYTES_MAX);
    }
    if named.wordnet {
        for (file, sent) in [
            ("data.noun", &mut given.wordnet_data),
            ("index.noun", &mut given.wordnet_index),
        ] {
            let name = format!("{}/{file}", given.wordnet_name);
            read("wordnet_name", &name, sent, WORDNET_BYTES_MAX);
        }
    }
    named
}
