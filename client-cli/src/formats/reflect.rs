//! Messages of the contract through their descriptors.

use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, FieldDescriptor, MessageDescriptor,
    MethodDescriptor, SerializeOptions, Value,
};
use serde::Deserializer;
use std::sync::LazyLock;
use stratagem_proto::v1::{JobRequest, SolveOptions};

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET)
        .expect("the build made the descriptors of the very same protos")
});

/// A message of the contract that can be read from and written to files.
pub trait Described: Message + Name + Default {}

impl<M: Message + Name + Default> Described for M {}

pub(super) fn descriptor<M: Described>() -> MessageDescriptor {
    POOL.get_message_by_name(&M::full_name())
        .expect("the build made the descriptors of the very same protos")
}

/// A method by its full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub(crate) fn method(name: &str) -> Option<MethodDescriptor> {
    let (service, method) = name.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|known| known.name() == method)
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
pub(super) fn deserialize<'de, M: Described, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<M, D::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    let message =
        DynamicMessage::deserialize_with_options(descriptor::<M>(), deserializer, &options)?;
    message.transcode_to().map_err(serde::de::Error::custom)
}

/// Compact JSON with the field names of the protos and plain numbers. Defaults are left out.
///
/// # Errors
/// A duration out of the range of the mapping (ten thousand years): only in messages from
/// elsewhere.
pub(super) fn compact<M: Described>(message: &M) -> Result<String, serde_json::Error> {
    let mut dynamic = DynamicMessage::new(descriptor::<M>());
    dynamic
        .transcode_from(message)
        .expect("the descriptor is that of the message");
    let mut text = Vec::new();
    dynamic.serialize_with_options(&mut serde_json::Serializer::new(&mut text), &layout())?;
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
    let mut own = DynamicMessage::new(descriptor::<SolveOptions>());
    let fits = "both are of the very same protos";
    own.transcode_from(options).expect(fits);
    inner.set_field_by_name("options", Value::Message(own));
    let mut whole = DynamicMessage::new(descriptor::<JobRequest>());
    whole.set_field(&field, Value::Message(inner));
    whole.transcode_to().expect(fits)
}

/// The field of a union that is set, and the message in it.
fn set<M: Described>(union: &M) -> Option<(FieldDescriptor, DynamicMessage)> {
    let mut dynamic = DynamicMessage::new(descriptor::<M>());
    dynamic.transcode_from(union).ok()?;
    let (field, value) = dynamic.fields().next()?;
    Some((field, value.as_message()?.clone()))
}

/// Names of the methods that a job can be a request to: the fields of a `JobRequest`, as protos and as JSON have them.
pub fn job_methods() -> impl Iterator<Item = String> {
    let fields: Vec<_> = descriptor::<JobRequest>().fields().collect();
    let names = |field: FieldDescriptor| [field.name().to_owned(), field.json_name().to_owned()];
    fields.into_iter().flat_map(names)
}
