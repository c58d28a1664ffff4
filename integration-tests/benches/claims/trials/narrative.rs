//! Narratives: mutated stories; conflicts are proved by the check.

#[path = "../../../../planners/narrative/tests/suite/mutated/mod.rs"]
mod mutated;
#[path = "../../../../planners/narrative/tests/suite/verify_stories.rs"]
#[expect(dead_code, reason = "the tests use more of them")]
mod verify_stories;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance};
use narrative::{Answer, Schedule};
use stops::families::narrative as family;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let mut random = mutated::random(seed);
    let narrative = if chance(rng, 40) {
        family::narrative(seed)
    } else {
        Some(mutated::narrative(&mut random))
    };
    let Some(narrative) = narrative else {
        return;
    };
    let runs = (0..3).filter_map(|_| {
        let (params, iterations) = mutated::how(&mut random);
        let name = format!("{:?}", params.detail);
        search::<Schedule>(&narrative, &params, How::random(rng, iterations), &name)
    });
    let runs: Vec<Run<Schedule>> = runs.collect();
    let judge = Judge::<Schedule> {
        problem: &narrative,
        truth: Truth::Unknown,
        is_whole: &|answer| matches!(answer, Answer::Plan(_)),
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
    let conflict = |run: &&Run<Schedule>| {
        let last = run.offers.last().map(|(answer, _)| answer);
        matches!(last, Some(Answer::Infeasible { .. }))
    };
    tally.proofs += runs.iter().filter(conflict).count() as u64;
}
