//! What is claimed to be best or out of reach, beside all walks there are in tiny worlds.

use anytime::{Conclusion, Control, Limits, Offer, Sink};
use patrol::generate::{staying, walking, world};
use patrol::{Cost, Motion, Params, Plan, Problem, Route, Spec, Stop, solve, verify};
use proptest::prelude::*;

#[derive(Default)]
struct Heard {
    best: Option<Cost>,
    bound: Option<Cost>,
}

impl Sink<Plan, Cost> for Heard {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.best = Some(offer.cost);
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = Some(bound);
    }
}

fn search(problem: &Problem, iterations: u64) -> (Heard, Conclusion) {
    let mut heard = Heard::default();
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut heard);
    let end = solve(problem, &Params::default(), &mut control).expect("it is supported");
    (heard, end)
}

/// A connected world of five vertices: each is joined to an earlier one, and some more are joined.
fn tiny(joins: &[usize; 4], more: &[(usize, usize)], weights: &[u64; 5]) -> Spec {
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
    let mut spec = world((5, &edges), 1);
    spec.weights_micro = weights.to_vec();
    spec
}

/// All walks of so many ticks from where the guard is, stays included.
fn walks(problem: &Problem, ticks: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![problem.guards()[0].start]];
    for _ in 0..ticks {
        let longer = all.iter().flat_map(|walk| {
            let here = walk[walk.len() - 1];
            let ways = problem.ways(here).iter().map(|way| way.to);
            let next = ways.chain([here]);
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
            _ => stops.push(Stop {
                vertex: *vertex,
                stay: 0,
            }),
        }
    }
    stops
}

fn cost(problem: &Problem, prefix: Vec<Stop>, cycle: Vec<Stop>) -> Cost {
    let plan = Plan {
        routes: vec![Route { prefix, cycle }],
    };
    verify(problem, &plan).expect("a walk is a plan")
}

/// What a closed walk, walked for ever, costs.
fn closed(problem: &Problem, walk: &[usize]) -> Cost {
    let mut cycle = stops(walk);
    let last = cycle.pop().expect("a walk is somewhere");
    match cycle.first_mut() {
        Some(first) => first.stay += last.stay,
        None => cycle.push(last),
    }
    cost(problem, Vec::new(), cycle)
}

/// What a walk costs against who enters at tick 0.
fn once(problem: &Problem, walk: &[usize]) -> Cost {
    let mut prefix = stops(walk);
    let mut last = prefix.pop().expect("a walk is somewhere");
    last.stay += 1;
    cost(problem, prefix, vec![last])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_closed_walk_undercuts_a_bound_or_what_is_called_optimal(
        joins: [usize; 4],
        more in prop::collection::vec((0..5_usize, 0..5_usize), 0..4),
        weights in prop::array::uniform5(1..6_u64),
        t_p in 1..6_u32,
        sees in prop::collection::vec((0..5_usize, 0..5_usize), 0..5),
    ) {
        let mut spec = staying(tiny(&joins, &more, &weights), t_p);
        let seen = |from: usize| sees.iter().filter(move |pair| pair.0 == from).map(|pair| pair.1);
        spec.sights = vec![(0..5).map(|from| seen(from).collect()).collect()];
        spec.guards[0].sight = Some(0);
        let problem = Problem::new(spec);
        let problem = problem.expect("it makes sense");
        let (heard, end) = search(&problem, 12_000);
        let start = problem.guards()[0].start;
        for ticks in 1..=6 {
            for walk in walks(&problem, ticks).iter().filter(|walk| walk[ticks] == start) {
                let cost = closed(&problem, walk);
                prop_assert!(heard.bound <= Some(cost), "{:?} undercuts the bound", walk);
                // What is called optimal is so but for two in a billion.
                let about = Cost(cost.0 + (1 << 60) / 500_000_000);
                prop_assert!(end != Conclusion::Optimal || heard.best <= Some(about), "{:?}", walk);
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_best_of_all_walks_is_found_and_proved(
        joins: [usize; 4],
        more in prop::collection::vec((0..5_usize, 0..5_usize), 0..4),
        weights in prop::array::uniform5(1..6_u64),
        t_p in 1..6_u32,
        motion in 0..3_usize,
    ) {
        let motion = [Motion::Lazy, Motion::Moving, Motion::BorderStay][motion];
        let problem = Problem::new(walking(tiny(&joins, &more, &weights), motion, t_p));
        let problem = problem.expect("it makes sense");
        let (heard, end) = search(&problem, 100_000);
        prop_assert_eq!(end, Conclusion::Optimal);
        let all = walks(&problem, t_p as usize);
        let least = all.iter().map(|walk| once(&problem, walk)).min();
        // Proofs are by doubles, exact to 10^-11.
        let (best, least) = (heard.best.expect("a plan"), least.expect("a walk"));
        prop_assert!(best.0.abs_diff(least.0) < 1 << 24, "{} {}", best.0, least.0);
    }
}
