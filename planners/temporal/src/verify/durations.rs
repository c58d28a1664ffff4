//! Scenarios: networks in which Nature has picked the durations.

use super::shape;
use crate::problem::{Contingent, Micros, Network};
use anytime::{Fault, Path, element, fault, time};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Choices of durations that are tried where all should work, besides the shortest and the longest.
const TRIALS: u64 = 2;

/// The network when Nature takes these durations.
pub(super) fn with_durations(network: &Network, durations_us: &[Micros]) -> Result<Network, Fault> {
    let conflict = Path::root("conflict");
    let at = conflict.field("durations");
    let (given, expected) = (durations_us.len(), network.contingent().len());
    if given != expected {
        return Err(shape(&at, given, expected));
    }
    let mut spec = network.spec().clone();
    for (contingent, link) in spec.contingent.iter_mut().enumerate() {
        let duration_us = durations_us[contingent];
        if !(link.lower_us..=link.upper_us).contains(&duration_us) {
            return Err(fault!(
                "DURATION_WRONG",
                at.index(contingent),
                "is {}, which {} cannot take",
                time(duration_us),
                element("contingent link", contingent)
            ));
        }
        (link.lower_us, link.upper_us) = (duration_us, duration_us);
    }
    Ok(Network::new(spec).expect("durations within their links change nothing that is checked"))
}

/// All shortest durations, all longest, and some drawn: always the same for the same network.
pub(super) fn choices(network: &Network) -> impl Iterator<Item = Vec<Micros>> {
    let links = network.contingent();
    let ends: [fn(&Contingent) -> Micros; 2] = [|link| link.lower_us, |link| link.upper_us];
    let ends = ends.map(|end| links.iter().map(end).collect());
    let drawn = (0..TRIALS).map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let drawn = |link: &Contingent| rng.random_range(link.lower_us..=link.upper_us);
        links.iter().map(drawn).collect()
    });
    ends.into_iter().chain(drawn)
}

/// The network with each of these.
pub(super) fn some_choices(network: &Network) -> impl Iterator<Item = Network> {
    choices(network).map(|durations| {
        with_durations(network, &durations).expect("they are drawn from their links")
    })
}
