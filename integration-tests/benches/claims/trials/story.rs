//! Stories: random domains of which every story is tried, with tiny caps of the relaxation.

#[path = "../../../../planners/story/tests/oracle/mod.rs"]
mod oracle;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, one_of};
use rand::RngExt;
use stops::families::story as family;
use story::generate::domain;
use story::{Caps, Cost, Params, Problem, Story, Strategy};

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
        search::<Story>(&problem, &params, How::any(rng, 20_000), &name)
    });
    let runs: Vec<Run<Story>> = runs.collect();
    let judge = Judge::<Story> {
        problem: &problem,
        truth,
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
}

/// Any strategy, and caps so tiny that they cut short whatever they can.
fn params(rng: &mut Rng) -> Params {
    let all = [
        Strategy::Auto,
        Strategy::Optimal,
        Strategy::Optimal,
        Strategy::Mcts,
        Strategy::Iterative,
    ];
    let caps = match chance(rng, 2) {
        true => Caps::default(),
        false => Caps {
            values: rng.random_range(1..5),
            choices: rng.random_range(1..8),
            leaves: rng.random_range(1..16),
            contexts: rng.random_range(1..4),
            ..Caps::default()
        },
    };
    Params {
        strategy: one_of(rng, &all),
        caps,
        ..Params::default()
    }
}
