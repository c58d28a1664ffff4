//! Who comes first, who waits, who is sent away.

mod elastic;
mod memory;
mod tenants;

use super::{Admission, Permit, Room, Share, Wish};
use crate::Class;
use crate::Meters;
use crate::Refusal;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3_600);

fn admission(slots: usize, queue_max: usize) -> Admission {
    with_memory(slots, queue_max, usize::MAX)
}

fn with_memory(slots: usize, queue_max: usize, memory_max: usize) -> Admission {
    let room = Room {
        queue_max,
        queue_bytes_max: 1_000,
        memory_max,
    };
    Admission::new(slots, room, Meters::unrecorded())
}

/// Lets it learn that requests with an iteration limit end early, so that many may wait.
async fn teach(admission: &Admission) {
    for _ in 0..50 {
        let early = Wish {
            limited: true,
            ..wish(Class::Normal, 2)
        };
        drop(at_once(admission, early).await.unwrap());
    }
}

/// A wish whose answer may take some hours, so that no test waits for a clock.
fn wish(class: Class, hours: u32) -> Wish {
    let arrived = Instant::now();
    Wish {
        share: Share::ALL,
        class,
        slots: 1,
        bytes: 10,
        memory: 0,
        arrived,
        deadline: arrived + HOUR * hours,
        limited: false,
    }
}

type Entering<'a> = Pin<Box<dyn Future<Output = Result<Permit, Refusal>> + 'a>>;

/// Asks once; within a runtime, because the wait has a timer.
fn poll(entering: &mut Entering<'_>) -> Poll<Result<Permit, Refusal>> {
    entering
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
}

fn enter(admission: &Admission, wish: Wish) -> Entering<'_> {
    let mut entering: Entering<'_> = Box::pin(admission.enter(wish));
    assert!(poll(&mut entering).is_pending(), "it has to wait");
    entering
}

async fn at_once(admission: &Admission, wish: Wish) -> Result<Permit, Refusal> {
    let entering = pin!(admission.enter(wish));
    entering.await
}

fn is_in(entering: &mut Entering<'_>) -> Option<Permit> {
    match poll(entering) {
        Poll::Ready(Ok(permit)) => Some(permit),
        Poll::Ready(Err(refusal)) => panic!("{refusal:?}"),
        Poll::Pending => None,
    }
}

#[tokio::test]
async fn higher_classes_go_first_then_earlier_deadlines_then_earlier_arrivals() {
    let admission = admission(1, 10);
    teach(&admission).await;
    let wish = |class, hours| Wish {
        limited: true,
        ..wish(class, hours)
    };
    let mut holder = at_once(&admission, wish(Class::Normal, 1)).await.ok();
    // Named by the order in which they have to come.
    let far = wish(Class::Normal, 9);
    let mut sixth = enter(&admission, wish(Class::Low, 5));
    let mut fourth = enter(&admission, far);
    let mut fifth = enter(&admission, far);
    let mut third = enter(&admission, wish(Class::Normal, 8));
    let mut second = enter(&admission, wish(Class::High, 9));
    let mut first = enter(&admission, wish(Class::High, 8));
    let mut order = [
        &mut first,
        &mut second,
        &mut third,
        &mut fourth,
        &mut fifth,
        &mut sixth,
    ];
    assert_eq!(admission.load(), (1, 6));
    for next in 0..order.len() {
        drop(holder.take());
        for (place, one) in order.iter_mut().enumerate().skip(next).rev() {
            let permit = is_in(one);
            assert_eq!(
                permit.is_some(),
                place == next,
                "place {place} at turn {next}"
            );
            holder = holder.or(permit);
        }
    }
    drop(holder);
    assert_eq!(admission.load(), (0, 0));
}

#[tokio::test]
async fn nobody_overtakes_a_request_for_many_slots() {
    let admission = admission(2, 10);
    let one = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let other = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let both = Wish {
        slots: 2,
        ..wish(Class::Normal, 5)
    };
    let mut both = enter(&admission, both);
    let mut small = enter(&admission, wish(Class::Normal, 6));
    drop(one);
    assert!(is_in(&mut both).is_none());
    assert!(
        is_in(&mut small).is_none(),
        "a slot is free, but it is not its turn"
    );
    drop(other);
    let permit = is_in(&mut both).unwrap();
    assert_eq!(permit.slots(), 2);
    assert!(is_in(&mut small).is_none());
    drop(permit);
    assert!(is_in(&mut small).is_some());
}

#[tokio::test]
async fn whoever_leaves_the_queue_lets_the_next_pass() {
    let admission = admission(2, 10);
    let holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let both = Wish {
        slots: 2,
        ..wish(Class::High, 5)
    };
    let both = enter(&admission, both);
    let mut small = enter(&admission, wish(Class::Normal, 6));
    drop(both);
    let permit = is_in(&mut small);
    assert!(permit.is_some());
    drop(holder);
    assert_eq!(admission.load(), (1, 0));
}

#[tokio::test]
async fn slots_granted_to_somebody_who_has_just_left_come_back() {
    let admission = admission(1, 10);
    let holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let leaving = enter(&admission, wish(Class::Normal, 5));
    drop(holder);
    // Granted, not yet heard.
    assert_eq!(admission.load(), (1, 0));
    drop(leaving);
    assert_eq!(admission.load(), (0, 0));
}

#[tokio::test]
async fn what_cannot_be_answered_in_time_is_refused_at_once() {
    let admission = admission(1, 10);
    let _holder = at_once(&admission, wish(Class::Normal, 5)).await.unwrap();
    let refusal = at_once(&admission, wish(Class::High, 4)).await.err();
    let Some(Refusal::NoSlot { retry_after }) = refusal else {
        panic!("{refusal:?}");
    };
    assert_eq!(
        retry_after,
        Duration::from_secs(30),
        "hours, cut to what a client can wait"
    );
    // A call with more time than the search that runs may wait for its end.
    let waiting = enter(&admission, wish(Class::High, 6));
    // But not behind somebody who will need all of that time.
    let refusal = at_once(&admission, wish(Class::Low, 6)).await.err();
    assert!(
        matches!(refusal, Some(Refusal::NoSlot { .. })),
        "{refusal:?}"
    );
    drop(waiting);
    drop(enter(&admission, wish(Class::Low, 6)));
}

#[tokio::test]
async fn nobody_is_let_in_whom_somebody_who_waits_would_pay_for() {
    let admission = admission(1, 10);
    let holder = at_once(&admission, wish(Class::Normal, 2)).await.unwrap();
    let first = wish(Class::Normal, 6);
    let mut waiting = enter(&admission, first);
    // It would come first, and leave a millisecond.
    let hasty = Wish {
        deadline: first.deadline - Duration::from_millis(1),
        ..first
    };
    let mut refused: Entering<'_> = Box::pin(admission.enter(hasty));
    let Poll::Ready(Err(Refusal::NoSlot { .. })) = poll(&mut refused) else {
        panic!("it is refused immediately");
    };
    // Who leaves an hour may overtake, higher classes as well, and others' lines are their own.
    drop(enter(&admission, wish(Class::Normal, 5)));
    let class = Class::High;
    drop(enter(&admission, Wish { class, ..hasty }));
    let share = Share {
        tenant: 7,
        ..Share::ALL
    };
    drop(enter(&admission, Wish { share, ..hasty }));
    drop(holder);
    assert!(is_in(&mut waiting).is_some());
}

#[tokio::test]
async fn a_free_slot_is_given_however_little_time_is_left() {
    let admission = admission(1, 10);
    let now = Instant::now();
    let late = Wish {
        deadline: now,
        arrived: now,
        ..wish(Class::Normal, 1)
    };
    assert!(at_once(&admission, late).await.is_ok());
}

#[tokio::test]
async fn a_search_waits_for_memory_with_slots_free_and_is_refused_when_the_queue_is_full() {
    let admission = with_memory(5, 1, 100);
    let large = |memory| Wish {
        memory,
        ..wish(Class::Normal, 9)
    };
    let first = at_once(&admission, large(60)).await.unwrap();
    let second = at_once(&admission, large(40)).await.unwrap();
    let mut third = enter(&admission, large(50));
    assert_eq!(admission.load(), (2, 1));
    let refused = at_once(&admission, large(50)).await.err();
    assert!(
        matches!(refused, Some(Refusal::QueueFull { .. })),
        "{refused:?}"
    );
    drop(second);
    assert!(is_in(&mut third).is_none(), "40 are not enough");
    drop(first);
    assert!(is_in(&mut third).is_some());
}

#[tokio::test]
async fn how_much_of_their_budgets_requests_use_is_learnt() {
    let admission = admission(1, 10);
    let open = |hours| wish(Class::Normal, hours);
    let holder = at_once(&admission, open(2)).await.unwrap();
    let refusal = at_once(&admission, open(1)).await.err();
    assert!(
        refusal.is_some(),
        "without an iteration limit everybody may use everything"
    );
    drop(holder);
    for _ in 0..50 {
        drop(at_once(&admission, open(2)).await.unwrap());
    }
    let _holder = at_once(&admission, open(2)).await.unwrap();
    drop(enter(&admission, open(1)));
}

#[tokio::test]
async fn requests_with_an_iteration_limit_are_expected_to_end_early() {
    let admission = admission(1, 10);
    let limited = |hours| Wish {
        limited: true,
        ..wish(Class::Normal, hours)
    };
    let holder = at_once(&admission, limited(2)).await.unwrap();
    drop(enter(&admission, limited(1)));
    drop(holder);
    // That says nothing about searches that go on until their deadline.
    let _holder = at_once(&admission, wish(Class::Normal, 2)).await.unwrap();
    assert!(at_once(&admission, limited(1)).await.is_err());
}

#[tokio::test]
async fn a_full_queue_refuses_all_but_a_higher_class() {
    let admission = admission(1, 2);
    let _holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let mut low = enter(&admission, wish(Class::Low, 50));
    // Long enough for one of a higher class before it.
    let mut normal = enter(&admission, wish(Class::Normal, 40));
    let refusal = at_once(&admission, wish(Class::Low, 90)).await.err();
    assert!(
        matches!(refusal, Some(Refusal::QueueFull { .. })),
        "{refusal:?}"
    );
    let high = enter(&admission, wish(Class::High, 5));
    let Poll::Ready(Err(Refusal::QueueFull { .. })) = poll(&mut low) else {
        panic!("the lowest makes room");
    };
    assert!(is_in(&mut normal).is_none());
    assert_eq!(admission.load(), (1, 2));
    drop(high);
}

#[tokio::test]
async fn the_queue_is_full_by_memory_too() {
    let admission = admission(1, 10);
    let _holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let large = |hours| Wish {
        bytes: 600,
        ..wish(Class::Normal, hours)
    };
    let first = enter(&admission, large(5));
    let refusal = at_once(&admission, large(50)).await.err();
    assert!(
        matches!(refusal, Some(Refusal::QueueFull { .. })),
        "{refusal:?}"
    );
    drop(first);
    drop(enter(&admission, large(50)));
}

#[tokio::test]
async fn nobody_is_sent_away_for_a_request_that_does_not_fit_anyway() {
    let admission = admission(1, 10);
    let _holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let mut low = enter(&admission, wish(Class::Low, 50));
    let mut normal = enter(
        &admission,
        Wish {
            bytes: 900,
            ..wish(Class::Normal, 5)
        },
    );
    let huge = Wish {
        bytes: 200,
        ..wish(Class::High, 5)
    };
    // It outranks both, and with both away it fits.
    let huge = enter(&admission, huge);
    assert!(poll(&mut normal).is_ready());
    assert!(poll(&mut low).is_ready());
    drop(huge);
    let mut low = enter(&admission, wish(Class::Low, 50));
    let more_than_all = Wish {
        bytes: 1_001,
        ..wish(Class::High, 5)
    };
    let refusal = at_once(&admission, more_than_all).await.err();
    assert!(
        matches!(refusal, Some(Refusal::QueueFull { .. })),
        "{refusal:?}"
    );
    assert!(is_in(&mut low).is_none(), "it still waits");
    assert_eq!(admission.load(), (1, 1));
}

#[tokio::test]
async fn a_closed_queue_sends_everybody_away() {
    let admission = admission(1, 10);
    let holder = at_once(&admission, wish(Class::Normal, 1)).await.unwrap();
    let mut waiting = enter(&admission, wish(Class::Normal, 5));
    admission.close();
    let Poll::Ready(Err(Refusal::Draining)) = poll(&mut waiting) else {
        panic!("it does not wait any more");
    };
    drop(holder);
    let refusal = at_once(&admission, wish(Class::High, 5)).await.err();
    assert_eq!(refusal, Some(Refusal::Draining));
}
