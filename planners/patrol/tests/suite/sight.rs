//! Rounds on maps of tiles, where guards see far or go past everything.

use crate::maps::{KEEP, KEEP_INSTANTS, KEEP_SIGHT, read};
use crate::searched::searched;
use anytime::Conclusion;
use patrol::Problem;
use patrol::generate::{grid, staying};
use patrol::problem::PROBABILITY_ONE;

fn search(problem: &Problem, iterations: u64) -> (f64, Conclusion) {
    let found = searched(problem, iterations);
    let best = found
        .cost()
        .map_or(1.0, |cost| cost.0 as f64 / PROBABILITY_ONE as f64);
    (1.0 - best, found.conclusion)
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
