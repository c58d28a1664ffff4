//! The dispatcher, against requirements and against a dispatcher that closes the network first.

use crate::uncertain::closed;
use crate::uncertain::networks::{Random, large, meetings, small, tiny};
use stn::Edge;
use stn::dispatch::{Dispatcher, Observation};
use stn::uncertain::{Stnu, Strategy, strategy};

/// The network with event 0 as its origin: nothing before it.
fn from_origin(network: &Stnu) -> Stnu {
    let mut edges = network.requirements().to_vec();
    let events = 1..network.events() as u32;
    edges.extend(events.map(|event| Edge::new(event, 0, 0, 0)));
    Stnu::new(network.events(), edges, network.contingents().to_vec()).unwrap()
}

/// Times of all events, if each is seen when it happens.
fn play(network: &Stnu, strategy: &Strategy, durations: &[i64]) -> Vec<i64> {
    let mut run = Dispatcher::new(&strategy.into()).unwrap();
    let mut now = 0;
    let mut observed = Vec::new();
    loop {
        let decision = run.step(now, &observed);
        let decision = decision.unwrap_or_else(|error| panic!("{error} at {now}: {network:?}"));
        if run.is_over() {
            return run.times().iter().map(|time| time.unwrap()).collect();
        }
        let links = network.contingents().iter().zip(durations);
        let ends = links.filter_map(|(link, duration)| {
            let at = run.times()[link.from as usize]? + duration;
            let event = link.to;
            run.times()[event as usize]
                .is_none()
                .then_some(Observation { event, at })
        });
        let ends: Vec<Observation> = ends.collect();
        let first = ends.iter().map(|end| end.at);
        now = first.chain(decision.wake).min().unwrap();
        observed = ends.into_iter().filter(|end| end.at == now).collect();
    }
}

fn draw(network: &Stnu, random: &mut Random) -> Vec<i64> {
    let links = network.contingents().iter();
    let draw = links.map(|link| match random.pick(0, 2) {
        0 => link.lower,
        1 => link.upper,
        _ => random.pick(link.lower, link.upper),
    });
    draw.collect()
}

fn satisfies(network: &Stnu, times: &[i64]) -> bool {
    let edges = network.requirements().iter();
    edges
        .copied()
        .all(|edge| times[edge.to as usize] - times[edge.from as usize] <= edge.weight)
}

/// The number of checked runs: none, where the network is not controllable.
fn check(network: &Stnu, random: &mut Random, judged: bool) -> usize {
    let network = from_origin(network);
    let Some(whole) = strategy(&network, &mut || true).witness() else {
        return 0;
    };
    let reduced = whole.reduced(&mut || true).unwrap();
    for _ in 0..4 {
        let durations = draw(&network, random);
        let times = play(&network, &whole, &durations);
        assert!(satisfies(&network, &times), "{times:?} {network:?}");
        assert_eq!(play(&network, &reduced, &durations), times, "{network:?}");
        if judged {
            let last = times.iter().max().unwrap();
            let closed = closed::play(&network, &whole, &durations, *last);
            assert_eq!(closed, Some(times), "{durations:?} {network:?}");
        }
    }
    4
}

#[test]
fn runs_of_small_networks_are_those_of_closed_networks() {
    let random = &mut Random(4);
    let mut runs = 0;
    for seed in 0..1_000 {
        runs += check(&small(seed), random, true);
        runs += check(&meetings(seed), random, true);
        runs += check(&tiny(seed), random, true);
    }
    assert!(runs > 4 * 256, "{runs}");
}

#[test]
fn runs_of_large_networks_satisfy_all_requirements() {
    let random = &mut Random(5);
    let runs: usize = (0..20)
        .map(|seed| check(&large(seed, 100, 40), random, false))
        .sum();
    assert!(runs > 4 * 5, "{runs}");
}
