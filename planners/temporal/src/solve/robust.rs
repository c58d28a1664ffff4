//! How much may go wrong before a network that holds fails.

use super::decide::{Decided, decide};
use super::reduce::{Reduction, System};
use super::search::Pace;
use crate::plan::Robustness;
use crate::problem::{Micros, Network, Node, Owner, Spec};

/// The largest factor on uncertainty that is tried, in 64ths.
const FACTOR_MAX_64THS: u32 = 16 * ONE;
/// The factor of the network as it is.
const ONE: u32 = 64;

/// Robustness of a network with teammates that holds. `None` where our events owe nothing to
/// anybody, so that there is nothing that could go wrong, and when there is no time.
pub(crate) fn robustness(reduction: &Reduction<'_>, pace: &mut impl Pace) -> Option<Robustness> {
    let slack_us = slack(&reduction.system, pace)?;
    let factor_64ths = factor(reduction.network, &mut |network| holds(network, pace));
    Some(Robustness {
        slack_us,
        factor_64ths,
    })
}

/// Robustness of a network without teammates that holds: the slack is the largest time by which all
/// requirements that Nature has a hand in may be tighter.
pub(crate) fn against_nature(
    network: &Network,
    holds: &mut dyn FnMut(&Network) -> Option<bool>,
) -> Option<Robustness> {
    let longest = network.bounds().map(|bound| bound.weight_us.abs()).max()?;
    let touched = |node: Node| network.owner(node) == Some(Owner::Nature);
    let mut with = |slack: Micros| {
        let mut spec: Spec = network.spec().clone();
        for link in &mut spec.links {
            if touched(link.from) || touched(link.to) {
                link.lower_us = link.lower_us.map(|lower| lower + slack);
                link.upper_us = link.upper_us.map(|upper| upper - slack);
            }
        }
        Network::new(spec).map_or(Some(false), |tight| holds(&tight))
    };
    let owes = |link: &crate::problem::Link| touched(link.from) || touched(link.to);
    if !network.links().iter().any(owes) {
        return None;
    }
    let (mut low, mut high) = (0, 2 * longest + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if with(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(Robustness {
        slack_us: low,
        factor_64ths: factor(network, holds),
    })
}

/// Whether a network with teammates holds; `None` when there is no time.
pub(crate) fn holds(network: &Network, pace: &mut impl Pace) -> Option<bool> {
    let Ok(reduction) = Reduction::within(network, &mut || pace.go_on()) else {
        return Some(false);
    };
    let reduction = reduction?;
    match decide(&reduction.system, pace) {
        Decided::Holds(_) => Some(true),
        Decided::Fails => Some(false),
        Decided::Open(_) => None,
    }
}

/// The largest time by which all duties can be kept more than needed, by bisection: less is easier.
fn slack(system: &System, pace: &mut impl Pace) -> Option<Micros> {
    system.duties.first()?;
    let mut with = |slack: Micros| {
        let mut tight = system.clone();
        for duty in &mut tight.duties {
            for (_, offset) in &mut duty.targets {
                *offset -= slack;
            }
        }
        match decide(&tight, pace) {
            Decided::Holds(_) => Some(true),
            Decided::Fails => Some(false),
            Decided::Open(_) => None,
        }
    };
    // No room is wider than twice the longest difference.
    let longest = system.bounds.iter().map(|bound| bound.abs()).max()?;
    let offsets = system.duties.iter().flat_map(|duty| &duty.targets);
    let longest = offsets
        .map(|(_, offset)| offset.abs())
        .fold(longest, Micros::max);
    let (mut low, mut high) = (0, 4 * longest + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if with(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// A factor, in 64ths, on what the others may choose from at which the network holds and at the
/// next larger of which it does not: doubled from one until it fails, then bisected. The largest
/// tried stands for all above. `None` when the others have nothing to choose from, or there is no
/// time.
pub(crate) fn factor(
    network: &Network,
    holds: &mut dyn FnMut(&Network) -> Option<bool>,
) -> Option<u32> {
    scaled(network, ONE)?;
    let mut with = |factor| scaled(network, factor).map_or(Some(false), |changed| holds(&changed));
    let mut low = ONE;
    while low < FACTOR_MAX_64THS && with(2 * low)? {
        low *= 2;
    }
    let mut high = 2 * low;
    while low < FACTOR_MAX_64THS && high - low > 1 {
        let middle = low.midpoint(high);
        if with(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// The network in which each range that the others choose from is wider by a factor, around its
/// middle: contingent links, and links with both bounds between teammates' events. Durations stay
/// at 0 or above. `None` when there is no such range, or when a bound becomes too long.
pub(crate) fn scaled(network: &Network, factor_64ths: u32) -> Option<Network> {
    let mut spec: Spec = network.spec().clone();
    let mut changed = false;
    let mut stretch = |lower: &mut Micros, upper: &mut Micros| {
        changed |= lower < upper;
        let more = i128::from(*upper - *lower) * i128::from(factor_64ths - ONE) / i128::from(ONE);
        let more = Micros::try_from(more).expect("16 times ten years fit");
        *lower -= more / 2;
        *upper += more - more / 2;
    };
    for link in &mut spec.contingent {
        stretch(&mut link.lower_us, &mut link.upper_us);
        link.lower_us = link.lower_us.max(0);
    }
    let theirs = |node: Node| network.owner(node) == Some(Owner::Uncontrollable);
    for link in &mut spec.links {
        if let (Some(lower), Some(upper)) = (&mut link.lower_us, &mut link.upper_us)
            && theirs(link.from)
            && theirs(link.to)
        {
            stretch(lower, upper);
        }
    }
    changed.then(|| Network::new(spec).ok())?
}
