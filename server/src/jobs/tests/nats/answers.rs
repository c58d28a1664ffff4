//! Answers that servers share at a real broker, and searches that they share.

use super::{Broker, PATIENCE, eventually};
use crate::cache::{Cache, Key, Lead, Turn};
use crate::jobs::nats::Nats;
use crate::metrics::Metrics;
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio::time::timeout;

fn key(text: &str) -> Option<Key> {
    Some(Key(Bytes::copy_from_slice(text.as_bytes())))
}

fn later() -> Instant {
    Instant::now() + PATIENCE
}

/// A server with a cache of its own.
struct Server {
    cache: Cache,
    metrics: Metrics,
    _store: Arc<Nats>,
}

impl Server {
    async fn new(broker: &Broker) -> Self {
        let (_, store) = broker.server().await;
        let metrics = Metrics::new();
        let cache = Cache::new(1 << 20, metrics.clone());
        cache.join(Arc::new(store.answers().unwrap()));
        Self {
            cache,
            metrics,
            _store: store,
        }
    }

    /// The lead of a search which all servers know of.
    async fn leads(&self, text: &str) -> Lead {
        // A busy machine may not have said so at once: then the next one tries again.
        eventually(async || match self.cache.turn(key(text), later()).await {
            Turn::Search(Some(lead)) if lead.is_known() => Some(lead),
            Turn::Search(_) => None,
            Turn::Replay(answer) => panic!("{answer:?}"),
        })
        .await
    }

    /// A call that waits for others.
    fn asks(&self, text: &str, patience: Instant) -> JoinHandle<Option<Bytes>> {
        let (cache, key) = (self.cache.clone(), key(text));
        tokio::spawn(async move {
            match cache.turn(key, patience).await {
                Turn::Replay(answer) => Some(answer),
                Turn::Search(_) => None,
            }
        })
    }

    /// Whether what a call has come to is counted.
    fn has_counted(&self, outcome: &str) -> bool {
        let count = format!("stratagem_cache_total{{outcome=\"{outcome}\"}} 1");
        self.metrics.page().contains(&count)
    }
}

#[tokio::test]
async fn an_answer_of_one_server_is_replayed_at_another() {
    let Some(broker) = Broker::new() else { return };
    let (one, other) = (Server::new(&broker).await, Server::new(&broker).await);
    let Turn::Search(Some(lead)) = one.cache.turn(key("a"), later()).await else {
        panic!("nobody has searched yet");
    };
    lead.land(Some(Bytes::from_static(b"plan")));
    let replayed = async || match other.cache.turn(key("a"), later()).await {
        Turn::Replay(answer) => Some(answer),
        // It is on its way; the lead is dropped, and the next one asks again.
        Turn::Search(_) => None,
    };
    assert_eq!(eventually(replayed).await, &b"plan"[..]);
    let different = other.cache.turn(key("b"), later()).await;
    assert!(matches!(different, Turn::Search(Some(_))));
}

#[tokio::test]
async fn a_search_of_one_server_is_waited_for_at_another() {
    let Some(broker) = Broker::new() else { return };
    let (one, other) = (Server::new(&broker).await, Server::new(&broker).await);
    let rounds = AtomicUsize::new(0);
    // On a busy machine one may not look in time, or be too late: then again.
    eventually(async || {
        let round = rounds.fetch_add(1, Ordering::Relaxed).to_string();
        let lead = one.leads(&round).await;
        let mut asked = other.asks(&round, later());
        let early = timeout(Duration::from_millis(200), &mut asked).await;
        if let Ok(answer) = early {
            assert_eq!(answer.unwrap(), None, "nobody has it");
            return None;
        }
        lead.land(Some(Bytes::from_static(b"plan")));
        let answer = timeout(PATIENCE, asked).await.unwrap().unwrap();
        assert_eq!(answer.as_deref(), Some(&b"plan"[..]));
        other.has_counted("joined_elsewhere").then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_waits_searches_when_the_other_one_has_nothing_for_it() {
    let Some(broker) = Broker::new() else { return };
    let (one, other) = (Server::new(&broker).await, Server::new(&broker).await);
    let lead = one.leads("a").await;
    let asked = other.asks("a", later());
    lead.land(None);
    assert_eq!(timeout(PATIENCE, asked).await.unwrap().unwrap(), None);
    assert!(other.has_counted("miss"));
}

#[tokio::test]
async fn nobody_waits_for_a_server_that_is_gone_or_beyond_his_own_time() {
    let Some(broker) = Broker::new() else { return };
    let (one, other) = (Server::new(&broker).await, Server::new(&broker).await);
    let lead = one.leads("a").await;
    let short = Instant::now() + Duration::from_millis(300);
    assert_eq!(other.asks("a", short).await.unwrap(), None);
    let asked = other.asks("a", later());
    // As a crash would: its word is not taken back, and not repeated.
    lead.forget();
    assert_eq!(timeout(PATIENCE, asked).await.unwrap().unwrap(), None);
}
