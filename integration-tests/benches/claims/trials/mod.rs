//! Trials. Each one searches a random problem with several settings and checks all claims about it.
//!
//! Problems, oracles and mutations are those of the planners' own tests.

mod allocation;
mod crew;
mod heist;
pub(crate) mod judge;
mod narrative;
mod patrol;
mod puzzle;
mod schedule;
pub(crate) mod search;
mod story;
mod temporal;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What was claimed about the problems of a planner.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Problems that were searched.
    pub(crate) problems: u64,
    /// Problems whose best plan is known by trying everything.
    pub(crate) known: u64,
    /// Plans that were offered, each with a cost.
    pub(crate) plans: u64,
    /// Bounds that were proved.
    pub(crate) bounds: u64,
    /// Searches that called their last plan optimal.
    pub(crate) optimal: u64,
    /// Searches that called the problem infeasible.
    pub(crate) infeasible: u64,
    /// Certificates, conflicts, verdicts and reasons with a proof.
    pub(crate) proofs: u64,
    /// Searches that ended without a proof.
    pub(crate) undecided: u64,
    /// Claims that are wrong, in words.
    pub(crate) wrong: Vec<String>,
}

impl Tally {
    /// Claims that can be wrong.
    pub(crate) fn claims(&self) -> u64 {
        self.plans + self.bounds + self.optimal + self.infeasible + self.proofs
    }

    fn expect(&mut self, holds: bool, wrong: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(wrong());
        }
    }
}

/// Random numbers of a trial.
type Rng = Xoshiro256PlusPlus;

/// A kind of trials.
#[derive(Clone, Copy)]
pub(crate) struct Trial {
    /// The planner.
    pub(crate) name: &'static str,
    run: fn(u64, &mut Rng, &mut Tally),
}

/// One for each planner.
pub(crate) const TRIALS: [Trial; 9] = [
    Trial {
        name: "allocation",
        run: allocation::run,
    },
    Trial {
        name: "crew",
        run: crew::run,
    },
    Trial {
        name: "heist",
        run: heist::run,
    },
    Trial {
        name: "narrative",
        run: narrative::run,
    },
    Trial {
        name: "patrol",
        run: patrol::run,
    },
    Trial {
        name: "puzzle",
        run: puzzle::run,
    },
    Trial {
        name: "schedule",
        run: schedule::run,
    },
    Trial {
        name: "story",
        run: story::run,
    },
    Trial {
        name: "temporal",
        run: temporal::run,
    },
];

impl Trial {
    /// Tries the problem of a seed. A panic is wrong, too.
    pub(crate) fn try_one(self, seed: u64, tally: &mut Tally) {
        let before = tally.wrong.len();
        tally.problems += 1;
        let mut rng = Rng::seed_from_u64(seed);
        let tried = catch_unwind(AssertUnwindSafe(|| (self.run)(seed, &mut rng, tally)));
        if tried.is_err() {
            tally.wrong.push("panicked".into());
        }
        for wrong in &mut tally.wrong[before..] {
            *wrong = format!("{}, seed {seed}: {wrong}", self.name);
        }
    }
}

/// One of several.
fn one_of<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.random_range(0..all.len())]
}

/// Whether an event happens that happens once in `of` times.
fn chance(rng: &mut Rng, of: u32) -> bool {
    rng.random_range(0..of) == 0
}

/// A problem as the properties of a planner draw them.
fn drawn<S: Strategy>(strategy: &S, rng: &mut Rng) -> S::Value {
    let seed: [u8; 32] = rng.random();
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let tree = strategy.new_tree(&mut runner);
    tree.expect("nothing is rejected").current()
}
