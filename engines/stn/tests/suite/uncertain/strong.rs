//! Fixed schedules: the witness holds in every corner, the proof in none.

use crate::uncertain::dynamic::alone;
use crate::uncertain::networks::{chained, has_schedule, small};
use proptest::prelude::*;
use stn::uncertain::{Bound, Conflict, Stnu, Verdict, consistent, dynamic, strong};

/// When everything happens if contingent link `i` takes its longest time where `late(i)`, else its
/// shortest; our own events keep `times`.
fn outcome(network: &Stnu, times: &[i64], late: impl Fn(usize) -> bool) -> Vec<i64> {
    let mut outcome = times.to_vec();
    // Chains are shorter than this.
    for _ in 0..network.contingents().len() {
        for (index, link) in network.contingents().iter().enumerate() {
            let duration = if late(index) { link.upper } else { link.lower };
            outcome[link.to as usize] = outcome[link.from as usize] + duration;
        }
    }
    outcome
}

fn satisfies(network: &Stnu, times: &[i64]) -> bool {
    let requirements = network.requirements().iter();
    requirements
        .into_iter()
        .all(|e| times[e.to as usize] - times[e.from as usize] <= e.weight)
}

fn corners(network: &Stnu) -> u32 {
    1 << network.contingents().len()
}

fn signs(conflict: &Conflict, lower: i64) -> bool {
    conflict.terms.iter().all(|term| match term.bound {
        Bound::Requirement(_) => term.coefficient > 0,
        Bound::Lower(_) => term.coefficient * lower > 0,
        Bound::Upper(_) => term.coefficient * lower < 0,
    })
}

/// The event of ours that contingent links lead back to.
fn root(network: &Stnu, mut event: usize) -> usize {
    while let Some(link) = network.ending_at(event) {
        event = network.contingents()[link].from as usize;
    }
    event
}

/// On our own events: whether one schedule keeps all requirements in all
/// corners.
fn one_schedule_for_all_corners(network: &Stnu) -> bool {
    const FAR: i64 = i64::MAX / 4;
    let events = network.events();
    let mut distance = vec![vec![FAR; events]; events];
    for corner in 0..corners(network) {
        // How long after its root each event is.
        let after = outcome(network, &vec![0; events], |index| {
            corner & (1 << index) != 0
        });
        for edge in network.requirements() {
            let (from, to) = (edge.from as usize, edge.to as usize);
            let cell = &mut distance[root(network, from)][root(network, to)];
            *cell = (*cell).min(edge.weight + after[from] - after[to]);
        }
    }
    has_schedule(distance)
}

#[test]
fn strong_controllability_is_one_schedule_for_all_corners() {
    let mut holding = 0;
    for seed in 0..2_000 {
        let network = if seed % 2 == 0 {
            small(seed)
        } else {
            chained(seed)
        };
        let expected = one_schedule_for_all_corners(&network);
        assert_eq!(
            strong(&network).holds(),
            expected,
            "seed {seed}: {network:?}"
        );
        holding += i32::from(expected);
    }
    assert!((200..1_800).contains(&holding), "{holding}");
}

proptest! {
    /// A strong schedule survives every corner and so, requirements being convex, everything. Its
    /// refutation adds up and needs its own links only.
    #[test]
    fn strong_schedules_survive_every_corner(seed: u64) {
        let network = small(seed);
        match strong(&network) {
            Verdict::Holds(times) => {
                prop_assert!(times.iter().all(|time| *time >= 0));
                prop_assert_eq!(&outcome(&network, &times, |_| false), &times);
                for corner in 0..corners(&network) {
                    let times = outcome(&network, &times, |index| corner & (1 << index) != 0);
                    prop_assert!(satisfies(&network, &times), "corner {corner:b}");
                }
                prop_assert!(dynamic(&network, &mut || true).holds(), "strong implies dynamic");
            }
            Verdict::Fails(conflict) => {
                prop_assert!(conflict.value < 0 && signs(&conflict, 1), "{conflict:?}");
                prop_assert_eq!(conflict.sum(&network), i128::from(conflict.value));
                prop_assert!(strong(&alone(&network, &conflict)).fails());
            }
            Verdict::Stopped => prop_assert!(false, "nothing stopped it"),
        }
    }

    /// Dynamic implies consistent; times keep all links, refutations add up.
    #[test]
    fn consistency_is_the_weakest_claim(seed: u64) {
        let network = small(seed);
        match consistent(&network) {
            Verdict::Holds(times) => {
                prop_assert!(satisfies(&network, &times));
                for link in network.contingents() {
                    let lasted = times[link.to as usize] - times[link.from as usize];
                    prop_assert!((link.lower..=link.upper).contains(&lasted));
                }
            }
            Verdict::Fails(conflict) => {
                prop_assert!(conflict.value < 0 && signs(&conflict, -1), "{conflict:?}");
                prop_assert_eq!(conflict.sum(&network), i128::from(conflict.value));
                prop_assert!(dynamic(&network, &mut || true).fails());
            }
            Verdict::Stopped => prop_assert!(false, "nothing stopped it"),
        }
    }
}
