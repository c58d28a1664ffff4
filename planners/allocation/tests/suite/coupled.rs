//! Coupled problems: what plans mean, and what the search finds.

mod per_agent;
mod rules;

use crate::certificates::holds;
use crate::searched::{continued, searched};
use crate::world;
use allocation::certificate::Certificate;
use allocation::generate::{self, Shape, generate, spec};
use allocation::problem::{Level, MICRO, Term, Window};
use allocation::verify::{CertificateCheck, Refuted, verify};
use allocation::{Params, Problem, Proof, certificates, is_partial};
use anytime::{CancelToken, Conclusion, Limits, Pulse};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A generated problem in which nothing can be too early.
///
/// `connected`: and in which every way is there.
fn never_early(seed: u64, shape: &Shape, connected: bool) -> Problem {
    let mut spec = generate::spec(seed, shape);
    for travel_us in spec.travel.durations_us.iter_mut().filter(|_| connected) {
        *travel_us = if *travel_us < 0 { FAR_US } else { *travel_us };
    }
    for wish in &mut spec.couplings.preferences {
        wish.early_micro = 0;
    }
    Problem::new(spec).expect("generated problems stay valid")
}

/// Enough for the best plan of six tasks.
const ITERATIONS: u64 = 3_000;
/// Problems of which the best plan is looked for.
const SEEDS: u64 = 200;
/// Problems that are decided.
const DECIDED: u64 = 400;
/// A long way, where there was none.
const FAR_US: i64 = 200_000_000;

proptest! {
    /// Threads carry the chains, they do not change them.
    #[test]
    fn threads_do_not_change_the_answer(seed: u64, tasks in 0_usize..18, agents in 1_usize..5) {
        let problem = generate(seed, &Shape::coupled(tasks, agents));
        let params = Params { width: 3, ..Params::default() };
        let with = |threads| {
            searched(&problem, &params, Limits::iterations(31).with_threads(threads)).offers
        };
        let one = with(1);
        for threads in [1, 2, 4] {
            prop_assert_eq!(&with(threads), &one);
        }
    }

    /// What a conclusion claims is true, and bounds hold.
    #[test]
    fn conclusions_are_true(seed: u64, tasks in 0_usize..6, agents in 1_usize..3) {
        let problem = never_early(seed, &Shape::coupled(tasks, agents), false);
        let found = searched(&problem, &Params::default(), Limits::iterations(100));
        let (bound, conclusion) = (found.bound(), found.conclusion);
        let best = world::best(&problem);
        if let (Some(bound), Some((best, _))) = (bound, &best) {
            prop_assert!(bound <= *best);
        }
        let found = found.cost();
        prop_assert!(found.is_none() || found >= best.as_ref().map(|(cost, _)| *cost));
        match conclusion {
            Conclusion::Infeasible | Conclusion::Partial(_) => {
                prop_assert!(best.is_none_or(|(_, plan)| is_partial(&problem, &plan)));
            }
            Conclusion::Optimal => prop_assert_eq!(found, best.map(|(cost, _)| cost)),
            Conclusion::Stopped(_) => {}
        }
    }

    /// A previous plan that is still valid is never answered by a worse one. It says nothing of
    /// breaks: where there are any, what is made of it is valid, and may cost more.
    #[test]
    fn previous_plans_are_kept(seed: u64, tasks in 1_usize..15, changes_max in 0_usize..4) {
        let mut spec = generate::spec(seed, &Shape::coupled(tasks, 3));
        spec.previous = None;
        for wish in &mut spec.couplings.preferences {
            wish.early_micro = 0;
        }
        let before = Problem::new(spec.clone()).expect("generated problems stay valid");
        let first = searched(&before, &Params::default(), Limits::iterations(10));
        let (plan, _) = first.offers.last().expect("a plan was offered");
        for changes_max in [None, Some(changes_max)] {
            spec.previous = Some(continued(plan, changes_max, 0));
            let after = Problem::new(spec.clone()).expect("generated problems stay valid");
            let still = verify(&after, plan).expect("what was legal is legal");
            let second = searched(&after, &Params::default(), Limits::iterations(0));
            let cost = second.cost().expect("a plan was offered");
            prop_assert!(cost <= still || !after.couplings().breaks.is_empty());
        }
    }
}

#[test]
fn every_kind_of_certificate_is_found_and_holds_in_all_plans() {
    let mut seen = BTreeSet::new();
    for seed in 0..1_500 {
        let shape = Shape::coupled(2 + (seed % 3) as usize, 1 + (seed % 3) as usize);
        seen.extend(holds(&generate(seed, &shape)));
    }
    let expected = [
        "capacity",
        "clique",
        "delivery",
        "gap",
        "group",
        "load",
        "needs",
        "one agent",
        "order",
        "shift",
        "skills",
        "time",
        "together",
        "under way",
        "way",
        "window",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
}

/// Not guaranteed, but observed: the search finds an optimal plan of each of these problems.
#[test]
fn the_best_plans_of_small_problems_are_found() {
    let mut missed = Vec::new();
    for seed in 0..SEEDS {
        let shape = Shape::coupled(1 + (seed % 6) as usize, 1 + (seed % 2) as usize);
        let problem = never_early(seed, &shape, true);
        let best = world::best(&problem).map(|(cost, _)| cost);
        let found = searched(&problem, &Params::default(), Limits::iterations(ITERATIONS));
        if found.offers.last().map(|(_, cost)| *cost) != best {
            missed.push(seed);
        }
    }
    assert_eq!(missed, Vec::<u64>::new());
}

/// Every plan of a small problem is enumerated: the result is proved and optimal, also where arcs
/// are missing, tasks are under way and the objective counts balance or makespan.
#[test]
fn small_problems_are_decided() {
    let mut counts = [0; 3];
    for seed in 0..DECIDED {
        let shape = Shape::coupled(1 + (seed % 6) as usize, 1 + (seed % 3) as usize);
        let mut spec = never_early(seed, &shape, false).spec().clone();
        let few = spec.tasks.len() <= 4;
        for route in spec.previous.iter_mut().flat_map(|p| &mut p.routes) {
            route.committed = usize::from(few && seed % 3 == 0).min(route.tasks.len());
        }
        if seed % 2 == 0 {
            let term = [Term::Balance, Term::Makespan][(seed / 2 % 2) as usize];
            spec.objective = vec![Level {
                terms: vec![(term, 1)],
            }];
        }
        let problem = Problem::new(spec).expect("generated problems stay valid");
        let best = world::best(&problem);
        let found = searched(&problem, &Params::default(), Limits::iterations(1_000_000));
        let last = found.offers.last().map(|(_, cost)| *cost);
        assert_eq!(last, best.as_ref().map(|(cost, _)| *cost), "seed {seed}");
        let is_whole = best
            .as_ref()
            .is_some_and(|(_, plan)| !is_partial(&problem, plan));
        let expected = if is_whole {
            Conclusion::Optimal
        } else {
            Conclusion::Infeasible
        };
        assert_eq!(found.conclusion, expected, "seed {seed}");
        counts[usize::from(best.is_some()) + usize::from(is_whole)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// Deliveries, all of which are due too soon.
pub(crate) fn late_deliveries(seed: u64, tasks: usize, agents: usize) -> Problem {
    let mut late = spec(seed, &Shape::deliveries(tasks, agents));
    for pair in &late.couplings.pairs {
        late.tasks[pair.delivery].windows = vec![Window::new(0, MICRO)];
    }
    Problem::new(late).expect("the windows are within the limits")
}

#[test]
fn a_check_that_nobody_waits_for_says_neither_yes_nor_no() {
    let problem = late_deliveries(1, 40, 6);
    let found = certificates(&problem);
    let cancel = CancelToken::new();
    let wanted = Pulse::new(None, cancel.clone());
    let mut check = CertificateCheck::new(&problem, &wanted);
    assert_eq!(check.certificate(&found[0]), Ok(()));
    cancel.cancel();
    let wrong = Certificate::of_task(found[0].tasks[0], Proof::NoAgent { rows: Vec::new() });
    let mut late = CertificateCheck::new(&problem, &wanted);
    assert_eq!(late.certificate(&found[0]), Err(Refuted::Unfinished));
    // Checks that take no time are done all the same.
    let verdict = CertificateCheck::new(&problem, &wanted).certificate(&wrong);
    assert!(matches!(verdict, Err(Refuted::Agent { .. })), "{verdict:?}");
}
