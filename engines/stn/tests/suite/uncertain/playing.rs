//! A strategy in the hands of a reckless executive, against every kind of Nature.

use crate::uncertain::executor::{Executor, Move};
use crate::uncertain::networks::{Random, large, meetings, small, tiny};
use stn::Edge;
use stn::uncertain::{Contingent, Stnu, Strategy, Verdict, dynamic, strategy};

fn strategy_of(network: &Stnu) -> Option<Strategy> {
    strategy(network, &mut || true).witness()
}

/// Which of our moves is made, and when.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Eager,
    Lazy,
    Moody,
}

const MANNERS: [Manner; 3] = [Manner::Eager, Manner::Lazy, Manner::Moody];

/// Plays to the end and returns the time of every event. Nature's durations are given.
fn play(
    network: &Stnu,
    strategy: &Strategy,
    durations: &[i64],
    manner: Manner,
    random: &mut Random,
) -> Vec<i64> {
    let mut run = Executor::new(strategy);
    while !run.is_finished() {
        let links = network.contingents().iter().zip(durations);
        let next = links.filter_map(|(link, duration)| {
            let start = run.happened()[link.from as usize]?;
            run.happened()[link.to as usize]
                .is_none()
                .then_some((start + duration, link.to))
        });
        let next = next.min();
        let moves = run.moves();
        let ours = choose(&moves, manner, random);
        match (ours, next) {
            // Now and then we are quicker at the same instant.
            (Some((at, event)), Some((then, _)))
                if at < then || at == then && random.pick(0, 3) == 0 =>
            {
                assert!(run.execute(event, at));
            }
            (_, Some((at, event))) => {
                let expected = run.expected();
                let expected = expected
                    .iter()
                    .find(|expected| expected.event == event)
                    .unwrap();
                assert!((expected.from..=expected.to).contains(&at));
                assert!(run.observe(event, at));
            }
            (Some((at, event)), None) => assert!(run.execute(event, at)),
            (None, None) => panic!("stuck: {run:?} {network:?}"),
        }
    }
    run.happened().iter().map(|at| at.unwrap()).collect()
}

fn choose(moves: &[Move], manner: Manner, random: &mut Random) -> Option<(i64, u32)> {
    let possible = moves.iter().filter(|m| m.to.is_none_or(|to| m.from <= to));
    let latest = |m: &Move| m.to.unwrap_or(m.from + 5);
    match manner {
        Manner::Eager => possible.map(|m| (m.from, m.event)).min(),
        Manner::Lazy => possible.map(|m| (latest(m), m.event)).max(),
        Manner::Moody => {
            let possible: Vec<&Move> = possible.collect();
            let last = possible.len().checked_sub(1)?;
            let m = possible[random.pick(0, last as i64) as usize];
            Some((random.pick(m.from, latest(m)), m.event))
        }
    }
}

fn check(network: &Stnu, times: &[i64]) {
    for edge in network.requirements() {
        let difference = times[edge.to as usize] - times[edge.from as usize];
        assert!(
            difference <= edge.weight,
            "{edge:?} of {network:?} at {times:?}"
        );
    }
}

/// All shortest, all longest, random extremes, random durations.
fn natures(network: &Stnu, random: &mut Random) -> Vec<Vec<i64>> {
    let links = network.contingents();
    let mut natures: Vec<Vec<i64>> = vec![
        links.iter().map(|link| link.lower).collect(),
        links.iter().map(|link| link.upper).collect(),
    ];
    for _ in 0..4 {
        let extreme = |link: &Contingent, early| if early == 0 { link.lower } else { link.upper };
        natures.push(
            links
                .iter()
                .map(|link| extreme(link, random.pick(0, 1)))
                .collect(),
        );
        natures.push(
            links
                .iter()
                .map(|link| random.pick(link.lower, link.upper))
                .collect(),
        );
    }
    natures
}

fn play_all(network: &Stnu, random: &mut Random) -> bool {
    let Some(strategy) = strategy_of(network) else {
        return false;
    };
    let reduced = strategy.reduced(&mut || true).unwrap();
    for durations in natures(network, random) {
        for manner in MANNERS {
            for strategy in [&strategy, &reduced] {
                let times = play(network, strategy, &durations, manner, random);
                check(network, &times);
            }
        }
    }
    true
}

#[test]
fn no_nature_beats_the_strategy_of_a_small_network() {
    let random = &mut Random(1);
    let mut played = 0;
    for seed in 0..3_000 {
        let network = if seed % 2 == 0 {
            small(seed)
        } else {
            meetings(seed)
        };
        played += usize::from(play_all(&network, random));
    }
    assert!(played > 256, "{played}");
}

#[test]
fn no_nature_beats_the_strategy_of_a_large_network() {
    let random = &mut Random(2);
    let played = (0..30)
        .filter(|seed| play_all(&large(*seed, 60, 25), random))
        .count();
    assert!(played > 8, "{played}");
}

#[test]
fn a_reduced_strategy_is_much_smaller_and_a_part_of_the_whole() {
    let network = large(1, 100, 40);
    let whole = strategy_of(&network).unwrap();
    let reduced = whole.reduced(&mut || true).unwrap();
    let (bounds, waits) = (reduced.bounds(), reduced.waits());
    assert!(
        bounds.len() * 3 < whole.bounds().len(),
        "{} bounds",
        bounds.len()
    );
    assert!(
        waits.len() * 2 < whole.waits().len(),
        "{} waits",
        waits.len()
    );
    assert!(bounds.iter().all(|bound| whole.bounds().contains(bound)));
    assert!(waits.iter().all(|wait| whole.waits().contains(wait)));
    assert_eq!(whole.reduced(&mut || false), None);
}

#[test]
fn no_choice_of_durations_at_all_beats_the_strategy_of_a_tiny_network() {
    let random = &mut Random(3);
    let mut played = 0;
    for seed in 0..4_000 {
        let network = tiny(seed);
        let Some(strategy) = strategy_of(&network) else {
            continue;
        };
        let reduced = strategy.reduced(&mut || true).unwrap();
        let mut all: Vec<Vec<i64>> = vec![vec![]];
        for link in network.contingents() {
            let longer =
                |some: Vec<i64>| (link.lower..=link.upper).map(move |d| [&some[..], &[d]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        for durations in all {
            for manner in MANNERS {
                for strategy in [&strategy, &reduced] {
                    let times = play(&network, strategy, &durations, manner, random);
                    check(&network, &times);
                    played += 1;
                }
            }
        }
    }
    assert!(played > 20_000, "{played}");
}

#[test]
fn a_strategy_exists_exactly_for_controllable_networks() {
    for seed in 0..1_000 {
        let network = small(seed);
        match (
            strategy(&network, &mut || true),
            dynamic(&network, &mut || true),
        ) {
            (Verdict::Holds(_), Verdict::Holds(())) => {}
            (Verdict::Fails(one), Verdict::Fails(other)) => assert_eq!(one, other),
            (one, other) => panic!("{one:?} and {other:?}"),
        }
    }
}

/// B at most 1 before C, and never after it; C 3 to 5 after A.
fn tea() -> Stnu {
    let draws = Contingent::new(0, 1, 3, 5, 1);
    let out = vec![Edge::new(2, 1, 1, 2), Edge::new(1, 2, 0, 3)];
    Stnu::new(3, out, vec![draws]).unwrap()
}

#[test]
fn a_wait_lasts_until_its_time_or_its_event() {
    let network = tea();
    let strategy = strategy_of(&network).unwrap();
    let wait = strategy.waits()[0];
    assert_eq!((wait.event, wait.link, wait.least), (2, 0, 4));
    let mut run = Executor::new(&strategy);
    assert!(!run.execute(2, 0), "event 0 comes first");
    assert!(run.execute(0, 10));
    let m = run.moves().remove(0);
    assert_eq!((m.event, m.from, m.waits_for), (2, 14, vec![1]));
    assert!(!run.execute(2, 13));
    let mut early = run.clone();
    assert!(early.observe(1, 13));
    assert_eq!(early.deadline(), Some((2, 13)));
    assert!(early.execute(2, 13));
    assert!(run.execute(2, 14));
    assert!(run.observe(1, 15));
    assert!(run.is_finished() && early.is_finished());
}

#[test]
fn a_wait_that_a_bound_outlasts_waits_for_nothing() {
    let c = Contingent::new(0, 1, 3, 5, 1);
    let next = |least: i64| {
        let late = Edge::new(2, 1, 1, 2);
        let after = Edge::new(2, 0, -least, 3);
        let network = Stnu::new(3, vec![late, after], vec![c]).unwrap();
        let strategy = strategy_of(&network).unwrap();
        let mut run = Executor::new(&strategy);
        assert!(run.execute(0, 0));
        let next = run.moves().remove(0);
        (next.from, next.waits_for)
    };
    assert_eq!(next(3), (4, vec![1]));
    assert_eq!(next(4), (4, vec![]));
    assert_eq!(next(6), (6, vec![]));
}

#[test]
fn a_wait_outlives_a_shorter_one_of_an_event_before() {
    // B at most 5 before C, X at most 1 before it and at least 1 after B; C up to 10 after A.
    let c = Contingent::new(0, 1, 1, 10, 0);
    let edge = |from, to, weight| Edge::new(from, to, weight, 1);
    let network = |after_b: i64| {
        let requirements = vec![edge(2, 1, 5), edge(3, 1, 1), edge(3, 2, -after_b)];
        let network = Stnu::new(4, requirements, vec![c]).unwrap();
        strategy_of(&network)
            .unwrap()
            .reduced(&mut || true)
            .unwrap()
    };
    let waits = |after_b| {
        let reduced = network(after_b);
        let waits = reduced.waits().iter().map(|wait| (wait.event, wait.least));
        waits.collect::<Vec<_>>()
    };
    assert_eq!(waits(3), [(2, 5), (3, 9)]);
    assert_eq!(waits(4), [(2, 5)]);
}
