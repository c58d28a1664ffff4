//! Crews: small ships on which everything is tried, and larger ones.

#[path = "../../../../planners/crew/tests/fronts/small.rs"]
mod small;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, drawn};
use crew::explain::explain;
use crew::{Crew, Front, Problem, Spec};
use stops::families::crew as family;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let is_large = chance(rng, 20);
    let spec = if is_large {
        family::spec(seed)
    } else {
        drawn(&small::small(), rng)
    };
    let Ok(problem) = Problem::new(spec.clone()) else {
        return;
    };
    let runs = (0..2).filter_map(|more| {
        let params = family::params(seed + more);
        let name = format!("{params:?}");
        search::<Crew>(&problem, &params, How::random(rng, 10_000), &name)
    });
    let runs: Vec<Run<Crew>> = runs.collect();
    let judge = Judge::<Crew> {
        problem: &problem,
        truth: Truth::Unknown,
        // Nobody can do anything: that is what infeasible means here.
        is_whole: &|plan| {
            plan.events
                .iter()
                .flatten()
                .any(|front| !front.points.is_empty())
        },
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
    for run in &runs {
        let Some((plan, _)) = run.offers.last() else {
            continue;
        };
        for (index, front) in plan
            .events
            .iter()
            .flat_map(|fronts| fronts.iter().enumerate())
        {
            if front.is_known && !is_large {
                tally.proofs += 1;
                let holds = is_whole(&spec, index + 1, front);
                tally.expect(holds, || format!("{}: {front:?}", run.how));
            }
        }
        let reasons = explain(&problem, plan, &anytime::Pulse::unbounded());
        tally.expect(reasons.is_some(), || format!("{}: no reasons", run.how));
    }
    agree(&runs, tally);
}

/// Whether a front has all points that trying everything finds, and no other.
fn is_whole(spec: &Spec, players: usize, front: &Front) -> bool {
    let wanted = small::enumerated(spec, players);
    points(front).eq(wanted.keys().copied())
}

/// Times and damages.
fn points(front: &Front) -> impl Iterator<Item = (u64, u64)> {
    let points = front.points.iter();
    points.map(|point| (point.time_us, point.damage_micro))
}

/// Fronts that are known to two searches are the same.
fn agree(runs: &[Run<Crew>], tally: &mut Tally) {
    let fronts = |run: &Run<Crew>| -> Vec<Front> {
        let last = run.offers.last();
        last.map_or_else(Vec::new, |(plan, _)| plan.events.concat())
    };
    let [one, other] = runs else { return };
    for (one, other) in fronts(one).iter().zip(&fronts(other)) {
        if one.is_known && other.is_known {
            tally.expect(points(one).eq(points(other)), || {
                format!("{one:?}, {other:?}")
            });
        }
    }
}
