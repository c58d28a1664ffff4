//! Searches that give way, and that are not forgotten.

use super::*;
use crate::run::admission::running::{Elastic, Hold};
use anytime::{CancelToken, Pulse, Stop};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A search that has its slots and, perhaps, a plan.
struct Search {
    permit: Permit,
    elastic: Elastic,
    token: CancelToken,
}

async fn search(admission: &Admission, wish: Wish, has_plan: bool) -> Search {
    let permit = at_once(admission, wish).await.unwrap();
    let token = CancelToken::new();
    let elastic = Elastic::new(token.clone(), permit.started());
    permit.stretch(elastic.clone());
    if has_plan {
        elastic.improved();
    }
    Search {
        permit,
        elastic,
        token,
    }
}

/// What a search does with its slots.
fn hold(admission: &Admission, search: &Search) -> Hold {
    admission.lock().running[&search.permit.arrival].hold
}

fn is_parked(admission: &Admission, search: &Search) -> bool {
    matches!(hold(admission, search), Hold::Parked(_))
}

/// An answer that is wanted within some milliseconds.
fn urgent(class: Class) -> Wish {
    let arrived = Instant::now();
    Wish {
        arrived,
        deadline: arrived + Duration::from_millis(60),
        limited: true,
        ..wish(class, 1)
    }
}

#[tokio::test]
async fn a_search_with_a_plan_parks_for_an_urgent_call_and_goes_on_afterwards() {
    let admission = admission(1, 10);
    let long = search(&admission, wish(Class::Normal, 1), true).await;
    let call = at_once(&admission, urgent(Class::Normal)).await.unwrap();
    assert!(is_parked(&admission, &long));
    assert_eq!(admission.load(), (1, 0));
    // The search is not asked to stop; it waits where it looks next.
    assert_eq!(long.token.stop(), None);
    let parked = std::thread::spawn({
        let pulse = Pulse::new(None, long.token.clone());
        move || pulse.stop()
    });
    drop(call);
    assert_eq!(parked.join().unwrap(), None);
    assert!(!is_parked(&admission, &long));
    drop(long);
    assert_eq!(admission.load(), (0, 0));
}

#[tokio::test]
async fn without_a_plan_or_of_a_higher_class_a_search_keeps_its_slots() {
    for (class, has_plan, is_closing) in [
        (Class::Normal, false, false),
        (Class::High, true, false),
        (Class::Low, true, true),
    ] {
        let admission = admission(1, 10);
        let long = search(&admission, wish(class, 1), has_plan).await;
        if is_closing {
            long.elastic.close();
        }
        let refused = at_once(&admission, urgent(Class::Normal)).await;
        assert!(matches!(refused, Err(Refusal::NoSlot { .. })), "{class:?}");
        assert!(!is_parked(&admission, &long));
    }
}

#[tokio::test]
async fn the_lower_class_gives_way_first_then_the_quieter_search() {
    let admission = admission(3, 10);
    let normal = search(&admission, wish(Class::Normal, 1), true).await;
    let quiet = search(&admission, wish(Class::Low, 1), true).await;
    let lively = search(&admission, wish(Class::Low, 1), true).await;
    lively.elastic.improved();
    let parked = || [&quiet, &lively, &normal].map(|it| is_parked(&admission, it));
    let mut calls = Vec::new();
    for wanted in [[true, false, false], [true, true, false], [true; 3]] {
        calls.push(at_once(&admission, urgent(Class::High)).await.unwrap());
        assert_eq!(parked(), wanted);
    }
    // The higher class goes on first.
    calls.pop();
    assert_eq!(parked(), [true, true, false]);
}

#[tokio::test]
async fn a_search_that_could_not_go_on_ends_with_its_plan() {
    let admission = admission(1, 10);
    let arrived = Instant::now();
    let short = Wish {
        deadline: arrived + Duration::from_millis(50),
        ..wish(Class::Low, 1)
    };
    let long = search(&admission, short, true).await;
    // It wants everything until the other one's end.
    let call = Wish {
        limited: false,
        ..urgent(Class::High)
    };
    let _call = at_once(&admission, call).await.unwrap();
    assert_eq!(hold(&admission, &long), Hold::Leaving);
    assert_eq!(long.token.stop(), Some(Stop::Yielded));
    drop(long);
    assert_eq!(admission.load(), (1, 0));
}

#[tokio::test]
async fn where_there_is_no_memory_for_both_the_search_ends_and_the_call_waits_for_it() {
    let admission = with_memory(1, 10, 100);
    let needs = |memory, wish| Wish { memory, ..wish };
    let long = search(&admission, needs(80, wish(Class::Low, 1)), true).await;
    let mut call = enter(&admission, needs(50, urgent(Class::High)));
    while long.token.stop().is_none() {
        assert!(is_in(&mut call).is_none());
        tokio::task::yield_now().await;
    }
    drop(long);
    assert!(is_in(&mut call).is_some());
}

#[tokio::test]
async fn a_tenant_with_more_slots_does_not_push_another_out() {
    let admission = admission(2, 10);
    let of = |tenant, wish| Wish {
        share: Share {
            tenant,
            ..Share::ALL
        },
        ..wish
    };
    let greedy = search(&admission, of(1, wish(Class::Normal, 2)), true).await;
    let modest = search(&admission, of(2, wish(Class::Normal, 1)), true).await;
    let call = at_once(&admission, of(1, urgent(Class::High)))
        .await
        .unwrap();
    assert!(is_parked(&admission, &greedy) && !is_parked(&admission, &modest));
    let refused = at_once(&admission, of(1, urgent(Class::High))).await;
    assert!(matches!(refused, Err(Refusal::NoSlot { .. })));
    drop((call, greedy, modest));
}

/// A search of the simulation.
struct Simulated {
    permit: Permit,
    token: CancelToken,
    elastic: Elastic,
    /// Time with slots that it still needs.
    left: Duration,
    deadline: Instant,
}

/// Requests at random, in a time of its own: slots are never exceeded, whoever was let in without waiting has slots, none is parked that has no
/// plan, and in the end everything is free.
#[test]
fn whatever_happens_slots_are_kept_and_nothing_is_lost() {
    for seed in 0..300 {
        simulate(seed);
    }
}

fn simulate(seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let slots = random.random_range(1..4);
    let admission = admission(slots, 20);
    let mut now = Instant::now();
    let (mut running, mut waiting) = (Vec::<Simulated>::new(), Vec::new());
    for _ in 0..200 {
        let step = Duration::from_micros(random.random_range(100..20_000));
        now += step;
        if random.random_bool(0.6) {
            let millis = random.random_range(5..300);
            let wish = Wish {
                arrived: now,
                deadline: now + Duration::from_millis(millis),
                limited: random.random_bool(0.5),
                class: [Class::Low, Class::Normal, Class::High][random.random_range(0..3)],
                slots: random.random_range(1..=slots),
                share: Share {
                    tenant: random.random_range(0..3),
                    ..Share::ALL
                },
                ..wish(Class::Normal, 1)
            };
            if let Ok((spot, answer, push)) = admission.queue(wish, now) {
                waiting.push((spot, answer, wish, push));
            }
        }
        admission.dispatch(now);
        waiting.retain_mut(|(spot, answer, wish, push)| {
            if push.is_some_and(|push| push <= now) {
                *push = admission.push(*spot, wish, now);
            }
            match answer.try_recv() {
                Ok(Ok(permit)) => {
                    let token = CancelToken::new();
                    let elastic = Elastic::new(token.clone(), permit.started());
                    permit.stretch(elastic.clone());
                    let left = (wish.deadline - wish.arrived).mul_f64(random.random::<f64>());
                    running.push(Simulated {
                        permit,
                        token,
                        elastic,
                        left,
                        deadline: wish.deadline,
                    });
                    false
                }
                Ok(Err(_)) => false,
                Err(_) if now >= wish.start_by() => {
                    admission.lock().lines.take(*spot);
                    false
                }
                Err(_) => true,
            }
        });
        let mut ended = Vec::new();
        for (i, one) in running.iter_mut().enumerate() {
            let hold = admission.lock().running[&one.permit.arrival].hold;
            match hold {
                Hold::Active(_) => one.left = one.left.saturating_sub(step),
                Hold::Parked(_) => assert_eq!(one.token.stop(), None),
                Hold::Leaving => assert_eq!(one.token.stop(), Some(Stop::Yielded)),
            }
            if one.left.is_zero() || now >= one.deadline || hold == Hold::Leaving {
                ended.push(i);
            } else if random.random_bool(0.3) {
                one.elastic.improved();
            }
        }
        for i in ended.into_iter().rev() {
            let one = running.swap_remove(i);
            admission.release(&one.permit, now);
            std::mem::forget(one.permit);
        }
        let state = admission.lock();
        let active: usize = state.running.values().map(|one| one.slots()).sum();
        assert_eq!(active + state.free, slots, "seed {seed}");
    }
    for one in running {
        now += Duration::from_millis(1);
        admission.release(&one.permit, now);
        std::mem::forget(one.permit);
    }
    // Slots that nobody takes any more come back.
    waiting.clear();
    admission.dispatch(now);
    let state = admission.lock();
    assert!(state.running.is_empty(), "seed {seed}");
    assert_eq!((state.free, state.lines.count()), (slots, 0), "seed {seed}");
}
