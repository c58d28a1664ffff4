//! What is kept of a job with each change: one message that is there as a whole or not at all.

use crate::jobs::record::JobRecord;
use prost::bytes::Bytes;
use stratagem_proto::v1 as pb;

/// A job after one of its changes. The last one of a job is its state; the ones before are its
/// history.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Record {
    /// The job. Absent: it was deleted.
    #[prost(message, optional, tag = "1")]
    pub job: Option<JobRecord>,
    /// The event that it became this by, without a response.
    #[prost(message, optional, tag = "2")]
    pub event: Option<pb::JobEvent>,
    /// Where the record before is; 0 in the first.
    #[prost(uint64, tag = "3")]
    pub before: u64,
    /// What the job was made of.
    #[prost(message, optional, tag = "4")]
    pub request: Option<Value>,
    /// Its response: the best plan so far, or all of it.
    #[prost(message, optional, tag = "5")]
    pub response: Option<Value>,
    /// Whether the event brought it.
    #[prost(bool, tag = "6")]
    pub response_is_new: bool,
}

/// A message that may be larger than the broker takes at once.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Value {
    /// All of it, where it is small.
    #[prost(bytes = "bytes", tag = "1")]
    pub inline: Bytes,
    /// Where its parts are, in order, otherwise.
    #[prost(uint64, repeated, tag = "2")]
    pub parts: Vec<u64>,
}
