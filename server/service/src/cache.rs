//! Answers that are shared: identical reproducible requests, in flight or recently answered, cost
//! one search.
//!
//! Only requests with an iteration limit take part, because their plans are functions of the
//! request. Only answers that turned out reproducible are kept or handed over: one that a deadline
//! cut short is its own caller's alone.

#[cfg(test)]
mod tests;

use crate::metrics::Metrics;
use bytes::Bytes;
use quick_cache::sync::{Cache as Table, DefaultLifecycle, PlaceholderGuard};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout_at;

/// What an entry takes beyond its key and answer.
const ENTRY_BYTES: usize = 200;
/// No entry may take more than this share of the cache.
const SHARE_MAX: usize = 8;
/// Usual bytes of an entry.
const ENTRY_BYTES_USUAL: usize = 4 << 10;

/// All that an answer depends on, as bytes. Compared as a whole, so that there are no collisions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key(pub(crate) Bytes);

impl Key {
    /// A request of a tenant: what others asked is not shared with it, and it does not learn that
    /// they asked. Names hold no zeros.
    pub(crate) fn new(tenant: &str, identity: &Bytes) -> Self {
        match tenant {
            "" => Self(identity.clone()),
            tenant => Self([tenant.as_bytes(), &[0], identity].concat().into()),
        }
    }
}

/// The end of a search: its answer, or `None` where that is for its own caller only.
type End = Option<Bytes>;

/// The bytes of entries. What must not be kept weighs more than the cache; calls that wait for it
/// get it all the same.
#[derive(Clone)]
struct Weight {
    entry_bytes_max: usize,
}

impl Weighter<Key, End> for Weight {
    fn weight(&self, key: &Key, end: &End) -> u64 {
        let bytes_of = |end: &Bytes| key.0.len() + end.len() + ENTRY_BYTES;
        let bytes = end.as_ref().map(bytes_of);
        let bytes = bytes.filter(|bytes| *bytes <= self.entry_bytes_max);
        bytes.map_or(u64::MAX, |bytes| bytes as u64)
    }
}

/// The shared answers of a server; clones share them.
#[derive(Clone)]
pub(crate) struct Cache {
    answers: Arc<Table<Key, End, Weight>>,
    entry_bytes_max: usize,
    metrics: Metrics,
}

/// What a request has to do.
pub(crate) enum Turn<'c> {
    /// Nothing: here is the answer.
    Replay(Bytes),
    /// Search; with a lead, give the others the result.
    Search(Option<Lead<'c>>),
}

impl Cache {
    /// Keeps at most `bytes_max`; 0 keeps none and shares none.
    pub(crate) fn new(bytes_max: usize, metrics: Metrics) -> Self {
        let entry_bytes_max = bytes_max / SHARE_MAX;
        let options = OptionsBuilder::new()
            // An entry may take its share of the whole.
            .shards(1)
            .estimated_items_capacity(bytes_max / ENTRY_BYTES_USUAL)
            .weight_capacity(bytes_max as u64)
            .build()
            .expect("all that it needs is set");
        Self {
            answers: Arc::new(Table::with_options(
                options,
                Weight { entry_bytes_max },
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )),
            entry_bytes_max,
            metrics,
        }
    }

    /// Whether a key of this size takes part.
    pub(crate) fn takes(&self, key_bytes: usize) -> bool {
        key_bytes + ENTRY_BYTES <= self.entry_bytes_max
    }

    /// Whose turn it is. Waits for an identical request in flight, but not longer than `patience`:
    /// a request keeps time for a search of its own, which it needs when the other one fails or has
    /// an answer for itself only. When the other one vanishes, one of those that wait leads.
    pub(crate) async fn turn(&self, key: Option<Key>, patience: Instant) -> Turn<'_> {
        let Some(key) = key else {
            return Turn::Search(None);
        };
        if let Some(answer) = self.kept(Some(&key)) {
            return Turn::Replay(answer);
        }
        let flight = self.answers.get_value_or_guard_async(&key);
        match timeout_at(patience.into(), flight).await {
            Ok(Ok(Some(answer))) => {
                self.count("joined");
                Turn::Replay(answer)
            }
            Ok(Err(guard)) => {
                // The one before may have vanished after its answer was kept.
                if let Some(answer) = self.kept(Some(&key)) {
                    return Turn::Replay(answer);
                }
                self.count("miss");
                Turn::Search(Some(Lead { cache: self, guard }))
            }
            Ok(Ok(None)) | Err(_) => {
                self.count("alone");
                Turn::Search(None)
            }
        }
    }

    /// An answer that is kept, for requests that do not wait for others.
    pub(crate) fn kept(&self, key: Option<&Key>) -> Option<Bytes> {
        let answer = self.answers.get(key?).flatten()?;
        self.count("hit");
        Some(answer)
    }

    /// Keeps an answer, unless it is too large.
    pub(crate) fn keep(&self, key: &Key, answer: Bytes) {
        self.answers.insert(key.clone(), Some(answer));
        self.measure();
    }

    /// What it holds.
    fn measure(&self) {
        // At most `bytes_max`.
        let bytes = self.answers.weight() as usize;
        self.metrics.cache_size(bytes, self.answers.len());
    }

    /// What it did for a request.
    fn count(&self, outcome: &'static str) {
        tracing::Span::current().record("outcome", outcome);
        self.metrics.cache(outcome);
    }
}

/// The duty to search for all. When it is dropped without an answer, somebody else gets it.
pub(crate) struct Lead<'c> {
    cache: &'c Cache,
    guard: PlaceholderGuard<'c, Key, End, Weight, DefaultHashBuilder, DefaultLifecycle<Key, End>>,
}

impl Lead<'_> {
    /// The search has ended; `answer` is for all, `None` is for its own caller only.
    pub(crate) fn land(self, answer: Option<Bytes>) {
        // Fails where the same answer was kept meanwhile.
        let _ = self.guard.insert(answer);
        self.cache.measure();
    }
}
