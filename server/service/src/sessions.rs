//! Sessions that this server holds, by tenant and id: how many, and for how long. With a log they
//! survive it.

mod execution;
pub(crate) mod log;
mod logged;
mod present;
mod session;
#[cfg(test)]
pub(crate) mod tests;
mod updates;

pub(crate) use execution::Rest;
pub(crate) use log::replayed;
pub(crate) use session::{Moment, Past, Session};

use crate::jobs::store::{StoreError, Stored};
use crate::metrics::Metrics;
use crate::status::Refusal;
use bytes::Bytes;
use dashmap::DashMap;
use log::{Encoded, Log, Logged, keep_written};
use ring::digest::{SHA256, digest};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::sleep;
use wire::session::Created;

/// How often unused sessions are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Tenant and id.
pub(crate) type Key = (String, String);

/// How often a session of another server is tried to be closed.
const CLOSES_MAX: usize = 10;

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
    log: OnceLock<Arc<dyn Log>>,
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
            log: OnceLock::new(),
        }))
    }

    /// Logs all sessions to this place.
    pub(crate) fn log_to(&self, log: Arc<dyn Log>) {
        // It is set once, when the server starts.
        let _ = self.0.log.set(log);
    }

    /// A session of a tenant, if there is one of this id.
    pub(crate) fn get(&self, tenant: &str, id: &str) -> Option<Arc<Session>> {
        let key = (tenant.to_owned(), id.to_owned());
        let found = self.0.held.get(&key).map(|held| Arc::clone(&held));
        found.filter(|session| !session.has_expired(Instant::now()))
    }

    /// Sessions of a tenant.
    pub(crate) fn count_of(&self, tenant: &str) -> usize {
        let of = |held: &Key| held.0 == tenant;
        self.0.held.iter().filter(|held| of(held.key())).count()
    }

    /// The log of a session, if there are logs.
    ///
    /// # Errors
    /// It does not answer.
    pub(crate) async fn logged(&self, tenant: &str, id: &str) -> Result<Option<Logged>, Refusal> {
        let Some(log) = self.0.log.get() else {
            return Ok(None);
        };
        let key = (tenant.to_owned(), id.to_owned());
        let held = self.0.held.get(&key).map(|held| Arc::clone(&held));
        if held.is_some_and(|held| held.has_expired(Instant::now())) {
            self.close(tenant, id).await?;
        }
        log.read(&key).await.map(Some).map_err(unavailable)
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
        past: Past,
        has_room: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<(Arc<Session>, Option<Moment>), Refusal> {
        // It guards no data: a panic leaves nothing half written.
        let creating = self.0.creating.lock();
        let _creating = creating.unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = self.get(tenant, &created.id) {
            return Ok((of_origin(held, past.origin)?, None));
        }
        has_room()?;
        if self.0.held.len() >= self.0.count_max {
            return Err(Refusal::SessionsFull);
        }
        let key = (tenant.to_owned(), created.id.clone());
        let position = past.position;
        let (new, first) = Session::new(created, past, Arc::clone(&self.0.memory))?;
        let new = Arc::new(new);
        if let Some(expired) = self.0.held.insert(key.clone(), Arc::clone(&new)) {
            expired.close(closed());
        }
        if let Some((log, position)) = self.0.log.get().zip(position) {
            let (all, new, log) = (self.clone(), Arc::clone(&new), Arc::clone(log));
            tokio::spawn(keep_written(all, key, new, log, position));
        }
        self.count();
        Ok((new, Some(first)))
    }

    /// Closes a session, if it is there, and ends its log.
    ///
    /// # Errors
    /// The log does not answer.
    pub(crate) async fn close(&self, tenant: &str, id: &str) -> Result<(), Refusal> {
        let key = (tenant.to_owned(), id.to_owned());
        if let Some((_, session)) = self.0.held.remove(&key) {
            session.close(closed());
            self.count();
            if session.is_logged() && session.logged(u64::MAX, None).await.is_ok() {
                return Ok(());
            }
        }
        let Some(log) = self.0.log.get() else {
            return Ok(());
        };
        for _ in 0..CLOSES_MAX {
            let logged = log.read(&key).await.map_err(unavailable)?;
            let Logged {
                position, entries, ..
            } = logged;
            if entries.iter().all(Bytes::is_empty) {
                return Ok(());
            }
            let end = Encoded {
                bytes: Bytes::new(),
                is_first: true,
            };
            let ended = log.write(&key, position, end).await;
            if ended.map_err(unavailable)?.is_some() {
                return Ok(());
            }
        }
        // Its server was faster each time.
        Err(Refusal::SessionMoved)
    }

    /// Measures the writing of an entry.
    fn meter(&self, written: &Stored<Option<u64>>, took: Duration) {
        let outcome = match written {
            Ok(Some(_)) => "written",
            Ok(None) => "moved",
            Err(_) => "failed",
        };
        self.0.metrics.session_logged(outcome, took);
    }

    /// Forgets a session that another server has.
    fn moved(&self, key: &Key, session: &Arc<Session>) {
        self.0
            .held
            .remove_if(key, |_, held| Arc::ptr_eq(held, session));
        session.close(Refusal::SessionMoved);
        tracing::info!(session = key.1, "session moved to another server");
        self.count();
    }

    /// Leaves all sessions to other servers.
    pub(crate) fn leave(&self) {
        self.0.held.retain(|_, session| {
            session.close(Refusal::SessionMoved);
            false
        });
    }

    /// Closes unused sessions, without end.
    pub(crate) async fn sweep(self) {
        loop {
            sleep(SWEEP_INTERVAL).await;
            let now = Instant::now();
            self.0.held.retain(|_, session| {
                let stays = !session.has_expired(now);
                if stays {
                    session.refresh(now);
                } else {
                    session.close(closed());
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

/// Why a closed session takes no calls.
fn closed() -> Refusal {
    Refusal::SessionUnknown("the session is closed".into())
}

/// A log that does not answer.
fn unavailable(error: StoreError) -> Refusal {
    Refusal::SessionsUnavailable(error.0)
}

/// A session, if it was created in this way.
pub(crate) fn of_origin(held: Arc<Session>, origin: u64) -> Result<Arc<Session>, Refusal> {
    if held.origin() == origin {
        Ok(held)
    } else {
        let why = "the session was created with other content";
        Err(Refusal::SessionExists(why.into()))
    }
}

/// Bytes as a number, the same on each server.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    let first = digest(&SHA256, bytes);
    let first = first.as_ref().first_chunk();
    first.map_or(0, |first| u64::from_le_bytes(*first))
}
