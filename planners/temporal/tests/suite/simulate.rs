//! What simulations must show.

use crate::game::Game;
use anytime::{CancelToken, Pulse, Stop};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use temporal::generate::{tiny, tiny_uncertain};
use temporal::plan::Model;
use temporal::problem::{Micros, Owner};
use temporal::simulate::{Runs, simulate, wilson};
use temporal::verify::strong;
use temporal::{Network, Schedule};

fn runs(model: Model, runs: u32) -> Runs {
    Runs {
        model,
        runs,
        seed: 5,
    }
}

fn scheduled(network: &Network, mut time: impl FnMut(usize) -> Micros) -> Schedule {
    let mut at = |node| match network.owner(node) {
        None => Some(0),
        Some(Owner::Controllable) => Some(time(node)),
        Some(_) => None,
    };
    Schedule {
        times_us: (0..network.nodes()).map(&mut at).collect(),
    }
}

/// How many of 60 random runs work out.
fn random(network: &Network, schedule: &Schedule) -> u32 {
    let runs = runs(Model::Random, 60);
    let found = simulate(network, schedule, &runs, &Pulse::unbounded()).expect("it is a schedule");
    assert_eq!(found.runs, 60);
    found.successes
}

#[test]
fn schedules_that_hold_always_work_and_most_others_fail_at_times() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut held, mut broken, mut seen) = (0, 0, 0);
    for seed in 0..600 {
        let network = tiny(seed);
        let Some(game) = Game::new(&network) else {
            continue;
        };
        for _ in 0..4 {
            let schedule = scheduled(&network, |node| {
                let (first, last) = game.window(node);
                rng.random_range(first..=last)
            });
            let successes = random(&network, &schedule);
            if game.is_won(&schedule.times_us) {
                let early = runs(Model::Early, 1);
                let early = simulate(&network, &schedule, &early, &Pulse::unbounded());
                assert_eq!(
                    (successes, early.unwrap().successes),
                    (60, 1),
                    "seed {seed}"
                );
                held += 1;
            } else {
                broken += 1;
                seen += u32::from(successes < 60);
            }
        }
    }
    // What breaks breaks in one of 60 runs, unless it is very unlikely.
    assert!(
        held > 300 && broken > 300 && seen * 100 > broken * 95,
        "{held} {broken} {seen}"
    );
}

#[test]
fn nature_is_simulated_too() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (mut held, mut broken, mut seen) = (0, 0, 0);
    for seed in 0..2_000 {
        let network = tiny_uncertain(seed);
        let schedule = scheduled(&network, |_| rng.random_range(0..6));
        let successes = random(&network, &schedule);
        if strong(&network, &schedule).is_ok() {
            assert_eq!(successes, 60, "seed {seed}");
            held += 1;
        } else {
            broken += 1;
            seen += u32::from(successes < 60);
        }
    }
    assert!(
        held > 50 && seen * 100 > broken * 95,
        "{held} {broken} {seen}"
    );
}

#[test]
fn a_simulation_is_its_seed_and_grows_by_runs() {
    let network = tiny(11);
    let schedule = scheduled(&network, |_| 1);
    let many = |count| {
        simulate(
            &network,
            &schedule,
            &runs(Model::Random, count),
            &Pulse::unbounded(),
        )
    };
    assert_eq!(many(40), many(40));
    let (few, all) = (many(20).unwrap(), many(40).unwrap());
    assert!(few.successes <= all.successes && all.successes <= few.successes + 20);
}

#[test]
fn a_simulation_stops_when_told_to() {
    let network = tiny(11);
    let schedule = scheduled(&network, |_| 1);
    let runs_until = |looks_max: u32| {
        let looks = AtomicU32::new(0);
        let stop = move || (looks.fetch_add(1, Relaxed) >= looks_max).then_some(Stop::Cancelled);
        let pulse = Pulse::new(None, CancelToken::observed(stop));
        let found = simulate(&network, &schedule, &runs(Model::Early, 1_000), &pulse);
        found.unwrap().runs
    };
    // The network is looked at first.
    assert_eq!(runs_until(1), 0);
    assert!((1..50).contains(&runs_until(50)));
    assert_eq!(runs_until(53), runs_until(50) + 3);
}

#[test]
fn what_is_no_schedule_is_not_simulated() {
    let network = tiny(11);
    let found = simulate(
        &network,
        &Schedule::default(),
        &runs(Model::Early, 1),
        &Pulse::unbounded(),
    );
    assert_eq!(found.unwrap_err()[0].code, "SHAPE");
}

#[test]
fn wilson_intervals_contain_the_rate_and_shrink() {
    for (successes, runs) in [(0, 10), (10, 10), (3, 10), (50, 100)] {
        let (lower, upper) = wilson(successes, runs);
        let rate = f64::from(successes) / f64::from(runs);
        assert!(0.0 <= lower && lower <= rate && rate <= upper && upper <= 1.0);
        let (closer, nearer) = wilson(successes * 10, runs * 10);
        assert!(nearer - closer < upper - lower);
    }
    // Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method
    // 3; the last row: Brown, Cai, DasGupta (2001).
    for (successes, runs, lower, upper) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 10, 0.0, 0.2775),
    ] {
        let (low, high) = wilson(successes, runs);
        let near = |one: f64, other: f64| (one - other).abs() < 5e-5;
        assert!(near(low, lower) && near(high, upper), "{low} {high}");
    }
    assert_eq!(wilson(0, 0), (0.0, 1.0));
    assert_eq!(wilson(9, 9).1, 1.0);
}
