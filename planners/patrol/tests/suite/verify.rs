//! Verification of plans with known costs.

use patrol::generate::{grid, line, ring, staying, walking};
use patrol::problem::PROBABILITY_ONE;
use patrol::verify::{VIOLATIONS_MAX, terms};
use patrol::{Entry, Motion, Plan, Problem, Route, Spec, Stop, verify};

pub(crate) fn stop(vertex: usize) -> Stop {
    Stop::new(vertex, 0)
}

fn valid(spec: Spec) -> Problem {
    Problem::new(spec).expect("the problem is valid")
}

/// Codes and fields of the rules that a plan breaks.
fn broken_rules(problem: &Problem, plan: &Plan) -> Vec<String> {
    let broken = verify(problem, plan).expect_err("the plan breaks rules");
    let rules = broken.iter();
    rules
        .map(|fault| format!("{} {}", fault.code, fault.field()))
        .collect()
}

fn captured(problem: &Problem, plan: &Plan) -> f64 {
    let terms = terms(problem, plan).expect("the plan breaks no rule");
    1.0 - terms.escape as f64 / PROBABILITY_ONE as f64
}

/// There and back along a line, with a tick of rest after each three steps on the way there.
fn there_and_back() -> Plan {
    let there = (0..21).map(|vertex| Stop::new(vertex, u32::from(vertex > 0 && vertex % 3 == 0)));
    let back = (1..20).rev().map(stop);
    let cycle = there.chain(back).collect();
    let route = Route::cyclic(cycle);
    Plan::new(vec![route])
}

#[test]
fn three_steps_and_a_rest_catch_walkers_on_a_line_as_often_as_published() {
    for (t_p, published) in [(9, 0.2971), (14, 0.4294), (19, 0.5619), (24, 0.7095)] {
        let problem = valid(walking(line(21, 1), Motion::BorderStay, t_p));
        let captured = captured(&problem, &there_and_back());
        assert!((captured - published).abs() < 1e-4, "{t_p}: {captured}");
    }
}

/// Guards on a ring at equal distances, after prefixes of different lengths.
fn spread_on_ring(vertices: usize, guards: usize) -> Plan {
    let distance = vertices / guards;
    let round = |from: usize| (0..vertices).map(move |step| stop((from + step) % vertices));
    let route = |guard: usize| Route {
        prefix: (0..guard * distance).map(stop).collect(),
        cycle: round(guard * distance).collect(),
    };
    // No guard waits: each moves to its position, and the others have moved on by then.
    Plan::new((0..guards).map(route).collect())
}

#[test]
fn guards_at_equal_distances_on_a_ring_see_every_vertex_regularly() {
    // All guards start at tick 0 and never stop: they stay together, whatever the prefixes are.
    let together = valid(staying(ring(15, 3), 4));
    assert!((captured(&together, &spread_on_ring(15, 3)) - 5.0 / 15.0).abs() < 1e-12);
    let mut spread = spread_on_ring(15, 3);
    for (guard, route) in spread.routes.iter_mut().enumerate() {
        let wait = 5 * guard as u32;
        route.prefix = match guard {
            0 => Vec::new(),
            _ => vec![Stop::new(0, wait)],
        };
        let mut round: Vec<Stop> = (0..15).map(stop).collect();
        if guard > 0 {
            round.rotate_left(1);
        }
        route.cycle = round;
    }
    assert_eq!(captured(&together, &spread), 1.0);
    assert_eq!(verify(&together, &spread).map(|cost| cost.0), Ok(0));
    let tighter = valid(staying(ring(15, 3), 3));
    assert!((captured(&tighter, &spread) - 0.8).abs() < 1e-12);
}

#[test]
fn intruders_escape_before_the_guards_have_spread_out() {
    let mut spec = staying(ring(15, 3), 4);
    spec.intruder.entry = Entry::Mission(149);
    let problem = valid(spec);
    let mut plan = spread_on_ring(15, 3);
    for (guard, route) in plan.routes.iter_mut().enumerate().skip(1) {
        route.prefix = vec![Stop::new(0, 5 * guard as u32)];
        route.cycle = (0..15).map(|step| stop((1 + step) % 15)).collect();
    }
    // Vertex v > 4 is seen first at tick v: the window of an entry before tick v - 4 is over.
    let escaped: f64 = (5..15).map(|v| f64::from(v - 4)).sum();
    let expected = 1.0 - escaped / (15.0 * 150.0);
    assert!((captured(&problem, &plan) - expected).abs() < 1e-12);
}

#[test]
fn a_closed_walk_over_25_rooms_misses_few_intruders_with_26_instants() {
    let problem = valid(staying(grid(5, 5, 1), 25));
    let snake = [
        0, 1, 2, 3, 4, 9, 8, 7, 6, 11, 12, 13, 14, 19, 18, 17, 16, 21, 22, 23, 24, 23, 22, 21, 20,
        15, 10, 5,
    ];
    let plan = Plan::new(vec![Route::cyclic(snake.map(stop).to_vec())]);
    let captured = captured(&problem, &plan);
    assert!(captured > 0.9 && captured < 1.0, "{captured}");
}

#[test]
fn every_broken_rule_is_found() {
    let problem = valid(staying(line(4, 2), 3));
    let plan = Plan {
        routes: vec![
            Route::new(vec![stop(0), stop(2)], vec![stop(3)]),
            Route::default(),
        ],
    };
    assert_eq!(
        broken_rules(&problem, &plan),
        [
            "NO_EDGE routes[0].prefix[1]",
            "CYCLE_INSTANT routes[0].cycle",
            "CYCLE_EMPTY routes[1].cycle"
        ]
    );
}

#[test]
fn the_number_of_reported_rules_is_limited() {
    let problem = valid(staying(line(4, 2), 3));
    let nowhere = Route::new(vec![stop(0)], vec![stop(9); 20_000]);
    let plan = Plan::new(vec![nowhere; 2]);
    let broken = verify(&problem, &plan).expect_err("nothing is right");
    assert_eq!(broken.len(), VIOLATIONS_MAX);
    assert_eq!(
        (broken[0].code, broken[0].field().as_str()),
        ("VERTEX_UNKNOWN", "routes[0].cycle[0]")
    );
}

#[test]
fn guards_that_pass_each_other_are_found() {
    let mut spec = staying(line(3, 2), 3);
    spec.may_swap = false;
    spec.guards[1].start = 1;
    let problem = valid(spec);
    let route = |cycle: [usize; 2]| Route::cyclic(cycle.map(stop).to_vec());
    let plan = Plan::new(vec![route([0, 1]), route([1, 0])]);
    let broken = verify(&problem, &plan).expect_err("they pass each other");
    assert_eq!(broken.len(), 1);
    assert_eq!(
        (broken[0].code, broken[0].to_string().as_str()),
        (
            "PASSING_FORBIDDEN",
            "lets guard 0 and guard 1 pass each other between vertex 0 and vertex 1 around 0 s"
        )
    );
}
