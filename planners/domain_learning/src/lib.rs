//! Domain learning: a story domain from texts, with actors, items, places and believabilities.
//!
//! # Problem
//! Given are a text, kinds of actions with their verbs ([`ActionKind`]), and knowledge about words:
//! relations of ConceptNet, WordNet's nouns, or both. Wanted is the probability that each noun of
//! the sentences about actions is an actor, an item, a place or none of these, and from that a
//! [`Domain`] for stories.
//!
//! # Method
//! 1. Corpus ([`Reader`]): sentences, nouns and verbs as [`lexicon`] finds them, without common
//!    words and pronouns. Sentences with a verb of an action are retained (equation 5.6).
//! 2. Prior: the product of the evidence from [`lexicon::Relations`] (Algorithm 6) and
//!    [`lexicon::WordNet`], for each word out of context. Words that are mostly written as names
//!    are rather people or places than what the word means. The role of a word in its clauses
//!    counts: subjects of verbs act, objects are possessed, places follow prepositions of place.
//! 3. Template matching in rounds ([`Learning`], Algorithm 7). A round updates the probability of
//!    each word w and class c by
//!
//!    ```text
//!    p(w, c) := p(w, c) * q(w, c)^d, normalised,
//!    ```
//!
//!    where q is the smoothed score of the assignments of words to template parts in which w has
//!    class c (equation 5.8), and d the damping (equation 5.9).
//! 4. Domain ([`Learned`]): words ordered by evidence, believabilities (equation 5.10 with a
//!    pseudo-count), places at the start, action schemas and goals.
//!
//! People may correct the result with [`Edit`]s: fix a class, remove, rename, merge. A planner of
//! stories checks each domain ([`DomainCheck`]); this crate knows none.
//!
//! # Guarantees
//! * Same input, same result: nothing is random. The thesis draws words of long sentences at
//!   random; this method sums over all choices.
//! * Memory is bounded by the limits below, not by the input: text is read in pieces of any size
//!   and not stored.
//!
//! # Source
//! Kartal 2016, section 5.8. WordNet: Fellbaum, "WordNet, an electronic lexical database", MIT
//! Press 1998. ConceptNet: Speer, Chin, Havasi, "ConceptNet 5.5", AAAI 2017.

mod assignment_sum;
mod believabilities;
mod construct;
mod corpus;
pub mod domain;
mod edits;
mod kinds;
mod learning;
mod planner;
mod prior;
mod reader;
mod rules;
mod schemas;
mod template_matching;

pub use believabilities::Believabilities;
pub use construct::DomainParams;
pub use corpus::{Corpus, Word};
pub use domain::{Domain, DomainCheck};
pub use edits::Edit;
pub use kinds::{ActionKind, kinds};
pub use learning::{LearnParams, Learned, LearnedWord, Learning, Progress};
pub use lexicon::Class;
pub use planner::{DomainLearning, LearnedDomain, LearningCost, LearningProblem, Sources};
pub use reader::Reader;
pub use template_matching::Rounds;

/// Most bytes of text: about 30 long novels.
pub const TEXT_BYTES_MAX: u64 = 32 << 20;
/// Most bytes of relations.
pub const RELATION_BYTES_MAX: u64 = 256 << 20;
/// Most bytes of each of the files of WordNet.
pub const WORDNET_BYTES_MAX: u64 = 64 << 20;
/// Most different nouns, each form of it counted.
pub const FORMS_MAX: usize = 100_000;
/// Most sentences about actions.
pub const SENTENCES_MAX: usize = 200_000;
/// Nouns of a sentence that are looked at; those after them are not.
pub const SENTENCE_NOUNS_MAX: usize = 24;
/// Most kinds of actions.
pub const KINDS_MAX: usize = 32;
/// Most verbs or templates of a kind of actions.
pub const VERBS_MAX: usize = 64;
/// Most classes of a template; the thesis pads shorter ones with other words.
pub const TEMPLATE_MAX: usize = 4;
/// Most edits.
pub const EDITS_MAX: usize = 1_000;
/// Most iterations.
pub const ITERATIONS_MAX: usize = 100;
/// Longest story of a domain, in actions.
pub const ACTIONS_MAX: usize = 50;
/// Longest name of an entity or action, in bytes.
pub const NAME_BYTES_MAX: usize = 100;
/// Most entities of a class in a domain.
pub const CHOSEN_MAX: usize = 60;
