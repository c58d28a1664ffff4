//! Closures, potentials and schedules against the definitions.

use crate::certain::instances::hidden_solution;
use crate::certain::judge::{distances, is_consistent, judge_conflict, networks};
use proptest::prelude::*;
use stn::check;
use stn::{Closure, Edge, InputError, NODES_MAX, Refusal, TIME_MAX, UNBOUNDED, cycle_sum};
use stn::{earliest, latest, potentials, potentials_within};

/// A claim about the answer to a network, whichever function gives it.
fn judged<T>(nodes: usize, edges: &[Edge], answer: Result<T, Refusal>) -> Option<T> {
    assert_eq!(answer.is_ok(), is_consistent(nodes, edges));
    answer
        .map_err(|refusal| judge_conflict(nodes, edges, refusal.conflict().expect("no mistake")))
        .ok()
}

fn is_solution(edges: &[Edge], time: &[i64]) -> bool {
    let apart = |e: &Edge| i128::from(time[e.to as usize]) - i128::from(time[e.from as usize]);
    edges.iter().all(|e| apart(e) <= i128::from(e.weight))
}

fn widened(row: &[i64]) -> Vec<Option<i128>> {
    let bound = |&bound: &i64| (bound != UNBOUNDED).then_some(i128::from(bound));
    row.iter().map(bound).collect()
}

/// The independent checker finds the same.
fn compare_with_checker(nodes: usize, edges: &[Edge]) {
    let mut network = check::Network {
        nodes,
        ..check::Network::default()
    };
    for edge in edges {
        let (from, to) = (edge.from as usize, edge.to as usize);
        network.constrain(from, to, None, Some(edge.weight));
    }
    let expected = Closure::new(nodes, edges).ok();
    let found = check::Closure::new(&network, || true);
    assert_eq!(found.is_some(), expected.is_some());
    let potentials = check::potentials(nodes, &network.bounds, || true);
    assert_eq!(potentials.is_some(), expected.is_some());
    let Some((found, expected)) = found.zip(expected) else {
        return;
    };
    for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
        assert_eq!(found.distance(from, to), expected.get(from, to));
    }
    for (node, latest) in network.latest().into_iter().enumerate() {
        let latest = (latest < i64::MAX / 2).then_some(latest);
        assert_eq!(latest, expected.get(0, node));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn both_methods_give_the_shortest_paths_or_a_negative_cycle((nodes, edges) in networks()) {
        let johnson = judged(nodes, &edges, Closure::johnson(nodes, &edges));
        let warshall = judged(nodes, &edges, Closure::floyd_warshall(nodes, &edges));
        prop_assert_eq!(&johnson, &warshall);
        prop_assert_eq!(&johnson, &Closure::new(nodes, &edges).ok());
        for from in 0..nodes {
            let row = johnson.as_ref().map(|closure| widened(closure.row(from)));
            prop_assert!(row.is_none() || row == distances(nodes, &edges, from));
        }
    }

    #[test]
    fn the_independent_checker_agrees((nodes, edges) in networks()) {
        compare_with_checker(nodes, &edges);
    }

    /// With enough bounds for the method of Floyd and Warshall.
    #[test]
    fn the_independent_checker_agrees_on_dense_networks(
        times in proptest::collection::vec(-12_i64..=12, 30),
        slack in proptest::collection::vec(0_i64..25, 900),
        lie in proptest::option::of(0..900_usize),
    ) {
        let edges: Vec<Edge> = slack.into_iter().enumerate().map(|(pair, slack)| {
            let (from, to) = (pair / 30, pair % 30);
            let slack = if lie == Some(pair) { -slack } else { slack };
            Edge::new(from as u32, to as u32, times[to] - times[from] + slack, pair as u32)
        }).collect();
        compare_with_checker(30, &edges);
    }

    #[test]
    fn paths_are_simple_and_as_long_as_the_bound((nodes, edges) in networks()) {
        let Ok(closure) = Closure::new(nodes, &edges) else { return Ok(()) };
        for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
            let path = closure.path(from, to);
            prop_assert_eq!(path.is_some(), closure.get(from, to).is_some());
            if let (Some(mut path), true) = (path, from != to) {
                // Closed by an edge that brings the sum to zero.
                let back = -closure.get(from, to).unwrap();
                path.push(Edge::new(to as u32, from as u32, back, 0));
                prop_assert_eq!(cycle_sum(&path), Some(0));
            }
        }
    }

    #[test]
    fn edges_one_by_one_end_where_all_at_once_do((nodes, edges) in networks()) {
        let mut closure = Closure::new(nodes, &[]).unwrap();
        let mut accepted = Vec::new();
        for &edge in &edges {
            let before = closure.clone();
            accepted.push(edge);
            match closure.insert(edge) {
                Ok(tighter) => prop_assert_eq!(tighter, bounds(&before) != bounds(&closure)),
                Err(refusal) => {
                    let conflict = refusal.conflict().unwrap();
                    judge_conflict(nodes, &accepted, conflict);
                    prop_assert_eq!(conflict.edges().last(), Some(&edge));
                    prop_assert_eq!(&closure, &before);
                    accepted.pop();
                }
            }
            let at_once = Closure::new(nodes, &accepted);
            prop_assert_eq!(Ok(&closure), at_once.as_ref());
        }
    }

    #[test]
    fn potentials_are_a_solution((nodes, edges) in networks()) {
        if let Some(time) = judged(nodes, &edges, potentials(nodes, &edges)) {
            prop_assert!(is_solution(&edges, &time));
            prop_assert!(time.iter().all(|&time| time <= 0));
        }
    }

    #[test]
    fn earliest_and_latest_are_rows_and_columns_of_the_closure((nodes, edges) in networks()) {
        for origin in 0..nodes {
            let late = judged(nodes, &edges, latest(nodes, &edges, origin));
            let early = judged(nodes, &edges, earliest(nodes, &edges, origin));
            prop_assert_eq!(late.is_some(), early.is_some());
            let (Some(late), Some(early)) = (late, early) else { return Ok(()) };
            let closure = Closure::new(nodes, &edges).unwrap();
            for node in 0..nodes {
                prop_assert_eq!(late[node], closure.get(origin, node));
                prop_assert_eq!(early[node], closure.get(node, origin).map(|bound| -bound));
            }
            for times in [late, early] {
                let complete: Option<Vec<i64>> = times.into_iter().collect();
                prop_assert!(complete.is_none_or(|times| is_solution(&edges, &times)));
            }
        }
    }
}

fn bounds(closure: &Closure) -> Vec<&[i64]> {
    (0..closure.nodes()).map(|from| closure.row(from)).collect()
}

/// Beyond one block of rows, in sums small enough for floats and too large for them.
#[test]
fn methods_agree_on_networks_of_a_hundred_nodes_sparse_and_dense() {
    for (seed, edges) in [(1, 99), (2, 300), (3, 3_000), (4, 20_000)] {
        for unit in [1, TIME_MAX / 2_000_000] {
            let scaled = |e: Edge| Edge::new(e.from, e.to, e.weight * unit, e.id);
            let edges = hidden_solution(seed, 100, edges);
            let edges: Vec<Edge> = edges.into_iter().map(scaled).collect();
            let johnson = Closure::johnson(100, &edges);
            assert!(johnson.is_ok());
            assert_eq!(Closure::floyd_warshall(100, &edges), johnson);
        }
    }
}

#[test]
fn closing_stops_when_told_and_asks_often() {
    // Dense enough for one method, sparse enough for the other.
    for edges in [2_000, 4] {
        let edges = hidden_solution(5, 100, edges);
        let whole = Closure::new(100, &edges).unwrap();
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            true
        };
        assert_eq!(
            Closure::new_within(100, &edges, &mut go_on),
            Ok(Some(whole))
        );
        assert!(asked > 100);
        for no in 0..asked {
            let mut left = no;
            let mut go_on = || {
                left -= 1;
                left >= 0
            };
            assert_eq!(Closure::new_within(100, &edges, &mut go_on), Ok(None));
            assert_eq!(left, -1, "asked again after the answer was no");
        }
    }
}

#[test]
fn the_search_for_potentials_stops_when_told() {
    // Each pass settles one more node: the edges come in the wrong order.
    let edges: Vec<Edge> = (1..50).map(|at| Edge::new(at, at - 1, -1, at)).collect();
    let passes = |passes: usize| {
        let mut asked = 0;
        let answer = potentials_within(50, &edges, &mut || {
            asked += 1;
            asked <= passes
        });
        answer.unwrap()
    };
    assert_eq!(passes(0), None);
    assert_eq!(passes(1), None);
    assert_eq!(passes(50), Some(potentials(50, &edges).unwrap()));
}

#[test]
fn networks_without_nodes_or_edges_are_closed() {
    assert_eq!(Closure::new(0, &[]).map(|closure| closure.nodes()), Ok(0));
    assert_eq!(
        Closure::new(1, &[]).map(|closure| closure.get(0, 0)),
        Ok(Some(0))
    );
    assert_eq!(
        Closure::new(2, &[]).map(|closure| closure.get(0, 1)),
        Ok(None)
    );
    assert_eq!(potentials(0, &[]), Ok(Vec::new()));
}

/// A chain through every node the limit allows, at the largest weight the limit allows: the
/// longest sums there are.
#[test]
fn the_longest_sums_are_exact() {
    let last = NODES_MAX as u32 - 1;
    for weight in [TIME_MAX, -TIME_MAX] {
        let chain: Vec<Edge> = (0..last)
            .map(|at| Edge::new(at, at + 1, weight, at))
            .collect();
        let span = weight * i64::from(last);
        let late = latest(NODES_MAX, &chain, 0).unwrap();
        assert_eq!(late[last as usize], Some(span));
        let early = earliest(NODES_MAX, &chain, last as usize).unwrap();
        assert_eq!(early[0], Some(-span));
    }
}

/// Odd sums beyond 2^53, which 64-bit floats cannot hold.
#[test]
fn closures_of_the_largest_weights_are_exact() {
    let edge = |at: u32| Edge::new(at, at + 1, TIME_MAX - 1 - i64::from(at % 3), at);
    let chain: Vec<Edge> = (0..99).map(edge).collect();
    let johnson = Closure::johnson(100, &chain).unwrap();
    assert_eq!(
        johnson.get(0, 99),
        Some(chain.iter().map(|e| e.weight).sum())
    );
    assert_eq!(Closure::floyd_warshall(100, &chain), Ok(johnson));
}

#[test]
fn a_cycle_of_the_lowest_weights_is_reported_with_its_sum() {
    let nodes = NODES_MAX as u32;
    // In the order that lets one pass of label correcting run along the whole cycle.
    let ring = |at: u32| Edge::new(at, (at + 1) % nodes, -TIME_MAX, at);
    let ring: Vec<Edge> = (0..nodes).map(ring).collect();
    let refusal = potentials(NODES_MAX, &ring).unwrap_err();
    let conflict = refusal.conflict().unwrap();
    assert_eq!(
        cycle_sum(conflict.edges()),
        Some(-TIME_MAX * i64::from(nodes))
    );
}

#[test]
fn what_could_overflow_is_refused() {
    let heavy = Edge::new(0, 1, TIME_MAX + 1, 3);
    let (id, weight) = (3, TIME_MAX + 1);
    let error = Refusal::Input(InputError::WeightTooLarge { id, weight });
    assert_eq!(potentials(2, &[heavy]), Err(error.clone()));
    assert_eq!(Closure::new(2, &[heavy]), Err(error.clone()));
    assert_eq!(Closure::new(2, &[]).unwrap().insert(heavy), Err(error));
    let given = NODES_MAX + 1;
    let error = Refusal::Input(InputError::TooManyNodes { given });
    assert_eq!(latest(given, &[], 0), Err(error));
}
