//! What messages are called.

use crate::jobs::record::JobRecord;
use crate::sessions::Key;
use stratagem_proto::v1::Priority;

/// The class of a job in the queue, by its priority.
pub(super) fn class(priority: Priority) -> &'static str {
    match priority {
        Priority::High => "high",
        Priority::Normal => "normal",
        Priority::Unspecified | Priority::Low => "low",
    }
}

/// A tenant's name where the broker wants letters and digits.
pub(super) fn token(tenant: &str) -> String {
    format!("t{}", hex(tenant))
}

/// A session where the broker wants letters and digits.
fn named((tenant, id): &Key) -> String {
    format!("{}-{}", token(tenant), hex(id))
}

/// Whose token it is.
fn tenant(token: &str) -> Option<String> {
    let hex = token.strip_prefix('t')?;
    let pair = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(pair).collect();
    String::from_utf8(bytes?).ok()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Subjects of messages about jobs.
#[derive(Debug, Clone)]
pub(super) struct Subjects(pub(super) String);

impl Subjects {
    /// The records of a job; `*` for all jobs.
    pub(super) fn job(&self, id: &str) -> String {
        format!("{}.jobs.{id}", self.0)
    }

    /// The job that a request has made. Such ids may hold what subjects may not.
    pub(super) fn name(&self, request_id: &str) -> String {
        format!("{}.names.{}", self.0, hex(request_id))
    }

    /// One part of a value of a job.
    pub(super) fn part(&self, id: &str, kind: &str, number: usize) -> String {
        format!("{}.parts.{id}.{kind}.{number}", self.0)
    }

    /// The log of a session.
    pub(super) fn session(&self, session: &Key) -> String {
        format!("{}.sessions.{}", self.0, named(session))
    }

    /// One part of the entry of it after another one.
    pub(super) fn session_part(&self, session: &Key, after: u64, number: usize) -> String {
        format!(
            "{}.session_parts.{}.{after}.{number}",
            self.0,
            named(session)
        )
    }

    /// The parts of all of its entries.
    pub(super) fn session_parts(&self, session: &Key) -> String {
        format!("{}.session_parts.{}.>", self.0, named(session))
    }

    /// The place of a job in the queue.
    pub(super) fn turn(&self, job: &JobRecord) -> String {
        self.line(&job.tenant, job.priority(), &job.job_id)
    }

    /// The places of all jobs.
    pub(super) fn turns(&self) -> String {
        format!("{}.queue.*.*.*", self.0)
    }

    /// Tenant and class of a place.
    pub(super) fn whose(&self, turn: &str) -> Option<(String, Priority)> {
        let inside = turn.strip_prefix(&*self.0)?.strip_prefix(".queue.")?;
        let [class_name, token, _] = *inside.split('.').collect::<Vec<_>>() else {
            return None;
        };
        let all = [Priority::High, Priority::Normal, Priority::Low];
        let priority = all.into_iter().find(|one| class(*one) == class_name)?;
        Some((tenant(token)?, priority))
    }

    /// One place of a tenant's jobs of a class, or `*`.
    pub(super) fn line(&self, tenant: &str, priority: Priority, id: &str) -> String {
        format!(
            "{}.queue.{}.{}.{id}",
            self.0,
            class(priority),
            token(tenant)
        )
    }
}
