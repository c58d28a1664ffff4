//! Who searches, who waits, what is kept.

use super::{Cache, Key, Lead, Turn};
use crate::metrics::Metrics;
use bytes::Bytes;
use std::pin::pin;
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

async fn lead<'c>(cache: &'c Cache, text: &'static str) -> Lead<'c> {
    match cache.turn(key(text), patient()).await {
        Turn::Search(Some(lead)) => lead,
        Turn::Search(None) => panic!("it has to search alone"),
        Turn::Replay(_) => panic!("there is an answer"),
    }
}

fn answer<'t>(turn: &'t Turn<'_>) -> Option<&'t [u8]> {
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
    let mut followers: Vec<_> = (0..2)
        .map(|_| Box::pin(cache.turn(key("a"), patient())))
        .collect();
    let mut context = Context::from_waker(Waker::noop());
    for follower in &mut followers {
        assert!(follower.as_mut().poll(&mut context).is_pending());
    }
    drop(leader);
    let mut leads = Vec::new();
    followers.retain_mut(|follower| match follower.as_mut().poll(&mut context) {
        Poll::Ready(Turn::Search(lead)) => {
            leads.extend(lead);
            false
        }
        Poll::Ready(Turn::Replay(answer)) => panic!("{answer:?}"),
        Poll::Pending => true,
    });
    let (Some(leader), Some(follower)) = (leads.pop(), followers.pop()) else {
        panic!("nobody leads, or everybody");
    };
    leader.land(Some(Bytes::from_static(b"plan")));
    assert_eq!(answer(&follower.await), Some(&b"plan"[..]));
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
async fn memory_is_limited_and_what_is_wanted_again_stays() {
    let bytes_max = 10_000;
    let cache = Cache::new(bytes_max, Metrics::new());
    let answer = Bytes::from(vec![0; 790]);
    // Each takes 1,000 bytes with its key and entry.
    let name = |number: usize| Key(format!("entry {number:04}").into());
    for number in 0..100 {
        cache.keep(&name(number), answer.clone());
        assert!(cache.kept(Some(&name(0))).is_some(), "{number}");
        assert!(cache.kept(Some(&name(number))).is_some(), "the newest");
        assert!(cache.answers.weight() as usize <= bytes_max);
    }
    assert_eq!(cache.answers.len(), 10, "all of the room is used");
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
    assert_eq!(cache.answers.weight(), 0);
}

#[tokio::test]
async fn a_late_leader_does_not_remove_the_entry_of_the_next() {
    let cache = cache();
    let first = lead(&cache, "a").await;
    // Its receivers see the channel closed, as when it is dropped halfway.
    cache.answers.clear();
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

#[tokio::test]
async fn an_answer_that_is_kept_before_its_leader_vanishes_is_replayed() {
    let cache = cache();
    let leader = lead(&cache, "a").await;
    let mut follower = pin!(cache.turn(key("a"), patient()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(follower.as_mut().poll(&mut context).is_pending());
    let key = key("a").unwrap();
    cache.keep(&key, Bytes::from_static(b"plan"));
    drop(leader);
    assert_eq!(answer(&follower.await), Some(&b"plan"[..]));
    assert_eq!(cache.kept(Some(&key)).as_deref(), Some(&b"plan"[..]));
}
