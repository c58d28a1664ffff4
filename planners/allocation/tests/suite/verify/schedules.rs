//! Schedules and timelines of given routes, and plans from outside.

use super::*;
use anytime::Step;

#[test]
fn schedules_start_as_early_as_possible() {
    let problem = Problem::new(world()).unwrap();
    let orders = [(0, vec![0, 1]), (1, vec![3, 2])];
    let expected = plan(&[
        route(0, &[stop(0, 2), stop(1, 8)]),
        route(1, &[stop(3, 0), stop(2, 10)]),
    ]);
    assert_eq!(schedule(&problem, &orders), expected);
}

#[test]
fn schedules_of_nonsense_break_only_the_rules_that_cannot_be_kept() {
    let mut spec = world();
    spec.travel.durations_us[4 * PLACES + 10] = -1;
    let problem = Problem::new(spec).unwrap();
    let codes = |orders: &[(usize, Vec<usize>)]| {
        let wrong = verify(&problem, &schedule(&problem, orders))
            .err()
            .unwrap_or_default();
        wrong.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&[(0, vec![0, 1])]), ["NO_WAY"]);
    assert_eq!(codes(&[(9, vec![0])]), ["AGENT_UNKNOWN"]);
    assert_eq!(codes(&[(0, vec![0, 9])]), ["TASK_UNKNOWN"]);
    assert_eq!(
        codes(&[(1, vec![]), (0, vec![3, 3])]),
        ["ROUTE_EMPTY", "ROUTE_ORDER", "TASK_REPEATED"]
    );
    // From 20 to 4 and back to 18 takes 33 s, 8 s more than allowed.
    assert_eq!(codes(&[(1, vec![0, 2])]), ["START_TOO_LATE"]);
}

#[test]
fn times_do_not_overflow() {
    let mut spec = world();
    let year_us = 365 * 86_400 * S;
    spec.travel = Travel {
        locations: PLACES,
        durations_us: vec![10 * year_us; PLACES * PLACES],
        costs_micro: None,
        lines: None,
    };
    spec.agents[0].speed_micro = 1_000;
    spec.tasks = vec![task(1); 1_000];
    let problem = Problem::new(spec).unwrap();
    let orders = [(0, (0..1_000).collect())];
    let plan = schedule(&problem, &orders);
    assert_eq!(plan.routes[0].stops[999].start_us, i64::MAX);
    let wrong = verify(&problem, &plan).unwrap_err();
    assert_eq!(
        wrong.iter().map(|one| one.code).collect::<Vec<_>>(),
        ["SHIFT_EXCEEDED"]
    );
}

proptest! {
    /// Whatever comes from outside: an answer, and no panic.
    #[test]
    fn any_plan_is_judged(
        seed: u64,
        routes in prop::collection::vec(
            (0_usize..5, prop::collection::vec((0_usize..8, any::<i64>()), 0..6)), 0..5,
        ),
        huge: bool,
    ) {
        let problem = generate(seed, &Shape::varied(6, 3));
        let stop = |&(task, start_us): &(usize, i64)| Stop {
            task: if huge && task == 7 { usize::MAX } else { task },
            start_us: if huge { start_us } else { start_us % (100 * S) },
        };
        let route = |(agent, stops): &(usize, Vec<(usize, i64)>)| {
            Route::new(*agent, stops.iter().map(stop).collect())
        };
        let plan = Plan { routes: routes.iter().map(route).collect() };
        let answer = verify(&problem, &plan);
        let costs = terms(&problem, &plan).map(|terms| problem.cost(&terms));
        prop_assert_eq!(&costs, &answer);
        let partial = is_partial(&problem, &plan);
        prop_assert!(!partial || problem.is_strict());
        for violation in answer.err().iter().flatten() {
            let is_place = match violation.at[..] {
                [] => true,
                [Step::Field("routes"), Step::Index(route), ref stop @ ..] => {
                    let is_stop = matches!(stop, [] | [Step::Field("stops"), Step::Index(_)]);
                    is_stop && route < plan.routes.len()
                }
                _ => false,
            };
            prop_assert!(is_place, "{violation}");
        }
        let order = |r: &Route| (r.agent, r.stops.iter().map(|s| s.task).collect());
        let orders: Vec<_> = plan.routes.iter().map(order).collect();
        let again = schedule(&problem, &orders);
        prop_assert_eq!(again.routes.iter().map(order).collect::<Vec<_>>(), orders);
        // Times can always be chosen so that no work starts before the agent is there, or between
        // windows.
        let timely = ["START_BEFORE_ARRIVAL", "START_OUTSIDE_WINDOWS"];
        for violation in verify(&problem, &again).err().iter().flatten() {
            prop_assert!(!timely.contains(&violation.code), "{violation}");
        }
    }
}
