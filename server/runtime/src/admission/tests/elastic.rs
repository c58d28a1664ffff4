//! Searches that give way, and that are not forgotten.

use super::*;
use crate::admission::lines::Spot;
use crate::admission::running::{Elastic, Hold, QUANTUM, Running};
use crate::admission::{Answer, giving};
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
    while lively.permit.started().elapsed() < QUANTUM {
        std::hint::spin_loop();
    }
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
async fn memory_of_a_search_that_ends_is_waited_for_before_another_ends() {
    let admission = with_memory(2, 10, 100);
    let needs = |memory, wish| Wish { memory, ..wish };
    let low = || needs(40, wish(Class::Low, 1));
    let first = search(&admission, low(), true).await;
    let second = search(&admission, low(), true).await;
    let call = needs(50, wish(Class::High, 1));
    let now = Instant::now() + QUANTUM;
    for _ in 0..2 {
        let room = admission.lock().give_way(&admission.0, &call, now);
        assert!(matches!(room, giving::Room::From(_)), "{room:?}");
    }
    let leaving = [&first, &second].map(|search| hold(&admission, search) == Hold::Leaving);
    assert_eq!(leaving.iter().filter(|it| **it).count(), 1);
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

#[tokio::test]
async fn whoever_waits_in_vain_is_refused_when_that_is_known() {
    // There is no memory for extra slots.
    let admission = with_memory(2, 10, 2);
    let large = |class, hours| Wish {
        memory: 1,
        ..wish(class, hours)
    };
    let soon = |millis| Wish {
        deadline: Instant::now() + Duration::from_millis(millis),
        ..large(Class::Normal, 1)
    };
    // One slot is free soon, so the request is let in.
    let first = search(&admission, large(Class::High, 1), false).await;
    let short = search(&admission, soon(50), false).await;
    let mut waits = enter(&admission, soon(5_000));
    // Its turn is behind one that comes later and is more urgent, and takes the slot for longer
    // than it can wait.
    let mut urgent = enter(&admission, large(Class::High, 2));
    drop(short);
    assert!(is_in(&mut urgent).is_some());
    let Poll::Ready(Err(Refusal::NoSlot { .. })) = poll(&mut waits) else {
        panic!("it would wait for an hour");
    };
    drop(first);
}

#[tokio::test]
async fn admitted_requests_get_extra_slots_in_the_last_moment() {
    let admission = admission(1, 10);
    // It runs for longer than was thought, and has no plan.
    let first = search(&admission, wish(Class::Normal, 1), false).await;
    let late = wish(Class::Normal, 3);
    let (spot, mut answer, _) = admission.queue(late, Instant::now()).unwrap();
    let urgent = late.urgent_from();
    admission.push(spot, &late, urgent - Duration::from_millis(1));
    assert!(answer.try_recv().is_err(), "it can still wait");
    admission.push(spot, &late, urgent);
    let second = answer.try_recv().unwrap().unwrap();
    assert_eq!(admission.load(), (2, 0));
    // There are as many again as there are slots, and no more.
    let (spot, mut answer, _) = admission
        .queue(wish(Class::Normal, 5), Instant::now())
        .unwrap();
    admission.push(spot, &wish(Class::Normal, 0), urgent);
    assert!(answer.try_recv().is_err());
    // The first slot that is given back is the extra one.
    drop(second);
    assert_eq!(admission.load(), (1, 1));
    drop(first);
    let third = answer.try_recv().unwrap().unwrap();
    assert_eq!(admission.load(), (1, 0));
    drop(third);
    assert_eq!(admission.load(), (0, 0));
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

/// Requests at random, in a time of its own.
struct Simulation {
    random: Xoshiro256PlusPlus,
    admission: Admission,
    slots: usize,
    now: Instant,
    running: Vec<Simulated>,
    waiting: Vec<(Spot, Answer, Wish, Option<Instant>)>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let slots = random.random_range(1..4);
        Self {
            random,
            admission: admission(slots, 20),
            slots,
            now: Instant::now(),
            running: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn arrive(&mut self) {
        let (random, now) = (&mut self.random, self.now);
        let wish = Wish {
            arrived: now,
            deadline: now + Duration::from_millis(random.random_range(5..300)),
            limited: random.random_bool(0.5),
            class: [Class::Low, Class::Normal, Class::High][random.random_range(0..3)],
            slots: random.random_range(1..=self.slots),
            share: Share {
                tenant: random.random_range(0..3),
                ..Share::ALL
            },
            ..wish(Class::Normal, 1)
        };
        if let Ok((spot, answer, push)) = self.admission.queue(wish, now) {
            self.waiting.push((spot, answer, wish, push));
        }
    }

    /// Those whose turn it is begin; those who have waited too long go away.
    fn begin(&mut self) {
        let now = self.now;
        self.admission.dispatch(now);
        for (spot, mut answer, wish, mut push) in std::mem::take(&mut self.waiting) {
            if push.is_some_and(|push| push <= now) {
                push = self.admission.push(spot, &wish, now);
            }
            match answer.try_recv() {
                Ok(Ok(permit)) => {
                    let token = CancelToken::new();
                    let elastic = Elastic::new(token.clone(), permit.started());
                    permit.stretch(elastic.clone());
                    let share: f64 = self.random.random();
                    self.running.push(Simulated {
                        permit,
                        token,
                        elastic,
                        left: (wish.deadline - wish.arrived).mul_f64(share),
                        deadline: wish.deadline,
                    });
                }
                Ok(Err(_)) => {}
                Err(_) if now >= wish.start_by() => {
                    self.admission.lock().lines.take(spot);
                }
                Err(_) => self.waiting.push((spot, answer, wish, push)),
            }
        }
    }

    /// Those who have slots get on; some end.
    fn go_on(&mut self, step: Duration) {
        let now = self.now;
        for mut one in std::mem::take(&mut self.running) {
            let hold = self.admission.lock().running[&one.permit.arrival].hold;
            match hold {
                Hold::Active(_) => one.left = one.left.saturating_sub(step),
                Hold::Parked(_) => assert_eq!(one.token.stop(), None),
                Hold::Leaving => assert_eq!(one.token.stop(), Some(Stop::Yielded)),
            }
            if one.left.is_zero() || now >= one.deadline || hold == Hold::Leaving {
                self.end(one);
                continue;
            }
            if self.random.random_bool(0.3) {
                one.elastic.improved();
            }
            self.running.push(one);
        }
    }

    fn end(&self, one: Simulated) {
        self.admission.release(&one.permit, self.now);
        // It would be released again, by a clock that is not ours.
        std::mem::forget(one.permit);
    }

    fn slots_are_kept(&self) {
        let state = self.admission.lock();
        let active: usize = state.running.values().map(Running::slots).sum();
        assert_eq!(active + state.slots.free, self.slots + state.slots.extra);
        assert!(state.slots.extra <= self.slots);
    }
}

/// Slots are never exceeded, no search is asked to end that can go on, and in the end everything is
/// free.
#[test]
fn whatever_happens_slots_are_kept_and_nothing_is_lost() {
    for seed in 0..300 {
        let mut simulation = Simulation::new(seed);
        for _ in 0..200 {
            let step = Duration::from_micros(simulation.random.random_range(100..20_000));
            simulation.now += step;
            if simulation.random.random_bool(0.6) {
                simulation.arrive();
            }
            simulation.begin();
            simulation.go_on(step);
            simulation.slots_are_kept();
        }
        for one in std::mem::take(&mut simulation.running) {
            simulation.end(one);
        }
        // Slots that nobody takes any more come back.
        simulation.waiting.clear();
        simulation.admission.dispatch(simulation.now);
        let state = simulation.admission.lock();
        assert!(state.running.is_empty(), "seed {seed}");
        let left = (state.slots.free, state.lines.count());
        assert_eq!(left, (simulation.slots, 0), "seed {seed}");
    }
}
