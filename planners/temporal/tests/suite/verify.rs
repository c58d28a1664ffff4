//! Verify against the game itself, played out in all ways.

use crate::game::Game;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use temporal::generate::{tiny, tiny_uncertain};
use temporal::problem::{Micros, Owner};
use temporal::verify::strong;
use temporal::{Network, Schedule};

/// Times of our nodes, 0 for the origin, drawn from their windows and one beyond.
fn drawn(network: &Network, game: &Game, rng: &mut Xoshiro256PlusPlus) -> Vec<Option<Micros>> {
    let time = |node| {
        let (first, last) = game.window(node);
        let beyond = i64::from(rng.random_range(0..20) == 0);
        rng.random_range(first - beyond..=last + beyond)
    };
    ours(network, time)
}

fn ours(network: &Network, mut time: impl FnMut(usize) -> Micros) -> Vec<Option<Micros>> {
    let mut at = |node| match network.owner(node) {
        None => Some(0),
        Some(Owner::Controllable) => Some(time(node)),
        Some(_) => None,
    };
    (0..network.nodes()).map(&mut at).collect()
}

#[test]
fn dynamic_ranges_agree_with_the_game_on_thousands_of_schedules() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut played, mut won, mut late) = (0, 0, 0);
    for seed in 0..4_000 {
        let network = tiny(seed);
        let Some(game) = Game::new(&network) else {
            let times_us = ours(&network, |_| 0);
            let broken = strong(&network, &Schedule { times_us }).unwrap_err();
            assert_eq!(broken[0].code, "INCONSISTENT", "seed {seed}");
            assert_eq!(broken.len(), 1);
            continue;
        };
        for _ in 0..8 {
            let times_us = drawn(&network, &game, &mut rng);
            let expected = game.is_won(&times_us);
            let found = strong(&network, &Schedule { times_us });
            assert_eq!(
                found.is_ok(),
                expected,
                "seed {seed}: {network:?} {found:?}"
            );
            played += 1;
            won += u32::from(expected);
            // Failures that only teammates cause.
            late += u32::from(
                found.is_err_and(|broken| !broken.iter().any(|fault| fault.code == "BOUND_BROKEN")),
            );
        }
    }
    assert!(
        played > 15_000 && won > 3_000 && late > 1_000,
        "{played} {won} {late}"
    );
}

#[test]
fn closed_form_agrees_with_all_durations() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (mut kept, mut broken) = (0, 0);
    for seed in 0..3_000 {
        let network = tiny_uncertain(seed);
        for _ in 0..6 {
            let times_us = ours(&network, |_| rng.random_range(0..8));
            let expected = all_durations(&network, &times_us);
            let found = strong(&network, &Schedule { times_us });
            assert_eq!(found.is_ok(), expected.is_some(), "seed {seed}: {found:?}");
            if let (Ok(ranges), Some(seen)) = (&found, &expected) {
                let ranges: Vec<_> = ranges
                    .iter()
                    .map(|range| (range.earliest_us, range.latest_us))
                    .collect();
                assert_eq!(ranges, *seen, "seed {seed}");
            }
            kept += u32::from(expected.is_some());
            broken += u32::from(expected.is_none());
        }
    }
    assert!(kept > 700 && broken > 7_000, "{kept} {broken}");
}

/// The earliest and latest time of each node over all durations, if every bound is kept in all.
fn all_durations(network: &Network, ours: &[Option<Micros>]) -> Option<Vec<(Micros, Micros)>> {
    let links = network.contingent();
    let mut seen = vec![(Micros::MAX, Micros::MIN); network.nodes()];
    let mut durations: Vec<_> = links.iter().map(|link| link.lower_us).collect();
    loop {
        let mut times = ours.to_vec();
        while times.contains(&None) {
            for (link, duration) in links.iter().zip(&durations) {
                times[link.to] = times[link.from].map(|start| start + duration);
            }
        }
        let at = |node: usize| times[node].expect("every chain starts at a node of ours");
        if network
            .bounds()
            .any(|b| at(b.to) - at(b.from) > b.weight_us)
        {
            return None;
        }
        for (node, (first, last)) in seen.iter_mut().enumerate() {
            *first = at(node).min(*first);
            *last = at(node).max(*last);
        }
        let Some(next) = (0..links.len()).find(|at| durations[*at] < links[*at].upper_us) else {
            return Some(seen);
        };
        durations[next] += 1;
        for (link, duration) in links.iter().zip(&mut durations).take(next) {
            *duration = link.lower_us;
        }
    }
}
