//! Messages of the contract through their descriptors.

use super::{Format, Mistake, foreign, read_dynamic};
use prost::encoding::{decode_key, decode_varint};
use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor,
    MethodDescriptor, ReflectMessage as _, SerializeOptions, ServiceDescriptor, Value,
};
use serde::Deserializer;
use std::sync::LazyLock;
use stratagem_proto::v1::{AnyProblem, JobRequest, SolveOptions, any_problem};
use tonic::codegen::http::uri::PathAndQuery;

/// The package of the contract.
pub(super) const PACKAGE: &str = "stratagem.v1";

pub(crate) static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(stratagem_proto::DOCUMENTED_DESCRIPTOR_SET)
        .expect("the build made the descriptors of the very same protos")
});

/// A message of the contract that can be read from and written to files.
pub trait Described: Message + Name + Default {}

impl<M: Message + Name + Default> Described for M {}

pub(crate) fn descriptor<M: Described>() -> MessageDescriptor {
    POOL.get_message_by_name(&M::full_name())
        .expect("the build made the descriptors of the very same protos")
}

/// A method by its full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub(crate) fn method(name: &str) -> Option<MethodDescriptor> {
    let (service, method) = name.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|known| known.name() == method)
}

/// The method that takes such requests, and that answers with a stream or not. Each request belongs
/// to one method, or to a unary one and its stream.
///
/// # Panics
/// Where the contract has no such method: see [`has_stream`].
pub(crate) fn method_for<Q: Described>(streams: bool) -> MethodDescriptor {
    methods::<Q>()
        .find(|method| method.is_server_streaming() == streams)
        .expect("the contract has it")
}

/// Whether a method that takes such requests answers with a stream.
pub(crate) fn has_stream<Q: Described>() -> bool {
    methods::<Q>().any(|method| method.is_server_streaming())
}

fn methods<Q: Described>() -> impl Iterator<Item = MethodDescriptor> {
    let kind = descriptor::<Q>();
    let services = POOL.services();
    let all = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    all.filter(move |method| method.input() == kind)
}

/// Full name of a method, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub(crate) fn full_name(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().full_name(), method.name())
}

/// The message in a field, if that is set.
pub(crate) fn part<M: Described>(message: &DynamicMessage, field: &str) -> Option<M> {
    if !message.has_field_by_name(field) {
        return None;
    }
    Some(typed(message.get_field_by_name(field)?.as_message()?))
}

/// Reads a message of any type, refusing unknown fields.
pub(crate) fn from_value(
    kind: MessageDescriptor,
    value: serde_json::Value,
) -> Result<DynamicMessage, serde_json::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    DynamicMessage::deserialize_with_options(kind, value, &options)
}

/// A message of any type as JSON, as [`compact`] writes it.
pub(crate) fn to_value(message: &DynamicMessage) -> Result<serde_json::Value, serde_json::Error> {
    message.serialize_with_options(serde_json::value::Serializer, &layout())
}

fn layout() -> SerializeOptions {
    SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false)
}

/// Reads a message, refusing unknown fields.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    kind: &MessageDescriptor,
    deserializer: D,
) -> Result<DynamicMessage, D::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    DynamicMessage::deserialize_with_options(kind.clone(), deserializer, &options)
}

/// A message of the type that it is.
pub(crate) fn typed<M: Described>(message: &DynamicMessage) -> M {
    message.transcode_to().expect(FITS)
}

/// A message with its descriptor.
pub(crate) fn described<M: Described>(message: &M) -> DynamicMessage {
    let mut dynamic = DynamicMessage::new(descriptor::<M>());
    dynamic
        .transcode_from(message)
        .expect("the descriptor is that of the message");
    dynamic
}

/// Compact JSON with the field names of the protos and plain numbers. Defaults are left out.
///
/// # Errors
/// A duration out of the range of the mapping (ten thousand years): only in messages from
/// elsewhere.
pub(super) fn compact(message: &DynamicMessage) -> Result<String, serde_json::Error> {
    let mut text = Vec::new();
    message.serialize_with_options(&mut serde_json::Serializer::new(&mut text), &layout())?;
    Ok(String::from_utf8(text).expect("JSON is text"))
}

/// The member of a union that is set, such as the response in a `JobResponse`.
pub fn member<M: Described>(union: &M) -> Option<DynamicMessage> {
    let (_, inner) = set(union)?;
    Some(inner)
}

/// Whether a request has options of its own.
pub fn has_options(request: &JobRequest) -> bool {
    member(request).is_some_and(|inner| inner.has_field_by_name("options"))
}

/// A request with these options.
pub fn with_options(request: &JobRequest, options: &SolveOptions) -> JobRequest {
    let Some((field, mut inner)) = set(request) else {
        return request.clone();
    };
    inner.set_field_by_name("options", Value::Message(described(options)));
    let mut whole = DynamicMessage::new(descriptor::<JobRequest>());
    whole.set_field(&field, Value::Message(inner));
    whole.transcode_to().expect(FITS)
}

const FITS: &str = "both are of the very same protos";

/// The field of a problem in the union, and its message in bytes.
fn encoded(problem: &any_problem::Kind) -> (FieldDescriptor, Vec<u8>) {
    let mut bytes = Vec::with_capacity(problem.encoded_len());
    problem.encode(&mut bytes);
    let mut rest = bytes.as_slice();
    let (number, _) = decode_key(&mut rest).expect("a field begins with its key");
    decode_varint(&mut rest).expect("a message begins with its length");
    let header = bytes.len() - rest.len();
    bytes.drain(..header);
    let field = descriptor::<AnyProblem>().get_field(number);
    (field.expect(FITS), bytes)
}

/// The message of a planner's problem.
pub(crate) fn of_problem(problem: &any_problem::Kind) -> DynamicMessage {
    let (field, bytes) = encoded(problem);
    let kind = field.kind().as_message().cloned().expect(FITS);
    DynamicMessage::decode(kind, bytes.as_slice()).expect(FITS)
}

/// Name of the planner that a problem is of: the field of the union.
pub(crate) fn planner(problem: &any_problem::Kind) -> String {
    encoded(problem).0.name().to_owned()
}

/// Name of the planner whose problems are such messages.
pub(crate) fn planner_of<M: Described>() -> String {
    let kind = descriptor::<M>();
    let mut fields = descriptor::<AnyProblem>()
        .fields()
        .collect::<Vec<_>>()
        .into_iter();
    let field = fields.find(|field| field.kind().as_message() == Some(&kind));
    field.map_or_else(String::new, |field| field.name().to_owned())
}

/// The message of a problem, if it is of this type.
pub(crate) fn typed_problem<M: Described>(problem: &any_problem::Kind) -> Option<M> {
    let (field, bytes) = encoded(problem);
    let is_it = field.kind().as_message() == Some(&descriptor::<M>());
    is_it.then(|| M::decode(bytes.as_slice()).expect(FITS))
}

/// Reads the problem of a planner.
///
/// # Errors
/// The first mistake; no planner has this name.
pub(crate) fn read_problem(
    planner: &str,
    text: &str,
    format: Format,
) -> Result<any_problem::Kind, Mistake> {
    let mut union = DynamicMessage::new(descriptor::<AnyProblem>());
    let field = union.descriptor().get_field_by_name(planner);
    let kind = field.as_ref().map(FieldDescriptor::kind);
    let (Some(field), Some(kind)) = (&field, kind.as_ref().and_then(Kind::as_message)) else {
        return Err(foreign("no planner is known by this name"));
    };
    union.set_field(field, Value::Message(read_dynamic(kind, text, format)?));
    typed::<AnyProblem>(&union)
        .kind
        .ok_or_else(|| foreign("no problem"))
}

/// Whether this is a field of the union of problems.
pub(crate) fn is_planner(key: &str) -> bool {
    let union = descriptor::<AnyProblem>();
    let field = union.get_field_by_name(key);
    field
        .or_else(|| union.get_field_by_json_name(key))
        .is_some()
}

/// The planner whose problem has more of these keys than that of any other.
pub(crate) fn planner_with(keys: &[String]) -> Option<String> {
    let union = descriptor::<AnyProblem>();
    let known = |field: FieldDescriptor| {
        let kind = field.kind();
        let message = kind.as_message()?;
        let has = |key: &&String| {
            let field = message.get_field_by_name(key);
            field
                .or_else(|| message.get_field_by_json_name(key))
                .is_some()
        };
        Some((keys.iter().filter(has).count(), field.name().to_owned()))
    };
    let mut known: Vec<_> = union.fields().filter_map(known).collect();
    known.sort();
    let (most, planner) = known.pop()?;
    let second = known.last().map_or(0, |(count, _)| *count);
    (most > second).then_some(planner)
}

/// Full names of the planners' services.
pub(crate) fn planner_services() -> Vec<String> {
    let problems = descriptor::<AnyProblem>();
    let files = problems
        .fields()
        .filter_map(|field| Some(field.kind().as_message()?.parent_file()));
    let services = files.flat_map(|file| file.services().collect::<Vec<_>>());
    services
        .map(|service| service.full_name().to_owned())
        .collect()
}

/// The first method of a problem's planner that can be a job: the one that a job about the problem
/// is a request to.
pub(crate) fn first_method(problem: &MessageDescriptor) -> MethodDescriptor {
    let services: Vec<_> = problem.parent_file().services().collect();
    let mut methods = services.iter().flat_map(ServiceDescriptor::methods);
    let takes = |method: &MethodDescriptor| {
        let field = method.input().get_field_by_name("problem");
        field.is_some_and(|field| field.kind().as_message() == Some(problem))
    };
    methods
        .find(|method| takes(method) && job_field(method).is_some())
        .expect("each planner has one")
}

/// The field of a `JobRequest` that has requests to a method.
fn job_field(method: &MethodDescriptor) -> Option<FieldDescriptor> {
    let fields: Vec<_> = descriptor::<JobRequest>().fields().collect();
    let is_it = |field: &FieldDescriptor| field.kind().as_message() == Some(&method.input());
    fields.into_iter().find(is_it)
}

/// Where a method is called.
pub(crate) fn path(method: &MethodDescriptor) -> PathAndQuery {
    let path = PathAndQuery::try_from(format!("/{}", full_name(method)));
    path.expect("names are letters and dots")
}

/// A request to a method about a problem, with defaults for all else.
pub(crate) fn request(method: &MethodDescriptor, problem: DynamicMessage) -> DynamicMessage {
    let mut request = DynamicMessage::new(method.input());
    request.set_field_by_name("problem", Value::Message(problem));
    request
}

/// A job about a problem: a request to the first method of its planner.
pub(crate) fn job_about(problem: &any_problem::Kind) -> JobRequest {
    let problem = of_problem(problem);
    let method = first_method(&problem.descriptor());
    let field = job_field(&method).expect("such a method was looked for");
    let mut whole = DynamicMessage::new(descriptor::<JobRequest>());
    whole.set_field(&field, Value::Message(request(&method, problem)));
    whole.transcode_to().expect(FITS)
}

/// The field of a union that is set, and the message in it.
fn set<M: Described>(union: &M) -> Option<(FieldDescriptor, DynamicMessage)> {
    let mut dynamic = DynamicMessage::new(descriptor::<M>());
    dynamic.transcode_from(union).ok()?;
    let field = dynamic.fields().next()?.0;
    let Value::Message(inner) = dynamic.get_field_mut(&field) else {
        return None;
    };
    let empty = DynamicMessage::new(inner.descriptor());
    Some((field, std::mem::replace(inner, empty)))
}

/// Names of the methods that a job can be a request to: the fields of a `JobRequest`, as protos and
/// as JSON have them.
pub fn job_methods() -> impl Iterator<Item = String> {
    let fields: Vec<_> = descriptor::<JobRequest>().fields().collect();
    let names = |field: FieldDescriptor| [field.name().to_owned(), field.json_name().to_owned()];
    fields.into_iter().flat_map(names)
}

#[cfg(test)]
mod tests {
    use super::{first_method, path};
    use stratagem_proto::v1::AnyProblem;

    #[test]
    fn a_problem_is_a_matter_of_the_first_method_of_its_planner() {
        let union = super::descriptor::<AnyProblem>();
        let kinds = union
            .fields()
            .filter_map(|field| field.kind().as_message().cloned());
        let paths: Vec<_> = kinds
            .map(|kind| path(&first_method(&kind)).to_string())
            .collect();
        let wanted = [
            "TemporalService/CheckStrongControllability",
            "NarrativeService/ScheduleNarrative",
            "AllocationService/AllocateTasks",
            "CrewService/AssignCrew",
            "PatrolService/GeneratePatrol",
            "PuzzleService/GeneratePuzzle",
            "HeistService/PlanBurglar",
            "StoryService/GenerateStory",
            "ScheduleService/ScheduleProject",
        ];
        assert_eq!(paths, wanted.map(|it| format!("/stratagem.v1.{it}")));
    }
}
