//! Errors as JSON.
//!
//! ```json
//! {"code": "INVALID_ARGUMENT", "message": "...", "reason": "INVALID_REQUEST",
//!  "metadata": {"mistake_count": "1"},
//!  "violations": [{"field": "problem.agents[0].speed", "reason": "OUT_OF_RANGE",
//!                  "description": "..."}],
//!  "retry_delay": "0.25s"}
//! ```
//! The HTTP status is the one that `google/rpc/code.proto` gives for the code; `Retry-After` goes
//! with `retry_delay`, in whole seconds.

use super::JSON;
use super::frame::Whole;
use crate::status::Refusal;
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};
use serde_json::{Map, Value, json};
use std::time::Duration;
use stratagem_proto::code_name;
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Why a request is answered before it is a call, or instead of an answer.
#[derive(Debug)]
pub(super) struct Refused {
    status: Status,
    /// Where it is not the code's own.
    http: Option<StatusCode>,
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self { status, http: None }
    }
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        Status::from(why).into()
    }
}

impl Refused {
    /// With a status of HTTP that says more than the code's own.
    pub(super) fn http(http: StatusCode, why: Refusal) -> Self {
        Self {
            status: why.into(),
            http: Some(http),
        }
    }

    /// It, as gRPC has it.
    pub(super) fn status(&self) -> &Status {
        &self.status
    }

    /// The answer for it.
    pub(super) fn response(&self) -> Response<Body> {
        let http = self.http.unwrap_or_else(|| http_status(self.status.code()));
        let body = document(&self.status).to_string() + "\n";
        let mut response = Response::new(whole(body.into()));
        *response.status_mut() = http;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        if http == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(ALLOW, HeaderValue::from_static("POST"));
        }
        if let Some(after) = retry_delay(&self.status) {
            // No sooner than it makes sense.
            let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A body of these bytes.
pub(super) fn whole(bytes: Bytes) -> Body {
    Body::new(Whole(Some(bytes)))
}

/// An error as a document.
pub(super) fn document(status: &Status) -> Value {
    let details = status.get_error_details();
    let mut error = Map::new();
    error.insert("code".into(), code_name(status.code()).into());
    error.insert("message".into(), status.message().into());
    if let Some(info) = details.error_info() {
        error.insert("reason".into(), info.reason.clone().into());
        if !info.metadata.is_empty() {
            error.insert("metadata".into(), json!(info.metadata));
        }
    }
    if let Some(wrong) = details.bad_request() {
        let violations = wrong.field_violations.iter().map(
            |it| json!({"field": it.field, "reason": it.reason, "description": it.description}),
        );
        error.insert("violations".into(), violations.collect());
    }
    if let Some(after) = retry_delay(status) {
        let seconds = format!("{}s", after.as_secs_f64());
        error.insert("retry_delay".into(), seconds.into());
    }
    Value::Object(error)
}

fn retry_delay(status: &Status) -> Option<Duration> {
    let details = status.get_error_details();
    details.retry_info().and_then(|retry| retry.retry_delay)
}

/// The status that `google/rpc/code.proto` gives for a code.
fn http_status(code: Code) -> StatusCode {
    // Nginx's number for a client that closed the request; it is registered nowhere.
    const CLIENT_CLOSED_REQUEST: u16 = 499;
    match code {
        Code::Ok => StatusCode::OK,
        Code::Cancelled => StatusCode::from_u16(CLIENT_CLOSED_REQUEST).unwrap_or_default(),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
            StatusCode::BAD_REQUEST
        }
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Unknown | Code::Internal | Code::DataLoss => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
