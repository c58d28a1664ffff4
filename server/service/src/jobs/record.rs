//! What is kept of a job.

use std::ops::{Deref, DerefMut};
use stratagem_proto::v1 as pb;

/// A job as servers keep it: what callers see of it, and what only servers need.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct JobRecord {
    /// What callers see, without its response.
    #[prost(message, required, tag = "1")]
    pub job: pb::Job,
    /// The server that has it now, or had it last: host name and process.
    #[prost(string, tag = "2")]
    pub server: String,
    /// How often a server was lost while it had the job.
    #[prost(int32, tag = "3")]
    pub lost_count: i32,
    /// Attempts in a row that lasted less than [`BRIEF`](super::life::BRIEF), the present one
    /// included; those that a server gave back when it shut down are not counted.
    #[prost(int32, tag = "4")]
    pub brief_attempts: i32,
    /// Tenant that owns it: no other tenant sees it. Empty without authentication.
    #[prost(string, tag = "5")]
    pub tenant: String,
    /// Trace of the call that created it, as in W3C Trace Context. Empty where there is none.
    #[prost(string, tag = "6")]
    pub traceparent: String,
    /// What tracing systems want to be carried on with it.
    #[prost(string, tag = "7")]
    pub tracestate: String,
}

impl Deref for JobRecord {
    type Target = pb::Job;

    fn deref(&self) -> &pb::Job {
        &self.job
    }
}

impl DerefMut for JobRecord {
    fn deref_mut(&mut self) -> &mut pb::Job {
        &mut self.job
    }
}
