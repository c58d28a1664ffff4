//! A place where answers are shared that takes its time.

use super::*;
use crate::cache::{Answers, Flying, Lease};
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// Takes words immediately, and confirms them when it may go on.
#[derive(Default)]
struct Slow {
    /// Words that somebody searches.
    words: watch::Sender<usize>,
    goes_on: Notify,
}

/// A word that was confirmed.
struct Word(watch::Sender<usize>);

impl Lease for Word {
    fn silence(self: Box<Self>) {
        std::mem::forget(*self);
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        self.0.send_modify(|words| *words -= 1);
    }
}

#[tonic::async_trait]
impl Answers for Slow {
    async fn get(&self, _: &Key) -> Option<Bytes> {
        None
    }

    async fn put(&self, _: Key, _: Bytes) {}

    async fn claim(&self, _: &Key) -> Option<Flying> {
        self.words.send_modify(|words| *words += 1);
        self.goes_on.notified().await;
        Some(Flying::Ours(Box::new(Word(self.words.clone()))))
    }

    async fn landed(&self, _: &Key) -> Option<Bytes> {
        None
    }
}

/// Waits until nobody's word is there.
async fn is_given_back(place: &Slow) {
    let mut words = place.words.subscribe();
    let none = words.wait_for(|words| *words == 0);
    let patience = Duration::from_secs(30);
    let none = tokio::time::timeout(patience, none).await;
    assert!(none.is_ok(), "others wait for nobody");
}

#[tokio::test]
async fn a_word_that_was_taken_too_late_is_given_back() {
    let (cache, place) = (cache(), Arc::new(Slow::default()));
    cache.join(Arc::clone(&place) as _);
    let leader = lead(&cache, "a").await;
    assert!(!leader.is_known(), "it did not hear in time");
    assert_eq!(*place.words.borrow(), 1);
    place.goes_on.notify_one();
    is_given_back(&place).await;
}

#[tokio::test]
async fn a_word_for_whoever_has_gone_away_is_given_back() {
    let (cache, place) = (cache(), Arc::new(Slow::default()));
    cache.join(Arc::clone(&place) as _);
    let mut words = place.words.subscribe();
    tokio::select! {
        biased;
        _ = cache.turn(key("a"), patient()) => {}
        _ = words.wait_for(|words| *words == 1) => {}
    }
    place.goes_on.notify_one();
    is_given_back(&place).await;
}
