//! Answers of other servers, where there is a place to share them.

use super::Key;
use bytes::Bytes;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Longest wait for such an answer: the caller has a search to begin.
const LOOK_MAX: Duration = Duration::from_millis(5);
/// How long nobody looks after it took too long.
const PAUSE: Duration = Duration::from_secs(1);
/// Answers that are being shared at once; others are not.
const SHARING_MAX: usize = 32;

/// A place where servers share answers.
#[tonic::async_trait]
pub(crate) trait Answers: Send + Sync + 'static {
    /// The answer to exactly this, if it is there.
    async fn get(&self, key: &Key) -> Option<Bytes>;

    /// Shares an answer. Where that fails, others search.
    async fn put(&self, key: Key, answer: Bytes);

    /// Says that we search for this, unless somebody does; `None` where that cannot be said.
    async fn claim(&self, key: &Key) -> Option<Flying>;

    /// Waits for the answer of the call that searches; `None` when none does any more.
    async fn landed(&self, key: &Key) -> Option<Bytes>;
}

/// Who searches, among servers.
#[cfg_attr(
    not(feature = "nats"),
    expect(dead_code, reason = "only the broker says who")
)]
pub(crate) enum Flying {
    /// We do, as long as this is held.
    Ours(Box<dyn Lease>),
    /// Somebody else.
    Theirs,
}

/// The right to have other servers wait for us. Dropping it gives it back.
pub(crate) trait Lease: Send + Sync {
    /// Says nothing any more, and does not give it back: as if the process were gone.
    #[cfg(test)]
    fn silence(self: Box<Self>);
}

/// The place, if there is one.
pub(super) struct Shared {
    place: OnceLock<Arc<dyn Answers>>,
    /// When it was too slow last.
    slow: Mutex<Option<Instant>>,
    free: Arc<Semaphore>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            place: OnceLock::new(),
            slow: Mutex::default(),
            free: Arc::new(Semaphore::new(SHARING_MAX)),
        }
    }
}

impl Shared {
    /// Shares answers there from now on, unless they are shared already.
    #[cfg(feature = "nats")]
    pub(super) fn join(&self, place: Arc<dyn Answers>) {
        // The first place stays.
        let _ = self.place.set(place);
    }

    /// The answer of another server, if it is there at once.
    pub(super) async fn get(&self, key: &Key) -> Option<Bytes> {
        let place = self.place.get()?;
        if self.is_slow() {
            return None;
        }
        let found = timeout(LOOK_MAX, place.get(key)).await;
        if found.is_err() {
            self.was_slow();
        }
        found.ok().flatten()
    }

    /// The server that searches for this, where the answer comes immediately.
    pub(super) async fn claim(&self, key: &Key) -> Option<Flying> {
        let place = self.place.get()?;
        if self.is_slow() {
            return None;
        }
        // In a task of its own: a right that comes too late, or to nobody any more, is given back,
        // or others would wait for a search that they have not been promised.
        let (place, key) = (Arc::clone(place), key.clone());
        let claim = tokio::spawn(async move { place.claim(&key).await });
        let claimed = timeout(LOOK_MAX, claim).await;
        if claimed.is_err() {
            self.was_slow();
        }
        claimed.ok()?.ok().flatten()
    }

    /// The answer of the server that searches for this; `None` when none does any more.
    pub(super) async fn landed(&self, key: &Key) -> Option<Bytes> {
        self.place.get()?.landed(key).await
    }

    fn is_slow(&self) -> bool {
        let slow = *self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        slow.is_some_and(|slow| slow.elapsed() < PAUSE)
    }

    fn was_slow(&self) {
        let mut slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        *slow = Some(Instant::now());
    }

    /// Shares an answer, without waiting for that. Then others need not wait for us any more.
    pub(super) fn put(&self, key: &Key, answer: &Bytes, lease: Option<Box<dyn Lease>>) {
        let (Some(place), Ok(runtime)) = (self.place.get(), Handle::try_current()) else {
            return;
        };
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            let (place, key, answer) = (Arc::clone(place), key.clone(), answer.clone());
            runtime.spawn(async move {
                place.put(key, answer).await;
                drop((permit, lease));
            });
        }
    }
}
