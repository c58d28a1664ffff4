//! Requests about jobs.

mod page;
#[cfg(test)]
mod tests;

pub(crate) use page::{Listing, page};

use super::mistakes::{Code, Mistakes};
use super::path::Path;
use super::values::{rounded_micros, shown};
use crate::telemetry::TraceContext;
use stratagem_proto::v1 as pb;

/// Longest id of a request, in bytes.
const REQUEST_ID_BYTES_MAX: usize = 100;
/// Most labels of a job.
const LABELS_MAX: usize = 16;
/// Longest key and value of a label, in bytes.
const KEY_BYTES_MAX: usize = 63;
const VALUE_BYTES_MAX: usize = 255;
/// Longest deadline, and longest time that jobs are kept, in microseconds.
const MONTH_US: i64 = 30 * 86_400 * 1_000_000;
const SECOND_US: i64 = 1_000_000;
/// How long jobs are kept unless asked for otherwise.
const KEEP_DEFAULT_US: i64 = 86_400 * SECOND_US;

/// What a job is a request to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobKind {
    /// As in `allocation`.
    pub planner: &'static str,
    /// Full name of the method.
    pub method: &'static str,
    pub priority: pb::Priority,
}

/// A request for a job, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wanted {
    /// As it came.
    pub request: pb::CreateJobRequest,
    pub kind: JobKind,
    /// From now on; none without a deadline.
    pub deadline_us: Option<i64>,
    /// Trace of the call.
    pub trace: Option<TraceContext>,
}

/// Reads a request for a job, whose inner request was checked by its own method; `kind` is absent where there is none.
pub(crate) fn wanted(
    request: pb::CreateJobRequest,
    kind: Option<JobKind>,
    wrong: &mut Mistakes,
) -> Option<Wanted> {
    visible(
        &Path::root("request_id"),
        &request.request_id,
        REQUEST_ID_BYTES_MAX,
        wrong,
    );
    labels(&request.labels, wrong);
    let deadline_us = request
        .deadline_duration
        .map(|given| wrong.micros(&Path::root("deadline_duration"), given, 1..=MONTH_US));
    if let Some(given) = request.keep_duration {
        wrong.micros(&Path::root("keep_duration"), given, SECOND_US..=MONTH_US);
    }
    let kind = kind.or_else(|| wrong.required(&Path::root("request"), None))?;
    wrong.is_empty().then_some(Wanted {
        request,
        kind,
        deadline_us,
        trace: None,
    })
}

/// How long a job is kept after its end, by a request that was checked; in microseconds.
pub(crate) fn keep_us(request: &pb::CreateJobRequest) -> i64 {
    let given = request.keep_duration.as_ref();
    given.map_or(KEEP_DEFAULT_US, rounded_micros)
}

/// Notes a text that is too long, or holds what cannot be seen.
fn visible(at: &Path<'_>, text: &str, max: usize, wrong: &mut Mistakes) {
    if text.len() > max {
        let why = format!("has {} bytes, at most {max} are allowed", text.len());
        wrong.add(at, Code::TooLong, why);
    } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        let why = format!("is {}, which is not visible ASCII alone", shown(text));
        wrong.add(at, Code::CharacterUnknown, why);
    }
}

fn labels(labels: &[pb::JobLabel], wrong: &mut Mistakes) {
    let at = Path::root("labels");
    if !wrong.size(&at, labels.len(), LABELS_MAX) {
        return;
    }
    for (i, pb::JobLabel { key, value }) in labels.iter().enumerate() {
        let at = at.index(i);
        let at_key = at.field("key");
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        if key.is_empty() {
            wrong.add(&at_key, Code::Required, "is required");
        } else if key.len() > KEY_BYTES_MAX {
            let why = format!(
                "has {} bytes, at most {KEY_BYTES_MAX} are allowed",
                key.len()
            );
            wrong.add(&at_key, Code::TooLong, why);
        } else if !key.bytes().all(allowed) {
            let why = format!("is {}: letters, digits, -, _, . and / only", shown(key));
            wrong.add(&at_key, Code::CharacterUnknown, why);
        } else if labels[..i].iter().any(|other| other.key == *key) {
            let why = format!("is {}, as that of a label before", shown(key));
            wrong.add(&at_key, Code::Duplicate, why);
        }
        if value.len() > VALUE_BYTES_MAX {
            let why = format!(
                "has {} bytes, at most {VALUE_BYTES_MAX} are allowed",
                value.len()
            );
            wrong.add(&at.field("value"), Code::TooLong, why);
        }
    }
}

/// The id of a job that is asked for.
///
/// # Errors
/// When it is none.
pub(crate) fn id(job_id: &str) -> Result<(), Mistakes> {
    let mut wrong = Mistakes::default();
    let at = Path::root("job_id");
    wrong.id(&at, job_id);
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong),
    }
}

/// Which job is to be watched, and after which event.
///
/// # Errors
/// All mistakes.
pub(crate) fn watched(request: &pb::WatchJobRequest) -> Result<(), Mistakes> {
    let pb::WatchJobRequest {
        job_id,
        after_sequence,
    } = request;
    let mut wrong = Mistakes::default();
    wrong.id(&Path::root("job_id"), job_id);
    wrong.whole(&Path::root("after_sequence"), *after_sequence, 0..=i64::MAX);
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong),
    }
}
