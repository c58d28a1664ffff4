//! The problems that come with the server.

use prost::Message as _;
use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage};
use stratagem_proto::{EXAMPLES, Example, v1 as pb};

/// The examples, read and ready to be sent.
#[derive(Debug)]
pub struct Examples(Vec<pb::GetExampleResponse>);

/// Why an example cannot be served: the server does not start with it.
#[derive(Debug, thiserror::Error)]
#[error("example {name}: {why}")]
pub struct BrokenExample {
    name: &'static str,
    why: String,
}

impl Examples {
    /// All examples.
    ///
    /// # Errors
    /// The first that is no problem of its planner.
    pub fn read() -> Result<Self, BrokenExample> {
        let broken = |name, why| BrokenExample { name, why };
        let pool = DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET)
            .map_err(|error| broken("of no planner", error.to_string()))?;
        let read =
            |example: &Example| read(&pool, example).map_err(|why| broken(example.name, why));
        EXAMPLES
            .iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// All, in the order of their names.
    pub fn list(&self) -> &[pb::GetExampleResponse] {
        &self.0
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&pb::GetExampleResponse> {
        self.0
            .iter()
            .find(|one| one.summary.as_ref().is_some_and(|s| s.name == name))
    }
}

fn read(pool: &DescriptorPool, example: &Example) -> Result<pb::GetExampleResponse, String> {
    let Example {
        planner,
        name,
        json,
    } = example;
    // The field of the union has the planner's name, and the planner's message as its type.
    let union = pool
        .get_message_by_name("stratagem.v1.AnyProblem")
        .ok_or("there is no message AnyProblem")?;
    let field = union
        .get_field_by_name(planner)
        .ok_or_else(|| format!("there is no planner {planner}"))?;
    let kind = field.kind();
    let message = kind.as_message().ok_or("the field is no message")?;
    let mut json = serde_json::Deserializer::from_str(json);
    let strict = DeserializeOptions::new().deny_unknown_fields(true);
    let inner = DynamicMessage::deserialize_with_options(message.clone(), &mut json, &strict)
        .map_err(|error| error.to_string())?;
    json.end().map_err(|error| error.to_string())?;
    // What is planned in a world is called as the world is.
    let world = inner.get_field_by_name("world");
    let about = world
        .as_deref()
        .and_then(prost_reflect::Value::as_message)
        .unwrap_or(&inner);
    let text = |name: &str| {
        let value = about.get_field_by_name(name);
        value
            .and_then(|v| v.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    let summary = pb::ExampleSummary {
        name: (*name).into(),
        planner: (*planner).into(),
        title: text("title"),
        description: text("description"),
    };
    let mut outer = DynamicMessage::new(union);
    outer.set_field(&field, prost_reflect::Value::Message(inner));
    let problem = pb::AnyProblem::decode(outer.encode_to_vec().as_slice())
        .map_err(|error| error.to_string())?;
    Ok(pb::GetExampleResponse {
        summary: Some(summary),
        problem: Some(problem),
    })
}
