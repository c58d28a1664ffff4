//! What an action's text says, and of whom.

use super::template::{Piece, pieces};
use crate::plan::Action;
use crate::problem::Problem;
use mcts::Rng;
use rand::{RngExt, SeedableRng};

/// What separates clauses or sentences.
const BREAKS: [char; 11] = [
    '.', '!', '?', ',', ';', ':', '\u{2026}', '\u{2013}', '\u{2014}', '(', '"',
];
/// Words that open a clause, which may have a subject of its own.
const OPENERS: [&str; 20] = [
    "and", "or", "but", "so", "yet", "who", "whom", "whose", "which", "that", "what", "where",
    "when", "while", "because", "since", "until", "as", "although", "if",
];

/// A part of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// An entity.
    Named(usize),
}

/// What an action's text says of its subject, if it begins with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) subject: Option<usize>,
    /// All of the text, or what comes after the subject and a space.
    pub(super) rest: Vec<Part>,
}

impl Clause {
    /// Whether another predicate of its subject may follow in the same sentence: it is one
    /// predicate, which ends with a full stop.
    ///
    /// After a second sentence, or a clause that may have a subject of its own, what follows would
    /// have the wrong subject.
    pub(super) fn is_one_predicate(&self) -> bool {
        let mut texts = self.rest.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Named(_) => None,
        });
        let Some(last) = texts.next_back() else {
            return false;
        };
        if !matches!(self.rest.last(), Some(Part::Text(_))) {
            return false;
        }
        let Some(last) = last.strip_suffix('.') else {
            return false;
        };
        texts.chain([last]).all(|text| {
            let words = text.split(|letter: char| !letter.is_alphanumeric());
            let opens = |word: &str| OPENERS.contains(&word.to_lowercase().as_str());
            !text.contains(BREAKS) && !words.into_iter().any(opens)
        })
    }
}

/// Makes clauses of actions.
pub(super) struct Clauses<'p> {
    problem: &'p Problem,
    rng: Rng,
    /// By schema: the template that was taken last.
    last: Vec<Option<usize>>,
}

impl<'p> Clauses<'p> {
    pub(super) fn new(problem: &'p Problem, seed: u64) -> Self {
        Self {
            problem,
            rng: Rng::seed_from_u64(seed),
            last: vec![None; problem.schemas().len()],
        }
    }

    /// The clause of an action. None: it is none of the domain.
    pub(super) fn for_action(&mut self, action: &Action) -> Option<Clause> {
        let problem = self.problem;
        let schema = problem.schemas().get(action.schema)?;
        let known = |entity: &usize| *entity < problem.entities().len();
        if action.args.len() != schema.params.len() || !action.args.iter().all(known) {
            return None;
        }
        if schema.texts.is_empty() {
            let names = action.args.iter();
            let names = names.map(|a| problem.entities()[*a].called.as_str());
            let names: Vec<&str> = names.collect();
            let rest = Part::Text(format!("{}: {}.", schema.name, names.join(", ")));
            return Some(Clause {
                subject: None,
                rest: vec![rest],
            });
        }
        let template = &schema.texts[self.template(action.schema, schema.texts.len())];
        let entity = |name: &str| {
            let place = schema.params.iter().position(|(param, _)| param == name);
            place.map(|place| action.args[place])
        };
        let parts = pieces(template, &mut self.rng).into_iter();
        let parts = parts.map(|piece| match piece {
            Piece::Text(text) => Part::Text(text.to_owned()),
            Piece::Hole(name) => match entity(name) {
                Some(entity) => Part::Named(entity),
                None => Part::Text(format!("{{{name}}}")),
            },
        });
        Some(clause(parts.collect()))
    }

    /// One of the templates of a schema, but not the last one again.
    fn template(&mut self, schema: usize, count: usize) -> usize {
        let mut chosen = self.rng.random_range(0..count);
        if self.last[schema] == Some(chosen) && count > 1 {
            chosen = (chosen + 1) % count;
        }
        self.last[schema] = Some(chosen);
        chosen
    }
}

/// Splits off the subject. Where two do it together, the first alone is no subject.
fn clause(mut parts: Vec<Part>) -> Clause {
    let subject = match &parts[..] {
        [Part::Named(entity), Part::Text(text), ..]
            if text.starts_with(' ') && !text.starts_with(" and ") =>
        {
            Some(*entity)
        }
        _ => None,
    };
    if subject.is_some() {
        parts.remove(0);
        if let Some(Part::Text(text)) = parts.first_mut() {
            text.remove(0);
        }
    }
    Clause {
        subject,
        rest: parts,
    }
}
