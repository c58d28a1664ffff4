//! Who is where when: what the problem says of the start, and what acts change.

use super::ACTS_MAX;
use std::collections::BTreeMap;
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Names of attributes for where something is.
const NAMES: [&str; 6] = ["place", "at", "location", "where", "room", "position"];
/// Entities that are drawn, at most.
const ENTITIES_MAX: usize = 40;

/// An entity and where it is.
pub(super) struct Stays<'a> {
    /// What it is called.
    pub(super) label: &'a str,
    pub(super) stays: Vec<Stay>,
    /// In which acts it takes part.
    pub(super) acts: Vec<usize>,
}

/// A place for some acts; act 0 is the start.
pub(super) struct Stay {
    /// Empty: nowhere.
    pub(super) place: String,
    pub(super) span: (i64, i64),
}

/// All entities in acts whose type has an attribute of place: one with such a name or, where no
/// type has one, the first whose values are entities of another type.
pub(super) fn stays<'a>(problem: &'a StoryProblem, plan: &'a StoryPlan) -> Vec<Stays<'a>> {
    let start = start(problem);
    let mut all = Vec::new();
    for kind in &problem.types {
        let Some(attribute) = tells_where(problem, &kind.name) else {
            continue;
        };
        for entity in &kind.entities {
            let acts = plan.acts.iter().take(ACTS_MAX).enumerate();
            let acts = acts.filter(|(_, act)| act.entity_ids.contains(&entity.id));
            let acts: Vec<usize> = acts.map(|(index, _)| index).collect();
            if acts.is_empty() || all.len() == ENTITIES_MAX {
                continue;
            }
            let key = (entity.id.as_str(), attribute.0);
            let first = start.get(&key).copied().unwrap_or(attribute.1);
            all.push(Stays {
                label: match entity.label.as_str() {
                    "" => &entity.id,
                    label => label,
                },
                stays: places(plan, key.0, key.1, first),
                acts,
            });
        }
    }
    all
}

/// The attribute for where entities of a type are, and its default.
fn tells_where<'a>(problem: &'a StoryProblem, kind: &str) -> Option<(&'a str, &'a str)> {
    let is_type = |name: &str| problem.types.iter().any(|other| other.name == name);
    let own = problem.attributes.iter().filter(|a| a.type_name == kind);
    let own: Vec<_> = own.filter(|a| is_type(&a.values)).collect();
    let is_named = |name: &str| NAMES.contains(&name);
    let found = if problem.attributes.iter().any(|a| is_named(&a.name)) {
        own.iter().find(|a| is_named(&a.name))
    } else {
        own.iter().find(|a| a.values != kind)
    }?;
    Some((&found.name, &found.default_value))
}

/// What the problem says of the start, by entity and attribute.
fn start(problem: &StoryProblem) -> BTreeMap<(&str, &str), &str> {
    let settings = problem.settings.iter().filter_map(|setting| {
        let (left, value) = setting.split_once('=')?;
        let (entity, attribute) = left.rsplit_once('.')?;
        Some(((bare(entity), bare(attribute)), bare(value)))
    });
    settings.collect()
}

/// A name without its quotes.
fn bare(name: &str) -> &str {
    name.trim().trim_matches('\'')
}

fn places(plan: &StoryPlan, entity: &str, attribute: &str, first: &str) -> Vec<Stay> {
    let known = |place: &str| match bare(place) {
        "null" => String::new(),
        place => place.to_owned(),
    };
    let mut stays = vec![Stay {
        place: known(first),
        span: (0, 1),
    }];
    for index in 0..plan.acts.len().min(ACTS_MAX) {
        let changes = plan.steps.get(index).map_or(&[][..], |step| &step.changes);
        let mut changed = changes.iter();
        let change = changed.find(|c| c.entity_id == entity && c.attribute == attribute);
        let last = stays.len() - 1;
        let end = index as i64 + 2;
        match change.map(|change| known(&change.value)) {
            Some(place) if place != stays[last].place => stays.push(Stay {
                place,
                span: (end - 1, end),
            }),
            _ => stays[last].span.1 = end,
        }
    }
    stays
}

/// The places that anybody is in, in the order in which they come up.
pub(super) fn all_places<'w>(all: &'w [Stays<'_>]) -> Vec<&'w str> {
    let mut places: Vec<&str> = Vec::new();
    for stay in all.iter().flat_map(|it| &it.stays) {
        if !stay.place.is_empty() && !places.contains(&stay.place.as_str()) {
            places.push(&stay.place);
        }
    }
    places
}
