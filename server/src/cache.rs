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
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use tokio::sync::watch;
use tokio::time::timeout_at;

/// What an entry takes beyond its key and answer.
const ENTRY_BYTES: usize = 200;
/// No entry may take more than this share of the cache.
const SHARE_MAX: usize = 8;

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

/// What is there for a key.
enum Slot {
    /// A call searches; the number is that of its entry.
    Flight(watch::Receiver<Flight>, u64),
    /// The answer, when it was last wanted.
    Kept(Bytes, AtomicU64),
}

/// A search that others wait for.
#[derive(Debug, Clone)]
enum Flight {
    /// It goes on.
    Up,
    /// It ended with an answer for all.
    Landed(Bytes),
    /// It ended with an answer for its own caller only.
    Private,
}

/// The shared answers of a server; clones share them.
#[derive(Clone)]
pub(crate) struct Cache(Arc<Inner>);

struct Inner {
    slots: DashMap<Key, Slot>,
    bytes: AtomicUsize,
    bytes_max: usize,
    clock: AtomicU64,
    metrics: Metrics,
}

/// What a request has to do.
pub(crate) enum Turn {
    /// Nothing: here is the answer.
    Replay(Bytes),
    /// Search; with a lead, give the others the result.
    Search(Option<Lead>),
}

impl Cache {
    /// Keeps at most `bytes_max`; 0 keeps none and shares none.
    pub(crate) fn new(bytes_max: usize, metrics: Metrics) -> Self {
        Self(Arc::new(Inner {
            slots: DashMap::new(),
            bytes: AtomicUsize::new(0),
            bytes_max,
            clock: AtomicU64::new(0),
            metrics,
        }))
    }

    /// Whether a key of this size takes part.
    pub(crate) fn takes(&self, key_bytes: usize) -> bool {
        key_bytes + ENTRY_BYTES <= self.0.bytes_max / SHARE_MAX
    }

    /// Whose turn it is. Waits for an identical request in flight, but not longer than `patience`:
    /// a request keeps time for a search of its own, which it needs when the other one fails,
    /// vanishes or has an answer for itself only.
    pub(crate) async fn turn(&self, key: Option<Key>, patience: Instant) -> Turn {
        let Some(key) = key else {
            return Turn::Search(None);
        };
        loop {
            match self.claim(&key) {
                Claim::Kept(answer) => {
                    self.count("hit");
                    return Turn::Replay(answer);
                }
                Claim::Lead(lead) => {
                    self.count("miss");
                    return Turn::Search(Some(lead));
                }
                Claim::Follow(mut flight) => {
                    let landed = flight.wait_for(|flight| !matches!(flight, Flight::Up));
                    match timeout_at(patience.into(), landed).await {
                        // Its request vanished: somebody else leads.
                        Ok(Err(_)) => {}
                        Ok(Ok(end)) => match end.clone() {
                            Flight::Landed(answer) => {
                                self.count("joined");
                                return Turn::Replay(answer);
                            }
                            Flight::Up | Flight::Private => break,
                        },
                        Err(_) => break,
                    }
                }
            }
        }
        self.count("alone");
        Turn::Search(None)
    }

    /// An answer that is kept, for requests that do not wait for others.
    pub(crate) fn kept(&self, key: Option<&Key>) -> Option<Bytes> {
        let slot = self.0.slots.get(key?)?;
        let Slot::Kept(answer, used) = slot.value() else {
            return None;
        };
        used.store(self.tick(), Ordering::Relaxed);
        self.count("hit");
        Some(answer.clone())
    }

    /// Keeps an answer, unless it is too large.
    pub(crate) fn keep(&self, key: &Key, answer: Bytes) {
        let bytes = size(key, &answer);
        if bytes > self.0.bytes_max / SHARE_MAX {
            if let Some((key, Slot::Kept(old, _))) = self.0.slots.remove(key) {
                self.0.bytes.fetch_sub(size(&key, &old), Ordering::Relaxed);
            }
            return;
        }
        let kept = Slot::Kept(answer, AtomicU64::new(self.tick()));
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Some(Slot::Kept(old, _)) = self.0.slots.insert(key.clone(), kept) {
            self.0.bytes.fetch_sub(size(key, &old), Ordering::Relaxed);
        }
        self.evict();
        self.0
            .metrics
            .cache_size(self.0.bytes.load(Ordering::Relaxed), self.0.slots.len());
    }

    /// What it did for a request.
    fn count(&self, outcome: &'static str) {
        tracing::Span::current().record("outcome", outcome);
        self.0.metrics.cache(outcome);
    }

    fn claim(&self, key: &Key) -> Claim {
        match self.0.slots.entry(key.clone()) {
            Entry::Occupied(slot) => match slot.get() {
                Slot::Kept(answer, used) => {
                    used.store(self.tick(), Ordering::Relaxed);
                    Claim::Kept(answer.clone())
                }
                Slot::Flight(flight, _) if flight.has_changed().is_ok() => {
                    Claim::Follow(flight.clone())
                }
                // Ended between telling and removal, or without telling.
                Slot::Flight(..) => {
                    let (lead, flight) = self.lead(key);
                    *slot.into_ref().value_mut() = flight;
                    Claim::Lead(lead)
                }
            },
            Entry::Vacant(slot) => {
                let (lead, flight) = self.lead(key);
                slot.insert(flight);
                Claim::Lead(lead)
            }
        }
    }

    fn lead(&self, key: &Key) -> (Lead, Slot) {
        let (flight, followers) = watch::channel(Flight::Up);
        let number = self.tick();
        let lead = Lead {
            cache: self.clone(),
            key: key.clone(),
            number,
            flight,
        };
        (lead, Slot::Flight(followers, number))
    }

    fn tick(&self) -> u64 {
        self.0.clock.fetch_add(1, Ordering::Relaxed)
    }

    /// Drops the answers that were not wanted for the longest time, down to nine tenths, so that it
    /// is not done for each.
    fn evict(&self) {
        if self.0.bytes.load(Ordering::Relaxed) <= self.0.bytes_max {
            return;
        }
        let kept = |slot: dashmap::mapref::multiple::RefMulti<'_, Key, Slot>| match slot.value() {
            Slot::Kept(_, used) => Some((used.load(Ordering::Relaxed), slot.key().clone())),
            Slot::Flight(..) => None,
        };
        let mut by_age: Vec<(u64, Key)> = self.0.slots.iter().filter_map(kept).collect();
        by_age.sort_unstable_by_key(|(used, _)| *used);
        let enough = self.0.bytes_max / 10 * 9;
        for (_, key) in by_age {
            if self.0.bytes.load(Ordering::Relaxed) <= enough {
                break;
            }
            let kept = |_: &Key, slot: &Slot| matches!(slot, Slot::Kept(..));
            if let Some((key, Slot::Kept(answer, _))) = self.0.slots.remove_if(&key, kept) {
                self.0
                    .bytes
                    .fetch_sub(size(&key, &answer), Ordering::Relaxed);
            }
        }
    }
}

fn size(key: &Key, answer: &Bytes) -> usize {
    key.0.len() + answer.len() + ENTRY_BYTES
}

enum Claim {
    Kept(Bytes),
    Follow(watch::Receiver<Flight>),
    Lead(Lead),
}

/// The duty to search for all. When it is dropped without an answer, somebody else gets it.
pub(crate) struct Lead {
    cache: Cache,
    key: Key,
    number: u64,
    flight: watch::Sender<Flight>,
}

impl Lead {
    /// The search has ended; `answer` is for all, `None` is for its own caller only.
    pub(crate) fn land(self, answer: Option<Bytes>) {
        let end = match answer {
            Some(answer) => {
                self.cache.keep(&self.key, answer.clone());
                Flight::Landed(answer)
            }
            None => Flight::Private,
        };
        self.flight.send_replace(end);
    }
}

impl Drop for Lead {
    fn drop(&mut self) {
        let mine = |_: &Key, slot: &Slot| matches!(slot, Slot::Flight(_, n) if *n == self.number);
        self.cache.0.slots.remove_if(&self.key, mine);
    }
}
