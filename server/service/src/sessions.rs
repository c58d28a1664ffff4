//! Sessions that this server holds, in memory: who has which, how many, and for how long.

mod execution;
mod present;
mod session;
#[cfg(test)]
mod tests;
mod updates;

pub(crate) use execution::Rest;
pub(crate) use session::{Moment, Session};

use crate::metrics::Metrics;
use crate::status::Refusal;
use dashmap::DashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::sleep;
use wire::session::Created;

/// How often unused sessions are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Tenant and id.
type Key = (String, String);

/// All sessions; clones share them.
#[derive(Clone)]
pub(crate) struct Sessions(Arc<All>);

struct All {
    held: DashMap<Key, Arc<Session>>,
    /// Held while a session is created, so that no limit is exceeded.
    creating: Mutex<()>,
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
            creating: Mutex::default(),
            count_max,
            memory,
            metrics,
        }))
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

    /// Keeps a new session: it, and what is planned for first. A session that was created in the
    /// same way is returned as it is. `has_room` judges by the tenant's sessions.
    ///
    /// # Errors
    /// There are too many, or another one has the id.
    pub(crate) fn keep(
        &self,
        tenant: &str,
        created: Created,
        origin: u64,
        has_room: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<(Arc<Session>, Option<Moment>), Refusal> {
        // It guards no data: a panic leaves nothing half written.
        let creating = self.0.creating.lock();
        let _creating = creating.unwrap_or_else(PoisonError::into_inner);
        if let Ok(held) = self.get(tenant, &created.id) {
            return Ok((of_origin(held, origin)?, None));
        }
        has_room()?;
        if self.0.held.len() >= self.0.count_max {
            return Err(Refusal::SessionsFull);
        }
        let key = (tenant.to_owned(), created.id.clone());
        let (new, first) = Session::new(created, origin, Arc::clone(&self.0.memory))?;
        let new = Arc::new(new);
        if let Some(expired) = self.0.held.insert(key, Arc::clone(&new)) {
            expired.close();
        }
        self.count();
        Ok((new, Some(first)))
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

/// A session, if it was created in this way.
fn of_origin(held: Arc<Session>, origin: u64) -> Result<Arc<Session>, Refusal> {
    if held.origin() == origin {
        Ok(held)
    } else {
        let why = "the session was created with other content";
        Err(Refusal::SessionExists(why.into()))
    }
}

/// Bytes as a number.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
