//! What is wrong with a text, relations or WordNet.

use crate::LINE_BYTES_MAX;

/// A mistake and the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct BookError {
    /// Which file: `text`, `relations`, `wordnet_data`, `wordnet_index`; `wordnet` for both.
    pub file: &'static str,
    /// What is wrong there.
    pub reason: BookReason,
}

impl BookError {
    pub(crate) fn new(file: &'static str, reason: BookReason) -> Self {
        Self { file, reason }
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum BookReason {
    /// Binary data, or text in another encoding.
    #[error("byte {at} is no UTF-8 text")]
    NotText { at: u64 },
    /// A character that no text has.
    #[error("byte {at} is a control character")]
    Control { at: u64 },
    /// A line that is too long.
    #[error("line {line} has more than {LINE_BYTES_MAX} bytes")]
    LineBytes { line: u64 },
    /// A line that is no relation.
    #[error(
        "line {line} is no relation: expected are relation, head and tail between tabs, or an \
         assertion of ConceptNet"
    )]
    NotRelation { line: u64 },
    /// No relation contains a class of a word of the text.
    #[error("none of its {lines} relations says what a word of the text is")]
    NoRelation { lines: u64 },
    /// A line that no file of nouns of WordNet has.
    #[error("line {line} is not as in WordNet's {file}")]
    NotWordNet { line: u64, file: &'static str },
    /// One of the two files of WordNet without the other, or without the names of places.
    #[error("nothing can be concluded from it: {missing} is missing")]
    WordNetPart { missing: &'static str },
}
