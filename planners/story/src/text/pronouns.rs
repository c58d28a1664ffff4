//! Pronouns: entities that were just named, and may therefore be replaced.

use super::clause::{Clause, Part};
use crate::problem::{Problem, Values};
use crate::tree::Value;

/// The attribute that decides pronouns.
const GENDER: &str = "gender";
/// Its words, with subject and object.
const PRONOUNS: [(&[&str], [&str; 2]); 3] = [
    (&["female", "woman", "girl", "f"], ["she", "her"]),
    (&["male", "man", "boy", "m"], ["he", "him"]),
    (&["neuter", "neutral", "thing", "n"], ["it", "it"]),
];
/// Words before which an object may stand.
const AFTER: [&str; 12] = [
    "with", "from", "to", "at", "in", "into", "on", "by", "for", "of", "up", "away",
];

/// Subject and object pronoun; none of them has to be known.
type Pair = [Option<String>; 2];

const SUBJECT: usize = 0;
const OBJECT: usize = 1;

/// Who was named in the sentence before.
pub(super) struct Mentions<'p> {
    problem: &'p Problem,
    /// By entity.
    pronouns: Vec<Pair>,
    named: Vec<usize>,
    subject: Option<usize>,
}

impl<'p> Mentions<'p> {
    /// Nobody yet. `used`: whether pronouns are used at all.
    pub(super) fn new(problem: &'p Problem, used: bool) -> Self {
        let entities = 0..problem.entities().len();
        let pronouns = entities.map(|entity| {
            if used {
                pair(problem, entity)
            } else {
                Pair::default()
            }
        });
        Self {
            problem,
            pronouns: pronouns.collect(),
            named: Vec::new(),
            subject: None,
        }
    }

    /// The sentence of some clauses, which have one subject or are only one.
    pub(super) fn sentence(&mut self, clauses: &[Clause]) -> String {
        let subject = clauses.first().and_then(|clause| clause.subject);
        let mut out = String::new();
        let mut here: Vec<usize> = Vec::new();
        if let Some(subject) = subject {
            let goes_on = self.subject == Some(subject) && self.named.contains(&subject);
            let pronoun = self.pronoun(subject, SUBJECT, &here).filter(|_| goes_on);
            out.push_str(pronoun.unwrap_or(self.called(subject)));
            out.push(' ');
            here.push(subject);
        }
        for (place, clause) in clauses.iter().enumerate() {
            if place > 0 {
                // The full stop of the clause before.
                out.pop();
                out.push_str(if place + 1 == clauses.len() {
                    " and "
                } else {
                    ", "
                });
            }
            self.rest(clause, subject, &mut here, &mut out);
        }
        self.subject = subject;
        self.named = here;
        out
    }

    /// Appends what comes after the subject.
    fn rest(
        &self,
        clause: &Clause,
        subject: Option<usize>,
        here: &mut Vec<usize>,
        out: &mut String,
    ) {
        for (place, part) in clause.rest.iter().enumerate() {
            let entity = match part {
                Part::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Part::Named(entity) => *entity,
            };
            let known = here.contains(&entity) || self.named.contains(&entity);
            let fits = known && Some(entity) != subject && is_object(&clause.rest, place);
            let pronoun = self.pronoun(entity, OBJECT, here).filter(|_| fits);
            out.push_str(pronoun.unwrap_or(self.called(entity)));
            here.push(entity);
        }
    }

    fn called(&self, entity: usize) -> &str {
        &self.problem.entities()[entity].called
    }

    /// The pronoun of an entity, if no other entity named in the sentence before or in this one has
    /// the same.
    fn pronoun(&self, entity: usize, role: usize, here: &[usize]) -> Option<&str> {
        let mine = self.pronouns[entity][role].as_deref()?;
        let mut others = self.named.iter().chain(here).filter(|e| **e != entity);
        let same = |other: &usize| self.pronouns[*other][role].as_deref() == Some(mine);
        (!others.any(same)).then_some(mine)
    }
}

/// Whether a name stands where an object does: after a word, and before a preposition or the end of
/// the clause.
fn is_object(parts: &[Part], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| parts.get(before));
    let Some(Part::Text(before)) = before else {
        return false;
    };
    let is_joined = before.trim_end().ends_with("and") || before.trim_end().ends_with(',');
    if !before.ends_with(' ') || before.trim().is_empty() || is_joined {
        return false;
    }
    match parts.get(place + 1) {
        None => true,
        Some(Part::Named(_)) => false,
        Some(Part::Text(after)) => {
            let ends = after.starts_with(['.', '!', '?', ',', ';']);
            let mut words = after.split_whitespace();
            let next = words.next().map(|word| word.trim_end_matches(['.', '!']));
            let more = after.starts_with(' ') && next.is_some_and(|next| AFTER.contains(&next));
            ends || more
        }
    }
}

/// The pronouns of an entity: its own, or those of its gender.
fn pair(problem: &Problem, entity: usize) -> Pair {
    let known = &problem.entities()[entity];
    if !known.pronouns.is_empty() {
        let own = |place: usize| {
            let given = known.pronouns.get(place);
            given.filter(|pronoun| !pronoun.is_empty()).cloned()
        };
        return [own(SUBJECT), own(OBJECT)];
    }
    let gender = problem.attributes().iter().find(|attribute| {
        let is_words = matches!(attribute.values, Values::Words(_));
        attribute.name == GENDER && attribute.owner == known.kind && attribute.is_static && is_words
    });
    let value = gender.and_then(|gender| gender.init.get(problem.local(entity)));
    let Some(Value::Symbol(word)) = value else {
        return Pair::default();
    };
    let word = problem.words()[*word].to_lowercase();
    let pair = PRONOUNS
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()));
    pair.map_or_else(Pair::default, |(_, pair)| {
        pair.map(|pronoun| Some(pronoun.to_owned()))
    })
}
