//! What holds in each world.

use super::{Churn, Fleet, Game, Loss, Spread, Storm, grow, lose, release};
use std::collections::BTreeMap;

const CORES: u64 = 8;
const WAYS: [Spread; 4] = [
    Spread::Ring(16),
    Spread::Ring(256),
    Spread::Bounded(256, 125),
    Spread::Owner,
];

fn world(spread: Spread, seed: u64) -> (Fleet, Churn) {
    let mut fleet = Fleet::new(spread, 30, CORES, seed);
    let churn = Churn::new(&mut fleet, 600, seed);
    (fleet, churn)
}

fn places(fleet: &Fleet) -> BTreeMap<u64, usize> {
    fleet.places().map(|it| (it.game.id, it.server)).collect()
}

/// All games are on living servers, and nothing is counted twice.
fn check(fleet: &Fleet) {
    assert_eq!(fleet.places().count(), 600);
    assert!(fleet.places().all(|it| fleet.is_up(it.server)));
    let of_games: u64 = fleet.places().map(|it| it.game.load).sum();
    let of_servers: f64 = fleet.utilisations().iter().sum::<f64>() * CORES as f64;
    assert!((of_games as f64 / 1e6 - fleet.cores()).abs() < 1e-9);
    assert!((of_servers - fleet.cores()).abs() < 1e-6);
}

#[test]
fn each_session_has_one_living_server_whatever_happens() {
    for (spread, seed) in WAYS.into_iter().flat_map(|it| (1..6).map(move |s| (it, s))) {
        let (mut fleet, mut churn) = world(spread, seed);
        check(&fleet);
        lose(&mut fleet, &[3], Loss::Killed, seed);
        check(&fleet);
        fleet.set_up(&[3]);
        release(&mut fleet, &mut churn, 4, seed);
        check(&fleet);
        grow(&mut fleet, 3, seed);
        check(&fleet);
        let zone: Vec<usize> = (0..33).step_by(3).collect();
        lose(&mut fleet, &zone, Loss::Silent, seed);
        check(&fleet);
    }
}

#[test]
fn only_sessions_of_lost_servers_move() {
    for (spread, seed) in WAYS.into_iter().flat_map(|it| (1..6).map(move |s| (it, s))) {
        let (mut fleet, _) = world(spread, seed);
        let before = places(&fleet);
        let storm = lose(&mut fleet, &[4, 9], Loss::Silent, seed);
        let after = places(&fleet);
        let moved = before.iter().filter(|(id, server)| after[*id] != **server);
        let moved: Vec<&usize> = moved.map(|(_, server)| server).collect();
        assert!(moved.iter().all(|server| [4, 9].contains(*server)));
        assert_eq!(moved.len(), storm.moved);
        assert!(storm.moved > 5, "{spread:?}: {}", storm.moved);
    }
}

#[test]
fn a_ring_is_as_before_when_lost_servers_are_back() {
    let (mut fleet, _) = world(Spread::Ring(16), 7);
    let before = places(&fleet);
    fleet.set_down(&[1, 2, 3]);
    assert_ne!(places(&fleet), before);
    fleet.set_up(&[1, 2, 3]);
    assert_eq!(places(&fleet), before);
}

#[test]
fn servers_that_come_get_their_share_and_others_keep_the_rest() {
    for spread in &WAYS[..3] {
        let (mut fleet, _) = world(*spread, 8);
        let before = places(&fleet);
        let moved = grow(&mut fleet, 10, 8).moved;
        assert!((90..=210).contains(&moved), "{spread:?}: {moved}");
        let after = places(&fleet);
        assert!(
            before
                .iter()
                .all(|(id, at)| after[id] == *at || after[id] >= 30)
        );
    }
    let (mut fleet, _) = world(Spread::Owner, 8);
    assert_eq!(grow(&mut fleet, 10, 8), Storm::default());
}

#[test]
fn bounds_hold_up_to_one_game() {
    let (fleet, _) = world(Spread::Bounded(16, 125), 9);
    let largest = fleet.places().map(|it| it.game.load).max().unwrap();
    let loads = fleet.utilisations();
    let mean = loads.iter().sum::<f64>() / loads.len() as f64;
    let bound = 1.25 * mean + largest as f64 / 1e6 / CORES as f64;
    assert!(loads.iter().all(|load| *load <= bound));
    let (free, _) = world(Spread::Ring(16), 9);
    assert!(free.utilisations().iter().any(|load| *load > bound));
}

#[test]
fn the_same_seed_gives_the_same_storm_and_others_do_not() {
    let storm = |seed| {
        let (mut fleet, mut churn) = world(Spread::Ring(16), seed);
        release(&mut fleet, &mut churn, 3, seed)
    };
    assert_eq!(storm(1), storm(1));
    assert_ne!(storm(1), storm(2));
    let [one, two] = [1, 2].map(|seed| places(&world(Spread::Ring(16), seed).0));
    assert_ne!(one, two);
}

#[test]
fn a_core_creates_one_session_at_a_time() {
    let mut fleet = Fleet::new(Spread::Owner, 2, 1, 12);
    for id in 0..20 {
        fleet.begin(Game::of_size(id, 25.0));
    }
    let storm = lose(&mut fleet, &[0], Loss::Drained, 12);
    assert_eq!([storm.moved, storm.creations], [10, 10]);
    // Ten searches of 100 ms, the first within a period of 33 ms.
    assert!((1.0..1.034).contains(&storm.seconds), "{storm:?}");
}

#[test]
fn silent_servers_cost_the_time_until_they_are_noticed() {
    let seconds = [Loss::Drained, Loss::Killed, Loss::Silent].map(|loss| {
        let (mut fleet, _) = world(Spread::Owner, 10);
        let storm = lose(&mut fleet, &[5], loss, 10);
        assert!(storm.late >= storm.moved as u64);
        storm.seconds
    });
    assert!(seconds[0] < seconds[1] && seconds[1] < 1.5 && seconds[2] > 2.6);
}

#[test]
fn games_have_the_cost_that_was_measured_and_a_heavy_tail() {
    // Two units of time for each of updates: searches have as much.
    assert_eq!(Game::of_size(1, 20.0).load, 64_200);
    assert_eq!(Game::of_size(1, 100.0).load, 205_800);
    let (fleet, _) = world(Spread::Owner, 11);
    let mut sizes: Vec<f64> = fleet.places().map(|it| it.game.agents).collect();
    sizes.sort_by(f64::total_cmp);
    let mean = sizes.iter().sum::<f64>() / 600.0;
    assert!(
        (85.0..115.0).contains(&mean) && sizes[300] < 0.75 * mean,
        "{mean}"
    );
    assert!(sizes[0] >= 25.0 && sizes[599] <= 400.0 && sizes[599] > 300.0);
}
