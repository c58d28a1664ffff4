//! Networks small enough to enumerate all runs, in single microseconds. Some are inconsistent.

use super::{Luck, valid};
use crate::problem::{Contingent, Link, Micros, Network, Owner, Spec};

/// Bounds between events, either way.
const BOUND_MAX_US: Micros = 4;
/// Latest horizon.
const HORIZON_MAX_US: Micros = 6;

/// The tiny network number `seed` with teammates: one to three events of either side, at most 6 us.
///
/// # Examples
/// ```
/// assert!(temporal::generate::tiny(3).nodes() <= 7);
/// ```
#[must_use]
pub fn tiny(seed: u64) -> Network {
    let mut luck = Luck::new(seed);
    let mut owners = vec![Owner::Controllable, Owner::Uncontrollable];
    for _ in 0..luck.index(5) {
        let count = |owner| owners.iter().filter(|one| **one == owner).count();
        let (ours, theirs) = (count(Owner::Controllable), count(Owner::Uncontrollable));
        let more = ours < 3 && (theirs == 3 || luck.chance(50));
        let at = luck.index(owners.len() + 1);
        let owner = if more {
            Owner::Controllable
        } else {
            Owner::Uncontrollable
        };
        owners.insert(at, owner);
    }
    let links = links(owners.len(), &mut luck);
    valid(Spec {
        owners,
        links,
        contingent: Vec::new(),
        horizon_us: Some(luck.pick(1, HORIZON_MAX_US)),
    })
}

/// The tiny network number `seed` with one to three uncertain durations, chained or not.
///
/// # Examples
/// ```
/// assert!(!temporal::generate::tiny_uncertain(3).contingent().is_empty());
/// ```
#[must_use]
pub fn tiny_uncertain(seed: u64) -> Network {
    let mut luck = Luck::new(seed);
    let mut owners = vec![Owner::Controllable; 1 + luck.index(3)];
    let mut contingent = Vec::new();
    for _ in 0..=luck.index(3) {
        let lower_us = luck.pick(0, 2);
        contingent.push(Contingent {
            from: luck.index(owners.len() + 1),
            to: owners.len() + 1,
            lower_us,
            upper_us: lower_us + luck.pick(0, 2),
        });
        owners.push(Owner::Nature);
    }
    let links = links(owners.len(), &mut luck);
    let horizon_us = luck.chance(70).then(|| luck.pick(3, 3 * HORIZON_MAX_US));
    valid(Spec {
        owners,
        links,
        contingent,
        horizon_us,
    })
}

/// About as many links as events, between any nodes.
fn links(events: usize, luck: &mut Luck) -> Vec<Link> {
    let count = events - 1 + luck.index(2);
    let mut links = Vec::new();
    while links.len() < count {
        let (from, to) = (luck.index(events + 1), luck.index(events + 1));
        if from == to {
            continue;
        }
        let (one, other) = if luck.chance(40) {
            (luck.pick(-BOUND_MAX_US, 0), luck.pick(0, BOUND_MAX_US))
        } else {
            (luck.pick(0, BOUND_MAX_US), luck.pick(0, BOUND_MAX_US))
        };
        links.push(Link {
            from,
            to,
            lower_us: Some(one.min(other)),
            upper_us: Some(one.max(other)).filter(|_| luck.chance(80)),
        });
    }
    links
}
