//! Dynamic controllability: three algorithms, one game, and proofs that hold by themselves.

use crate::uncertain::game::we_win;
use crate::uncertain::networks::{large, meetings, small, tiny};
use crate::uncertain::rul;
use proptest::prelude::*;
use std::collections::BTreeSet;
use stn::uncertain::{Bound, Conflict, Contingent, Stnu, Verdict, dynamic};
use stn::{Edge, check};

pub(crate) fn yes() -> impl FnMut() -> bool {
    || true
}

/// The verdict of the independent checker.
fn is_controllable(network: &Stnu) -> bool {
    let mut all = check::Network {
        nodes: network.events(),
        ..check::Network::default()
    };
    for edge in network.requirements() {
        let (from, to) = (edge.from as usize, edge.to as usize);
        all.constrain(from, to, None, Some(edge.weight));
    }
    let durations = network.contingents().iter().enumerate();
    let durations = durations.map(|(contingent, link)| check::ContingentLink {
        contingent,
        link: stn::Contingent {
            from: link.from as usize,
            to: link.to as usize,
            lower_us: link.lower,
            upper_us: link.upper,
        },
    });
    all.contingents.extend(durations);
    check::controllable(&all, yes()).is_ok()
}

/// The network that has nothing but the links of `conflict`.
pub(crate) fn alone(network: &Stnu, conflict: &Conflict) -> Stnu {
    let mut requirements = BTreeSet::new();
    let mut contingents = BTreeSet::new();
    for term in &conflict.terms {
        match term.bound {
            Bound::Requirement(index) => requirements.insert(index),
            Bound::Lower(index) | Bound::Upper(index) => contingents.insert(index),
        };
    }
    let requirements = requirements
        .into_iter()
        .map(|index| network.requirements()[index]);
    let contingents = contingents
        .into_iter()
        .map(|index| network.contingents()[index]);
    Stnu::new(
        network.events(),
        requirements.collect(),
        contingents.collect(),
    )
    .unwrap()
}

#[test]
fn three_algorithms_agree_with_every_game_on_thousands_of_tiny_networks() {
    let mut won = 0;
    for seed in 0..6_000 {
        let network = tiny(seed);
        let expected = we_win(&network);
        won += usize::from(expected);
        let morris = dynamic(&network, &mut yes());
        assert_eq!(morris.holds(), expected, "seed {seed}: {network:?}");
        let others = (rul::is_controllable(&network), is_controllable(&network));
        assert_eq!(others, (expected, expected), "seed {seed}: {network:?}");
    }
    // Neither answer is rare, or the test would say little.
    assert!((1_500..4_500).contains(&won), "{won}");
}

#[test]
fn three_algorithms_agree_on_thousands_of_small_networks_and_conflicts_are_true() {
    let mut holding = 0;
    for seed in 0..6_000 {
        let network = if seed % 3 == 0 {
            meetings(seed)
        } else {
            small(seed)
        };
        let verdict = dynamic(&network, &mut yes());
        let others = (rul::is_controllable(&network), is_controllable(&network));
        let holds = verdict.holds();
        assert_eq!(others, (holds, holds), "seed {seed}: {network:?}");
        holding += usize::from(verdict.holds());
        if let Verdict::Fails(conflict) = verdict {
            check_conflict(&network, &conflict);
        }
    }
    assert!((1_200..4_800).contains(&holding), "{holding}");
}

fn check_conflict(network: &Stnu, conflict: &Conflict) {
    assert!(conflict.value < 0, "{conflict:?}");
    assert_eq!(
        conflict.sum(network),
        i128::from(conflict.value),
        "{conflict:?} {network:?}"
    );
    for term in &conflict.terms {
        let against_us = match term.bound {
            Bound::Requirement(_) | Bound::Lower(_) => term.coefficient > 0,
            Bound::Upper(_) => term.coefficient < 0,
        };
        assert!(against_us, "{conflict:?}");
    }
    let alone = alone(network, conflict);
    assert!(!rul::is_controllable(&alone), "{conflict:?} {network:?}");
}

proptest! {
    /// Wider requirements and narrower contingent links never hurt.
    #[test]
    fn relaxing_keeps_a_network_controllable(seed: u64, which: prop::sample::Index) {
        let network = small(seed);
        let mut requirements = network.requirements().to_vec();
        let mut contingents = network.contingents().to_vec();
        let index = which.index(requirements.len());
        requirements[index].weight += 3;
        let index = which.index(contingents.len());
        contingents[index].upper = contingents[index].lower.max(contingents[index].upper - 2);
        let relaxed = Stnu::new(network.events(), requirements, contingents).unwrap();
        if dynamic(&network, &mut yes()).holds() {
            prop_assert!(dynamic(&relaxed, &mut yes()).holds());
        }
    }

    /// A stop leads to no wrong answer.
    #[test]
    fn a_stop_is_no_answer_or_the_right_one(seed: u64) {
        let network = small(seed);
        let stopped = dynamic(&network, &mut || false);
        prop_assert!(stopped == Verdict::Stopped || stopped == dynamic(&network, &mut yes()));
    }
}

#[test]
fn a_stop_is_heard_immediately() {
    let network = large(7, 100, 50);
    let mut asked = 0;
    let verdict = dynamic(&network, &mut || {
        asked += 1;
        true
    });
    assert!(verdict.holds() && asked > 2, "asked {asked} times");
    let (limit, mut asked_again) = (asked / 2, 0);
    let verdict = dynamic(&network, &mut || {
        asked_again += 1;
        asked_again < limit
    });
    assert_eq!((verdict, asked_again), (Verdict::Stopped, limit));
}

#[test]
fn an_event_may_answer_at_the_very_instant() {
    // B no earlier than C and no later: B at C.
    let c = Contingent::new(0, 1, 1, 5, 0);
    let at_the_end = |slack| vec![Edge::new(1, 2, 0, 1), Edge::new(2, 1, slack, 2)];
    let network = Stnu::new(3, at_the_end(0), vec![c]).unwrap();
    assert!(dynamic(&network, &mut yes()).holds());
    // B before C, which is unknown until it happens.
    let network = Stnu::new(3, at_the_end(-1), vec![c]).unwrap();
    assert!(dynamic(&network, &mut yes()).fails());
}

#[test]
fn equal_bounds_leave_nothing_to_nature() {
    // B 1 us before C, which comes exactly 5 us after A.
    let c = Contingent::new(0, 1, 5, 5, 0);
    let before = vec![Edge::new(1, 2, -1, 1), Edge::new(2, 1, 1, 2)];
    let network = Stnu::new(3, before, vec![c]).unwrap();
    assert!(dynamic(&network, &mut yes()).holds());
    assert!(rul::is_controllable(&network));
}
