//! A domain for the wire: read again, it is the same.

use story::language::{
    show_effect, show_expression, show_literal, show_rule, show_setting, show_values,
};
use story::spec::{ActionSpec, NameSpec, Spec};
use stratagem_proto::v1 as pb;

/// A domain as a problem.
pub(super) fn problem_of(spec: &Spec) -> pb::StoryProblem {
    let types = spec.types.iter().map(|kind| pb::StoryType {
        name: kind.name.clone(),
        entities: kind
            .entities
            .iter()
            .map(|id| entity(id, &spec.names))
            .collect(),
    });
    let attributes = spec.attributes.iter().map(|given| pb::StoryAttribute {
        type_name: given.owner.clone(),
        name: given.name.clone(),
        values: show_values(&given.kind),
        fixed: given.is_static,
        default_value: given.default.as_ref().map(show_literal).unwrap_or_default(),
    });
    let tables = spec.tables.iter().map(|table| pb::StoryTable {
        name: table.name.clone(),
        entries: table
            .entries
            .iter()
            .map(|(entity_id, number)| pb::StoryTableEntry {
                entity_id: entity_id.clone(),
                number: *number,
            })
            .collect(),
        default_number: table.default,
    });
    let goals = spec.goals.iter().map(|goal| pb::StoryGoal {
        name: goal.name.clone(),
        condition: show_expression(&goal.expr),
        weight: Some(goal.weight),
    });
    let events = spec.events.iter().map(|event| pb::StoryEvent {
        action: event.action.clone(),
        entity_ids: event
            .args
            .iter()
            .map(|arg| arg.clone().unwrap_or_default())
            .collect(),
        forbidden: !event.must,
    });
    let sliders = spec.sliders.iter().map(|slider| pb::StorySlider {
        action: slider.action.clone(),
        factor: slider.factor,
    });
    pb::StoryProblem {
        title: String::new(),
        description: String::new(),
        types: types.collect(),
        attributes: attributes.collect(),
        settings: spec.init.iter().map(show_setting).collect(),
        tables: tables.collect(),
        actions: spec.actions.iter().map(action).collect(),
        goals: goals.collect(),
        events: events.collect(),
        sliders: sliders.collect(),
        // At most 50.
        max_acts: Some(i32::try_from(spec.actions_max).unwrap_or(i32::MAX)),
    }
}

fn entity(id: &str, names: &[NameSpec]) -> pb::StoryEntity {
    let name = names.iter().find(|name| name.entity == id);
    let pronoun = |at: usize| {
        let pronoun = name.and_then(|name| name.pronouns.get(at));
        pronoun.cloned().unwrap_or_default()
    };
    pb::StoryEntity {
        id: id.into(),
        label: name.map(|name| name.name.clone()).unwrap_or_default(),
        subject_pronoun: pronoun(0),
        object_pronoun: pronoun(1),
    }
}

fn action(given: &ActionSpec) -> pb::StoryAction {
    let parameters = given.params.iter().map(|(name, kind)| pb::StoryParameter {
        name: name.clone(),
        type_name: kind.clone(),
    });
    pb::StoryAction {
        name: given.name.clone(),
        parameters: parameters.collect(),
        repeatable: !given.distinct,
        preconditions: given.preconditions.iter().map(show_expression).collect(),
        effects: given.effects.iter().map(show_effect).collect(),
        believability: show_expression(&given.believability.base),
        rules: given.believability.rules.iter().map(show_rule).collect(),
        texts: given.texts.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::problem_of;
    use crate::mistakes::Mistakes;
    use crate::story::problem::problem;
    use anytime::Path;
    use proptest::prelude::*;
    use story::{Problem, generate};

    proptest! {
        /// A domain survives a round trip over the wire.
        #[test]
        fn a_domain_that_is_written_is_read_again(seed: u64) {
            let spec = generate::domain(seed);
            let mut wrong = Mistakes::default();
            let at = Path::root("problem");
            let read = problem(problem_of(&spec), &at, &mut wrong);
            prop_assert!(wrong.is_empty(), "{}", wrong);
            prop_assert_eq!(read.map(|it| it.problem), Problem::new(&spec).ok());
        }
    }
}
