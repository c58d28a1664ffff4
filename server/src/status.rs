//! The one place that makes `tonic::Status`: which error becomes which code, and what it carries.
//!
//! Every error carries `google.rpc.ErrorInfo` with domain `stratagem` and a stable reason;
//! docs/errors.md lists them.

#[cfg(test)]
mod tests;

use crate::wire::mistakes::Mistakes;
use std::collections::HashMap;
use std::time::Duration;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt as _};

/// Domain of all reasons.
const DOMAIN: &str = "stratagem";

/// Why a request got no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The request makes no sense: all mistakes.
    Mistakes(Mistakes),
    /// The bytes are no message of this type.
    Malformed(String),
    /// The message is beyond a limit.
    TooLarge(String),
    /// The `grpc-timeout` header cannot be read.
    Timeout,
    /// The call's deadline has passed.
    Expired,
    /// No slot was free before the request's time budget was used up.
    NoSlot {
        /// When to come back.
        retry_after: Duration,
    },
    /// The queue is full.
    QueueFull {
        /// When to come back.
        retry_after: Duration,
    },
    /// The server is shutting down.
    Draining,
    /// There is no such example.
    NoExample(String),
    /// The strategy cannot handle the problem.
    Unsupported(String),
    /// The search panicked.
    Panicked,
    /// An answer that was kept cannot be read any more.
    Unkept,
}

/// When to come back to a server that shuts down: at once, to another one.
const DRAINING_RETRY: Duration = Duration::from_millis(50);

impl Refusal {
    /// Stable reason, in UPPER_SNAKE_CASE.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Mistakes(_) => "INVALID_REQUEST",
            Self::Malformed(_) => "MESSAGE_MALFORMED",
            Self::TooLarge(_) => "MESSAGE_TOO_LARGE",
            Self::Timeout => "TIMEOUT_MALFORMED",
            Self::Expired => "DEADLINE_PASSED",
            Self::NoSlot { .. } => "NO_SLOT_IN_TIME",
            Self::QueueFull { .. } => "QUEUE_FULL",
            Self::Draining => "DRAINING",
            Self::NoExample(_) => "EXAMPLE_UNKNOWN",
            Self::Unsupported(_) => "STRATEGY_UNSUPPORTED",
            Self::Panicked => "SEARCH_PANICKED",
            Self::Unkept => "KEPT_ANSWER_BROKEN",
        }
    }

    /// The gRPC code.
    fn code(&self) -> Code {
        match self {
            Self::Mistakes(_) | Self::Malformed(_) | Self::Timeout | Self::Unsupported(_) => {
                Code::InvalidArgument
            }
            Self::TooLarge(_) => Code::ResourceExhausted,
            Self::Expired => Code::DeadlineExceeded,
            Self::NoSlot { .. } | Self::QueueFull { .. } | Self::Draining => Code::Unavailable,
            Self::NoExample(_) => Code::NotFound,
            Self::Panicked | Self::Unkept => Code::Internal,
        }
    }

    /// One sentence for people.
    fn message(&self) -> String {
        match self {
            Self::Mistakes(mistakes) => mistakes.to_string(),
            Self::Malformed(why) => format!("the message cannot be decoded: {why}"),
            Self::TooLarge(why) | Self::NoExample(why) | Self::Unsupported(why) => why.clone(),
            Self::Timeout => {
                "grpc-timeout is not 1 to 8 digits and a unit of H, M, S, m, u or n".into()
            }
            Self::Expired => "the call's deadline has passed".into(),
            Self::NoSlot { .. } => "no solver slot is free within the time budget".into(),
            Self::QueueFull { .. } => "all solver slots are busy and the queue is full".into(),
            Self::Draining => "the server is shutting down".into(),
            Self::Panicked => "the search failed by a bug of ours; the server goes on".into(),
            Self::Unkept => "a shared answer cannot be read, by a bug of ours".into(),
        }
    }

    /// When to try again, where that makes sense.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::NoSlot { retry_after } | Self::QueueFull { retry_after } => Some(*retry_after),
            Self::Draining => Some(DRAINING_RETRY),
            _ => None,
        }
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let mut details = ErrorDetails::new();
        details.set_error_info(refusal.reason(), DOMAIN, HashMap::<String, String>::new());
        let mut metadata = MetadataMap::new();
        if let Some(after) = refusal.retry_after() {
            details.set_retry_info(Some(after));
            // The same for clients that know gRPC's retry design only (gRFC A6).
            let pushback =
                MetadataValue::from(u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
            metadata.insert("grpc-retry-pushback-ms", pushback);
        }
        let (code, message) = (refusal.code(), refusal.message());
        if let Refusal::Mistakes(mistakes) = refusal {
            details.set_bad_request(violations(mistakes));
        }
        Status::with_error_details_and_metadata(code, message, details, metadata)
    }
}

fn violations(mistakes: Mistakes) -> Vec<FieldViolation> {
    let violation = |mistake: crate::wire::mistakes::Mistake| FieldViolation {
        field: mistake.field,
        description: mistake.description,
        reason: mistake.code.name().into(),
        localized_message: None,
    };
    mistakes.into_list().into_iter().map(violation).collect()
}

/// Name of the gRPC code in a `grpc-status` header.
pub(crate) fn code_name(header: &http::HeaderValue) -> &'static str {
    match Code::from_bytes(header.as_bytes()) {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
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
