//! Validation errors of learning.

use crate::{
    CHOSEN_MAX, EDITS_MAX, FORMS_MAX, ITERATIONS_MAX, KINDS_MAX, RELATION_BYTES_MAX, SENTENCES_MAX,
    TEMPLATE_MAX, TEXT_BYTES_MAX, WORDNET_BYTES_MAX,
};
use lexicon::{BookError, BookReason};

/// A validation error and its place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct LearnError {
    /// Where: `text`, `relations`, `wordnet_index`, `edits[2].word`, `kinds[0].templates[1]`,
    /// `params.smoothing`.
    pub path: String,
    /// What is wrong there.
    pub reason: LearnReason,
}

impl LearnError {
    pub(crate) fn new(path: impl Into<String>, reason: LearnReason) -> Self {
        Self {
            path: path.into(),
            reason,
        }
    }
}

impl From<BookError> for LearnError {
    fn from(error: BookError) -> Self {
        Self::new(error.file, LearnReason::Book(error.reason))
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum LearnReason {
    /// More text than is read.
    #[error("more than {TEXT_BYTES_MAX} bytes of text")]
    TextBytes,
    /// More relations than are read.
    #[error("more than {RELATION_BYTES_MAX} bytes of relations")]
    RelationBytes,
    /// More of a WordNet file than is read.
    #[error("more than {WORDNET_BYTES_MAX} bytes of a WordNet file")]
    WordNetBytes,
    /// What is no text, no relation or no WordNet.
    #[error(transparent)]
    Book(BookReason),
    /// A text without words.
    #[error("there is no sentence in it")]
    NoSentence,
    /// A text in which nothing happens that is looked for.
    #[error("none of its {sentences} sentences is about an action: {verbs}")]
    NoAction { sentences: usize, verbs: String },
    /// A vocabulary that is too large.
    #[error("more than {FORMS_MAX} different words")]
    Words,
    /// Too many sentences about actions.
    #[error("more than {SENTENCES_MAX} sentences about actions")]
    Sentences,
    /// Too many actions, or none.
    #[error("1 to {KINDS_MAX} actions are looked for, {given} are given")]
    Kinds { given: usize },
    /// A list that is too long.
    #[error("{given} {what} given, at most {max} are supported")]
    TooMany {
        what: &'static str,
        given: usize,
        max: usize,
    },
    /// An empty list or name.
    #[error("there is no {what}")]
    None { what: &'static str },
    /// A template that is empty or too long.
    #[error("a template has 1 to {TEMPLATE_MAX} classes, this one {given}")]
    Template { given: usize },
    /// A name or verb that is given twice.
    #[error("'{name}' is given twice")]
    Duplicate { name: String },
    /// Too many edits.
    #[error("{given} edits given, at most {EDITS_MAX} are supported")]
    Edits { given: usize },
    /// A word that is not in the vocabulary.
    #[error("'{word}' is no word of the sentences about actions")]
    UnknownWord { word: String },
    /// Edits that contradict each other.
    #[error("'{word}' was already {done}")]
    Contradiction { word: String, done: &'static str },
    /// A number out of its range.
    #[error("{given} is out of range, {min} to {max}")]
    OutOfRange { given: f64, min: f64, max: f64 },
    /// Too many iterations.
    #[error("at most {ITERATIONS_MAX} iterations are made, {given} are asked for")]
    Iterations { given: usize },
    /// Too many entities of a class.
    #[error("1 to {CHOSEN_MAX} entities are chosen of a class, {given} are asked for")]
    Chosen { given: usize },
    /// What a planner of stories says about the domain.
    #[error("{0}")]
    Domain(String),
    /// A class of which nothing was found.
    #[error("no word of the text is {}", with_article(class))]
    NothingOf { class: &'static str },
}

/// The name of a class with its article: `an actor`, `a place`.
fn with_article(class: &str) -> String {
    let article = if class.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {class}")
}
