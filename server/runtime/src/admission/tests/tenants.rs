//! Several tenants: one that wants too much does not delay the others.

use super::*;
use crate::admission::lines::{Lines, Spot};
use crate::admission::{Place, Waiting};
use std::cmp::Reverse;

fn share_of(tenant: u64, weight: f64) -> Share {
    Share {
        tenant,
        weight,
        ..Share::ALL
    }
}

fn shared(share: Share, hours: u32) -> Wish {
    Wish {
        share,
        limited: true,
        ..wish(Class::Normal, hours)
    }
}

/// Lines of which somebody always wants more, and each search takes one slot-second.
#[derive(Default)]
struct Always {
    lines: Lines,
    arrivals: u64,
}

impl Always {
    fn put(&mut self, share: Share) -> Spot {
        self.arrivals += 1;
        let place = Place {
            class: Reverse(Class::Normal),
            deadline: Instant::now() + HOUR,
            arrival: self.arrivals,
        };
        let (answer, _) = tokio::sync::oneshot::channel();
        let wish = shared(share, 1);
        self.lines.put(place, Waiting { wish, answer });
        let tenant = share.tenant;
        Spot { tenant, place }
    }

    /// The tenants served in this number of turns.
    fn served(&mut self, turns: usize) -> Vec<u64> {
        let mut order = Vec::new();
        for _ in 0..turns {
            let (spot, wish) = self.lines.first().unwrap();
            self.put(wish.share);
            self.lines.begin(spot, 1.0).unwrap();
            self.lines.end(spot.tenant, 1, 0.0);
            order.push(spot.tenant);
        }
        order
    }
}

#[test]
fn slots_are_shared_by_weight() {
    let mut always = Always::default();
    for share in [share_of(1, 1.0), share_of(2, 2.0), share_of(3, 4.0)] {
        always.put(share);
    }
    let order = always.served(700);
    let count = |tenant| order.iter().filter(|it| **it == tenant).count();
    assert_eq!((count(1), count(2), count(3)), (100, 200, 400));
    // Evenly: in each seven turns.
    for seven in order.chunks(7) {
        assert!(seven.contains(&1) && seven.contains(&2) && seven.contains(&3));
    }
}

#[tokio::test]
async fn whoever_comes_rarely_waits_for_one_search_however_many_others_want() {
    for crowd in [1, 100] {
        let admission = Admission::new(
            1,
            Room {
                queue_max: 1_000,
                queue_bytes_max: 1_000_000,
                memory_max: usize::MAX,
            },
            Meters::unrecorded(),
        );
        teach(&admission).await;
        let mut holder = at_once(&admission, shared(share_of(1, 1.0), 5)).await.ok();
        let mut others: Vec<_> = (0..crowd)
            .map(|_| enter(&admission, shared(share_of(1, 1.0), 500)))
            .collect();
        let mut rare = enter(&admission, shared(share_of(2, 1.0), 500));
        assert!(is_in(&mut rare).is_none());
        drop(holder.take());
        let permit = is_in(&mut rare);
        assert!(permit.is_some(), "it is next, behind {crowd}");
        assert!(others.iter_mut().all(|one| is_in(one).is_none()));
        drop(permit);
        assert!(is_in(&mut others[0]).is_some());
    }
}

#[test]
fn whoever_was_away_has_saved_nothing() {
    let mut always = Always::default();
    always.put(share_of(1, 1.0));
    assert!(always.served(100).iter().all(|it| *it == 1));
    // Comes late, and gets every second turn from then on, not all of them.
    always.put(share_of(2, 1.0));
    let order = always.served(10);
    assert_eq!(order.iter().filter(|it| **it == 2).count(), 5, "{order:?}");
    // What was guessed wrongly is put right: the one who took more waits longer.
    always.lines.end(1, 0, 5.0);
    assert_eq!(always.served(5), [2; 5]);
}

#[test]
fn whoever_came_once_is_forgotten_though_somebody_always_wants_more() {
    let mut always = Always::default();
    always.put(share_of(1, 1.0));
    for visitor in 2..50 {
        let spot = always.put(share_of(visitor, 1.0));
        always.lines.begin(spot, 1.0).unwrap();
        always.lines.end(visitor, 1, 0.0);
    }
    assert_eq!(always.lines.tenants(), 49, "what they owe is remembered");
    assert_eq!(always.served(3), [1; 3]);
    assert_eq!(always.lines.tenants(), 1);
}

#[tokio::test]
async fn nobody_has_more_slots_than_his_quota_and_others_have_the_rest() {
    let admission = admission(3, 100);
    teach(&admission).await;
    let few = Share {
        slots_max: 1,
        ..share_of(1, 1.0)
    };
    let first = at_once(&admission, shared(few, 5)).await.unwrap();
    let mut second = enter(&admission, shared(few, 500));
    assert!(
        is_in(&mut second).is_none(),
        "slots are free, but not for it"
    );
    let _other = at_once(&admission, shared(share_of(2, 1.0), 5))
        .await
        .unwrap();
    let _another = at_once(&admission, shared(share_of(2, 1.0), 5))
        .await
        .unwrap();
    drop(first);
    assert!(is_in(&mut second).is_some());
}

#[tokio::test]
async fn nobody_has_more_of_the_queue_than_his_quota() {
    let admission = admission(1, 10);
    teach(&admission).await;
    let _holder = at_once(&admission, shared(share_of(2, 1.0), 5))
        .await
        .unwrap();
    let half = Share {
        queue: 0.25,
        ..share_of(1, 1.0)
    };
    let _first: Vec<_> = (0..3)
        .map(|_| enter(&admission, shared(half, 500)))
        .collect();
    let refusal = at_once(&admission, shared(half, 500)).await.err();
    let Some(Refusal::Quota { what, .. }) = refusal else {
        panic!("{refusal:?}");
    };
    assert_eq!(what, "queue_share");
    drop(enter(&admission, shared(share_of(3, 1.0), 500)));
}

#[tokio::test]
async fn in_a_full_queue_the_longest_line_makes_room() {
    let admission = admission(1, 4);
    teach(&admission).await;
    let _holder = at_once(&admission, shared(share_of(9, 1.0), 5))
        .await
        .unwrap();
    let mut crowd: Vec<_> = (0..4)
        .map(|_| enter(&admission, shared(share_of(1, 1.0), 500)))
        .collect();
    let first = enter(&admission, shared(share_of(2, 1.0), 500));
    let Poll::Ready(Err(Refusal::QueueFull { .. })) = poll(&mut crowd[3]) else {
        panic!("the last of the longest line goes");
    };
    let second = enter(&admission, shared(share_of(2, 1.0), 500));
    // Now both have two: who came first stays.
    let refusal = at_once(&admission, shared(share_of(2, 1.0), 500))
        .await
        .err();
    assert!(
        matches!(refusal, Some(Refusal::QueueFull { .. })),
        "{refusal:?}"
    );
    assert_eq!(admission.load(), (1, 4));
    drop((first, second));
}
