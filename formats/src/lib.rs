//! Files as texts: proto3 JSON, the same as YAML, and the formats of others.
//!
//! [`TABLE`] has all formats. JSON and YAML follow the proto3 JSON mapping: durations are strings
//! such as `"12.5s"`, enums are names. Read are also durations such as `18m`, `1.5h` and `250ms`.
//! Both spellings of a field are read (`service_duration`, `serviceDuration`), and 64-bit integers
//! as numbers or strings. Written are the names of the `.proto` files, which are those of the
//! server's error messages, and plain numbers. Fields that do not exist and keys that are there
//! twice are mistakes, with the line and column.
//!
//! Nothing here touches files or the network.

pub mod answers;
pub mod durations;
mod examples;
pub mod heist;
pub mod json;
pub mod levels;
pub mod messages;
pub mod networks;
pub mod patrol;
pub mod plans;
mod problems;
pub mod psplib;
pub mod solomon;
mod spans;
mod table;
mod tree;
pub mod vrplib;
mod words;
mod write;
pub mod yaml;

pub use examples::example;
pub use messages::Described;
pub use problems::Recognised;
pub use table::{Format, Options, Row, TABLE};
pub use write::{Part, write};

use prost_reflect::{DynamicMessage, MessageDescriptor};
use tree::Tree;

/// Mistakes of a text that are reported.
pub(crate) const MISTAKES_MAX: usize = 100;

/// Notes a mistake, if there is room for it.
pub(crate) fn note(mistakes: &mut Vec<Mistake>, mistake: Mistake) {
    if mistakes.len() < MISTAKES_MAX {
        mistakes.push(mistake);
    }
}

/// Why a text is not what it should be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong; a lower-case sentence without a full stop.
    pub message: String,
    /// Line and column, both from 1, where they are known.
    pub at: Option<(usize, usize)>,
    /// Where in the document, as in `tasks[3].windows[0]`; empty at its top or where it is not
    /// known.
    pub path: String,
}

impl Mistake {
    /// A mistake without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self::in_element(String::new(), message)
    }

    /// A mistake in an element of a document, without its line.
    pub(crate) fn in_element(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at: None,
            path: path.into(),
        }
    }

    /// The same at a line and column.
    pub(crate) fn placed(self, line: usize, column: usize) -> Self {
        Self {
            at: Some((line, column)),
            ..self
        }
    }
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match self.at {
            Some((line, column)) => write!(f, " at line {line} column {column}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mistake {}

/// The text of a path: empty at the top of a document. What the reader does not know the name of (a
/// key that is refused) is left out.
fn path_text(path: &serde_path_to_error::Path) -> String {
    let text = path.to_string();
    text.trim_end_matches('?').trim_end_matches('.').to_owned()
}

/// What was read, or all mistakes if there are any.
fn unless_wrong<T>(read: T, mistakes: Vec<Mistake>) -> Result<T, Vec<Mistake>> {
    if mistakes.is_empty() {
        Ok(read)
    } else {
        Err(mistakes)
    }
}

/// Reads a message from JSON or YAML.
///
/// # Errors
/// The first mistake; a format that is neither.
pub fn read<M: Described>(text: &str, format: Format) -> Result<M, Mistake> {
    let message = read_dynamic(&messages::descriptor::<M>(), text, format)?;
    Ok(messages::typed(&message))
}

/// Reads a message of any type from JSON or YAML.
///
/// # Errors
/// Those of [`read`].
pub fn read_dynamic(
    kind: &MessageDescriptor,
    text: &str,
    format: Format,
) -> Result<DynamicMessage, Mistake> {
    match format {
        Format::Json => json::read_dynamic(kind, text),
        Format::Yaml => yaml::read_dynamic(kind, text),
        other => {
            let message = format!("the format {} holds no {}", other.row().name, kind.name());
            Err(Mistake::new(message))
        }
    }
}

/// The message that a document is, of several; the first where it cannot be read.
pub fn best_match<T>(
    kinds: Vec<(MessageDescriptor, T)>,
    text: &str,
    format: Format,
) -> Option<(MessageDescriptor, T)> {
    plans::best_match(kinds, &tree(text, format).unwrap_or(Tree::Null))
}

/// The keys at the top of a JSON or YAML document; none where it is not a mapping.
#[must_use]
pub fn top_keys(text: &str, format: Format) -> Vec<String> {
    tree(text, format).map_or(Vec::new(), |tree| tree.keys())
}

fn tree(text: &str, format: Format) -> Option<Tree> {
    match format {
        Format::Json => json::tree(text).ok(),
        Format::Yaml => yaml::tree(text).ok(),
        _ => None,
    }
}
