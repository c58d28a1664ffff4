//! The examples of the contract as messages.

use crate::messages::{of_problem, read_problem};
use crate::{Format, Mistake};
use prost_reflect::Value;
use stratagem_proto::Example;
use stratagem_proto::v1::{AnyProblem, ExampleSummary, GetExampleResponse};

/// Reads an example.
///
/// # Errors
/// It is no problem of its planner.
pub fn example(example: &Example) -> Result<GetExampleResponse, Mistake> {
    let problem = read_problem(example.planner, example.json, Format::Json)?;
    let message = of_problem(&problem);
    // Title and description of a heist are in its world.
    let world = message.get_field_by_name("world");
    let about = world.as_deref().and_then(Value::as_message);
    let text = |name: &str| {
        let text = about.unwrap_or(&message).get_field_by_name(name)?;
        text.as_str().map(str::to_owned)
    };
    Ok(GetExampleResponse {
        summary: Some(ExampleSummary {
            name: example.name.into(),
            planner: example.planner.into(),
            title: text("title").unwrap_or_default(),
            description: text("description").unwrap_or_default(),
        }),
        problem: Some(AnyProblem {
            kind: Some(problem),
        }),
    })
}
