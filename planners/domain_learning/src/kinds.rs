//! Kinds of actions, with the verbs that express them.

use crate::domain::ActionSchema;
use crate::{
    Class, KINDS_MAX, LearnError, LearnReason, NAME_BYTES_MAX, TEMPLATE_MAX, VERBS_MAX, schemas,
};
use std::collections::BTreeSet;

/// A kind of actions: its verbs in texts, and its schema in stories.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionKind {
    /// Its name, unique: `kill`.
    pub name: String,
    /// Lemmas of its verbs, in small letters: `murder`. No verb has two kinds.
    pub verbs: Vec<String>,
    /// What its sentences are about: somebody kills somebody with something.
    pub templates: Vec<Vec<Class>>,
    /// How it is done, in terms of the types `actor`, `item`, `place`, their attributes in a
    /// learned domain and tables NAME`_actor` and NAME`_item`. None: it is learned from, but does
    /// not happen.
    pub schema: Option<ActionSchema>,
}

impl ActionKind {
    fn new(name: &str, verbs: &[&str], templates: &[&[Class]]) -> Self {
        Self {
            name: name.into(),
            verbs: verbs.iter().map(|&verb| verb.into()).collect(),
            templates: templates.iter().map(|t| t.to_vec()).collect(),
            schema: schemas::schema(name),
        }
    }
}

/// Kinds of actions of the thesis' examples, with verbs and schemas.
#[must_use]
pub fn kinds() -> Vec<ActionKind> {
    use Class::{Actor as A, Item as I, Place as P};
    let go = [
        "go", "come", "walk", "run", "travel", "return", "arrive", "enter", "leave", "drive",
        "ride", "visit",
    ];
    let grab = ["grab", "take", "seize", "pick", "snatch", "catch"];
    let kill = ["kill", "murder", "shoot", "stab", "slay", "strangle"];
    let search = ["search", "examine", "inspect", "find", "discover"];
    let give = ["give", "bring", "offer", "hand", "send"];
    vec![
        ActionKind::new("move", &go, &[&[A, P]]),
        ActionKind::new("grab", &grab, &[&[A, I], &[A, I, P]]),
        ActionKind::new("give", &give, &[&[A, A, I]]),
        ActionKind::new("steal", &["steal", "rob"], &[&[A, I], &[A, I, A]]),
        ActionKind::new("kill", &kill, &[&[A, A], &[A, A, I]]),
        ActionKind::new("search", &search, &[&[A, P], &[A, I, P]]),
        ActionKind::new(
            "arrest",
            &["arrest", "capture", "imprison"],
            &[&[A, A], &[A, A, I]],
        ),
        ActionKind::new("marry", &["marry", "wed"], &[&[A, A]]),
        ActionKind::new("play", &["play"], &[&[A, I], &[A, A, I]]),
    ]
}

/// All mistakes of kinds of actions.
pub(crate) fn mistakes(kinds: &[ActionKind]) -> Vec<LearnError> {
    let mut found = Vec::new();
    let given = kinds.len();
    if !(1..=KINDS_MAX).contains(&given) {
        found.push(LearnError::new("kinds", LearnReason::Kinds { given }));
        return found;
    }
    let (mut names, mut verbs) = (BTreeSet::new(), BTreeSet::new());
    for (i, kind) in kinds.iter().enumerate() {
        let mut note = |part: &str, reason| {
            found.push(LearnError::new(format!("kinds[{i}].{part}"), reason));
        };
        if !(1..=NAME_BYTES_MAX - 10).contains(&kind.name.len()) {
            let given = kind.name.len() as f64;
            let (min, max) = (1.0, (NAME_BYTES_MAX - 10) as f64);
            note("name", LearnReason::OutOfRange { given, min, max });
        }
        if !names.insert(&kind.name) {
            let name = kind.name.clone();
            note("name", LearnReason::Duplicate { name });
        }
        for (what, given) in [
            ("verbs", kind.verbs.len()),
            ("templates", kind.templates.len()),
        ] {
            if given == 0 {
                note(what, LearnReason::None { what });
            }
            let max = VERBS_MAX;
            if given > max {
                note(what, LearnReason::TooMany { what, given, max });
            }
        }
        for (j, verb) in kind.verbs.iter().enumerate().take(VERBS_MAX) {
            if !verbs.insert(verb) {
                let name = verb.clone();
                note(&format!("verbs[{j}]"), LearnReason::Duplicate { name });
            }
        }
        for (j, template) in kind.templates.iter().enumerate().take(VERBS_MAX) {
            let given = template.len();
            if !(1..=TEMPLATE_MAX).contains(&given) {
                note(&format!("templates[{j}]"), LearnReason::Template { given });
            }
        }
    }
    found
}
