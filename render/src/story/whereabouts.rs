//! Who is where when: what the problem says of the start, and what acts change.

use super::ACTS_MAX;
use std::collections::BTreeMap;
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Names of attributes for where something is.
const NAMES: [&str; 6] = ["place", "at", "location", "where", "room", "position"];
/// Entities that are drawn, at most.
const ENTITIES_MAX: usize = 40;

/// An entity and where it is.
pub(super) struct Way<'a> {
    /// Its id.
    pub(super) entity: &'a str,
    /// What it is called.
    pub(super) label: &'a str,
    /// Where it is at the start and after each act; empty: nowhere.
    pub(super) places: Vec<String>,
    /// In which acts it takes part.
    pub(super) acts: Vec<usize>,
}

/// All entities in acts whose type has an attribute of place: one with such a name or, where no
/// type has one, the first whose values are entities of another type.
pub(super) fn ways<'a>(problem: &'a StoryProblem, plan: &'a StoryPlan) -> Vec<Way<'a>> {
    let start = start(problem);
    let mut ways = Vec::new();
    for kind in &problem.types {
        let Some(attribute) = tells_where(problem, &kind.name) else {
            continue;
        };
        for entity in &kind.entities {
            let acts = plan.acts.iter().take(ACTS_MAX).enumerate();
            let acts = acts.filter(|(_, act)| act.entity_ids.contains(&entity.id));
            let acts: Vec<usize> = acts.map(|(index, _)| index).collect();
            if acts.is_empty() || ways.len() == ENTITIES_MAX {
                continue;
            }
            let key = (entity.id.as_str(), attribute.0);
            let first = start.get(&key).copied().unwrap_or(attribute.1);
            ways.push(Way {
                entity: &entity.id,
                label: match entity.label.as_str() {
                    "" => &entity.id,
                    label => label,
                },
                places: places(plan, key.0, key.1, first),
                acts,
            });
        }
    }
    ways
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

fn places(plan: &StoryPlan, entity: &str, attribute: &str, first: &str) -> Vec<String> {
    let known = |place: &str| match bare(place) {
        "null" => String::new(),
        place => place.to_owned(),
    };
    let mut places = vec![known(first)];
    for index in 0..plan.acts.len().min(ACTS_MAX) {
        let changes = plan.steps.get(index).map_or(&[][..], |step| &step.changes);
        let mut changed = changes.iter();
        let change = changed.find(|c| c.entity_id == entity && c.attribute == attribute);
        let place = match change {
            Some(change) => known(&change.value),
            None => places[index].clone(),
        };
        places.push(place);
    }
    places
}

/// The places that anybody is in, in the order in which they come up.
pub(super) fn all_places<'w>(ways: &'w [Way<'_>]) -> Vec<&'w str> {
    let mut all: Vec<&str> = Vec::new();
    for place in ways.iter().flat_map(|way| &way.places) {
        if !place.is_empty() && !all.contains(&place.as_str()) {
            all.push(place);
        }
    }
    all
}
