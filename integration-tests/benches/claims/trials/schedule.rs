//! Projects: small ones on which everything is tried, and larger ones.

#[path = "../../../../planners/schedule/tests/suite/brute_force.rs"]
mod brute_force;
#[path = "../../../../planners/schedule/tests/suite/small.rs"]
mod small;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, drawn, one_of};
use rand::RngExt;
use schedule::generate::{Shape, generate};
use schedule::{Cost, Params, Problem, Schedule, Spec, conflict};

/// Largest horizon for which all starts are tried.
const HORIZON_MAX: i64 = 16;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let is_large = chance(rng, 4);
    let spec = if is_large {
        large(seed, rng)
    } else {
        drawn(&small::any_spec(3), rng)
    };
    let Ok(problem) = Problem::new(spec.clone()) else {
        return;
    };
    let mut previous_plan = None;
    let mut runs: Vec<Run<Schedule>> = Vec::new();
    for _ in 0..3 {
        let params = Params { previous_plan };
        let name = format!("warm {}", params.previous_plan.is_some());
        let found = search::<Schedule>(&problem, &params, How::random(rng, 3_000), &name);
        let last = found.as_ref().and_then(|run| run.offers.last());
        previous_plan = last.map(|(plan, _)| plan.clone());
        runs.extend(found);
    }
    let judge = Judge::<Schedule> {
        problem: &problem,
        truth: truth(&spec, &problem, is_large),
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
    for run in &runs {
        for (plan, _) in &run.offers {
            tally.expect(is_large || small::is_legal(&spec, plan), || {
                format!("{plan:?}")
            });
        }
    }
    if !is_large && matches!(judge.truth, Truth::NoPlan) {
        tally.proofs += 1;
        let found = conflict(&problem, &anytime::Pulse::unbounded());
        let requirements = found.map(|found| found.requirements);
        let is_conflict = requirements.as_ref().is_some_and(|requirements| {
            let spec = brute_force::relaxed(&spec, requirements);
            let rest = Problem::new(spec.clone()).expect("a part of a valid problem");
            brute_force::brute_force(&spec, rest.horizon_us()).is_none()
        });
        tally.expect(is_conflict, || format!("no conflict: {requirements:?}"));
    }
}

/// What trying everything says.
fn truth(spec: &Spec, problem: &Problem, is_large: bool) -> Truth<Cost> {
    if is_large || problem.horizon_us() > HORIZON_MAX {
        return Truth::Unknown;
    }
    match brute_force::brute_force(spec, problem.horizon_us()) {
        Some(makespan_us) => Truth::Least(Cost { makespan_us }, true),
        None => Truth::NoPlan,
    }
}

fn large(seed: u64, rng: &mut Rng) -> Spec {
    let shape = Shape {
        activities: rng.random_range(4..150),
        modes: one_of(rng, &[1, 1, 3]),
        resources: rng.random_range(0..4),
        duration_max: 9,
        capacity: one_of(rng, &[1, 5, 10]),
        has_maximal_lags: rng.random(),
        unit_us: 1_000_000,
    };
    generate(&shape, seed)
}
