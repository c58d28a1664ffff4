//! The proto3 JSON mapping, written as YAML.

use super::json::written;
use super::messages::{Described, described, descriptor, deserialize, typed};
use super::tree::Tree;
use super::{Mistake, path_text, spans};
use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde::{Deserialize as _, Serialize, Serializer};
use serde_path_to_error::Track;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, FlowMap, FlowSeq, Options};

/// Most nodes of a document: the largest matrices have two million elements each.
const NODES_MAX: usize = 8_000_000;

/// Nodes that aliases may stand for, all together: people repeat a place or a window, not a
/// problem.
const REPLAYS_MAX: usize = 100_000;
/// Scalars that a list or mapping on one line may have.
const LEAVES_MAX: usize = 8;
/// Columns, as JSON, that it may take.
const LINE_MAX: usize = 70;

/// Reads a message.
///
/// # Errors
/// The first mistake, with line and column where they are known: no YAML, several documents, a
/// field that does not exist or is there twice, a value of the wrong type, too many nodes or
/// aliases.
pub fn read<M: Described>(text: &str) -> Result<M, Mistake> {
    read_dynamic(&descriptor::<M>(), text).map(|message| typed(&message))
}

/// The same of a message of any type.
pub(super) fn read_dynamic(
    kind: &MessageDescriptor,
    text: &str,
) -> Result<DynamicMessage, Mistake> {
    let mut track = Track::new();
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options(), |d| {
        deserialize(kind, serde_path_to_error::Deserializer::new(d, &mut track))
    });
    read.or_else(|e| {
        let wrong = Mistake {
            path: path_text(&track.path()),
            ..mistake(&e)
        };
        // The reader of messages knows durations in seconds only.
        let again = tree(text).ok().and_then(|tree| spans::read(kind, tree));
        again.unwrap_or(Err(wrong))
    })
}

/// Writes a message.
///
/// # Errors
/// A duration beyond ten thousand years.
pub fn write<M: Described>(message: &M) -> Result<String, Mistake> {
    write_dynamic(&described(message))
}

/// The same of a message of any type.
pub fn write_dynamic(message: &DynamicMessage) -> Result<String, Mistake> {
    let tree = written(message)?;
    serde_saphyr::to_string(&Styled(&tree)).map_err(|e| Mistake {
        message: e.to_string(),
        at: None,
        path: String::new(),
    })
}

/// A tree in which short lists and mappings stand on one line: `{point: {x: 3, y: 4}}`.
struct Styled<'a>(&'a Tree);

impl Serialize for Styled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Tree::List(_) if short(self.0) => FlowSeq(self.0).serialize(serializer),
            Tree::Map(_) if short(self.0) => FlowMap(self.0).serialize(serializer),
            Tree::List(items) => serializer.collect_seq(items.iter().map(Styled)),
            Tree::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(k, v)| (k, Styled(v))))
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

/// Whether a tree is small enough to be read on one line.
fn short(tree: &Tree) -> bool {
    leaves(tree) <= LEAVES_MAX && super::json::flat(tree).len() <= LINE_MAX
}

/// Scalars in a tree; counting stops above the limit.
fn leaves(tree: &Tree) -> usize {
    match tree {
        Tree::List(items) => items.iter().take(LEAVES_MAX + 1).map(leaves).sum(),
        Tree::Map(entries) => entries.iter().map(|(_, value)| leaves(value)).sum(),
        _ => 1,
    }
}

/// A document in the order of its keys.
pub(super) fn tree(text: &str) -> Result<Tree, Mistake> {
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options(), |d| {
        Tree::deserialize(d)
    });
    read.map_err(|e| mistake(&e))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: NODES_MAX,
            max_events: 2 * NODES_MAX,
            max_documents: 1,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: REPLAYS_MAX },
        strict_booleans: true,
        with_snippet: false,
    }
}

/// An error of the reader as ours, without its advice to programmers and without the place at the
/// end of its text.
fn mistake(error: &Error) -> Mistake {
    let place = error.location().filter(|l| l.line() > 0);
    let message = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{key}` is there twice")
        }
        Error::Budget {
            breach: BudgetBreach::Documents { .. },
            ..
        } => "a single document is wanted".into(),
        other => other.to_string(),
    };
    let suffix = place.map(|l| format!(" at line {}, column {}", l.line(), l.column()));
    let bare = suffix.and_then(|s| message.strip_suffix(&s).map(str::to_owned));
    Mistake {
        message: bare.unwrap_or(message),
        // Lines and columns of a document in memory fit.
        at: place.map(|l| (l.line() as usize, l.column().max(1) as usize)),
        path: String::new(),
    }
}
