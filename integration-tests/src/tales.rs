//! Domains of stories.

use stratagem_proto::v1::{
    ExplainStoryRequest, GenerateStoryRequest, SolveOptions, StoryAct, StoryAction, StoryAttribute,
    StoryEntity, StoryGoal, StoryParameter, StoryProblem, StoryType,
};

/// Lamps "l0", "l1", ... that are switched on one by one, each with believability 0.9; all should
/// be on, each counts alike.
#[must_use]
pub fn lamps(count: usize) -> StoryProblem {
    let entity = |i: usize| StoryEntity {
        id: format!("l{i}"),
        ..StoryEntity::default()
    };
    let goal = |i: usize| StoryGoal {
        name: format!("l{i} is on"),
        condition: format!("l{i}.on"),
        ..StoryGoal::default()
    };
    StoryProblem {
        title: "lamps".into(),
        types: vec![StoryType {
            name: "lamp".into(),
            entities: (0..count).map(entity).collect(),
        }],
        attributes: vec![StoryAttribute {
            type_name: "lamp".into(),
            name: "on".into(),
            values: "bool".into(),
            ..StoryAttribute::default()
        }],
        actions: vec![StoryAction {
            name: "Light".into(),
            parameters: vec![StoryParameter {
                name: "l".into(),
                type_name: "lamp".into(),
            }],
            preconditions: vec!["not l.on".into()],
            effects: vec!["l.on = true".into()],
            believability: "0.9".into(),
            texts: vec!["Somebody lit {l}.".into()],
            ..StoryAction::default()
        }],
        goals: (0..count).map(goal).collect(),
        max_acts: Some(10),
        ..StoryProblem::default()
    }
}

/// A request for a story.
#[must_use]
pub fn story_request(problem: StoryProblem, options: SolveOptions) -> GenerateStoryRequest {
    GenerateStoryRequest {
        problem: Some(problem),
        options: Some(options),
        ..GenerateStoryRequest::default()
    }
}

/// A request to look at a story.
#[must_use]
pub fn explain(problem: StoryProblem, acts: Vec<StoryAct>) -> ExplainStoryRequest {
    ExplainStoryRequest {
        problem: Some(problem),
        acts,
        ..ExplainStoryRequest::default()
    }
}

/// An act.
#[must_use]
pub fn act(action: &str, entities: &[&str]) -> StoryAct {
    StoryAct {
        action: action.into(),
        entity_ids: entities.iter().map(|id| (*id).into()).collect(),
    }
}
