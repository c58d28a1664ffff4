//! Words of a text, with evidence for their classes from relations and WordNet.
//!
//! # Problem
//! A text is read as sentences of nouns and verbs. Each noun gets the evidence for an actor, an
//! item, a place or none of these. The sources are large (ConceptNet has 34 million relations,
//! WordNet 82,000 sets of synonyms), and a text needs a small part of them, which can be extracted.
//!
//! # Method
//! * [`Text`]: paragraphs, sentences and words by Unicode's rules (titles such as "Mr." end no
//!   sentence), parts of speech and lemmas by a tagger.
//! * [`Relations`], [`WordNet`]: evidence for each word of a [`Vocabulary`], line by line.
//! * The filter: [`Relations`] reports each relation that it counts, and [`Nouns::files`] writes
//!   what of WordNet [`Nouns::counts`] looks at. Read again for the same vocabulary or a part of
//!   it, what was written gives the same counts.
//!
//! What is wrong with a file is a [`Fault`] of the field `text`, `relations`, `wordnet_data` or
//! `wordnet_index`.
//!
//! # Guarantees
//! * Same input, same result. Files come in pieces of any size; their boundaries do not matter.
//! * Memory grows with the vocabulary and with WordNet, not with text and relations.
//!
//! # Source
//! Kartal 2016, section 5.8 (Algorithm 6). WordNet: Fellbaum, "WordNet, an electronic lexical
//! database", MIT Press 1998. ConceptNet: Speer, Chin, Havasi, "ConceptNet 5.5", AAAI 2017.

mod lines;
mod relations;
mod text;
mod vocabulary;
mod wordnet;
mod words;

pub use anytime::{Fault, Unnamed};
pub use lines::LINE_BYTES_MAX;
pub use relations::{Relation, Relations};
pub use text::{Text, control_character};
pub use vocabulary::Vocabulary;
pub use wordnet::{Nouns, WordNet};
pub use words::{Noun, Parts, Role};

/// What a word stands for (equation 5.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A person or animal that acts.
    Actor,
    /// Something that can be had.
    Item,
    /// A place for actors.
    Place,
    /// Nothing of these.
    Other,
}

impl Class {
    /// All classes, in the order of probabilities.
    pub const ALL: [Self; 4] = [Self::Actor, Self::Item, Self::Place, Self::Other];

    /// Its name: `actor`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["actor", "item", "place", "other"][self as usize]
    }
}

/// How much speaks for which class, in the order of [`Class::ALL`], for each word of a vocabulary.
pub type Counts = Vec<[f64; 4]>;
