//! The one place that makes `tonic::Status`: which error becomes which code, and what it carries.
//!
//! Every error carries `google.rpc.ErrorInfo` with domain `stratagem.dev`, a stable reason, and in
//! its metadata every part of the message that varies; docs/reference/errors.md lists them.

mod retry;
#[cfg(test)]
mod tests;

use crate::codec::ACCEPTED;
use runtime::Refusal as Search;
use std::collections::HashMap;
use std::time::Duration;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt as _};
use wire::mistakes::Mistakes;
use wire::weigh::Unreadable;

/// Domain of all reasons.
const DOMAIN: &str = "stratagem.dev";

/// Why a request got no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The request is invalid: all mistakes.
    Mistakes(Mistakes),
    /// The bytes are no message of this type.
    Malformed(String),
    /// The message is beyond a limit.
    TooLarge(String),
    /// The message is compressed in a way that is not known here.
    Encoding(String),
    /// The `grpc-timeout` header cannot be read.
    Timeout,
    /// Nothing is searched, or the search has no result.
    Runtime(Search),
    /// There is no such example.
    NoExample(String),
    /// It is not known whose the call is.
    CallerLost,
    /// The `Host` of a request that a browser could have made is no name of this server.
    Host(String),
    /// A page of this origin may not call.
    Origin(String),
    /// An answer that was kept cannot be read any more.
    Unkept,
    /// A call in JSON to no method, or made in a way that is not spoken here.
    NoCall(String),
    /// An answer that cannot be written as JSON.
    Unwritable(String),
    /// A call without a token.
    NoToken,
    /// A token that is not good: why.
    Token(String),
    /// A token whose time is over.
    TokenExpired,
    /// A token of nobody who is served here.
    NoTenant(String),
    /// A method that the tenant may not call.
    MethodDenied(String),
    /// There is no room for the bytes of a request.
    MemoryFull,
    /// Examples are not served here.
    ExamplesOff,
    /// This server keeps no jobs.
    JobsOff,
    /// The id of a request that stands for another job.
    JobExists(String),
    /// There are as many jobs as are kept.
    JobsFull,
    /// There is no such job.
    JobUnknown(String),
    /// The job has not ended.
    JobRunning(String),
    /// The place where jobs are kept does not answer.
    JobsUnavailable(String),
    /// There is no such session.
    SessionUnknown(String),
    /// The id of a session that was created in another way.
    SessionExists(String),
    /// There is no room for another session, or for a larger one.
    SessionsFull,
    /// Another server has taken the session over.
    SessionMoved,
    /// The place where sessions are logged does not answer.
    SessionsUnavailable(String),
    /// Updates are missing: the number of the next one, and the number that came.
    SequenceGap(i64, i64),
    /// An update of this number was applied, with other content.
    SequenceReused(i64),
}

impl Refusal {
    /// Stable reason, in UPPER_SNAKE_CASE.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Mistakes(_) => "INVALID_REQUEST",
            Self::Malformed(_) => "MESSAGE_MALFORMED",
            Self::TooLarge(_) => "MESSAGE_TOO_LARGE",
            Self::Encoding(_) => "ENCODING_UNSUPPORTED",
            Self::Timeout => "TIMEOUT_MALFORMED",
            Self::Runtime(refusal) => refusal.reason(),
            Self::NoExample(_) => "EXAMPLE_UNKNOWN",
            Self::CallerLost => "CALLER_LOST",
            Self::Host(_) => "HOST_NOT_ALLOWED",
            Self::Origin(_) => "ORIGIN_NOT_ALLOWED",
            Self::Unkept => "KEPT_ANSWER_BROKEN",
            Self::NoCall(_) => "CALL_UNSUPPORTED",
            Self::Unwritable(_) => "ANSWER_UNWRITABLE",
            Self::NoToken => "TOKEN_MISSING",
            Self::Token(_) => "TOKEN_INVALID",
            Self::TokenExpired => "TOKEN_EXPIRED",
            Self::NoTenant(_) => "TENANT_UNKNOWN",
            Self::MethodDenied(_) => "METHOD_DENIED",
            Self::MemoryFull => "MEMORY_FULL",
            Self::ExamplesOff => "EXAMPLES_OFF",
            Self::JobsOff => "JOBS_OFF",
            Self::JobExists(_) => "JOB_EXISTS",
            Self::JobsFull => "JOBS_FULL",
            Self::JobUnknown(_) => "JOB_UNKNOWN",
            Self::JobRunning(_) => "JOB_RUNNING",
            Self::JobsUnavailable(_) => "JOBS_UNAVAILABLE",
            Self::SessionUnknown(_) => "SESSION_UNKNOWN",
            Self::SessionExists(_) => "SESSION_EXISTS",
            Self::SessionsFull => "SESSIONS_FULL",
            Self::SessionMoved => "SESSION_MOVED",
            Self::SessionsUnavailable(_) => "SESSIONS_UNAVAILABLE",
            Self::SequenceGap(..) => "SESSION_SEQUENCE_GAP",
            Self::SequenceReused(_) => "SESSION_SEQUENCE_REUSED",
        }
    }

    /// The gRPC code.
    fn code(&self) -> Code {
        match self {
            Self::Runtime(refusal) => code_of(refusal),
            Self::Mistakes(_) | Self::Malformed(_) | Self::Timeout => Code::InvalidArgument,
            Self::NoToken | Self::Token(_) | Self::TokenExpired => Code::Unauthenticated,
            Self::NoTenant(_) | Self::MethodDenied(_) | Self::Host(_) | Self::Origin(_) => {
                Code::PermissionDenied
            }
            Self::TooLarge(_) | Self::JobsFull | Self::SessionsFull => Code::ResourceExhausted,
            Self::MemoryFull
            | Self::JobsUnavailable(_)
            | Self::SessionMoved
            | Self::SessionsUnavailable(_) => Code::Unavailable,
            Self::NoExample(_) | Self::JobUnknown(_) | Self::SessionUnknown(_) => Code::NotFound,
            Self::JobExists(_) | Self::SessionExists(_) => Code::AlreadyExists,
            Self::JobsOff | Self::JobRunning(_) | Self::ExamplesOff | Self::SequenceGap(..) => {
                Code::FailedPrecondition
            }
            Self::SequenceReused(_) => Code::Aborted,
            Self::NoCall(_) | Self::Encoding(_) => Code::Unimplemented,
            Self::CallerLost | Self::Unkept | Self::Unwritable(_) => Code::Internal,
        }
    }

    /// One sentence for people.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Mistakes(mistakes) => mistakes.to_string(),
            Self::Malformed(why) => format!("the message cannot be decoded: {why}"),
            Self::TooLarge(why)
            | Self::NoExample(why)
            | Self::NoCall(why)
            | Self::NoTenant(why)
            | Self::MethodDenied(why)
            | Self::JobExists(why)
            | Self::JobUnknown(why)
            | Self::JobRunning(why)
            | Self::SessionUnknown(why)
            | Self::SessionExists(why) => why.clone(),
            Self::Runtime(refusal) => refusal.to_string(),
            Self::Encoding(name) => {
                format!("messages compressed by {name:?} are not taken, only {ACCEPTED}")
            }
            Self::Timeout => {
                "grpc-timeout is not 1 to 8 digits and a unit of H, M, S, m, u or n".into()
            }
            Self::CallerLost => "the caller of this request is not known, by a bug of ours".into(),
            Self::Host(host) => {
                format!("host {host} is not allowed; the setting `web_hosts` lists what is")
            }
            Self::Origin(origin) => {
                format!("origin {origin} is not allowed; the setting `web` lists what is")
            }
            Self::Unkept => "a shared answer cannot be read, by a bug of ours".into(),
            Self::Unwritable(why) => {
                format!("the answer cannot be written as JSON, by a bug of ours: {why}")
            }
            Self::NoToken => {
                "missing token: set the header authorization, as in Bearer TOKEN".into()
            }
            Self::Token(why) => format!("invalid token: {why}"),
            Self::TokenExpired => "the token has expired".into(),
            Self::MemoryFull => "too many bytes of requests and answers are in flight".into(),
            Self::ExamplesOff => "this server serves no examples".into(),
            Self::JobsOff => {
                "this server stores no jobs; its setting `jobs` sets a place for them".into()
            }
            Self::JobsFull => "the limit of stored jobs is reached; delete finished jobs".into(),
            Self::JobsUnavailable(why) => format!("jobs cannot be stored now: {why}"),
            Self::SessionMoved => "another server has taken the session over".into(),
            Self::SessionsUnavailable(why) => format!("sessions cannot be logged now: {why}"),
            Self::SessionsFull => {
                "this server has no room for more sessions or for larger ones".into()
            }
            Self::SequenceGap(expected, given) => {
                format!("update {given} came, but the next one is {expected}")
            }
            Self::SequenceReused(number) => {
                format!("update {number} was applied already, with other content")
            }
        }
    }

    /// What varies in the message, by name.
    fn parts(&self, retry_after: Option<Duration>) -> HashMap<String, String> {
        let mut parts: Vec<(&str, String)> = match self {
            Self::Malformed(why)
            | Self::TooLarge(why)
            | Self::NoExample(why)
            | Self::NoCall(why)
            | Self::Unwritable(why)
            | Self::Token(why)
            | Self::NoTenant(why)
            | Self::MethodDenied(why)
            | Self::JobExists(why)
            | Self::JobUnknown(why)
            | Self::JobRunning(why)
            | Self::JobsUnavailable(why)
            | Self::SessionUnknown(why)
            | Self::SessionExists(why)
            | Self::SessionsUnavailable(why)
            | Self::Runtime(Search::Unsupported(why) | Search::SolveTooLarge(why)) => {
                vec![("detail", why.clone())]
            }
            Self::Mistakes(mistakes) => vec![("mistake_count", mistakes.total().to_string())],
            Self::Encoding(name) => vec![("encoding", name.clone())],
            Self::Host(host) => vec![("host", host.clone())],
            Self::SequenceGap(expected, given) => vec![
                ("expected_sequence", expected.to_string()),
                ("sequence", given.to_string()),
            ],
            Self::SequenceReused(number) => vec![("sequence", number.to_string())],
            Self::Origin(origin) => vec![("origin", origin.clone())],
            Self::Runtime(Search::Quota { tenant, what, .. }) => {
                vec![("tenant", tenant.clone()), ("quota", (*what).to_owned())]
            }
            _ => Vec::new(),
        };
        parts.extend(retry_after.map(|after| ("retry_after_ms", after.as_millis().to_string())));
        let named = parts.into_iter();
        named
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// The gRPC code of a search that was refused, or failed.
fn code_of(refusal: &Search) -> Code {
    match refusal {
        Search::Unsupported(_) => Code::InvalidArgument,
        Search::SolveTooLarge(_) | Search::Quota { .. } => Code::ResourceExhausted,
        Search::Expired => Code::DeadlineExceeded,
        Search::NoSlot { .. } | Search::QueueFull { .. } | Search::Draining => Code::Unavailable,
        Search::Panicked | Search::SearchFailed => Code::Internal,
    }
}

impl From<Search> for Refusal {
    fn from(refusal: Search) -> Self {
        Self::Runtime(refusal)
    }
}

impl From<Unreadable> for Refusal {
    fn from(unreadable: Unreadable) -> Self {
        match unreadable {
            Unreadable::TooLarge(why) => Self::TooLarge(why),
            Unreadable::Malformed(why) => Self::Malformed(why),
        }
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let mut details = ErrorDetails::new();
        let retry_after = refusal.retry_after();
        details.set_error_info(refusal.reason(), DOMAIN, refusal.parts(retry_after));
        let mut metadata = MetadataMap::new();
        if let Some(after) = retry_after {
            details.set_retry_info(Some(after));
            // The same for clients that know gRPC's retry design only (gRFC A6).
            let pushback =
                MetadataValue::from(u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
            metadata.insert("grpc-retry-pushback-ms", pushback);
        }
        if let Refusal::Encoding(_) = refusal {
            metadata.insert("grpc-accept-encoding", MetadataValue::from_static(ACCEPTED));
        }
        let (code, message) = (refusal.code(), refusal.message());
        if let Refusal::Runtime(Search::Quota { tenant, what, .. }) = &refusal {
            details.add_quota_failure_violation(format!("tenant:{tenant}"), *what);
        }
        if let Refusal::Mistakes(mistakes) = refusal {
            details.set_bad_request(violations(mistakes));
        }
        Status::with_error_details_and_metadata(code, message, details, metadata)
    }
}

fn violations(mistakes: Mistakes) -> Vec<FieldViolation> {
    let violation = |mistake: wire::mistakes::Mistake| FieldViolation {
        field: mistake.field,
        description: mistake.description,
        reason: mistake.code.name().into(),
        localized_message: None,
    };
    mistakes.into_list().into_iter().map(violation).collect()
}

/// The error that headers or trailers carry, if any.
pub(crate) fn bad_end(headers: &http::HeaderMap) -> Option<Status> {
    Status::from_header_map(headers).filter(|status| status.code() != Code::Ok)
}

/// The status that headers or trailers carry.
pub(crate) fn read(headers: &http::HeaderMap) -> Option<Status> {
    Status::from_header_map(headers)
}

/// tonic says OUT_OF_RANGE of messages beyond the size limit, and RESOURCE_EXHAUSTED without a
/// reason of those that are too large once decompressed. Both become our RESOURCE_EXHAUSTED.
/// Nothing else says OUT_OF_RANGE here.
pub(crate) fn too_large_instead_of_out_of_range(headers: &mut http::HeaderMap) {
    let Some(status) = read(headers) else {
        return;
    };
    let bare = status.details().is_empty();
    let ours = match status.code() {
        Code::OutOfRange => true,
        Code::ResourceExhausted => bare,
        _ => false,
    };
    if ours {
        let status = Status::from(Refusal::TooLarge(status.message().into()));
        // Fails only for metadata that is no header; this one has none but details.
        let _ = status.add_header(headers);
    }
}
