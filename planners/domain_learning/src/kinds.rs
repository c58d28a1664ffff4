//! Kinds of actions, with the verbs that express them.

use crate::domain::ActionSchema;
use crate::rules::out_of_range;
use crate::{Class, KINDS_MAX, NAME_BYTES_MAX, TEMPLATE_MAX, VERBS_MAX, schemas};
use anytime::{Fault, Path, fault};
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
pub(crate) fn mistakes(kinds: &[ActionKind]) -> Vec<Fault> {
    let root = Path::root("kinds");
    if !(1..=KINDS_MAX).contains(&kinds.len()) {
        return vec![fault!(
            "OUT_OF_RANGE",
            root,
            "1 to {} actions are looked for, {} are given",
            KINDS_MAX,
            kinds.len()
        )];
    }
    let mut found = Vec::new();
    let (mut names, mut verbs) = (BTreeSet::new(), BTreeSet::new());
    for (i, kind) in kinds.iter().enumerate() {
        let at = root.index(i);
        let (bytes, max) = (kind.name.len() as f64, (NAME_BYTES_MAX - 10) as f64);
        found.extend(out_of_range(&at.field("name"), bytes, 1.0, max));
        if !names.insert(&kind.name) {
            found.push(duplicate(&at.field("name"), &kind.name));
        }
        found.extend(wrong_size(&at, "verbs", kind.verbs.len()));
        found.extend(wrong_size(&at, "templates", kind.templates.len()));
        let verbs_at = at.field("verbs");
        for (j, verb) in kind.verbs.iter().enumerate().take(VERBS_MAX) {
            if !verbs.insert(verb) {
                found.push(duplicate(&verbs_at.index(j), verb));
            }
        }
        let templates_at = at.field("templates");
        for (j, template) in kind.templates.iter().enumerate().take(VERBS_MAX) {
            if !(1..=TEMPLATE_MAX).contains(&template.len()) {
                found.push(fault!(
                    "OUT_OF_RANGE",
                    templates_at.index(j),
                    "a template has 1 to {} classes, this one {}",
                    TEMPLATE_MAX,
                    template.len()
                ));
            }
        }
    }
    found
}

/// A name or verb that is given twice.
fn duplicate(at: &Path<'_>, name: &str) -> Fault {
    fault!("OUT_OF_RANGE", at, "'{}' is given twice", name)
}

/// A list that is empty or too long.
fn wrong_size(kind: &Path<'_>, what: &'static str, given: usize) -> Option<Fault> {
    let at = kind.field(what);
    match given {
        0 => Some(fault!("OUT_OF_RANGE", at, "there is no {}", what)),
        1..=VERBS_MAX => None,
        _ => Some(fault!(
            "OUT_OF_RANGE",
            at,
            "{} {} given, at most {} are supported",
            given,
            what,
            VERBS_MAX
        )),
    }
}
