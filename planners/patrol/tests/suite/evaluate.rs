//! Evaluation and verification compared with a simulation of a million intruders.

use crate::searched::seeded;
use anytime::Limits;
use patrol::generate::{grid, museum};
use patrol::plan::UNSEEN;
use patrol::problem::{PROBABILITY_ONE, Place};
use patrol::verify::terms;
use patrol::{Entry, Evaluation, Motion, Params, Plan, Problem, Route, Stop, evaluate};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const WALKS: usize = 1_000_000;

/// Museum with such an intruder, and a plan for it.
fn world(motion: Motion, entry: Entry) -> (Problem, Plan) {
    let mut spec = museum(4, 3, 2, 7).spec().clone();
    spec.intruder.motion = motion;
    spec.intruder.entry = entry;
    spec.guards[1].speed_milli = 600;
    let problem = Problem::new(spec).expect("the problem is valid");
    let found = seeded(&problem, &Params::default(), Limits::iterations(2_000), 3);
    (problem, found.plan().expect("there is a plan"))
}

/// Places seen at each tick.
fn seen(problem: &Problem, plan: &Plan, ticks: usize) -> Vec<Vec<usize>> {
    let mut seen = vec![Vec::new(); ticks];
    for (guard, route) in plan.routes.iter().enumerate() {
        let mut stops = route
            .prefix
            .iter()
            .chain(route.cycle.iter().cycle())
            .peekable();
        let mut tick = 0;
        while tick < ticks {
            let stop = stops.next().expect("cycles repeat without end");
            let next = stops.peek().expect("cycles repeat without end").vertex;
            let edge = problem.out_edge(stop.vertex, next);
            let lasts = edge.map_or(0, |edge| problem.ticks(guard, edge));
            for gone in 0..stop.stay + lasts {
                let inner = match (edge, gone.checked_sub(stop.stay)) {
                    (Some(edge), Some(since)) => {
                        problem.place_on_edge(stop.vertex, edge, since, lasts)
                    }
                    _ => None,
                };
                if let Some(list) = seen.get_mut(tick) {
                    match inner {
                        Some(place) => list.push(place),
                        None => list.extend(
                            problem
                                .sight(guard, stop.vertex)
                                .iter()
                                .map(|p| *p as usize),
                        ),
                    }
                }
                tick += 1;
            }
        }
    }
    seen
}

/// Next place of an intruder.
fn step(problem: &Problem, here: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
    let near: &[Place] = problem.neighbours(here);
    if problem.intruder().motion == Motion::Still {
        return here;
    }
    let choice = rng.random_range(0..problem.parts(here));
    near.get(choice as usize)
        .map_or(here, |place| *place as usize)
}

/// Share of a million intruders that escape.
fn simulated(problem: &Problem, plan: &Plan, first: u64, last: u64) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let instants = u64::from(problem.intruder().instants);
    let seen = seen(problem, plan, (last + instants) as usize);
    let mut escaped = 0;
    for _ in 0..WALKS {
        let mut draw = rng.random_range(0..PROBABILITY_ONE);
        let enters = problem.shares().iter().position(|share| {
            let here = draw < *share;
            draw = draw.saturating_sub(*share);
            here
        });
        let mut here = enters.expect("shares add up to certainty");
        let entry = rng.random_range(first..=last);
        let mut caught = false;
        for instant in 0..instants {
            if instant > 0 {
                here = step(problem, here, &mut rng);
            }
            caught |= seen[(entry + instant) as usize].contains(&here);
        }
        escaped += usize::from(!caught);
    }
    escaped as f64 / WALKS as f64
}

#[test]
fn a_million_intruders_escape_as_often_as_computed() {
    for motion in [
        Motion::Still,
        Motion::Lazy,
        Motion::Moving,
        Motion::BorderStay,
    ] {
        for entry in [Entry::Start, Entry::Mission(40), Entry::Steady] {
            let (problem, plan) = world(motion, entry);
            let Evaluation {
                terms: found,
                prefix,
                period,
                vertices,
                ..
            } = evaluate(&problem, &plan).expect("the plan keeps the rules");
            assert_eq!(terms(&problem, &plan), Ok(found), "{motion:?} {entry:?}");
            let entries = match entry {
                Entry::Start => [0, 0],
                Entry::Mission(last) => [0, last.into()],
                Entry::Steady => [prefix, prefix + period - 1],
            };
            let escape = found.escape as f64 / PROBABILITY_ONE as f64;
            let simulated = simulated(&problem, &plan, entries[0], entries[1]);
            // Five standard deviations at most.
            assert!(
                (escape - simulated).abs() < 0.0025,
                "{motion:?} {entry:?}: {escape} {simulated}"
            );
            let weighted = vertices.iter().zip(problem.shares());
            let weighted: f64 = weighted.map(|(v, share)| v.capture * *share as f64).sum();
            assert!((weighted / PROBABILITY_ONE as f64 - (1.0 - escape)).abs() < 1e-9);
        }
    }
}

#[test]
fn the_worst_entry_has_the_longest_time_out_of_sight() {
    let problem = Problem::new(grid(3, 1, 1)).expect("the problem is valid");
    let stop = |vertex| Stop::new(vertex, 0);
    let route = Route::cyclic([0, 1, 2, 1].map(stop).to_vec());
    let plan = Plan::new(vec![route]);
    let found = evaluate(&problem, &plan).expect("the plan keeps the rules");
    assert_eq!((found.prefix, found.period), (0, 4));
    // The ends are seen each fourth tick, the middle each second; an intruder can be seen at three
    // instants.
    assert_eq!(
        (
            found.worst_entry.vertex,
            found.worst_entry.tick,
            found.worst_entry.capture
        ),
        (0, 1, 0.0)
    );
    assert_eq!(found.vertices[0].worst_idleness, Some(3));
    assert_eq!(found.vertices[1].mean_idleness, Some(0.5));
    assert_eq!(found.vertices[0].capture, 0.75);
    assert_eq!(found.predictability, 0.75);
}

#[test]
fn a_vertex_that_is_never_seen_is_reported() {
    let problem = Problem::new(grid(3, 1, 1)).expect("the problem is valid");
    let stay = Route::cyclic(vec![Stop::new(0, 1)]);
    let plan = Plan { routes: vec![stay] };
    let found = evaluate(&problem, &plan).expect("the plan keeps the rules");
    assert_eq!(found.vertices[2].worst_idleness, None);
    assert_eq!(found.terms.worst_idleness, UNSEEN);
    assert_eq!(
        (found.worst_entry.vertex, found.worst_entry.capture),
        (1, 0.0)
    );
}
