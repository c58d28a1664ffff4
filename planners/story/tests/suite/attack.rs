//! Claimed optima under attack: by trying everything where stories are long, and by a search for
//! better stories that knows nothing of proofs and judges by `verify` alone.

use crate::oracle::{best_of_all, far};
use crate::searched::{assert_true, searched};
use anytime::{Conclusion, Limits, Record, math};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use story::{Action, Caps, Cost, Params, Plan, Problem, Strategy as Way, generate, verify};

fn search(problem: &Problem, params: &Params, iterations: u64) -> Record<Plan, Cost> {
    searched(problem, params, Limits::iterations(iterations), 1)
}

fn params_of(strategy: Way, caps: Caps) -> Params {
    Params {
        strategy,
        caps,
        ..Params::default()
    }
}

/// All actions, whether they can be done or not. The check of bounds has the same list: the attack
/// shares no code with what it attacks.
fn actions(problem: &Problem) -> Vec<Action> {
    let mut all = Vec::new();
    for (schema, rules) in problem.schemas().iter().enumerate() {
        let mut args: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, kind) in &rules.params {
            let entities = problem.kinds()[*kind].entities.clone();
            let longer = args.iter().flat_map(|args| {
                let with = |entity| args.iter().copied().chain([entity]).collect();
                entities.clone().map(with).collect::<Vec<_>>()
            });
            args = longer.collect();
        }
        all.extend(args.into_iter().map(|args| Action { schema, args }));
    }
    all
}

/// Simulated annealing of a story by random changes, with restarts: the best score in some steps.
/// Judges by `verify`.
fn attack(problem: &Problem, plan: &Plan, steps: usize, seed: u64) -> Cost {
    let all = actions(problem);
    let mut rng = Rng::seed_from_u64(seed);
    let Ok(mut now) = verify(problem, plan) else {
        return Cost::of_score(0.0);
    };
    let (mut best, mut story) = (now, plan.clone());
    for step in 0..steps {
        if step % 500 == 499 {
            // From the beginning.
            (story, now) = match rng.random_range(0..2) {
                0 => (plan.clone(), verify(problem, plan).expect("as before")),
                _ => (
                    Plan::default(),
                    verify(problem, &Plan::default()).unwrap_or(now),
                ),
            };
        }
        let mut next = story.clone();
        for _ in 0..=rng.random_range(0..3) {
            let length = next.actions.len();
            let place = rng.random_range(0..=length);
            let action = all[rng.random_range(0..all.len())].clone();
            match rng.random_range(0..4) {
                0 if place < length => drop(next.actions.remove(place)),
                1 if place < length => next.actions[place] = action,
                2 if place < length => next.actions.swap(place, rng.random_range(0..length)),
                _ => next.actions.insert(place, action),
            }
        }
        let Ok(cost) = verify(problem, &next) else {
            continue;
        };
        best = best.min(cost);
        let worse = now.score() - cost.score();
        if worse <= 0.0 || rng.random_range(0.0..1.0) < math::exp(-worse / 0.05) {
            (story, now) = (next, cost);
        }
    }
    best
}

/// How many cases of a property said something.
#[derive(Default)]
struct Tally {
    all: AtomicUsize,
    proved: AtomicUsize,
    /// Of these, those in which the proof took more than a look.
    searched: AtomicUsize,
}

impl Tally {
    const fn new() -> Self {
        Self {
            all: AtomicUsize::new(0),
            proved: AtomicUsize::new(0),
            searched: AtomicUsize::new(0),
        }
    }

    fn count(&self, found: &Record<Plan, Cost>) {
        let add = |number: &AtomicUsize, holds: bool| {
            number.fetch_add(usize::from(holds), Ordering::Relaxed);
        };
        let proved = found.conclusion == Conclusion::Optimal;
        add(&self.all, true);
        add(&self.proved, proved);
        add(&self.searched, proved && found.iterations > 20);
    }

    /// Shares of the cases: proved, and with a search.
    fn shares(&self) -> (f64, f64) {
        let number = |number: &AtomicUsize| number.load(Ordering::Relaxed) as f64;
        let all = number(&self.all).max(1.0);
        (number(&self.proved) / all, number(&self.searched) / all)
    }
}

static LONG: Tally = Tally::new();

/// Limits so tiny that all that they cut short is cut short, even in small domains.
fn tiny() -> impl Strategy<Value = Caps> {
    let looked_at = (1..5_usize, 1..8_usize, 1..16_usize, 1..4_usize);
    let searched = (1..40_usize, 1..6_u64, 1..4_usize);
    (looked_at, searched).prop_map(|((values, choices, leaves, contexts), searched)| Caps {
        values,
        choices,
        leaves,
        contexts,
        outcomes: searched.0,
        opened: searched.1,
        cast: searched.2,
        ..Caps::default()
    })
}

proptest! {
    /// Whatever is cut short makes proofs weaker, never wrong: against trying everything, where
    /// stories are long and goals far.
    fn longer(
        seed: u64,
        actions_max in 4..8_usize,
        caps in prop_oneof![Just(Caps::default()), tiny()],
        warm: bool,
        auto: bool,
    ) {
        let spec = far(seed, actions_max);
        let Some(problem) = spec.map(|spec| Problem::new(&spec).expect("good")) else {
            return Ok(());
        };
        let Some(best) = best_of_all(&problem).map(Cost::of_score) else {
            return Ok(());
        };
        let mut params = params_of(if auto { Way::Auto } else { Way::Optimal }, caps);
        if warm {
            let first = search(&problem, &params_of(Way::Mcts, caps), 300);
            params.warm = first.plan();
        }
        let found = search(&problem, &params, 20_000);
        LONG.count(&found);
        assert_true(&found, best);
    }
}

#[test]
fn no_proof_of_longer_stories_is_wrong() {
    longer();
    let (proved, searched) = LONG.shares();
    assert!(proved > 0.5 && searched > 0.2, "{proved} {searched}");
}

static BEATEN: Tally = Tally::new();

/// Changes that are tried in a claimed optimum.
const STEPS: usize = 1_500;

proptest! {
    /// No annealed story beats a story concluded as optimal, or a bound.
    fn attacked(seed: u64, actions_max in 4..14_usize, is_far: bool, auto: bool) {
        let spec = if is_far {
far(seed, actions_max)
} else {
Some(generate::domain(seed))
};
        let Some(problem) = spec.map(|spec| Problem::new(&spec).expect("good")) else {
            return Ok(());
        };
        let params = params_of(if auto { Way::Auto } else { Way::Optimal }, Caps::default());
        let found = search(&problem, &params, 20_000);
        BEATEN.count(&found);
        let Some((plan, claimed)) = found.offers.last() else {
            let any = attack(&problem, &Plan::default(), STEPS, seed);
            prop_assert!(found.conclusion != Conclusion::Infeasible || any.score() <= 0.0);
            return Ok(());
        };
        let best = attack(&problem, plan, STEPS, seed);
        if found.conclusion == Conclusion::Optimal {
            prop_assert_eq!(best, *claimed, "a better story");
        }
        prop_assert!(found.bound() <= Some(best), "{:?} {:?}", found.bound(), best);
    }
}

#[test]
fn no_claimed_optimum_is_beaten() {
    attacked();
    let (proved, searched) = BEATEN.shares();
    assert!(proved > 0.5 && searched > 0.2, "{proved} {searched}");
}

/// The attack finds better stories where there are some: it beats what a search of few iterations
/// comes to.
#[test]
fn the_attack_is_one() {
    let beaten = (0..60_u64).filter(|seed| {
        let Some(spec) = far(*seed, 6) else {
            return false;
        };
        let problem = Problem::new(&spec).expect("good");
        let best = search(&problem, &params_of(Way::Optimal, Caps::default()), 20_000);
        let best = best.cost().unwrap_or(Cost::of_score(0.0));
        let start = verify(&problem, &Plan::default());
        start.is_ok_and(|start| {
            start > best && attack(&problem, &Plan::default(), STEPS, *seed) == best
        })
    });
    let beaten = beaten.count();
    assert!(beaten > 20, "{beaten} optima found");
}
