//! A short run of the bench `claims`: no claim of a planner is wrong, and claims of all kinds are
//! made.

#[path = "../../benches/claims/trials/mod.rs"]
mod trials;

mod lies;

use trials::{TRIALS, Tally};

/// Problems of each planner.
const PROBLEMS: u64 = 120;

/// Tries problems of a planner, which makes at least these numbers of claims: `known`, `optimal`,
/// `infeasible`, `proofs`.
fn none_is_wrong(name: &str, least: [u64; 4]) {
    let trial = TRIALS.iter().find(|trial| trial.name == name);
    let trial = trial.expect("there is one for each planner");
    let mut tally = Tally::default();
    for seed in 0..PROBLEMS {
        trial.try_one(seed, &mut tally);
    }
    assert_eq!(tally.wrong, [""; 0]);
    let made = [tally.known, tally.optimal, tally.infeasible, tally.proofs];
    let enough = made.iter().zip(least).all(|(made, least)| *made >= least);
    assert!(enough, "{made:?} of {} claims", tally.claims());
}

#[test]
fn no_claim_about_allocations_is_wrong() {
    none_is_wrong("allocation", [20, 20, 20, 20]);
}

#[test]
fn no_claim_about_crews_is_wrong() {
    none_is_wrong("crew", [0, 50, 0, 50]);
}

#[test]
fn no_claim_about_heists_is_wrong() {
    none_is_wrong("heist", [80, 50, 50, 0]);
}

#[test]
fn no_claim_about_narratives_is_wrong() {
    none_is_wrong("narrative", [0, 50, 20, 20]);
}

#[test]
fn no_claim_about_patrols_is_wrong() {
    none_is_wrong("patrol", [30, 30, 0, 0]);
}

#[test]
fn no_claim_about_puzzles_is_wrong() {
    none_is_wrong("puzzle", [50, 10, 30, 0]);
}

#[test]
fn no_claim_about_schedules_is_wrong() {
    none_is_wrong("schedule", [60, 60, 20, 20]);
}

#[test]
fn no_claim_about_stories_is_wrong() {
    none_is_wrong("story", [50, 50, 0, 80]);
}

#[test]
fn no_claim_about_temporal_networks_is_wrong() {
    none_is_wrong("temporal", [20, 50, 0, 100]);
}
