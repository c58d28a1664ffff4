//! Heists: small museums searched breadth first, and larger ones.

#[path = "../../../../planners/heist/tests/suite/planner/shortest.rs"]
mod shortest;
#[path = "../../../../planners/heist/tests/suite/planner/worlds.rs"]
#[expect(dead_code, reason = "worlds by hand are for other tests")]
mod worlds;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, drawn};
use heist::{Burglar, Cost, Params};
use rand::RngExt;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let (problem, truth) = if chance(rng, 20) {
        let Some(problem) = stops::families::heist::problem(seed) else {
            return;
        };
        (problem, Truth::Unknown)
    } else {
        let problem = drawn(&worlds::small(), rng).problem();
        let least = shortest::shortest(&problem, rng.random());
        let truth = least.map_or(Truth::NoPlan, |actions| {
            Truth::Least(Cost { actions }, true)
        });
        (problem, truth)
    };
    let limits = [
        How::random(rng, 2_000),
        How::random(rng, 2_000),
        How::whole(20_000),
    ];
    let runs = limits.map(|how| search::<Burglar>(&problem, &Params::default(), how, ""));
    let runs: Vec<Run<Burglar>> = runs.into_iter().flatten().collect();
    let judge = Judge::<Burglar> {
        problem: &problem,
        truth,
        is_whole: &|_| true,
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
}
