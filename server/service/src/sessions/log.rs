//! The log of a session: what is written there, and what a place for logs has to do.
//!
//! A log is a base, which is the session as a whole, and the changes since. A change is written
//! before callers see it: a server that takes the session over knows all that they know.

pub(crate) mod file;
mod replay;
mod writer;

pub(crate) use replay::replayed;
pub(super) use writer::{Unwritten, Written, keep_written};

use super::Key;
use super::present::Seen;
use crate::jobs::store::Stored;
use bytes::Bytes;
use prost::Message as _;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use wire::session::Followed;

/// Bases are written again before they are as old as this, in seconds. Logs that are older than
/// twice that are of sessions that expired.
pub(crate) const AGE_MAX_S: u64 = 3_600;

/// All that is logged of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logged {
    /// Number of the last entry. 0: there was none.
    pub position: u64,
    /// The last base, and the entries after it.
    pub entries: Vec<Bytes>,
    /// Time since the last entry was written.
    pub age: Duration,
}

/// An entry, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Encoded {
    /// All of it.
    pub bytes: Bytes,
    /// Whether those before it are forgotten.
    pub is_first: bool,
}

/// A place for logs, which survives the process.
#[tonic::async_trait]
pub(crate) trait Log: Send + Sync + 'static {
    /// Reads a log.
    async fn read(&self, session: &Key) -> Stored<Logged>;

    /// Adds an entry if the last one has the number `after`; returns its own. `None`: another
    /// server has added one, which has the session from then on.
    async fn write(&self, session: &Key, after: u64, entry: Encoded) -> Stored<Option<u64>>;
}

/// An entry of a log. Empty: the session has ended.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Entry {
    /// What it begins with; entries before do not count any more.
    #[prost(message, optional, tag = "1")]
    pub base: Option<Base>,
    /// What has changed since, in order.
    #[prost(message, repeated, tag = "2")]
    pub changes: Vec<Change>,
}

impl Entry {
    fn encoded(&self) -> Encoded {
        Encoded {
            bytes: self.encode_to_vec().into(),
            is_first: self.changes.is_empty(),
        }
    }
}

/// A session as a whole.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Base {
    /// What creates it again.
    #[prost(message, optional, tag = "1")]
    pub session: Option<pb::CreateSessionRequest>,
    /// What that lacks.
    #[prost(message, optional, tag = "2")]
    pub followed: Option<Followed>,
    /// The last updates.
    #[prost(message, repeated, tag = "3")]
    pub seen: Vec<Seen>,
    /// What it was created from, as a number.
    #[prost(fixed64, tag = "4")]
    pub origin: u64,
    /// Not below its epoch and the numbers of its plans.
    #[prost(int64, tag = "5")]
    pub revision: i64,
}

/// A change of a session.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Change {
    /// What it is.
    #[prost(oneof = "What", tags = "1, 2, 3, 4")]
    pub what: Option<What>,
}

/// What changes a session.
#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum What {
    /// An update.
    #[prost(message, boxed, tag = "1")]
    Update(Box<Update>),
    /// A plan was published: its number, and the routes that agents follow.
    #[prost(message, boxed, tag = "2")]
    Plan(Box<pb::SessionView>),
    /// A search began while the game goes on, see [`wire::session::State::under_way`].
    #[prost(message, tag = "3")]
    UnderWay(()),
    /// Nothing: a server has found out that no other one has the session.
    #[prost(message, tag = "4")]
    Confirm(()),
}

/// An update that was applied or refused.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Update {
    /// The update.
    #[prost(message, optional, tag = "1")]
    pub update: Option<pb::SessionUpdate>,
    /// Why it was refused.
    #[prost(message, optional, tag = "2")]
    pub refused: Option<pb::SessionRefusal>,
}
