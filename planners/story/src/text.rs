//! Stories as sentences: templates are filled in, sentences about one subject merged, names replaced by pronouns where that is clear.

use crate::plan::{Action, Plan};
use crate::problem::Problem;
use mcts::Rng;
use rand::{RngExt, SeedableRng};

/// Most actions that become one sentence.
const MERGED_MAX: usize = 3;

/// How a story is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Chooses among the templates of an action.
    pub seed: u64,
    /// Whether neighbouring sentences about one subject become one.
    pub merge: bool,
    /// Whether a subject that goes on from one sentence to the next becomes a pronoun, if it has one.
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

/// A sentence, and what it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its text.
    pub text: String,
    /// The first of the actions that it tells, and how many those are.
    pub actions: (usize, usize),
}

/// A clause: what an action's text says of its subject, if it begins with one.
struct Clause {
    subject: Option<usize>,
    /// All of the text, or what comes after the subject.
    rest: String,
}

/// The sentences of a story. Actions that are none of the domain are passed over.
///
/// Two clauses are merged where both begin with the same entity and the first ends with a full stop.
#[must_use]
pub fn sentences(problem: &Problem, plan: &Plan, style: Style) -> Vec<Sentence> {
    let mut rng = Rng::seed_from_u64(style.seed);
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut before: Option<usize> = None;
    for (index, action) in plan.actions.iter().enumerate() {
        let Some(clause) = clause(problem, action, &mut rng) else {
            continue;
        };
        let same = clause.subject.is_some() && clause.subject == before;
        before = clause.subject;
        if style.merge
            && same
            && let Some(last) = sentences.last_mut()
            && last.actions.1 < MERGED_MAX
            && last.text.ends_with('.')
        {
            last.text.pop();
            last.text.push_str(" and ");
            last.text.push_str(&clause.rest);
            last.actions.1 += 1;
            continue;
        }
        sentences.push(Sentence {
            text: whole(problem, &clause, same && style.pronouns),
            actions: (index, 1),
        });
    }
    sentences
}

/// A story as one paragraph.
#[must_use]
pub fn paragraph(problem: &Problem, plan: &Plan, style: Style) -> String {
    let sentences = sentences(problem, plan, style);
    let texts: Vec<String> = sentences.into_iter().map(|s| s.text).collect();
    texts.join(" ")
}

fn whole(problem: &Problem, clause: &Clause, goes_on: bool) -> String {
    let Some(subject) = clause.subject else {
        return capital(&clause.rest);
    };
    let entity = &problem.entities()[subject];
    let pronoun = entity.pronouns.first().filter(|_| goes_on);
    let name = pronoun.unwrap_or(&entity.called);
    capital(&format!("{name} {}", clause.rest))
}

fn clause(problem: &Problem, action: &Action, rng: &mut Rng) -> Option<Clause> {
    let schema = problem.schemas().get(action.schema)?;
    let known = |entity: &usize| *entity < problem.entities().len();
    if action.args.len() != schema.params.len() || !action.args.iter().all(known) {
        return None;
    }
    let Some(count) = (!schema.texts.is_empty()).then_some(schema.texts.len()) else {
        let names = action
            .args
            .iter()
            .map(|a| problem.entities()[*a].called.as_str());
        let names: Vec<&str> = names.collect();
        let rest = format!("{}: {}.", schema.name, names.join(", "));
        return Some(Clause {
            subject: None,
            rest,
        });
    };
    let template = &schema.texts[rng.random_range(0..count)];
    let mut subject = None;
    let mut text = template.clone();
    let named = || schema.params.iter().zip(&action.args);
    for ((name, _), entity) in named() {
        let hole = format!("{{{name}}}");
        let rest = template.strip_prefix(&format!("{hole} "));
        // Where two do it together, the first alone is no subject.
        if let Some(rest) = rest.filter(|rest| !rest.starts_with("and ")) {
            subject = Some(*entity);
            text = rest.to_owned();
        }
    }
    for ((name, _), entity) in named() {
        let hole = format!("{{{name}}}");
        text = text.replace(&hole, &problem.entities()[*entity].called);
    }
    Some(Clause {
        subject,
        rest: text,
    })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
