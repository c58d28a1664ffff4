//! Types, entities, attributes, values at the start, tables.

use super::{
    ATTRIBUTES_MAX, Attribute, ENTITIES_MAX, Entity, INT_MAX, Kind, NAME_BYTES_MAX, Problem,
    TABLES_MAX, TYPES_MAX, Table, Values, WORDS_MAX,
};
use crate::errors::{Mistakes, Reason, with_article};
use crate::spec::{AttributeKind, AttributeSpec, Literal, NameSpec, Setting, Spec};
use crate::tree::Value;

/// The part of a problem that expressions are about.
pub(super) fn world(spec: &Spec, mistakes: &mut Mistakes) -> Problem {
    let mut problem = Problem {
        kinds: Vec::new(),
        entities: Vec::new(),
        words: Vec::new(),
        attributes: Vec::new(),
        tables: Vec::new(),
        schemas: Vec::new(),
        goals: Vec::new(),
        events: Vec::new(),
        actions_max: 1,
    };
    types(&mut problem, spec, mistakes);
    if mistakes.fits("attributes", spec.attributes.len(), ATTRIBUTES_MAX) {
        // Words first: defaults of one attribute may be read before the words of another are known.
        for (i, attribute) in spec.attributes.iter().enumerate() {
            mistakes.inside(&format!("attributes[{i}]"), |m| {
                words(&mut problem, attribute, m);
            });
        }
        for (i, given) in spec.attributes.iter().enumerate() {
            mistakes.inside(&format!("attributes[{i}]"), |m| {
                attribute(&mut problem, given, m);
            });
        }
    }
    init(&mut problem, &spec.init, mistakes);
    tables(&mut problem, spec, mistakes);
    names(&mut problem, &spec.names, mistakes);
    problem
}

/// Whether a name has a bearable length; notes if not.
pub(super) fn is_name(name: &str, mistakes: &mut Mistakes) -> bool {
    let fits = (1..=NAME_BYTES_MAX).contains(&name.len());
    if !fits {
        mistakes.note(Reason::NameLength {
            given: name.len(),
            max: NAME_BYTES_MAX,
        });
    }
    fits
}

fn types(problem: &mut Problem, spec: &Spec, mistakes: &mut Mistakes) {
    if !mistakes.fits("types", spec.types.len(), TYPES_MAX) {
        return;
    }
    let total: usize = spec.types.iter().map(|kind| kind.entities.len()).sum();
    if !mistakes.inside("types", |m| m.fits("entities", total, ENTITIES_MAX)) {
        return;
    }
    for (i, kind) in spec.types.iter().enumerate() {
        let back = mistakes.enter(&format!("types[{i}]"));
        is_name(&kind.name, mistakes);
        if problem.kinds.iter().any(|k| k.name == kind.name) {
            let name = kind.name.clone();
            mistakes.note(Reason::Duplicate { what: "type", name });
        }
        let first = problem.entities.len();
        for (j, name) in kind.entities.iter().enumerate() {
            mistakes.inside(&format!("entities[{j}]"), |mistakes| {
                is_name(name, mistakes);
                if problem.entities.iter().any(|e| e.name == *name) {
                    let name = name.clone();
                    mistakes.note(Reason::Duplicate {
                        what: "entity",
                        name,
                    });
                }
            });
            problem.entities.push(Entity {
                name: name.clone(),
                called: name.clone(),
                pronouns: Vec::new(),
                kind: i,
            });
        }
        problem.kinds.push(Kind {
            name: kind.name.clone(),
            entities: first..problem.entities.len(),
        });
        mistakes.leave(back);
    }
}

/// The type of this name; notes if there is none.
pub(super) fn kind_of(problem: &Problem, name: &str, mistakes: &mut Mistakes) -> Option<usize> {
    let found = problem.kinds.iter().position(|kind| kind.name == name);
    if found.is_none() {
        mistakes.note(Reason::Unknown {
            what: "type",
            name: name.to_owned(),
        });
    }
    found
}

/// The entity of this name; notes if there is none.
pub(super) fn entity_of(problem: &Problem, name: &str, mistakes: &mut Mistakes) -> Option<usize> {
    let found = problem.entities.iter().position(|e| e.name == name);
    if found.is_none() {
        mistakes.note(Reason::Unknown {
            what: "entity",
            name: name.to_owned(),
        });
    }
    found
}

fn words(problem: &mut Problem, spec: &AttributeSpec, mistakes: &mut Mistakes) {
    let AttributeKind::Enum(words) = &spec.kind else {
        return;
    };
    if !mistakes.fits("words", words.len(), WORDS_MAX) {
        return;
    }
    for (i, word) in words.iter().enumerate() {
        mistakes.inside(&format!("kind.words[{i}]"), |mistakes| {
            is_name(word, mistakes);
            let name = word.clone();
            if words[..i].contains(word) {
                mistakes.note(Reason::Duplicate { what: "word", name });
            } else if problem.entities.iter().any(|e| e.name == *word) {
                // In an expression they could not be distinguished.
                let what = "word and entity";
                mistakes.note(Reason::Duplicate { what, name });
            }
        });
        if !problem.words.contains(word) {
            problem.words.push(word.clone());
        }
    }
}

fn attribute(problem: &mut Problem, spec: &AttributeSpec, mistakes: &mut Mistakes) {
    is_name(&spec.name, mistakes);
    let owner = mistakes.inside("owner", |m| kind_of(problem, &spec.owner, m));
    let Some(owner) = owner else { return };
    let mut same = problem.attributes.iter();
    if same.any(|a| a.owner == owner && a.name == spec.name) {
        let name = spec.name.clone();
        let what = "attribute";
        mistakes.note(Reason::Duplicate { what, name });
        return;
    }
    let Some(values) = mistakes.inside("kind", |m| values(problem, spec, m)) else {
        return;
    };
    let default = match &spec.default {
        None => Some(zero(&values)),
        Some(literal) => mistakes.inside("default", |m| value(problem, &values, literal, m)),
    };
    let default = default.unwrap_or(Value::Null);
    let count = problem.kinds[owner].entities.len();
    problem.attributes.push(Attribute {
        name: spec.name.clone(),
        owner,
        values,
        is_static: spec.is_static,
        init: vec![default; count],
    });
}

fn values(problem: &Problem, spec: &AttributeSpec, mistakes: &mut Mistakes) -> Option<Values> {
    match &spec.kind {
        AttributeKind::Bool => Some(Values::Bool),
        AttributeKind::Int { min, max } => {
            let (min, max) = (*min, *max);
            if min > max || min < -INT_MAX || max > INT_MAX {
                mistakes.note(Reason::IntLimits { min, max });
                return None;
            }
            Some(Values::Int(min, max))
        }
        AttributeKind::Number => {
            if !spec.is_static {
                mistakes.note(Reason::NumberNotStatic);
            }
            Some(Values::Number)
        }
        AttributeKind::Enum(words) => {
            let known = |word: &String| problem.words.iter().position(|w| w == word);
            Some(Values::Words(words.iter().filter_map(known).collect()))
        }
        AttributeKind::Entity(name) => kind_of(problem, name, mistakes).map(Values::Entity),
    }
}

/// What an attribute is where nobody says.
fn zero(values: &Values) -> Value {
    match values {
        Values::Bool => Value::Bool(false),
        Values::Int(min, max) => Value::Number(f64::from(0.clamp(*min, *max))),
        Values::Number => Value::Number(0.0),
        Values::Words(_) | Values::Entity(_) => Value::Null,
    }
}

/// A literal as a value of an attribute; notes if it is none.
fn value(
    problem: &Problem,
    values: &Values,
    literal: &Literal,
    mistakes: &mut Mistakes,
) -> Option<Value> {
    let expected = match (values, literal) {
        (Values::Bool, Literal::Bool(truth)) => return Some(Value::Bool(*truth)),
        (Values::Int(min, max), Literal::Number(number)) => {
            let (low, high) = (f64::from(*min), f64::from(*max));
            let value = in_range(*number, low, high, mistakes)?;
            if number.fract() == 0.0 {
                return Some(value);
            }
            "a whole number".into()
        }
        (Values::Number, Literal::Number(number)) => {
            return in_range(*number, -1e9, 1e9, mistakes);
        }
        (Values::Words(_) | Values::Entity(_), Literal::Null) => return Some(Value::Null),
        (Values::Words(words), Literal::Name(name)) => {
            let word = words.iter().find(|w| problem.words[**w] == *name);
            if word.is_none() {
                let (what, name) = ("word", name.clone());
                mistakes.note(Reason::Unknown { what, name });
            }
            return word.map(|word| Value::Symbol(*word));
        }
        (Values::Entity(kind), Literal::Name(name)) => {
            let entity = entity_of(problem, name, mistakes)?;
            if problem.entities[entity].kind == *kind {
                return Some(Value::Entity(entity));
            }
            with_article(&problem.kinds[*kind].name)
        }
        (Values::Bool, _) => "true or false".into(),
        (Values::Int(..) | Values::Number, _) => "a number".into(),
        (Values::Words(_), _) => "a word".into(),
        (Values::Entity(kind), _) => with_article(&problem.kinds[*kind].name),
    };
    let found = match literal {
        Literal::Null => "null".into(),
        Literal::Bool(truth) => format!("{truth}"),
        Literal::Number(number) => format!("{number}"),
        Literal::Name(name) => format!("'{name}'"),
    };
    mistakes.note(Reason::Type { expected, found });
    None
}

/// A number within its limits; notes if it is not.
fn in_range(given: f64, min: f64, max: f64, mistakes: &mut Mistakes) -> Option<Value> {
    if (min..=max).contains(&given) {
        return Some(Value::Number(given));
    }
    mistakes.note(Reason::OutOfRange { given, min, max });
    None
}

fn init(problem: &mut Problem, settings: &[Setting], mistakes: &mut Mistakes) {
    let max = ENTITIES_MAX * ATTRIBUTES_MAX;
    if !mistakes.fits("values at the start", settings.len(), max) {
        return;
    }
    let mut given = std::collections::BTreeSet::new();
    for (i, setting) in settings.iter().enumerate() {
        let back = mistakes.enter(&format!("init[{i}]"));
        let entity = mistakes.inside("entity", |m| entity_of(problem, &setting.entity, m));
        if let Some(entity) = entity {
            let kind = problem.entities[entity].kind;
            let mut all = problem.attributes.iter();
            let found = all.position(|a| a.owner == kind && a.name == setting.attribute);
            if let Some(attribute) = found {
                let values = &problem.attributes[attribute].values;
                let value = mistakes.inside("value", |m| value(problem, values, &setting.value, m));
                let local = problem.local(entity);
                problem.attributes[attribute].init[local] = value.unwrap_or(Value::Null);
                if !given.insert((entity, attribute)) {
                    let name = format!("{}.{}", setting.entity, setting.attribute);
                    let what = "value of";
                    mistakes.note(Reason::Duplicate { what, name });
                }
            } else {
                let owner = problem.kinds[kind].name.clone();
                let name = setting.attribute.clone();
                mistakes.inside("attribute", |m| m.note(Reason::NoAttribute { owner, name }));
            }
        }
        mistakes.leave(back);
    }
}

fn tables(problem: &mut Problem, spec: &Spec, mistakes: &mut Mistakes) {
    if !mistakes.fits("tables", spec.tables.len(), TABLES_MAX) {
        return;
    }
    for (i, table) in spec.tables.iter().enumerate() {
        let back = mistakes.enter(&format!("tables[{i}]"));
        is_name(&table.name, mistakes);
        if problem.tables.iter().any(|t| t.name == table.name) {
            let (what, name) = ("table", table.name.clone());
            mistakes.note(Reason::Duplicate { what, name });
        }
        let fair = |number: f64, mistakes: &mut Mistakes| {
            if !(0.0..=1.0).contains(&number) {
                mistakes.note(Reason::Believability { given: number });
            }
        };
        mistakes.inside("default", |m| fair(table.default, m));
        let mut numbers = vec![table.default; problem.entities.len()];
        let mut given = vec![false; problem.entities.len()];
        if mistakes.fits("entries", table.entries.len(), ENTITIES_MAX) {
            for (j, (name, number)) in table.entries.iter().enumerate() {
                mistakes.inside(&format!("entries[{j}]"), |m| {
                    fair(*number, m);
                    let Some(entity) = entity_of(problem, name, m) else {
                        return;
                    };
                    if std::mem::replace(&mut given[entity], true) {
                        let (what, name) = ("entry of", name.clone());
                        m.note(Reason::Duplicate { what, name });
                    }
                    numbers[entity] = *number;
                });
            }
        }
        problem.tables.push(Table {
            name: table.name.clone(),
            numbers,
        });
        mistakes.leave(back);
    }
}

fn names(problem: &mut Problem, names: &[NameSpec], mistakes: &mut Mistakes) {
    if !mistakes.fits("names", names.len(), ENTITIES_MAX) {
        return;
    }
    for (i, spec) in names.iter().enumerate() {
        mistakes.inside(&format!("names[{i}]"), |mistakes| {
            let entity = mistakes.inside("entity", |m| entity_of(problem, &spec.entity, m));
            mistakes.inside("pronouns", |m| m.fits("pronouns", spec.pronouns.len(), 2));
            for text in spec.pronouns.iter().chain([&spec.name]) {
                if text.len() > NAME_BYTES_MAX {
                    is_name(text, mistakes);
                }
            }
            let Some(entity) = entity else { return };
            let entity = &mut problem.entities[entity];
            if !spec.name.is_empty() {
                entity.called.clone_from(&spec.name);
            }
            entity.pronouns.clone_from(&spec.pronouns);
        });
    }
}
