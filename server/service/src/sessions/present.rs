//! What changes in a session: its state, and the updates that it has seen.

use super::log::Unwritten;
use crate::status::Refusal;
use std::collections::VecDeque;
use std::time::Instant;
use stratagem_proto::v1 as pb;
use tokio::task::AbortHandle;
use wire::session::{Point, State};

/// Updates whose content is remembered, to recognize other ones of the same number.
const REMEMBERED: usize = 256;

/// What changes.
pub(crate) struct Present {
    pub(super) state: State,
    /// Number of the last update.
    pub(super) applied: i64,
    /// Number of the state: searches for an earlier one come too late.
    pub(super) version: u64,
    /// Whether the plan was adapted to the state. A call that ends early leaves that to the next.
    pub(super) is_planned: bool,
    /// Why it is closed, if it is.
    pub(super) closed: Option<Refusal>,
    pub(super) seen: VecDeque<Seen>,
    /// What is to be logged, if anything is.
    pub(super) log: Option<Unwritten>,
    pub(super) used: Instant,
    pub(super) bytes: usize,
    pub(super) improving: Option<AbortHandle>,
    /// Number of the search under way: what others find comes too late.
    pub(super) search: u64,
    /// What it is about.
    pub(super) searched: Option<Point>,
    /// Whether nothing has to be searched for since it has found something.
    pub(super) is_followed: bool,
    /// How often a search has changed the state.
    pub(super) changes: u64,
}

/// An update that was applied or refused. A message of logs, too.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Seen {
    #[prost(int64, tag = "1")]
    pub(super) sequence: i64,
    #[prost(fixed64, tag = "2")]
    pub(super) content: u64,
    #[prost(message, optional, tag = "3")]
    pub(super) refused: Option<pb::SessionRefusal>,
}

impl Present {
    /// Refuses what comes after its end.
    pub(crate) fn open(&self) -> Result<(), Refusal> {
        self.closed.clone().map_or(Ok(()), Err)
    }

    /// Checks the numbers of updates; the refusals of those that are known.
    pub(super) fn check(
        &self,
        updates: &[pb::SessionUpdate],
        contents: &[u64],
    ) -> Result<Vec<pb::SessionRefusal>, Refusal> {
        self.open()?;
        let first = updates.first().map_or(0, |update| update.sequence);
        if first > self.applied + 1 {
            return Err(Refusal::SequenceGap(self.applied + 1, first));
        }
        let mut refusals = Vec::new();
        for (update, content) in updates.iter().zip(contents) {
            let mut seen = self.seen.iter();
            let known = seen.find(|seen| seen.sequence == update.sequence);
            if known.is_some_and(|known| known.content != *content) {
                return Err(Refusal::SequenceReused(update.sequence));
            }
            refusals.extend(known.and_then(|known| known.refused.clone()));
        }
        Ok(refusals)
    }

    /// Notes a change for the log, if there is one.
    pub(super) fn note(&mut self, change: impl FnOnce(&mut Unwritten)) {
        if let Some(log) = &mut self.log {
            change(log);
        }
    }

    /// Number of the last change, for the log.
    pub(super) fn number(&self) -> u64 {
        self.log.as_ref().map_or(0, Unwritten::number)
    }

    /// Its state.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Whether the plan was adapted to the state.
    pub(crate) fn is_planned(&self) -> bool {
        self.is_planned
    }

    /// Memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Keeps updates, but not more than the last ones.
pub(super) fn remember(all: &mut VecDeque<Seen>, seen: impl IntoIterator<Item = Seen>) {
    all.extend(seen);
    let surplus = all.len().saturating_sub(REMEMBERED);
    all.drain(..surplus);
}
