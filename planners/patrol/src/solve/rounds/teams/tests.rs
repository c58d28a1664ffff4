//! Teams of a plan.

use super::{phase, teams_of};
use crate::context::Context;
use crate::generate::{ring, staying};
use crate::plan::{Plan, Route, Stop};
use crate::problem::{Problem, Spec};
use crate::solve::rounds::formation::InitialRounds;
use anytime::{CancelToken, Pulse};

/// Ring of twelve vertices.
fn spec(guards: usize) -> Spec {
    staying(ring(12, guards), 5)
}

fn stops(vertices: impl IntoIterator<Item = usize>) -> Vec<Stop> {
    let stop = |vertex| Stop::new(vertex, 0);
    vertices.into_iter().map(stop).collect()
}

/// Route along the ring, after a prefix.
fn round(prefix: std::ops::Range<usize>) -> Route {
    let first = prefix.end;
    Route {
        prefix: stops(prefix),
        cycle: stops((0..12).map(|vertex| (first + vertex) % 12)),
    }
}

/// Teams of a plan in each partition, and their phases.
fn teams(spec: Spec, routes: Vec<Route>) -> Vec<(Vec<Vec<usize>>, Vec<u32>)> {
    let problem = Problem::new(spec).expect("the spec is refused");
    let all = teams_of(&Context::new(&problem), &Plan { routes });
    let phases = |rounds: InitialRounds| match rounds {
        InitialRounds::Round(rounds, start) => {
            assert_eq!(rounds.len(), start.phases.len());
            start.phases
        }
        _ => panic!("teams of a plan walk no round"),
    };
    all.into_iter()
        .map(|(teams, rounds)| (teams, phases(rounds)))
        .collect()
}

#[test]
fn guards_that_are_interchangeable_and_share_a_cycle_are_a_team() {
    let to_and_fro = Route::cyclic(stops([3, 4]));
    let routes = vec![round(0..4), to_and_fro, round(0..0)];
    let alone = (vec![vec![0], vec![1], vec![2]], vec![8, 0, 0]);
    let together = (vec![vec![0, 2], vec![1]], vec![8, 0]);
    let found = teams(spec(3), routes.clone());
    assert_eq!(found, [alone.clone(), together]);
    // A guard that is faster has a round of its own.
    let mut faster = spec(3);
    faster.guards[2].speed_milli = 2_000;
    assert_eq!(teams(faster, routes), [alone]);
}

#[test]
fn cycles_with_too_many_stops_are_no_rounds() {
    let long = Route::cyclic(stops((0..2_002).map(|stop| stop % 2)));
    assert_eq!(teams(spec(2), vec![round(0..0), long]), []);
}

#[test]
fn cycles_are_compared_until_the_search_has_to_stop() {
    // They are the same for the last beginning that is tried.
    let cycle = stops((0..2_000).map(|stop| stop % 2));
    let route = |stays: usize| {
        let mut cycle = cycle.clone();
        cycle[stays].stay = 1;
        Route::cyclic(cycle)
    };
    let plan = Plan::new(vec![route(1_998), route(1_996)]);
    let problem = Problem::new(spec(2)).expect("the spec is refused");
    let cancel = CancelToken::new();
    let count = || {
        let context = Context::new(&problem).with_pulse(Pulse::new(None, cancel.clone()));
        teams_of(&context, &plan).len()
    };
    assert_eq!(count(), 2);
    cancel.cancel();
    assert_eq!(count(), 1);
}

#[test]
fn a_cycle_is_begun_where_it_is_at_the_end_of_the_prefix() {
    let problem = Problem::new(spec(1)).expect("the spec is refused");
    let mut route = round(0..5);
    assert_eq!(phase(&problem, 0, &route), 7);
    // The prefix lasts as long as the cycle, and then longer.
    route.prefix[2].stay = 7;
    assert_eq!(phase(&problem, 0, &route), 0);
    route.prefix[2].stay = 8;
    assert_eq!(phase(&problem, 0, &route), 11);
    route.cycle[0].stay = 3;
    assert_eq!(phase(&problem, 0, &route), 2);
    let stands = Route::new(stops([0]), vec![Stop::new(1, 4)]);
    assert_eq!(phase(&problem, 0, &stands), 3);
}
