//! Books that are sent, and books that are named.

use crate::books;
use crate::mistakes::{Code, Mistakes};
use anytime::{Names, Path, Step, Unnamed, written};
use domain_learning::{RELATION_BYTES_MAX, TEXT_BYTES_MAX, WORDNET_BYTES_MAX};
use std::path::Path as Folder;
use stratagem_proto::v1 as pb;

/// Most bytes of each part that is sent.
pub(crate) const SENT_BYTES_MAX: usize = 4 << 20;

/// Which books were named and not sent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Named {
    pub text: bool,
    pub relations: bool,
    pub wordnet: bool,
}

impl Named {
    pub(super) fn new(books: &pb::StoryBooks) -> Self {
        Self {
            text: !books.text_name.is_empty(),
            relations: !books.relations_name.is_empty(),
            wordnet: !books.wordnet_name.is_empty(),
        }
    }
}

impl Names for Named {
    fn id(&self, _: &str, _: usize) -> Option<String> {
        None
    }

    /// Parts of the books in the request: what was named is reported there.
    fn path(&self, at: &[Step]) -> String {
        let path = written(at);
        match path.as_str() {
            "text" if self.text => "books.text_name".into(),
            "relations" if self.relations => "books.relations_name".into(),
            "wordnet_data" | "wordnet_index" if self.wordnet => "books.wordnet_name".into(),
            "text" | "relations" | "wordnet_data" | "wordnet_index" => format!("books.{path}"),
            _ => path,
        }
    }
}

/// Reads what is named, as if it had been sent; nothing where something is wrong already.
pub(super) fn fill(
    given: &mut pb::StoryBooks,
    folder: Option<&Folder>,
    wrong: &mut Mistakes,
) -> Named {
    let named = Named::new(given);
    for (field, is_named, sent) in [
        ("text_name", named.text, &[&given.text][..]),
        ("relations_name", named.relations, &[&given.relations]),
        (
            "wordnet_name",
            named.wordnet,
            &[&given.wordnet_data, &given.wordnet_index],
        ),
    ] {
        let at = Path::root("books");
        let at = at.field(field);
        if !is_named {
            continue;
        }
        if sent.iter().any(|sent| !sent.is_empty()) {
            wrong.add(&at, Code::Contradiction, "names what is sent, too");
        } else if folder.is_none() {
            let why = "names a book, but this server has none (its setting `books`)";
            wrong.add(&at, Code::Unknown, why);
        }
    }
    if let Some(folder) = folder.filter(|_| wrong.is_empty()) {
        read(given, named, folder, wrong);
    }
    named
}

/// Reads what is named, up to the first file of each name that cannot be read.
fn read(given: &mut pb::StoryBooks, named: Named, folder: &Folder, wrong: &mut Mistakes) {
    let mut take = |field: &'static str, name: &str, max: u64| {
        let read = books::read(folder, name, max);
        let at = Path::root("books");
        read.map_err(|fault| wrong.add_faults(&[fault], &Unnamed, &at.field(field)))
            .ok()
    };
    if named.text {
        let text = take("text_name", &given.text_name, TEXT_BYTES_MAX);
        given.text = text.unwrap_or_default();
    }
    if named.relations {
        let relations = take("relations_name", &given.relations_name, RELATION_BYTES_MAX);
        given.relations = relations.unwrap_or_default();
    }
    if named.wordnet {
        let mut file = |file| {
            let name = format!("{}/{file}", given.wordnet_name);
            take("wordnet_name", &name, WORDNET_BYTES_MAX)
        };
        let data = file("data.noun");
        let index = data.as_ref().and_then(|_| file("index.noun"));
        given.wordnet_data = data.unwrap_or_default();
        given.wordnet_index = index.unwrap_or_default();
    }
}
