//! Requests about jobs.

mod kinds;
mod page;
#[cfg(test)]
mod tests;

pub use kinds::{Jobbed, checked, threads};
pub use page::{Listing, page};

use super::mistakes::{Code, Mistakes};
use super::rules::Check;
use super::values::{rounded_micros, shown};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// How long jobs are kept unless asked for otherwise, in microseconds.
const KEEP_DEFAULT_US: i64 = 86_400 * 1_000_000;

/// What a job is a request to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobKind {
    /// As in `allocation`.
    pub planner: &'static str,
    /// Full name of the method.
    pub method: &'static str,
    /// Its class of priority.
    pub priority: pb::Priority,
}

/// A request for a job, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Checked: values are rounded to the units of their fields.
    pub request: pb::CreateJobRequest,
    /// The method.
    pub kind: JobKind,
    /// From now on; none without a deadline.
    pub deadline_us: Option<i64>,
}

/// Reads a request for a job, whose inner request was checked by its own method; `kind` is absent
/// without an inner request.
pub fn wanted(
    request: pb::CreateJobRequest,
    kind: Option<JobKind>,
    wrong: &mut Mistakes,
) -> Option<Wanted> {
    visible(&Path::root("request_id"), &request.request_id, wrong);
    labels(&request.labels, wrong);
    let kind = kind.filter(|_| wrong.is_empty())?;
    Some(Wanted {
        deadline_us: request.deadline_duration.as_ref().map(rounded_micros),
        request,
        kind,
    })
}

/// How long a job is kept after its end, by a request that was checked; in microseconds.
pub fn keep_us(request: &pb::CreateJobRequest) -> i64 {
    let given = request.keep_duration.as_ref();
    given.map_or(KEEP_DEFAULT_US, rounded_micros)
}

/// Notes a text that holds what cannot be seen.
fn visible(at: &Path<'_>, text: &str, wrong: &mut Mistakes) {
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        let why = format!("is {}, which is not visible ASCII alone", shown(text));
        wrong.add(at, Code::CharacterUnknown, why);
    }
}

fn labels(labels: &[pb::JobLabel], wrong: &mut Mistakes) {
    let at = Path::root("labels");
    for (i, pb::JobLabel { key, value: _ }) in labels.iter().enumerate() {
        let at = at.index(i);
        let at_key = at.field("key");
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        if !key.bytes().all(allowed) {
            let why = format!("is {}: letters, digits, -, _, . and / only", shown(key));
            wrong.add(&at_key, Code::CharacterUnknown, why);
        } else if labels[..i].iter().any(|other| other.key == *key) {
            let why = format!("is {}, as that of a label before", shown(key));
            wrong.add(&at_key, Code::Duplicate, why);
        }
    }
}

/// Checks a request with independent fields, such as one that names a job.
///
/// # Errors
/// All mistakes.
pub fn check_rules(request: &mut impl Check) -> Result<(), Mistakes> {
    let wrong = Mistakes::in_fields(request)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
