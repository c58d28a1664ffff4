//! What the check says of plans whose worth is known.

use patrol::generate::{grid, line, ring, staying, walking};
use patrol::problem::PROBABILITY_ONE;
use patrol::verify::{VIOLATIONS_MAX, terms};
use patrol::{Entry, Motion, Plan, Problem, Route, Spec, Stop, Violation, verify};

fn stop(vertex: usize) -> Stop {
    Stop { vertex, stay: 0 }
}

fn valid(spec: Spec) -> Problem {
    Problem::new(spec).expect("the world makes sense")
}

fn captured(problem: &Problem, plan: &Plan) -> f64 {
    let terms = terms(problem, plan).expect("the plan keeps the rules");
    1.0 - terms.escape as f64 / PROBABILITY_ONE as f64
}

/// There and back along a line, with a tick of rest after each three steps on the way there.
fn there_and_back() -> Plan {
    let there = (0..21).map(|vertex| Stop {
        vertex,
        stay: u32::from(vertex > 0 && vertex % 3 == 0),
    });
    let back = (1..20).rev().map(stop);
    let cycle = there.chain(back).collect();
    let route = Route {
        prefix: Vec::new(),
        cycle,
    };
    Plan {
        routes: vec![route],
    }
}

#[test]
fn three_steps_and_a_rest_catch_walkers_on_a_line_as_often_as_published() {
    for (t_p, published) in [(9, 0.2971), (14, 0.4294), (19, 0.5619), (24, 0.7095)] {
        let problem = valid(walking(line(21, 1), Motion::BorderStay, t_p));
        let captured = captured(&problem, &there_and_back());
        assert!((captured - published).abs() < 1e-4, "{t_p}: {captured}");
    }
}

/// Guards that go round a ring, so many steps apart after an unequal start.
fn apart(vertices: usize, guards: usize) -> Plan {
    let apart = vertices / guards;
    let round = |from: usize| (0..vertices).map(move |step| stop((from + step) % vertices));
    let route = |guard: usize| Route {
        prefix: (0..guard * apart).map(stop).collect(),
        cycle: round(guard * apart).collect(),
    };
    // The first waits for nobody: each walks ahead to its place, and then all have walked on.
    Plan {
        routes: (0..guards).map(route).collect(),
    }
}

#[test]
fn guards_at_equal_distances_on_a_ring_see_every_vertex_after_so_many_ticks() {
    // Everybody starts at tick 0 and never stops: they stay together, which the prefix cannot
    // change.
    let together = valid(staying(ring(15, 3), 4));
    assert!((captured(&together, &apart(15, 3)) - 5.0 / 15.0).abs() < 1e-12);
    let mut spread = apart(15, 3);
    for (guard, route) in spread.routes.iter_mut().enumerate() {
        let wait = 5 * guard as u32;
        route.prefix = match guard {
            0 => Vec::new(),
            _ => vec![Stop {
                vertex: 0,
                stay: wait,
            }],
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
fn whoever_enters_before_the_guards_have_spread_out_escapes() {
    let mut spec = staying(ring(15, 3), 4);
    spec.intruder.entry = Entry::Mission(149);
    let problem = valid(spec);
    let mut plan = apart(15, 3);
    for (guard, route) in plan.routes.iter_mut().enumerate().skip(1) {
        route.prefix = vec![Stop {
            vertex: 0,
            stay: 5 * guard as u32,
        }];
        route.cycle = (0..15).map(|step| stop((1 + step) % 15)).collect();
    }
    // Vertex v > 4 is seen first at tick v: whoever enters there before tick v - 4 is gone by then.
    let escaped: f64 = (5..15).map(|v| f64::from(v - 4)).sum();
    let expected = 1.0 - escaped / (15.0 * 150.0);
    assert!((captured(&problem, &plan) - expected).abs() < 1e-12);
}

#[test]
fn a_closed_walk_of_26_over_25_rooms_misses_nobody_who_needs_26_instants() {
    let problem = valid(staying(grid(5, 5, 1), 25));
    let snake = [
        0, 1, 2, 3, 4, 9, 8, 7, 6, 11, 12, 13, 14, 19, 18, 17, 16, 21, 22, 23, 24, 23, 22, 21, 20,
        15, 10, 5,
    ];
    let plan = Plan {
        routes: vec![Route {
            prefix: Vec::new(),
            cycle: snake.map(stop).to_vec(),
        }],
    };
    let captured = captured(&problem, &plan);
    assert!(captured > 0.9 && captured < 1.0, "{captured}");
}

#[test]
fn every_broken_rule_is_found() {
    let problem = valid(staying(line(4, 2), 3));
    let plan = Plan {
        routes: vec![
            Route {
                prefix: vec![stop(0), stop(2)],
                cycle: vec![stop(3)],
            },
            Route::default(),
        ],
    };
    let broken = verify(&problem, &plan).expect_err("nothing is right");
    assert!(matches!(
        broken[0],
        Violation::NoEdge {
            route: 0,
            from: 0,
            to: 2,
            ..
        }
    ));
    assert!(matches!(broken[1], Violation::CycleInstant { route: 0 }));
    assert!(matches!(broken[2], Violation::CycleEmpty { route: 1 }));
}

#[test]
fn of_very_many_broken_rules_the_first_are_told() {
    let problem = valid(staying(line(4, 2), 3));
    let nowhere = Route {
        prefix: vec![stop(0)],
        cycle: vec![stop(9); 20_000],
    };
    let plan = Plan {
        routes: vec![nowhere; 2],
    };
    let broken = verify(&problem, &plan).expect_err("nothing is right");
    assert_eq!(broken.len(), VIOLATIONS_MAX);
    assert!(matches!(
        broken[0],
        Violation::UnknownVertex { route: 0, .. }
    ));
}

#[test]
fn guards_that_pass_each_other_are_told() {
    let mut spec = staying(line(3, 2), 3);
    spec.may_swap = false;
    spec.guards[1].start = 1;
    let problem = valid(spec);
    let route = |cycle: [usize; 2]| Route {
        prefix: Vec::new(),
        cycle: cycle.map(stop).to_vec(),
    };
    let plan = Plan {
        routes: vec![route([0, 1]), route([1, 0])],
    };
    let broken = verify(&problem, &plan).expect_err("they pass each other");
    assert!(matches!(
        broken[..],
        [Violation::Swap {
            one: 0,
            other: 1,
            tick: 0,
            ..
        }]
    ));
}
