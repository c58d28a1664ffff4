//! Who searches, who waits, what is kept.

use super::{Cache, Key, Lead, Turn};
use crate::metrics::Metrics;
use bytes::Bytes;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

fn cache() -> Cache {
    Cache::new(1 << 20, Metrics::new())
}

fn key(text: &'static str) -> Option<Key> {
    Some(Key(Bytes::from_static(text.as_bytes())))
}

/// As long as it takes.
fn patient() -> Instant {
    Instant::now() + Duration::from_secs(3_600)
}

async fn lead(cache: &Cache, text: &'static str) -> Lead {
    match cache.turn(key(text), patient()).await {
        Turn::Search(Some(lead)) => lead,
        Turn::Search(None) => panic!("it has to search alone"),
        Turn::Replay(_) => panic!("there is an answer"),
    }
}

fn answer(turn: &Turn) -> Option<&[u8]> {
    match turn {
        Turn::Replay(answer) => Some(answer),
        Turn::Search(_) => None,
    }
}

#[tokio::test]
async fn an_answer_for_all_is_kept_and_replayed() {
    let cache = cache();
    let leader = lead(&cache, "a").await;
    leader.land(Some(Bytes::from_static(b"plan")));
    let turn = cache.turn(key("a"), patient()).await;
    assert_eq!(answer(&turn), Some(&b"plan"[..]));
    assert_eq!(cache.kept(key("a").as_ref()).as_deref(), Some(&b"plan"[..]));
    lead(&cache, "b").await;
}

#[tokio::test]
async fn an_answer_for_one_is_not_kept() {
    let cache = cache();
    lead(&cache, "a").await.land(None);
    assert_eq!(cache.kept(key("a").as_ref()), None);
    lead(&cache, "a").await;
}

#[tokio::test]
async fn requests_in_flight_wait_for_the_first() {
    let cache = cache();
    let leader = lead(&cache, "a").await;
    let mut followers: Vec<_> = (0..3)
        .map(|_| Box::pin(cache.turn(key("a"), patient())))
        .collect();
    let mut context = Context::from_waker(Waker::noop());
    for follower in &mut followers {
        assert!(follower.as_mut().poll(&mut context).is_pending());
    }
    leader.land(Some(Bytes::from_static(b"plan")));
    for follower in followers {
        assert_eq!(answer(&follower.await), Some(&b"plan"[..]));
    }
}

#[tokio::test]
async fn followers_search_alone_when_the_answer_is_for_one() {
    let cache = cache();
    let leader = lead(&cache, "a").await;
    let mut follower = pin!(cache.turn(key("a"), patient()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(follower.as_mut().poll(&mut context).is_pending());
    leader.land(None);
    assert!(matches!(follower.await, Turn::Search(None)));
}

#[tokio::test]
async fn one_follower_leads_when_the_leader_vanishes() {
    let cache = cache();
    let leader = lead(&cache, "a").await;
    let mut first = pin!(cache.turn(key("a"), patient()));
    let mut second = pin!(cache.turn(key("a"), patient()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert!(second.as_mut().poll(&mut context).is_pending());
    drop(leader);
    let Turn::Search(Some(leader)) = first.await else {
        panic!("nobody leads");
    };
    assert!(
        second.as_mut().poll(&mut context).is_pending(),
        "it follows the new leader"
    );
    leader.land(Some(Bytes::from_static(b"plan")));
    assert_eq!(answer(&second.await), Some(&b"plan"[..]));
}

#[tokio::test]
async fn patience_ends() {
    let cache = cache();
    let _leader = lead(&cache, "a").await;
    let turn = cache.turn(key("a"), Instant::now()).await;
    assert!(matches!(turn, Turn::Search(None)));
}

#[tokio::test]
async fn a_request_without_a_key_takes_no_part() {
    let cache = cache();
    assert!(matches!(
        cache.turn(None, patient()).await,
        Turn::Search(None)
    ));
}

#[tokio::test]
async fn what_was_not_wanted_for_the_longest_time_goes_first() {
    let cache = Cache::new(10_000, Metrics::new());
    let answer = Bytes::from(vec![0; 790]);
    // Each takes 1,000 bytes with its key and entry.
    let names = [
        "entry 0000",
        "entry 0001",
        "entry 0002",
        "entry 0003",
        "entry 0004",
    ];
    let more = [
        "entry 0005",
        "entry 0006",
        "entry 0007",
        "entry 0008",
        "entry 0009",
    ];
    for name in names.into_iter().chain(more) {
        lead(&cache, name).await.land(Some(answer.clone()));
    }
    assert!(cache.kept(key("entry 0000").as_ref()).is_some(), "all fit");
    lead(&cache, "entry 0010").await.land(Some(answer.clone()));
    let kept = |name| cache.kept(key(name).as_ref()).is_some();
    assert!(kept("entry 0000"), "it was wanted a moment ago");
    assert!(
        !kept("entry 0001") && !kept("entry 0002"),
        "down to nine tenths"
    );
    assert!(kept("entry 0003") && kept("entry 0010"));
}

#[tokio::test]
async fn no_answer_takes_all_the_room() {
    let cache = Cache::new(10_000, Metrics::new());
    lead(&cache, "a")
        .await
        .land(Some(Bytes::from(vec![0; 1_100])));
    assert_eq!(cache.kept(key("a").as_ref()), None);
    assert!(cache.takes(1_000) && !cache.takes(1_100));
    assert!(!Cache::new(0, Metrics::new()).takes(0), "0 shares nothing");
}

#[tokio::test]
async fn an_answer_that_has_become_too_large_leaves_the_room_of_the_one_before() {
    let cache = Cache::new(10_000, Metrics::new());
    let key = key("a").unwrap();
    cache.keep(&key, Bytes::from_static(b"plan"));
    cache.keep(&key, Bytes::from(vec![0; 1_100]));
    assert_eq!(cache.kept(Some(&key)), None);
    assert_eq!(cache.0.bytes.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_late_leader_does_not_remove_the_entry_of_the_next() {
    let cache = cache();
    let first = lead(&cache, "a").await;
    // Its receivers see the channel closed, as when it is dropped halfway.
    cache.0.slots.clear();
    let second = lead(&cache, "a").await;
    drop(first);
    let mut follower = pin!(cache.turn(key("a"), patient()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(matches!(
        follower.as_mut().poll(&mut context),
        Poll::Pending
    ));
    second.land(Some(Bytes::from_static(b"plan")));
    assert_eq!(answer(&follower.await), Some(&b"plan"[..]));
}
