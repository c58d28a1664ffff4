//! Stories as sentences: templates are filled in, sentences about one subject merged, names
//! replaced by pronouns where that is clear.
//!
//! A template has parameters in braces and, in brackets, words of which one is chosen: `{a}
//! [took|picked up] {i}.` Brackets without a bar are text. Which template and which words is
//! decided by the seed; the same template is not taken twice in a row where there are others.
//!
//! Pronouns are those that an entity was given, or those of its attribute `gender`, if it has one
//! that never changes: feminine for `female` (or `woman`, `girl`), masculine for `male` (`man`,
//! `boy`), neuter for `neuter` (`neutral`, `thing`). A pronoun stands for an entity only where the
//! sentence before or this one has named it, and no other entity with the same pronoun. A subject
//! also has to have been the subject before.

mod clause;
mod pronouns;
mod template;

use crate::plan::Plan;
use crate::problem::Problem;
use clause::{Clause, Clauses};
use pronouns::Mentions;

/// Most actions that become one sentence.
const MERGED_MAX: usize = 3;

/// Style of the text of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Chooses among the templates of an action, and among words.
    pub seed: u64,
    /// Whether neighbouring sentences about one subject become one.
    pub merge: bool,
    /// Whether entities that were just named become pronouns.
    pub pronouns: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            seed: 0,
            merge: true,
            pronouns: true,
        }
    }
}

/// A sentence, with the actions that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its text.
    pub text: String,
    /// Its actions: index of the first, and their number.
    pub actions: (usize, usize),
}

/// Clauses that become one sentence, and the first of their actions.
struct Group {
    first: usize,
    clauses: Vec<Clause>,
}

/// The sentences of a story. Actions that are none of the domain are passed over.
///
/// Two clauses are merged where both begin with the same entity and the first is one predicate that
/// ends with a full stop: no second sentence, comma or conjunction follows in it.
#[must_use]
pub fn sentences(problem: &Problem, plan: &Plan, style: Style) -> Vec<Sentence> {
    let mut mentions = Mentions::new(problem, style.pronouns);
    let sentences = groups(problem, plan, style).into_iter().map(|group| {
        let actions = (group.first, group.clauses.len());
        let text = capital(&mentions.sentence(&group.clauses));
        Sentence { text, actions }
    });
    sentences.collect()
}

/// Clauses, with those of one subject together.
fn groups(problem: &Problem, plan: &Plan, style: Style) -> Vec<Group> {
    let mut clauses = Clauses::new(problem, style.seed);
    let mut groups: Vec<Group> = Vec::new();
    for (index, action) in plan.actions.iter().enumerate() {
        let Some(clause) = clauses.for_action(action) else {
            continue;
        };
        let goes_on = |group: &&mut Group| {
            group.first + group.clauses.len() == index
                && group.clauses.len() < MERGED_MAX
                && group.clauses.last().is_some_and(|last| {
                    last.subject.is_some()
                        && last.subject == clause.subject
                        && last.is_one_predicate()
                })
        };
        match groups.last_mut().filter(goes_on).filter(|_| style.merge) {
            Some(group) => group.clauses.push(clause),
            None => groups.push(Group {
                first: index,
                clauses: vec![clause],
            }),
        }
    }
    groups
}

/// A story as one paragraph.
#[must_use]
pub fn paragraph(problem: &Problem, plan: &Plan, style: Style) -> String {
    let sentences = sentences(problem, plan, style);
    let texts: Vec<String> = sentences.into_iter().map(|s| s.text).collect();
    texts.join(" ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
