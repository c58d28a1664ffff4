//! Previous plans that are too long, have lost stops, or are good in one respect only.

use super::{replan, round};
use crate::verify::stop;
use patrol::generate::{line, ring, staying, walking};
use patrol::plan::{PERIOD_MAX, UNSEEN};
use patrol::problem::{Objective, PROBABILITY_ONE};
use patrol::{Motion, Plan, Problem, Route, Stop, verify};

fn standing(vertex: usize, stay: u32) -> Stop {
    Stop::new(vertex, stay)
}

#[test]
fn a_plan_that_is_too_long_is_not_used() {
    let most = PERIOD_MAX as u32;
    let route = |prefix: Vec<u32>, cycle: Vec<u32>| {
        let stops = |stays: Vec<u32>, first: usize| -> Vec<Stop> {
            let stops = stays.into_iter().enumerate();
            stops
                .map(|(stop, stay)| standing((first + stop) % 2, stay))
                .collect()
        };
        let first = prefix.len();
        Route::new(stops(prefix, 0), stops(cycle, first))
    };
    let long = [
        route(vec![most * 3 / 4], vec![most / 2, 0]),
        route(vec![u32::MAX], vec![1, 0]),
        route(Vec::new(), vec![u32::MAX; PERIOD_MAX as usize]),
        route(Vec::new(), vec![0; PERIOD_MAX as usize + 2]),
    ];
    for motion in [Motion::Still, Motion::Lazy] {
        let mut spec = staying(line(3, 2), 2);
        spec.intruder.motion = motion;
        let problem = Problem::new(spec).expect("the spec is refused");
        for (long, others) in long.iter().flat_map(|long| [(long, 1), (long, most - 4)]) {
            // The other guard has a short cycle, or nearly the longest that a plan may have.
            let previous = Plan::new(vec![route(Vec::new(), vec![others, 1]), long.clone()]);
            let offers = replan(&problem, &previous, 0).0;
            assert!(!offers.is_empty() || others > 1, "{long:?}");
            for (plan, cost, _) in offers {
                assert_ne!(plan.routes[1], *long);
                assert_eq!(verify(&problem, &plan), Ok(cost));
            }
        }
    }
}

#[test]
fn a_visit_that_is_next_to_another_one_now_keeps_its_longer_stay() {
    // The vertex between the two visits is gone.
    let problem = Problem::new(staying(line(3, 1), 2)).expect("the spec is refused");
    let first = |route: Route| {
        let previous = Plan::new(vec![route]);
        let recorded = replan(&problem, &previous, 0);
        recorded.0[0].0.routes[0].clone()
    };
    let closing = Route::cyclic(vec![stop(0), stop(1), standing(0, 5), stop(9)]);
    assert_eq!(first(closing).cycle, [standing(0, 5), stop(1)]);
    let entering = Route::new(vec![standing(0, 5), stop(9)], vec![stop(0), stop(1)]);
    let kept = Route::new(vec![standing(0, 5)], vec![stop(1), stop(0)]);
    assert_eq!(first(entering), kept);
}

#[test]
fn a_plan_that_leaves_nothing_of_the_intruder_may_still_become_less_idle() {
    // An intruder that enters at tick 0 is caught by the time the guard stops at the end.
    let mut spec = walking(line(3, 1), Motion::Still, 2);
    spec.objective = Objective {
        escape: 1,
        worst_idleness: 1,
        mean_idleness: 0,
    };
    let problem = Problem::new(spec).expect("the spec is refused");
    let previous = Plan {
        routes: vec![Route::new(vec![stop(0), stop(1)], vec![standing(2, 1)])],
    };
    let recorded = replan(&problem, &previous, 40);
    let unseen = u128::from(UNSEEN) * u128::from(PROBABILITY_ONE);
    assert_eq!(recorded.0[0].1.0, unseen);
    let (_, last, _) = recorded.0.last().expect("there is no plan");
    assert!(last.0 < unseen, "{last:?}");
}

#[test]
fn the_first_visit_is_tried_however_long_the_cycle_is() {
    let problem = Problem::new(staying(ring(5, 1), 4)).expect("the spec is refused");
    let vertices: Vec<usize> = (0..PERIOD_MAX as usize).map(|stop| stop % 5).collect();
    let previous = Plan::new(vec![round(&vertices)]);
    let recorded = replan(&problem, &previous, 0);
    assert_eq!(recorded.0[0].0, previous);
}
