//! All walks of a guard in tiny worlds, and their costs.

use patrol::generate::world;
use patrol::{Cost, Plan, Problem, Route, Spec, Stop, verify};

/// A connected world of five vertices: each is joined to an earlier one, and some more are joined.
pub(crate) fn tiny(joins: &[usize; 4], more: &[(usize, usize)], weights: &[u64; 5]) -> Spec {
    let mut edges: Vec<[usize; 2]> = joins
        .iter()
        .enumerate()
        .map(|(index, join)| [join % (index + 1), index + 1])
        .collect();
    for (one, other) in more {
        let edge = [*one.min(other), *one.max(other)];
        if edge[0] != edge[1] && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    let mut spec = world(5, &edges, 1);
    spec.weights_micro = weights.to_vec();
    spec
}

/// All walks of `ticks` ticks from the start of the guard, stays included.
pub(crate) fn walks(problem: &Problem, ticks: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![problem.guards()[0].start]];
    for _ in 0..ticks {
        let longer = all.iter().flat_map(|walk| {
            let here = walk[walk.len() - 1];
            let edges = problem.out_edges(here).iter().map(|edge| edge.to);
            let next = edges.chain([here]);
            next.map(|to| walk.iter().copied().chain([to]).collect())
        });
        all = longer.collect();
    }
    all
}

/// Vertices at successive ticks as stops.
fn stops(walk: &[usize]) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for vertex in walk {
        match stops.last_mut() {
            Some(last) if last.vertex == *vertex => last.stay += 1,
            _ => stops.push(Stop::new(*vertex, 0)),
        }
    }
    stops
}

fn cost(problem: &Problem, prefix: Vec<Stop>, cycle: Vec<Stop>) -> Cost {
    let plan = Plan::new(vec![Route { prefix, cycle }]);
    verify(problem, &plan).expect("a walk is a plan")
}

/// Cost of a closed walk that is repeated without end.
pub(crate) fn closed(problem: &Problem, walk: &[usize]) -> Cost {
    let mut cycle = stops(walk);
    let last = cycle.pop().expect("a walk is somewhere");
    match cycle.first_mut() {
        Some(first) => first.stay += last.stay,
        None => cycle.push(last),
    }
    cost(problem, Vec::new(), cycle)
}

/// Cost of a walk against an intruder that enters at tick 0.
pub(crate) fn once(problem: &Problem, walk: &[usize]) -> Cost {
    let mut prefix = stops(walk);
    let mut last = prefix.pop().expect("a walk is somewhere");
    last.stay += 1;
    cost(problem, prefix, vec![last])
}
