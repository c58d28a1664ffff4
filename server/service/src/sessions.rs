//! Sessions that this server holds, in memory: who has which, how many, and for how long.

mod session;
#[cfg(test)]
mod tests;

pub(crate) use session::{Moment, Session};

use crate::metrics::Metrics;
use crate::status::Refusal;
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How often unused sessions are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Tenant and id.
type Key = (String, String);

/// All sessions; clones share them.
#[derive(Clone)]
pub(crate) struct Sessions(Arc<All>);

struct All {
    held: DashMap<Key, Arc<Session>>,
    count_max: usize,
    memory: Arc<Memory>,
    metrics: Metrics,
}

/// Memory of all sessions together, near enough.
#[derive(Debug)]
pub(crate) struct Memory {
    used: AtomicUsize,
    max: usize,
}

impl Memory {
    /// Counts `now` bytes instead of `before`.
    ///
    /// # Errors
    /// There is no room for more.
    pub(crate) fn count(&self, before: usize, now: usize) -> Result<(), Refusal> {
        let grown = now.saturating_sub(before);
        if grown > 0 {
            let used = self.used.fetch_add(grown, Ordering::Relaxed) + grown;
            if used > self.max {
                self.used.fetch_sub(grown, Ordering::Relaxed);
                return Err(Refusal::SessionsFull);
            }
        }
        let freed = before.saturating_sub(now);
        self.used.fetch_sub(freed, Ordering::Relaxed);
        Ok(())
    }
}

impl Sessions {
    /// None yet.
    pub(crate) fn new(count_max: usize, bytes_max: usize, metrics: Metrics) -> Self {
        let memory = Arc::new(Memory {
            used: AtomicUsize::new(0),
            max: bytes_max,
        });
        Self(Arc::new(All {
            held: DashMap::new(),
            count_max,
            memory,
            metrics,
        }))
    }

    /// What memory is counted by.
    pub(crate) fn memory(&self) -> Arc<Memory> {
        Arc::clone(&self.0.memory)
    }

    /// A session of a tenant.
    ///
    /// # Errors
    /// There is none of this id.
    pub(crate) fn get(&self, tenant: &str, id: &str) -> Result<Arc<Session>, Refusal> {
        let key = (tenant.to_owned(), id.to_owned());
        let found = self.0.held.get(&key).map(|held| Arc::clone(&held));
        let found = found.filter(|session| !session.has_expired(Instant::now()));
        found.ok_or_else(|| Refusal::SessionUnknown(format!("there is no session {id:?} here")))
    }

    /// Sessions of a tenant.
    pub(crate) fn count_of(&self, tenant: &str) -> usize {
        let of = |held: &Key| held.0 == tenant;
        self.0.held.iter().filter(|held| of(held.key())).count()
    }

    /// Keeps a new session; the one that is there already and was created in the same way, with
    /// true.
    ///
    /// # Errors
    /// There are too many, or another one has the id.
    pub(crate) fn keep(
        &self,
        tenant: &str,
        id: &str,
        new: Session,
    ) -> Result<(Arc<Session>, bool), Refusal> {
        let is_full = self.0.held.len() >= self.0.count_max;
        let entry = self.0.held.entry((tenant.to_owned(), id.to_owned()));
        let now = Instant::now();
        let (kept, existed) = match entry {
            Entry::Occupied(held) if held.get().has_expired(now) => {
                let new = Arc::new(new);
                held.replace_entry(Arc::clone(&new));
                (new, false)
            }
            Entry::Occupied(held) if held.get().origin() == new.origin() => {
                (Arc::clone(held.get()), true)
            }
            Entry::Occupied(_) => {
                return Err(Refusal::SessionExists(format!(
                    "session {id:?} was created with other content"
                )));
            }
            Entry::Vacant(_) if is_full => return Err(Refusal::SessionsFull),
            Entry::Vacant(free) => {
                let new = Arc::new(new);
                free.insert(Arc::clone(&new));
                (new, false)
            }
        };
        self.count();
        Ok((kept, existed))
    }

    /// Closes a session, if it is there.
    pub(crate) fn close(&self, tenant: &str, id: &str) {
        let key = (tenant.to_owned(), id.to_owned());
        if let Some((_, session)) = self.0.held.remove(&key) {
            session.close();
        }
        self.count();
    }

    /// Closes unused sessions, without end.
    pub(crate) async fn sweep(self) {
        loop {
            sleep(SWEEP_INTERVAL).await;
            let now = Instant::now();
            self.0.held.retain(|_, session| {
                let stays = !session.has_expired(now);
                if !stays {
                    session.close();
                }
                stays
            });
            self.count();
        }
    }

    fn count(&self) {
        let bytes = self.0.memory.used.load(Ordering::Relaxed);
        self.0.metrics.sessions(self.0.held.len(), bytes);
    }
}

/// Bytes as a number.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
