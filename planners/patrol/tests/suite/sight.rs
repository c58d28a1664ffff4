//! Rounds on maps of tiles, where guards see far or go past everything.

use crate::maps::{KEEP, KEEP_INSTANTS, KEEP_SIGHT, read};
use anytime::{Conclusion, Control, Limits};
use patrol::generate::{grid, staying};
use patrol::problem::PROBABILITY_ONE;
use patrol::{Cost, Params, Plan, Problem, solve};

fn search(problem: &Problem, iterations: u64) -> (f64, Conclusion) {
    let mut best = 1.0;
    let mut sink = |_: &Plan, cost: Cost| best = cost.0 as f64 / PROBABILITY_ONE as f64;
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let end = solve(problem, &Params::default(), &mut control).expect("it is supported");
    (1.0 - best, end)
}

#[test]
fn rounds_begin_with_what_has_to_be_seen() {
    let keep = read(KEEP, KEEP_SIGHT, KEEP_INSTANTS);
    let (caught, _) = search(&keep, 1);
    assert!(caught >= 0.42, "{caught}");
    let (caught, _) = search(&keep, 40_000);
    assert!(caught >= 0.62, "{caught}");
}

#[test]
fn a_round_past_all_tiles_of_an_open_floor_is_found_immediately() {
    let open = Problem::new(staying(grid(20, 20, 8), 49)).expect("it makes sense");
    let (caught, end) = search(&open, 1_000);
    assert!(caught >= 0.99, "{caught} {end:?}");
}
