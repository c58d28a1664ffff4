//! Types, entities, attributes, values at the start, tables.

use super::{
    ATTRIBUTES_MAX, Attribute, ENTITIES_MAX, Entity, INT_MAX, Kind, Problem, TABLES_MAX, TYPES_MAX,
    Table, Values, WORDS_MAX,
};
use crate::errors::{Faults, with_article};
use crate::spec::{AttributeKind, AttributeSpec, Literal, NameSpec, Setting, Spec};
use crate::tree::Value;
use anytime::{Path, fault};

/// The part of a problem that expressions are about.
pub(super) fn world(spec: &Spec, faults: &mut Faults) -> Problem {
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
    types(&mut problem, spec, faults);
    let attributes = Path::root("attributes");
    let count = spec.attributes.len();
    if faults.fits(&attributes, "attributes", count, ATTRIBUTES_MAX) {
        // Words first: defaults of one attribute may be read before the words of another are known.
        for check in [words, attribute] {
            for (i, given) in spec.attributes.iter().enumerate() {
                faults.inside(&attributes.index(i), |m| check(&mut problem, given, m));
            }
        }
    }
    init(&mut problem, &spec.init, faults);
    tables(&mut problem, spec, faults);
    names(&mut problem, &spec.names, faults);
    problem
}

fn types(problem: &mut Problem, spec: &Spec, faults: &mut Faults) {
    let total = spec.types.iter().map(|kind| kind.entities.len()).sum();
    if spec.types.len() <= TYPES_MAX
        && !faults.fits(&Path::root("types"), "entities", total, ENTITIES_MAX)
    {
        return;
    }
    faults.check_list("types", &spec.types, TYPES_MAX, |faults, i, kind| {
        let is_given = problem.kinds.iter().any(|k| k.name == kind.name);
        faults.check_new_name("type", &kind.name, is_given);
        let first = problem.entities.len();
        for (j, name) in kind.entities.iter().enumerate() {
            let entities = Path::root("entities");
            let entity = entities.index(j);
            let id = entity.field("id");
            faults.check_name(&id, name);
            if problem.entities.iter().any(|e| e.name == *name) {
                faults.duplicate(&id, "entity", name);
            }
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
    });
}

/// The type of this name; notes if there is none.
pub(super) fn kind_of(
    problem: &Problem,
    at: &Path<'_>,
    name: &str,
    faults: &mut Faults,
) -> Option<usize> {
    let found = problem.kinds.iter().position(|kind| kind.name == name);
    if found.is_none() {
        faults.unknown(at, "type", name);
    }
    found
}

/// The entity of this name; notes if there is none.
pub(super) fn entity_of(
    problem: &Problem,
    at: &Path<'_>,
    name: &str,
    faults: &mut Faults,
) -> Option<usize> {
    let found = problem.entities.iter().position(|e| e.name == name);
    if found.is_none() {
        faults.unknown(at, "entity", name);
    }
    found
}

fn words(problem: &mut Problem, spec: &AttributeSpec, faults: &mut Faults) {
    let AttributeKind::Enum(words) = &spec.kind else {
        return;
    };
    if !faults.fits(&Path::root("name"), "words", words.len(), WORDS_MAX) {
        return;
    }
    for (i, word) in words.iter().enumerate() {
        let at = Path::root("values");
        faults.check_name(&at, word);
        if words[..i].contains(word) {
            faults.duplicate(&at, "word", word);
        } else if problem.entities.iter().any(|e| e.name == *word) {
            // In an expression they could not be distinguished.
            faults.duplicate(&at, "word and entity", word);
        }
        if !problem.words.contains(word) {
            problem.words.push(word.clone());
        }
    }
}

fn attribute(problem: &mut Problem, spec: &AttributeSpec, faults: &mut Faults) {
    let name = Path::root("name");
    faults.check_name(&name, &spec.name);
    let owner = kind_of(problem, &Path::root("type_name"), &spec.owner, faults);
    let Some(owner) = owner else { return };
    let mut same = problem.attributes.iter();
    if same.any(|a| a.owner == owner && a.name == spec.name) {
        faults.duplicate(&name, "attribute", &spec.name);
        return;
    }
    let Some(values) = values(problem, spec, faults) else {
        return;
    };
    let default = match &spec.default {
        None => Some(zero(&values)),
        Some(literal) => faults.inside(&Path::root("default_value"), |m| {
            value(problem, &values, literal, m)
        }),
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

fn values(problem: &Problem, spec: &AttributeSpec, faults: &mut Faults) -> Option<Values> {
    let at = Path::root("values");
    match &spec.kind {
        AttributeKind::Bool => Some(Values::Bool),
        AttributeKind::Int { min, max } => {
            let (min, max) = (*min, *max);
            if min > max || min < -INT_MAX || max > INT_MAX {
                let code = if min > max {
                    "REVERSED"
                } else {
                    "OUT_OF_RANGE"
                };
                faults.add(fault!(
                    code,
                    at,
                    "has the limits {} to {}, which are reversed or beyond {}",
                    min,
                    max,
                    INT_MAX
                ));
                return None;
            }
            Some(Values::Int(min, max))
        }
        AttributeKind::Number => {
            if !spec.is_static {
                faults.add(fault!(
                    "TYPE_MISMATCH",
                    at,
                    "are any number, so the attribute must be static; limits make it whole"
                ));
            }
            Some(Values::Number)
        }
        AttributeKind::Enum(words) => {
            let known = |word: &String| problem.words.iter().position(|w| w == word);
            Some(Values::Words(words.iter().filter_map(known).collect()))
        }
        AttributeKind::Entity(name) => kind_of(problem, &at, name, faults).map(Values::Entity),
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
    faults: &mut Faults,
) -> Option<Value> {
    let expected: String = match (values, literal) {
        (Values::Bool, Literal::Bool(truth)) => return Some(Value::Bool(*truth)),
        (Values::Int(min, max), Literal::Number(number)) => {
            let (low, high) = (f64::from(*min), f64::from(*max));
            if !faults.in_range(&Path::WHOLE, *number, low, high) {
                return None;
            }
            if number.fract() == 0.0 {
                return Some(Value::Number(*number));
            }
            "a whole number".into()
        }
        (Values::Number, Literal::Number(number)) => {
            let is_in = faults.in_range(&Path::WHOLE, *number, -1e9, 1e9);
            return is_in.then_some(Value::Number(*number));
        }
        (Values::Words(_) | Values::Entity(_), Literal::Null) => return Some(Value::Null),
        (Values::Words(words), Literal::Name(name)) => {
            let word = words.iter().find(|w| problem.words[**w] == *name);
            if word.is_none() {
                faults.unknown(&Path::WHOLE, "word", name);
            }
            return word.map(|word| Value::Symbol(*word));
        }
        (Values::Entity(kind), Literal::Name(name)) => {
            let entity = entity_of(problem, &Path::WHOLE, name, faults)?;
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
    let found: String = match literal {
        Literal::Null => "null".into(),
        Literal::Bool(truth) => format!("{truth}"),
        Literal::Number(number) => format!("{number}"),
        Literal::Name(name) => format!("'{name}'"),
    };
    faults.wrong_type(expected, found);
    None
}

fn init(problem: &mut Problem, settings: &[Setting], faults: &mut Faults) {
    let max = ENTITIES_MAX * ATTRIBUTES_MAX;
    let mut given = std::collections::BTreeSet::new();
    let list = Path::root("settings");
    if !faults.fits(&list, "values at the start", settings.len(), max) {
        return;
    }
    for (i, setting) in settings.iter().enumerate() {
        faults.inside(&list.index(i), |faults| {
            let entity = entity_of(problem, &Path::root("entity"), &setting.entity, faults);
            let Some(entity) = entity else { return };
            let kind = problem.entities[entity].kind;
            let mut all = problem.attributes.iter();
            let found = all.position(|a| a.owner == kind && a.name == setting.attribute);
            let Some(attribute) = found else {
                let owner = with_article(&problem.kinds[kind].name);
                faults.add(fault!(
                    "UNKNOWN",
                    Path::root("attribute"),
                    "names the attribute '{}', which {} does not have",
                    setting.attribute.as_str(),
                    owner
                ));
                return;
            };
            let values = &problem.attributes[attribute].values;
            let value = faults.inside(&Path::root("value"), |m| {
                value(problem, values, &setting.value, m)
            });
            let local = problem.local(entity);
            problem.attributes[attribute].init[local] = value.unwrap_or(Value::Null);
            if !given.insert((entity, attribute)) {
                let name = format!("{}.{}", setting.entity, setting.attribute);
                faults.duplicate(&Path::WHOLE, "value of", &name);
            }
        });
    }
}

fn tables(problem: &mut Problem, spec: &Spec, faults: &mut Faults) {
    faults.check_list("tables", &spec.tables, TABLES_MAX, |faults, _, table| {
        let is_given = problem.tables.iter().any(|t| t.name == table.name);
        faults.check_new_name("table", &table.name, is_given);
        faults.in_range(&Path::root("default_number"), table.default, 0.0, 1.0);
        let mut numbers = vec![table.default; problem.entities.len()];
        let mut given = vec![false; problem.entities.len()];
        let entries = &table.entries;
        faults.check_list("entries", entries, ENTITIES_MAX, |m, _, (name, number)| {
            m.in_range(&Path::root("number"), *number, 0.0, 1.0);
            let id = Path::root("entity_id");
            let Some(entity) = entity_of(problem, &id, name, m) else {
                return;
            };
            if std::mem::replace(&mut given[entity], true) {
                m.duplicate(&id, "entry of", name);
            }
            numbers[entity] = *number;
        });
        problem.tables.push(Table {
            name: table.name.clone(),
            numbers,
        });
    });
}

fn names(problem: &mut Problem, names: &[NameSpec], faults: &mut Faults) {
    faults.check_list("names", names, ENTITIES_MAX, |faults, _, spec| {
        let entity = entity_of(problem, &Path::root("entity"), &spec.entity, faults);
        faults.fits(&Path::root("pronouns"), "pronouns", spec.pronouns.len(), 2);
        let texts = spec.pronouns.iter().chain([&spec.name]);
        for text in texts.filter(|text| !text.is_empty()) {
            faults.check_name(&Path::WHOLE, text);
        }
        let Some(index) = entity else { return };
        let entity = &mut problem.entities[index];
        if !spec.name.is_empty() {
            entity.called.clone_from(&spec.name);
        }
        entity.pronouns.clone_from(&spec.pronouns);
    });
}
