//! Verdicts against brute force.

use super::reduce::{Duty, Reduction, Side};
use super::search::{Pace, search};
use super::strong::{Decided, decide};
use crate::problem::{Link, Micros, Network, Owner, Spec};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

mod oracle;

/// Goes on for so many ticks.
struct Ticks(u64);

impl Pace for Ticks {
    fn tick(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }

    fn go_on(&mut self) -> bool {
        true
    }
}

/// A random network of `events` events on a grid of `horizon` microseconds.
fn network(seed: u64, events: usize, horizon: Micros) -> Network {
    let mut luck = Xoshiro256PlusPlus::seed_from_u64(seed);
    let owner = |luck: &mut Xoshiro256PlusPlus| match luck.random_bool(0.5) {
        true => Owner::Controllable,
        false => Owner::Uncontrollable,
    };
    let owners: Vec<Owner> = (0..events).map(|_| owner(&mut luck)).collect();
    // Links around a hidden schedule, so that most networks are consistent.
    let hidden: Vec<Micros> = (0..=events)
        .map(|node| {
            if node == 0 {
                0
            } else {
                luck.random_range(0..=horizon)
            }
        })
        .collect();
    let mut links = Vec::new();
    for _ in 0..2 * events {
        let (from, to) = (luck.random_range(0..=events), luck.random_range(1..=events));
        if from == to {
            continue;
        }
        let difference = hidden[to] - hidden[from];
        links.push(Link {
            from,
            to,
            lower_us: Some(difference - luck.random_range(0..=horizon / 2)),
            upper_us: Some(difference + luck.random_range(0..=horizon / 2)),
        });
    }
    Network::new(Spec {
        owners,
        links,
        contingent: Vec::new(),
        horizon_us: Some(horizon),
    })
    .unwrap()
}

/// Whether some integer times in the box of the closure are accepted.
fn brute_force(reduction: &Reduction<'_>) -> bool {
    fn extend(reduction: &Reduction<'_>, times: &mut Vec<Micros>) -> bool {
        let system = &reduction.system;
        let slot = times.len();
        if slot == system.size {
            return oracle::accepts(reduction, times);
        }
        (-system.bound(slot, 0)..=system.bound(0, slot)).any(|time| {
            times.push(time);
            let found = extend(reduction, times);
            times.pop();
            found
        })
    }
    extend(reduction, &mut vec![0])
}

proptest! {
    #[test]
    fn verdicts_are_those_of_brute_force(seed: u64, events in 1_usize..7, horizon in 1_i64..6) {
        let network = network(seed, events, horizon);
        let Ok(reduction) = Reduction::new(&network) else { return Ok(()) };
        let expected = brute_force(&reduction);
        match decide(&reduction.system, &mut Ticks(100_000)) {
            Decided::Holds(times) => {
                prop_assert!(expected);
                prop_assert!(oracle::accepts(&reduction, &times));
            }
            Decided::Fails => prop_assert!(!expected),
            Decided::Open(_) => prop_assert!(false, "undecided"),
        }
    }

    #[test]
    fn search_alone_and_with_fixed_points_agree(seed: u64, events in 1_usize..30, horizon in 1_i64..40) {
        let network = network(seed, events, horizon);
        let Ok(reduction) = Reduction::new(&network) else { return Ok(()) };
        let alone = search(&reduction.system, None, &mut Ticks(100_000));
        let both = decide(&reduction.system, &mut Ticks(100_000));
        let alone = match alone {
            super::search::Found::Solution(times) => {
                prop_assert!(oracle::accepts(&reduction, &times));
                true
            }
            super::search::Found::Nothing => false,
            super::search::Found::Stopped => return Err(TestCaseError::fail("undecided")),
        };
        prop_assert_eq!(alone, matches!(both, Decided::Holds(_)));
    }

    #[test]
    fn precedence_is_a_partial_order(seed: u64, events in 1_usize..12, horizon in 0_i64..3) {
        let network = network(seed, events, horizon);
        let Ok(reduction) = Reduction::new(&network) else { return Ok(()) };
        let nodes = 0..network.nodes();
        for i in nodes.clone() {
            for j in nodes.clone().filter(|j| *j != i) {
                prop_assert!(!(reduction.precedes(i, j) && reduction.precedes(j, i)));
                for k in nodes.clone().filter(|k| *k != i && *k != j) {
                    let chain = reduction.precedes(i, j) && reduction.precedes(j, k);
                    prop_assert!(!chain || reduction.precedes(i, k));
                }
            }
        }
    }
}

#[test]
fn ends_of_ranges_come_from_the_first_of_equal_choices() {
    let duty = Duty {
        node: 1,
        side: Side::Late,
        choices: vec![(0, 7), (1, 5)],
        targets: vec![(1, 0)],
    };
    assert_eq!(duty.end(&[0, 2]), (7, 0));
    assert_eq!(duty.end(&[0, 1]), (6, 1));
}
