//! A domain with its goals, from the wire.

use super::{fields, texts};
use crate::mistakes::{Code, Mistakes};
use anytime::{Path, Unnamed};
use story::Problem;
use story::problem::{ENTITIES_MAX, NAME_BYTES_MAX};
use story::spec::{
    ActionSpec, AttributeSpec, BelievabilitySpec, EventSpec, GoalSpec, NameSpec, Slider, Spec,
    TableSpec, TypeSpec,
};
use stratagem_proto::v1 as pb;

/// Most values at the start.
pub(super) const SETTINGS_MAX: usize = 4_000;
/// Most bytes of all texts of the language together: what they mean takes much more.
pub(super) const LANGUAGE_BYTES_MAX: usize = 400_000;
/// Most actions of a story where the request does not say.
pub(super) const ACTS_DEFAULT: usize = 12;

/// A checked problem, and what is shown of it again.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    /// Rules of believability as they were given, by action.
    pub rules: Vec<Vec<String>>,
}

/// A problem; `None` when it is invalid.
pub(crate) fn problem(
    given: pb::StoryProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    if !sizes(&given, at, wrong) {
        // Not looked into: no domain is of that size.
        return None;
    }
    let before = wrong.is_empty();
    let spec = spec(&given, at, wrong);
    let is_read = before && wrong.is_empty();
    // Also with mistakes of single texts, so that the caller hears about everything at once.
    let checked = Problem::new(&spec).map_err(|faults| {
        for fault in faults {
            // What was put in the place of an invalid text may well make a goal impossible.
            if is_read || fault.code != "NEVER_HOLDS" {
                let fault = fields::locate(fault, &given);
                wrong.add_faults(&[fault], &Unnamed, at);
            }
        }
    });
    let problem = checked.ok()?;
    let rules = given.actions.into_iter().map(|action| action.rules);
    Some(Decoded {
        problem,
        rules: rules.collect(),
    })
}

/// Whether the problem is small enough to be looked into.
fn sizes(given: &pb::StoryProblem, at: &Path<'_>, wrong: &mut Mistakes) -> bool {
    let entities = given.types.iter().map(|kind| kind.entities.len());
    let few = wrong.size(&at.field("types"), entities.sum(), ENTITIES_MAX);
    let lists = given.actions.iter().flat_map(|action| {
        [&action.preconditions, &action.effects, &action.rules].map(|list| bytes(list))
    });
    let base = given.actions.iter().map(|a| a.believability.len());
    let goals = given.goals.iter().map(|goal| goal.condition.len());
    let total = lists.chain(base).chain(goals).sum::<usize>() + bytes(&given.settings);
    if total > LANGUAGE_BYTES_MAX {
        let why = format!("has {total} bytes of texts, at most {LANGUAGE_BYTES_MAX} are read");
        wrong.add(at, Code::TooLong, why);
    }
    few && total <= LANGUAGE_BYTES_MAX
}

fn bytes(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

fn spec(given: &pb::StoryProblem, at: &Path<'_>, wrong: &mut Mistakes) -> Spec {
    let pb::StoryProblem {
        title: _,
        description: _,
        types,
        attributes,
        settings,
        tables,
        actions,
        goals,
        events,
        sliders,
        max_acts,
    } = given;
    Spec {
        names: names(types, &at.field("types"), wrong),
        types: types.iter().map(kind).collect(),
        attributes: read_each(attributes, &at.field("attributes"), |one, at| {
            attribute(one, at, wrong)
        }),
        init: read_each(settings, &at.field("settings"), |one, at| {
            texts::setting(one, at, wrong)
        }),
        tables: tables.iter().map(table).collect(),
        actions: read_each(actions, &at.field("actions"), |one, at| {
            action(one, at, wrong)
        }),
        goals: read_each(goals, &at.field("goals"), |one, at| goal(one, at, wrong)),
        events: events.iter().map(event).collect(),
        sliders: sliders.iter().map(slider).collect(),
        actions_max: max_acts.map_or(ACTS_DEFAULT, |acts| acts.unsigned_abs() as usize),
    }
}

/// Reads each element of a list, which stays, at its own path.
fn read_each<T, U>(given: &[T], at: &Path<'_>, mut read: impl FnMut(&T, &Path<'_>) -> U) -> Vec<U> {
    let given = given.iter().enumerate();
    given.map(|(i, one)| read(one, &at.index(i))).collect()
}

fn kind(given: &pb::StoryType) -> TypeSpec {
    let pb::StoryType { name, entities } = given;
    TypeSpec {
        name: name.clone(),
        entities: entities.iter().map(|entity| entity.id.clone()).collect(),
    }
}

/// How entities are called where not by their id.
fn names(types: &[pb::StoryType], at: &Path<'_>, wrong: &mut Mistakes) -> Vec<NameSpec> {
    let mut names = Vec::new();
    for (i, kind) in types.iter().enumerate() {
        let at = at.index(i);
        let at = at.field("entities");
        for (j, entity) in kind.entities.iter().enumerate() {
            let at = at.index(j);
            let pb::StoryEntity {
                id,
                label,
                subject_pronoun,
                object_pronoun,
            } = entity;
            let fields = [
                ("label", label),
                ("subject_pronoun", subject_pronoun),
                ("object_pronoun", object_pronoun),
            ];
            for (field, text) in fields {
                let given = text.len();
                if given > NAME_BYTES_MAX {
                    let why = format!("has {given} bytes, at most {NAME_BYTES_MAX} are allowed");
                    wrong.add(&at.field(field), Code::TooLong, why);
                }
            }
            let mut pronouns = vec![subject_pronoun.clone(), object_pronoun.clone()];
            while pronouns.last().is_some_and(String::is_empty) {
                pronouns.pop();
            }
            if pronouns.first().is_some_and(String::is_empty) {
                let why = "is required where there is an object pronoun";
                wrong.add(&at.field("subject_pronoun"), Code::Required, why);
            }
            if !label.is_empty() || !pronouns.is_empty() {
                names.push(NameSpec {
                    entity: id.clone(),
                    name: label.clone(),
                    pronouns,
                });
            }
        }
    }
    names
}

fn attribute(given: &pb::StoryAttribute, at: &Path<'_>, wrong: &mut Mistakes) -> AttributeSpec {
    let pb::StoryAttribute {
        type_name,
        name,
        values,
        fixed,
        default_value,
    } = given;
    AttributeSpec {
        owner: type_name.clone(),
        name: name.clone(),
        kind: texts::values(values, &at.field("values"), wrong),
        is_static: *fixed,
        default: texts::literal(default_value, &at.field("default_value"), wrong),
    }
}

fn table(given: &pb::StoryTable) -> TableSpec {
    let pb::StoryTable {
        name,
        entries,
        default_number,
    } = given;
    let entries = entries.iter();
    TableSpec {
        name: name.clone(),
        entries: entries
            .map(|entry| (entry.entity_id.clone(), entry.number))
            .collect(),
        default: *default_number,
    }
}

fn action(given: &pb::StoryAction, at: &Path<'_>, wrong: &mut Mistakes) -> ActionSpec {
    let pb::StoryAction {
        name,
        parameters,
        repeatable,
        preconditions,
        effects,
        believability,
        rules,
        texts: templates,
    } = given;
    ActionSpec {
        name: name.clone(),
        params: parameters
            .iter()
            .map(|parameter| (parameter.name.clone(), parameter.type_name.clone()))
            .collect(),
        distinct: !repeatable,
        preconditions: read_each(preconditions, &at.field("preconditions"), |text, at| {
            texts::condition(text, at, wrong)
        }),
        effects: read_each(effects, &at.field("effects"), |text, at| {
            texts::effect(text, at, wrong)
        }),
        believability: BelievabilitySpec {
            base: texts::number(believability, &at.field("believability"), wrong),
            rules: read_each(rules, &at.field("rules"), |text, at| {
                texts::rule(text, at, wrong)
            }),
        },
        texts: templates.clone(),
    }
}

pub(super) fn goal(given: &pb::StoryGoal, at: &Path<'_>, wrong: &mut Mistakes) -> GoalSpec {
    let pb::StoryGoal {
        name,
        condition,
        weight,
    } = given;
    let condition_at = at.field("condition");
    // That it is required is a rule of the contract.
    let text = match condition.as_str() {
        "" => "true",
        given => given,
    };
    GoalSpec {
        name: name.clone(),
        expr: texts::condition(text, &condition_at, wrong),
        weight: weight.unwrap_or(1.0),
    }
}

fn event(given: &pb::StoryEvent) -> EventSpec {
    let pb::StoryEvent {
        action,
        entity_ids,
        forbidden,
    } = given;
    let ids = entity_ids.iter();
    EventSpec {
        action: action.clone(),
        args: ids.map(|id| (!id.is_empty()).then(|| id.clone())).collect(),
        must: !forbidden,
    }
}

fn slider(given: &pb::StorySlider) -> Slider {
    let pb::StorySlider { action, factor } = given;
    Slider {
        action: action.clone(),
        factor: *factor,
    }
}
