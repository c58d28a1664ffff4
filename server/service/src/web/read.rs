//! From requests in JSON to calls.

use super::error::{Refused, whole};
use super::frame::framed;
use super::writer::Writer;
use super::{JSON, Web};
use crate::call::discard;
use crate::status::Refusal;
use crate::tenant::Tenant;
use bytes::{Bytes, BytesMut};
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, TE};
use http::request::Parts;
use http::{HeaderMap, Method, Request, StatusCode, Version};
use http_body::Body as _;
use prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;
use tonic::body::Body;
use wire::weigh;

/// How long a body may take to come.
const UPLOAD_TIME: Duration = Duration::from_secs(30);
/// What the Connect protocol calls the time that a caller waits, in milliseconds.
const CONNECT_TIMEOUT: &str = "connect-timeout-ms";
/// What gRPC calls it.
const TIMEOUT: &str = "grpc-timeout";
/// Headers that go on with the call.
const KEPT: [&str; 5] = [
    "authorization",
    TIMEOUT,
    "traceparent",
    "tracestate",
    "x-request-id",
];

/// Whether it is JSON, whatever parameters its type has.
pub(super) fn is_json<B>(request: &Request<B>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case(JSON)
}

/// An empty call of the same method, for those that are refused; `None` when no such method exists.
pub(super) fn empty(web: &Web, request: &Request<Body>) -> Option<Request<Body>> {
    web.methods.0.get(request.uri().path())?;
    let mut call = Request::new(whole(Bytes::new()));
    *call.method_mut() = Method::POST;
    *call.uri_mut() = request.uri().clone();
    *call.version_mut() = Version::HTTP_2;
    *call.headers_mut() = kept(request.headers());
    // Neither is asked for again.
    call.headers_mut().remove(AUTHORIZATION);
    call.headers_mut().remove(TIMEOUT);
    Some(call)
}

/// The call that a request stands for, and what writes its answer.
///
/// # Errors
/// When it stands for none.
pub(super) async fn call(
    web: &Web,
    request: Request<Body>,
) -> Result<(MethodDescriptor, Writer, Request<Body>), Refused> {
    let (head, body) = request.into_parts();
    let (method, tenant, headers) = match looked_at(web, &head) {
        Ok(all) => all,
        Err(refused) => {
            discard(body);
            return Err(refused);
        }
    };
    let body = timeout(UPLOAD_TIME, bytes(body, web.bytes_max)).await;
    let body = body.map_err(|_| {
        Refused::http(
            StatusCode::REQUEST_TIMEOUT,
            runtime::Refusal::Expired.into(),
        )
    })??;
    let writer = Writer::new(&web.desk, &tenant);
    let (input, size) = (method.input(), body.len());
    let message = writer.run(size, move || encoded(input, &body)).await??;
    let mut call = Request::new(whole(framed(&message)));
    *call.method_mut() = Method::POST;
    *call.uri_mut() = head.uri;
    *call.version_mut() = Version::HTTP_2;
    *call.headers_mut() = headers;
    *call.extensions_mut() = head.extensions;
    call.extensions_mut().insert(tenant);
    Ok((method, writer, call))
}

/// What the head of a request says: its method, its tenant, and the headers of the call.
///
/// # Errors
/// When it is refused, whatever its body is.
fn looked_at(web: &Web, head: &Parts) -> Result<(MethodDescriptor, Tenant, HeaderMap), Refused> {
    let Some(method) = web.methods.0.get(head.uri.path()) else {
        let message =
            "there is no such method; paths are as in /stratagem.v1.ServerService/GetServerInfo";
        let why = Refusal::NoCall(message.into());
        return Err(Refused::http(StatusCode::NOT_FOUND, why));
    };
    if head.method != Method::POST {
        let why = Refusal::NoCall("methods are called by POST".into());
        return Err(Refused::http(StatusCode::METHOD_NOT_ALLOWED, why));
    }
    if head.headers.contains_key(CONTENT_ENCODING) {
        let why = Refusal::NoCall("JSON is taken uncompressed".into());
        return Err(Refused::http(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let tenant = web.gate.admit(head.uri.path(), &head.headers)?;
    Ok((method.clone(), tenant, headers(&head.headers)?))
}

/// The headers of the call.
fn headers(given: &HeaderMap) -> Result<HeaderMap, Refused> {
    let mut headers = kept(given);
    if let Some(given) = given.get(CONNECT_TIMEOUT) {
        let digits = given.to_str().ok();
        let digits = digits.filter(|it| (1..=8).contains(&it.len()));
        let digits = digits.filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
        let value = digits.and_then(|it| HeaderValue::from_str(&format!("{it}m")).ok());
        let Some(value) = value else {
            let message = format!("{CONNECT_TIMEOUT} is not 1 to 8 digits");
            return Err(Refusal::Malformed(message).into());
        };
        headers.insert(TIMEOUT, value);
    }
    Ok(headers)
}

/// Those that go on, all values of each, and those of every call.
fn kept(given: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in KEPT.map(HeaderName::from_static) {
        for value in given.get_all(&name) {
            headers.append(&name, value.clone());
        }
    }
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/grpc+proto"),
    );
    headers.insert(TE, HeaderValue::from_static("trailers"));
    headers
}

/// All of a body.
async fn bytes(mut body: Body, most: usize) -> Result<Bytes, Refused> {
    let mut all = BytesMut::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        if all.len() + data.len() > most {
            let message = format!("the body has more than {most} bytes");
            let why = Refusal::TooLarge(message);
            return Err(Refused::http(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        all.extend_from_slice(&data);
    }
    Ok(all.freeze())
}

/// A message from its JSON, as bytes.
fn encoded(kind: MessageDescriptor, json: &[u8]) -> Result<Vec<u8>, Refused> {
    weigh::check_json(json).map_err(|why| {
        let why = Refusal::TooLarge(format!("the body has {why}"));
        Refused::http(StatusCode::PAYLOAD_TOO_LARGE, why)
    })?;
    // No body is an empty message.
    let json = match json.trim_ascii() {
        b"" => b"{}",
        json => json,
    };
    let mut reader = serde_json::Deserializer::from_slice(json);
    let read = DynamicMessage::deserialize(kind, &mut reader);
    let read = read.and_then(|message| reader.end().map(|()| message));
    match read {
        Ok(message) => Ok(message.encode_to_vec()),
        Err(wrong) => Err(Refusal::Malformed(wrong.to_string()).into()),
    }
}
