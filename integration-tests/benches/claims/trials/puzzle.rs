//! Puzzles: boards that are solved by trying everything, and levels that are made.

#[path = "../../../../planners/puzzle/tests/suite/brute.rs"]
mod brute;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance};
use puzzle::{Game, Problem, Puzzle, Solver};
use rand::RngExt;
use stops::families::puzzle as family;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    if chance(rng, 20) {
        return levels(seed, rng, tally);
    }
    let boxes = rng.random_range(1..4);
    let Some(board) = brute::random_board(rng, boxes) else {
        return;
    };
    let least = brute::brute(&board);
    let game = Game::from(board);
    let limits = [
        How::random(rng, 3_000),
        How::random(rng, 3_000),
        How::whole(100_000),
    ];
    let runs = limits.map(|how| search::<Solver>(&game, &(), how, ""));
    let runs: Vec<Run<Solver>> = runs.into_iter().flatten().collect();
    let judge = Judge::<Solver> {
        problem: &game,
        truth: least.map_or(Truth::NoPlan, |pushes| Truth::Least(pushes, true)),
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
}

/// Levels are what they are said to be, and no search contradicts another.
fn levels(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let Ok(problem) = Problem::new(family::spec(seed)) else {
        return;
    };
    let params = [family::params(seed), family::params(seed + 1)];
    let runs = params.iter().filter_map(|params| {
        let name = format!("{params:?}");
        search::<Puzzle>(&problem, params, How::random(rng, 100), &name)
    });
    let runs: Vec<Run<Puzzle>> = runs.collect();
    let judge = Judge::<Puzzle> {
        problem: &problem,
        truth: Truth::Unknown,
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
}
