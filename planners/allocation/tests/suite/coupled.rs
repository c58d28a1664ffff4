//! Coupled problems: what plans mean, and what the search finds.

mod per_agent;
mod rules;
pub(crate) mod world;

use crate::searched::searched;
use allocation::certificate::{Certificate, CouplingId, Limit};
use allocation::generate::{self, Shape, generate, spec};
use allocation::problem::{Level, MICRO, Previous, PreviousRoute, Term, Window};
use allocation::verify::{CertificateCheck, Refuted, certificate, terms, verify};
use allocation::{Params, Problem, Proof, Strategy, certificates, is_partial};
use anytime::{CancelToken, Conclusion, Limits, Pulse, Record};
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

/// What a start that is too early can be.
const EARLY: [&str; 9] = [
    "START_BEFORE_NOW",
    "START_BEFORE_ARRIVAL",
    "START_OUTSIDE_WINDOWS",
    "START_TOO_LATE",
    "ORDER_TOO_EARLY",
    "ORDER_TOO_LATE",
    "GROUP_STARTS",
    "BREAK_OUTSIDE_WINDOW",
    "BREAK_TOO_EARLY",
];

proptest! {
    /// Two programs agree on what plans cost.
    #[test]
    fn the_check_and_the_oracle_agree(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::coupled(tasks, agents));
        world::each_plan(&problem, &mut |plan, expected| {
            assert_eq!(terms(&problem, plan).as_ref(), Ok(expected), "{plan:?}");
        });
    }

    /// The oracle starts everything as early as possible: a microsecond earlier is a violation.
    #[test]
    fn nothing_can_start_earlier(seed: u64, tasks in 0_usize..4, agents in 1_usize..3) {
        let problem = generate(seed, &Shape::coupled(tasks, agents));
        world::each_plan(&problem, &mut |plan, _| {
            for (route, one) in plan.routes.iter().enumerate() {
                for stop in 0..one.stops.len() {
                    let mut earlier = plan.clone();
                    earlier.routes[route].stops[stop].start_us -= 1;
                    let wrong = verify(&problem, &earlier).unwrap_err();
                    assert!(wrong.iter().all(|v| EARLY.contains(&v.code)), "{wrong:?}");
                }
                for rest in 0..one.rests.len() {
                    let mut earlier = plan.clone();
                    earlier.routes[route].rests[rest].start_us -= 1;
                    let wrong = verify(&problem, &earlier).unwrap_err();
                    assert!(wrong.iter().all(|v| EARLY.contains(&v.code)), "{wrong:?}");
                }
            }
        });
    }

    /// Plans are legal, costs are honest, and each offer beats the last.
    #[test]
    fn offers_are_legal_honest_and_improving(
        seed: u64, tasks in 0_usize..25, agents in 1_usize..6,
    ) {
        let problem = generate(seed, &Shape::coupled(tasks, agents));
        for strategy in [Strategy::Auto, Strategy::Insertion] {
            let params = Params { strategy, ..Params::default() };
            let Record { offers, .. } = searched(&problem, &params, Limits::iterations(60));
            for (plan, claimed) in &offers {
                prop_assert_eq!(verify(&problem, plan), Ok(*claimed));
            }
            prop_assert!(offers.is_sorted_by(|a, b| a.1 > b.1));
        }
    }

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

    /// Whatever is certified passes the check, and all plans agree.
    #[test]
    fn certificates_hold_in_every_plan(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        certified(&generate(seed, &Shape::coupled(tasks, agents)));
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
        let routes = plan.routes.iter().map(|route| PreviousRoute {
            agent: route.agent,
            tasks: route.stops.iter().map(|stop| stop.task).collect(),
            committed: 0,
        });
        let routes: Vec<_> = routes.collect();
        for changes_max in [None, Some(changes_max)] {
            spec.previous = Some(Previous { routes: routes.clone(), changes_max });
            let after = Problem::new(spec.clone()).expect("generated problems stay valid");
            let still = verify(&after, plan).expect("what was legal is legal");
            let second = searched(&after, &Params::default(), Limits::iterations(0));
            let (last, cost) = second.offers.last().expect("a plan was offered");
            prop_assert!(*cost <= still || !after.couplings().breaks.is_empty());
            prop_assert_eq!(verify(&after, last), Ok(*cost));
        }
    }
}

/// Every certificate passes the check and holds in all plans; its proof's kind.
fn certified(problem: &Problem) -> Vec<&'static str> {
    let found = certificates(problem);
    for one in &found {
        assert_eq!(certificate(problem, one), Ok(()), "{one:?}");
    }
    world::each_plan(problem, &mut |plan, _| {
        for one in &found {
            let done = |task: &&usize| {
                let mut stops = plan.routes.iter().flat_map(|r| &r.stops);
                stops.any(|stop| stop.task == **task)
            };
            let done = one.tasks.iter().filter(done).count();
            assert!(one.tasks.len() - done >= one.left_out, "{one:?} {plan:?}");
        }
    });
    found.iter().map(|one| kind(&one.proof)).collect()
}

fn kind(proof: &Proof) -> &'static str {
    match proof {
        Proof::OneAgent { .. } => "one agent",
        Proof::Group { .. } => "group",
        Proof::Chain { links, limit } => match (links[links.len() - 1].by, limit) {
            (_, Limit::Gap { .. }) => "gap",
            (Some(CouplingId::Order(_)), _) => "order",
            (Some(CouplingId::Group(_)), _) => "together",
            _ => "delivery",
        },
        Proof::Needs { .. } => "needs",
        _ => "uncoupled",
    }
}

#[test]
fn every_kind_of_certificate_is_found_and_holds_in_all_plans() {
    let mut seen = BTreeSet::new();
    for seed in 0..1_500 {
        let shape = Shape::coupled(2 + (seed % 3) as usize, 1 + (seed % 3) as usize);
        seen.extend(certified(&generate(seed, &shape)));
    }
    let expected = [
        "delivery",
        "gap",
        "group",
        "needs",
        "one agent",
        "order",
        "together",
        "uncoupled",
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
fn late_deliveries(seed: u64, tasks: usize, agents: usize) -> Problem {
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

proptest! {
    /// Whether agents are looked at together or one by one, and whatever was found out before.
    #[test]
    fn certificates_of_late_deliveries_pass_the_check(
        seed: u64, tasks in 10_usize..60, agents in 1_usize..8,
    ) {
        let problem = late_deliveries(seed, tasks, agents);
        let wanted = Pulse::unbounded();
        let mut check = CertificateCheck::new(&problem, &wanted);
        for one in certificates(&problem) {
            prop_assert_eq!(check.certificate(&one), Ok(()), "{:?}", one);
            prop_assert_eq!(certificate(&problem, &one), Ok(()), "{:?}", one);
        }
    }
}
