//! Networks small enough to enumerate all runs, in single microseconds. Some are inconsistent.

use super::{Random, valid};
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
    let mut random = Random::new(seed);
    let mut owners = vec![Owner::Controllable, Owner::Uncontrollable];
    for _ in 0..random.index(5) {
        let count = |owner| owners.iter().filter(|one| **one == owner).count();
        let (ours, theirs) = (count(Owner::Controllable), count(Owner::Uncontrollable));
        let more = ours < 3 && (theirs == 3 || random.chance(50));
        let at = random.index(owners.len() + 1);
        let owner = if more {
            Owner::Controllable
        } else {
            Owner::Uncontrollable
        };
        owners.insert(at, owner);
    }
    let links = links(owners.len(), &mut random);
    valid(Spec {
        owners,
        links,
        contingent: Vec::new(),
        horizon_us: Some(random.pick(1, HORIZON_MAX_US)),
        progress: None,
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
    let mut random = Random::new(seed);
    let mut owners = vec![Owner::Controllable; 1 + random.index(3)];
    let mut contingent = Vec::new();
    for _ in 0..=random.index(3) {
        let lower_us = random.pick(0, 2);
        contingent.push(Contingent {
            from: random.index(owners.len() + 1),
            to: owners.len() + 1,
            lower_us,
            upper_us: lower_us + random.pick(0, 2),
        });
        owners.push(Owner::Nature);
    }
    let links = links(owners.len(), &mut random);
    let horizon_us = random
        .chance(70)
        .then(|| random.pick(3, 3 * HORIZON_MAX_US));
    valid(Spec {
        owners,
        links,
        contingent,
        horizon_us,
        progress: None,
    })
}

/// About as many links as events, between any nodes.
fn links(events: usize, random: &mut Random) -> Vec<Link> {
    let count = events - 1 + random.index(2);
    let mut links = Vec::new();
    while links.len() < count {
        let (from, to) = (random.index(events + 1), random.index(events + 1));
        if from == to {
            continue;
        }
        let (one, other) = if random.chance(40) {
            (random.pick(-BOUND_MAX_US, 0), random.pick(0, BOUND_MAX_US))
        } else {
            (random.pick(0, BOUND_MAX_US), random.pick(0, BOUND_MAX_US))
        };
        links.push(Link {
            from,
            to,
            lower_us: Some(one.min(other)),
            upper_us: Some(one.max(other)).filter(|_| random.chance(80)),
        });
    }
    links
}
