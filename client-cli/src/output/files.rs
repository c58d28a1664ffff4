//! Parts of answers as texts of their own: published routes, stories, worlds, hints.

use crate::exit::{Exit, Failure};
use crate::input::Kind as Problem;
use crate::reflect;
use formats::{json, messages, vrplib};
use prost_reflect::DynamicMessage;
use stratagem_proto::v1::{
    AnalyzeHeistResponse, DesignHeistResponse, HeistProblem, StoryPlan, VaryStoriesResponse,
};
use stratagem_render::story;

/// The routes of a plan as they are published.
///
/// # Errors
/// The id of a task has a blank.
pub fn routes(_: &Problem, answer: &DynamicMessage) -> Result<Option<String>, Failure> {
    let Some(plan) = reflect::part(answer, "plan") else {
        return Ok(None);
    };
    let routes = vrplib::write_routes(&plan).map_err(|id| {
        let why = format!("the id of task `{id}` has a blank: no routes are written");
        Failure::new(Exit::INVALID, why)
    });
    routes.map(Some)
}

/// The stories of an answer.
fn stories(answer: &DynamicMessage) -> Vec<StoryPlan> {
    if answer.has_field_by_name("plans") {
        return messages::typed::<VaryStoriesResponse>(answer).plans;
    }
    reflect::part(answer, "plan").into_iter().collect()
}

/// The text of stories.
///
/// # Errors
/// None.
pub fn prose(_: &Problem, answer: &DynamicMessage) -> Result<Option<String>, Failure> {
    let stories = stories(answer);
    Ok((!stories.is_empty()).then(|| story::prose(&stories)))
}

/// Stories as Markdown.
///
/// # Errors
/// None.
pub fn markdown(problem: &Problem, answer: &DynamicMessage) -> Result<Option<String>, Failure> {
    let stories = stories(answer);
    Ok(match problem {
        Problem::Story(problem) if !stories.is_empty() => Some(story::markdown(problem, &stories)),
        _ => None,
    })
}

/// A story with choices as a script of Ink.
///
/// # Errors
/// None.
pub fn ink(_: &Problem, answer: &DynamicMessage) -> Result<Option<String>, Failure> {
    let script = answer.get_field_by_name("ink");
    let script = script.and_then(|script| script.as_str().map(str::to_owned));
    Ok(script.filter(|script| !script.is_empty()))
}

/// The world of a designed level as a problem, in JSON.
///
/// # Errors
/// A duration in it is beyond ten thousand years.
pub fn world_of_level(_: &Problem, answer: &DynamicMessage) -> Result<Option<String>, Failure> {
    let answer: DesignHeistResponse = messages::typed(answer);
    let Some(level) = answer.plan else {
        return Ok(None);
    };
    let problem = HeistProblem {
        world: level.world,
        ..HeistProblem::default()
    };
    let text = json::write(&problem).map_err(|m| Failure::new(Exit::IO, m.message))?;
    Ok(Some(text))
}

/// Hints for the player up to a grade.
#[must_use]
pub fn hints(answer: &DynamicMessage, grade: i64) -> String {
    let answer: AnalyzeHeistResponse = messages::typed(answer);
    let grade = i32::try_from(grade).unwrap_or(i32::MAX);
    super::heist::hints(&answer.analysis.unwrap_or_default(), grade)
}
