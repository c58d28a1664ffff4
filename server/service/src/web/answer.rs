//! From answers of calls to JSON.

use super::error::{Refused, whole};
use super::lines::{self, Lines};
use super::writer::Writer;
use super::{JSON, frame};
use crate::status::{Refusal, bad_end};
use bytes::{Bytes, BytesMut};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Response};
use http_body::Body as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor, SerializeOptions};
use std::future::poll_fn;
use std::pin::Pin;
use tonic::Status;
use tonic::body::Body;

/// The headers that name a call in logs, and its trace.
const KEPT: [HeaderName; 2] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("x-trace-id"),
];

/// The answer in JSON: one document, or as many lines as there are messages.
pub(super) async fn json_answer(
    writer: Writer,
    method: MethodDescriptor,
    response: Response<Body>,
) -> Response<Body> {
    let (head, body) = response.into_parts();
    let output = method.output();
    let mut answer = match bad_end(&head.headers) {
        Some(status) => Refused::from(status).response(),
        None if method.is_server_streaming() => {
            let body = Body::new(Lines::new(writer, body, output));
            with_type(body, lines::TYPE)
        }
        None => match only_message(&writer, output, body).await {
            Ok(json) => with_type(whole(json), JSON),
            Err(status) => Refused::from(status).response(),
        },
    };
    named(&head.headers, answer.headers_mut());
    answer
}

/// Headers of the answer to a call that has these.
pub(super) fn named(call: &HeaderMap, answer: &mut HeaderMap) {
    answer.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for name in KEPT {
        if let Some(value) = call.get(&name) {
            answer.insert(name, value.clone());
        }
    }
}

fn with_type(body: Body, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// The only message of an answer.
async fn only_message(
    writer: &Writer,
    kind: MessageDescriptor,
    mut body: Body,
) -> Result<Bytes, Status> {
    let mut received = BytesMut::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        match frame?.into_data() {
            Ok(data) => received.extend_from_slice(&data),
            Err(frame) => {
                if let Some(status) = frame.trailers_ref().and_then(bad_end) {
                    return Err(status);
                }
            }
        }
    }
    let message = frame::next(&mut received)?;
    let message = message.ok_or_else(|| Refusal::Unwritable("it holds no message".into()))?;
    let size = message.len();
    let json = writer.run(size, move || json(kind, message)).await?;
    let mut json = json?;
    json.push(b'\n');
    Ok(json.into())
}

/// A message as JSON, with the field names of the contract.
pub(super) fn json(kind: MessageDescriptor, message: Bytes) -> Result<Vec<u8>, Status> {
    let wrong = |error: &dyn std::fmt::Display| Refusal::Unwritable(error.to_string());
    let message = DynamicMessage::decode(kind, message).map_err(|error| wrong(&error))?;
    let mut json = Vec::new();
    let mut writer = serde_json::Serializer::new(&mut json);
    let options = SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false);
    let written = message.serialize_with_options(&mut writer, &options);
    written.map_err(|error| wrong(&error))?;
    Ok(json)
}
