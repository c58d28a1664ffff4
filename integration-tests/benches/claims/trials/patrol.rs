//! Patrols: tiny worlds of which every walk is tried, and larger ones.

#[path = "../../../../planners/patrol/tests/suite/walks.rs"]
mod walks;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, one_of};
use patrol::generate::{staying, walking};
use patrol::{Cost, Motion, Params, Patrol, Problem};
use rand::RngExt;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let large = chance(rng, 20).then(|| stops::families::patrol::problem(seed));
    let (problem, truth) = match large {
        None => tiny(rng),
        Some(Some(problem)) => (problem, Truth::Unknown),
        Some(None) => return,
    };
    let limits = [
        How::random(rng, 1_000),
        How::random(rng, 1_000),
        How::random(rng, 10_000),
    ];
    let params = Params::default();
    let runs = limits.map(|how| search::<Patrol>(&problem, &params, how, ""));
    let runs: Vec<Run<Patrol>> = runs.into_iter().flatten().collect();
    let judge = Judge::<Patrol> {
        problem: &problem,
        truth,
        is_whole: &|_| true,
        // What is called optimal is so but for two in a billion.
        slack: |cost| Cost(cost.0 + (1 << 60) / 500_000_000),
    };
    judge.judge(&runs, tally);
}

/// Five vertices, and the best of all walks.
fn tiny(rng: &mut Rng) -> (Problem, Truth<Cost>) {
    let joins: [usize; 4] = std::array::from_fn(|_| rng.random_range(0..100));
    let edge = |rng: &mut Rng| (rng.random_range(0..5), rng.random_range(0..5));
    let more: Vec<_> = (0..rng.random_range(0..4)).map(|_| edge(rng)).collect();
    let weights: [u64; 5] = std::array::from_fn(|_| rng.random_range(1..6));
    let (world, ticks) = (walks::tiny(&joins, &more, &weights), rng.random_range(1..6));
    if chance(rng, 2) {
        let motion = one_of(rng, &[Motion::Lazy, Motion::Moving, Motion::BorderStay]);
        let problem = Problem::new(walking(world, motion, ticks)).expect("it makes sense");
        let all = walks::walks(&problem, ticks as usize);
        let least = all.iter().map(|walk| walks::once(&problem, walk)).min();
        return (problem, Truth::Least(least.expect("a walk"), true));
    }
    let problem = Problem::new(staying(world, ticks)).expect("it makes sense");
    let start = problem.guards()[0].start;
    let all = (1..=6).flat_map(|ticks| walks::walks(&problem, ticks));
    let all = all.filter(|walk| walk.last() == Some(&start));
    let least = all.map(|walk| walks::closed(&problem, &walk)).min();
    (problem, Truth::AtMost(least.expect("staying is a walk")))
}
