//! Answers as members of the union of responses.

use crate::messages::{descriptor, typed};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage as _, Value,
};
use stratagem_proto::v1::{AnyProblem, JobResponse, job_response};

/// The response of a search that an answer is, or one with its plan, or one with this plan; `None`
/// where no search has such.
pub fn response_with(answer: &DynamicMessage) -> Option<DynamicMessage> {
    let kind = answer.descriptor();
    let responses = descriptor::<JobResponse>().fields().collect::<Vec<_>>();
    let responses = responses
        .iter()
        .filter_map(|field| field.kind().as_message().cloned());
    let responses: Vec<_> = responses.collect();
    if responses.contains(&kind) {
        return Some(answer.clone());
    }
    let of = |message: &MessageDescriptor| Some(message.get_field_by_name("plan")?.kind());
    let (wanted, plan) = match of(&kind) {
        Some(wanted) => {
            let is_set = answer.has_field_by_name("plan");
            let plan = answer.get_field_by_name("plan").filter(|_| is_set);
            (wanted, plan.map(|plan| plan.into_owned()))
        }
        None => (Kind::Message(kind), Some(Value::Message(answer.clone()))),
    };
    let response = responses
        .into_iter()
        .find(|it| of(it).as_ref() == Some(&wanted))?;
    let mut response = DynamicMessage::new(response);
    if let Some(plan) = plan {
        response.set_field_by_name("plan", plan);
    }
    Some(response)
}

/// The same as its type.
pub fn response_of(answer: &DynamicMessage) -> Option<job_response::Method> {
    let response = response_with(answer)?;
    let kind = Kind::Message(response.descriptor());
    let mut fields = descriptor::<JobResponse>()
        .fields()
        .collect::<Vec<_>>()
        .into_iter();
    let field = fields.find(|field| field.kind() == kind)?;
    let mut union = DynamicMessage::new(descriptor::<JobResponse>());
    union.set_field(&field, Value::Message(response));
    typed::<JobResponse>(&union).method
}

/// The response of a planner's search with this plan and with what else is known: each message in
/// `known` becomes the field of its type. Without a plan it is the response of the first search.
pub fn response_about(
    planner: &str,
    plan: Option<&DynamicMessage>,
    known: &DynamicMessage,
) -> Option<job_response::Method> {
    let mut response = match plan {
        Some(plan) => response_with(plan)?,
        None => DynamicMessage::new(responses(planner).into_iter().next()?),
    };
    let fields: Vec<_> = response.descriptor().fields().collect();
    for (field, value) in known
        .fields()
        .filter(|(_, value)| value.as_message().is_some())
    {
        let is_it = |own: &&FieldDescriptor| own.kind() == field.kind() && !own.is_list();
        if let Some(own) = fields.iter().find(is_it) {
            response.set_field(own, value.clone());
        }
    }
    response_of(&response)
}

/// The responses of a planner's methods that search.
pub fn responses(planner: &str) -> Vec<MessageDescriptor> {
    let problem = descriptor::<AnyProblem>().get_field_by_name(planner);
    let file = problem.and_then(|field| Some(field.kind().as_message()?.parent_file()));
    let fields: Vec<_> = descriptor::<JobResponse>().fields().collect();
    let kinds = fields.iter().map(FieldDescriptor::kind);
    let kinds = kinds.filter_map(|kind| kind.as_message().cloned());
    kinds
        .filter(|kind| Some(kind.parent_file()) == file)
        .collect()
}
