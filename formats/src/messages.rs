//! Messages of the contract through their descriptors.

use super::{Format, Mistake, read_dynamic};
use prost::encoding::{decode_key, decode_varint};
use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor,
    MethodDescriptor, ReflectMessage as _, SerializeOptions, Value,
};
use serde::Deserializer;
use std::sync::LazyLock;
use stratagem_proto::v1::{AnyProblem, any_problem};

/// The package of the contract.
pub const PACKAGE: &str = "stratagem.v1";

/// All messages and services of the contract, with comments.
pub static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(stratagem_proto::DOCUMENTED_DESCRIPTOR_SET)
        .expect("the build made the descriptors of the very same protos")
});

/// A message of the contract that can be read from and written to files.
pub trait Described: Message + Name + Default {}

impl<M: Message + Name + Default> Described for M {}

/// The descriptor of a message.
pub fn descriptor<M: Described>() -> MessageDescriptor {
    POOL.get_message_by_name(&M::full_name())
        .expect("the build made the descriptors of the very same protos")
}

/// Full name of a method, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub fn full_name(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().full_name(), method.name())
}

fn layout() -> SerializeOptions {
    SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false)
}

/// A message of any type as JSON, with the field names of the protos and plain numbers.
///
/// # Errors
/// A duration beyond ten thousand years.
pub fn to_value(message: &DynamicMessage) -> Result<serde_json::Value, serde_json::Error> {
    message.serialize_with_options(serde_json::value::Serializer, &layout())
}

/// Reads a message, refusing unknown fields.
///
/// # Errors
/// Those of the deserializer.
pub fn deserialize<'de, D: Deserializer<'de>>(
    kind: &MessageDescriptor,
    deserializer: D,
) -> Result<DynamicMessage, D::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    DynamicMessage::deserialize_with_options(kind.clone(), deserializer, &options)
}

/// A message of the type that it is.
///
/// # Panics
/// When it is of another type.
pub fn typed<M: Described>(message: &DynamicMessage) -> M {
    message.transcode_to().expect(FITS)
}

/// A message with its descriptor.
pub fn described<M: Described>(message: &M) -> DynamicMessage {
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
pub(crate) fn compact(message: &DynamicMessage) -> Result<String, serde_json::Error> {
    let mut text = Vec::new();
    message.serialize_with_options(&mut serde_json::Serializer::new(&mut text), &layout())?;
    Ok(String::from_utf8(text).expect("JSON is text"))
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
pub fn of_problem(problem: &any_problem::Kind) -> DynamicMessage {
    let (field, bytes) = encoded(problem);
    let kind = field.kind().as_message().cloned().expect(FITS);
    DynamicMessage::decode(kind, bytes.as_slice()).expect(FITS)
}

/// Name of the planner that a problem is of: the field of the union.
pub fn planner(problem: &any_problem::Kind) -> String {
    encoded(problem).0.name().to_owned()
}

/// Name of the planner whose problems are such messages.
pub fn planner_of<M: Described>() -> String {
    let kind = descriptor::<M>();
    let mut fields = descriptor::<AnyProblem>()
        .fields()
        .collect::<Vec<_>>()
        .into_iter();
    let field = fields.find(|field| field.kind().as_message() == Some(&kind));
    field.map_or_else(String::new, |field| field.name().to_owned())
}

/// The message of a problem, if it is of this type.
pub fn typed_problem<M: Described>(problem: &any_problem::Kind) -> Option<M> {
    let (field, bytes) = encoded(problem);
    let is_it = field.kind().as_message() == Some(&descriptor::<M>());
    is_it.then(|| M::decode(bytes.as_slice()).expect(FITS))
}

/// The problem of a planner, from its message.
///
/// # Panics
/// When no planner has this name.
pub fn problem_kind(planner: &str, problem: DynamicMessage) -> any_problem::Kind {
    let mut union = DynamicMessage::new(descriptor::<AnyProblem>());
    union.set_field_by_name(planner, Value::Message(problem));
    typed::<AnyProblem>(&union).kind.expect("a planner's name")
}

/// The field of a union that is set, and the message in it.
pub fn set_field<M: Described>(union: &M) -> Option<(FieldDescriptor, DynamicMessage)> {
    let mut dynamic = described(union);
    let field = dynamic.fields().next()?.0;
    let Value::Message(inner) = dynamic.get_field_mut(&field) else {
        return None;
    };
    let empty = DynamicMessage::new(inner.descriptor());
    Some((field, std::mem::replace(inner, empty)))
}

/// The member of a union that is set, such as the response in a `JobResponse`.
pub fn member<M: Described>(union: &M) -> Option<DynamicMessage> {
    set_field(union).map(|(_, inner)| inner)
}

/// Reads the problem of a planner.
///
/// # Errors
/// The first mistake; no planner has this name.
pub fn read_problem(
    planner: &str,
    text: &str,
    format: Format,
) -> Result<any_problem::Kind, Mistake> {
    let field = descriptor::<AnyProblem>().get_field_by_name(planner);
    let kind = field.as_ref().map(FieldDescriptor::kind);
    let Some(kind) = kind.as_ref().and_then(Kind::as_message) else {
        return Err(Mistake::new("no planner is known by this name"));
    };
    Ok(problem_kind(planner, read_dynamic(kind, text, format)?))
}

/// Whether this is a field of the union of problems.
pub fn is_planner(key: &str) -> bool {
    let union = descriptor::<AnyProblem>();
    let field = union.get_field_by_name(key);
    field
        .or_else(|| union.get_field_by_json_name(key))
        .is_some()
}

/// The planner whose problem has more of these keys than that of any other.
pub fn planner_with(keys: &[String]) -> Option<String> {
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
