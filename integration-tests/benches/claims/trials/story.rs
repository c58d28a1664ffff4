//! Stories: random domains of which every story is tried, with tiny caps of the relaxation.

#[path = "../../../../planners/story/tests/suite/oracle/mod.rs"]
mod oracle;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, one_of};
use rand::RngExt;
use stops::families::story as family;
use story::generate::domain;
use story::{Caps, Cost, Params, Problem, Story, Strategy, certify, verify_bound};

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let spec = match rng.random_range(0..40) {
        0 => family::problem(seed).map(|problem| (problem, Truth::Unknown)),
        draw => {
            let spec = match draw % 2 {
                0 => Some(domain(seed)),
                _ => oracle::far(seed, rng.random_range(2..8)),
            };
            let problem = spec.map(|spec| Problem::new(&spec).expect("good"));
            problem.map(|problem| {
                let best = oracle::best_of_all(&problem);
                let truth = best.map(|score| Truth::Least(Cost::of_score(score), score > 0.0));
                (problem, truth.unwrap_or(Truth::Unknown))
            })
        }
    };
    let Some((problem, truth)) = spec else {
        return;
    };
    let runs = (0..3).filter_map(|_| {
        let params = params(rng);
        let name = format!("{:?} {:?}", params.strategy, params.caps);
        search::<Story>(&problem, &params, How::random(rng, 20_000), &name)
    });
    let runs: Vec<Run<Story>> = runs.collect();
    let judge = Judge::<Story> {
        problem: &problem,
        truth,
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
    let found = runs.iter().filter_map(|run| run.offers.last());
    let found = found.map(|(_, cost)| *cost).min();
    let least = match truth {
        Truth::Least(least, _) => Some(least),
        _ => found,
    };
    let below = found.filter(|_| chance(rng, 2));
    certified(&problem, Known { below, least }, rng, tally);
}

/// What is known before a certificate is made.
struct Known {
    /// Cost of a story: only cheaper ones are looked for.
    below: Option<Cost>,
    /// Cost of the best story.
    least: Option<Cost>,
}

/// A certificate of the start passes its check, and proves no more than the best story known costs.
fn certified(problem: &Problem, Known { below, least }: Known, rng: &mut Rng, tally: &mut Tally) {
    let caps = caps(rng);
    let Some(certificate) = certify(problem, caps, below, &mut || true) else {
        tally.undecided += 1;
        return;
    };
    match verify_bound(problem, &certificate, LEAVES_MAX) {
        Ok(Some(bound)) => {
            tally.proofs += 1;
            let holds = least.is_none_or(|least| bound <= least);
            tally.expect(holds, || {
                format!("{caps:?}, below {below:?}: {bound:?} certified, story {least:?}")
            });
        }
        Ok(None) => tally.undecided += 1,
        Err(wrong) => tally.expect(false, || format!("{caps:?}, below {below:?}: {wrong}")),
    }
}

/// Combinations of values that the check of a certificate looks at.
const LEAVES_MAX: usize = 200_000;

/// Any strategy, and any caps.
fn params(rng: &mut Rng) -> Params {
    let all = [
        Strategy::Auto,
        Strategy::Optimal,
        Strategy::Optimal,
        Strategy::Mcts,
        Strategy::Iterative,
    ];
    Params {
        caps: caps(rng),
        strategy: one_of(rng, &all),
        ..Params::default()
    }
}

/// The default, or caps so tiny that they cut short all that they can.
fn caps(rng: &mut Rng) -> Caps {
    if chance(rng, 2) {
        Caps::default()
    } else {
        Caps {
            values: rng.random_range(1..5),
            choices: rng.random_range(1..8),
            leaves: rng.random_range(1..16),
            contexts: rng.random_range(1..4),
            ..Caps::default()
        }
    }
}
