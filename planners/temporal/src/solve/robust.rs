//! Robustness: how much may change before a network that holds fails.

use super::decide::decide;
use super::reduce::{Reduction, System};
use super::search::Ticker;
use crate::plan::Robustness;
use crate::problem::{Micros, Network, Node, Owner, Spec};

/// The largest factor on uncertainty that is tried, in 64ths.
const FACTOR_MAX_64THS: u32 = 16 * ONE;
/// The factor of the network as it is.
const ONE: u32 = 64;

/// Robustness of a network with teammates that holds. `None` where our events have no obligations,
/// and when stopped.
pub(crate) fn robustness(
    reduction: &Reduction<'_>,
    ticker: &mut impl Ticker,
) -> Option<Robustness> {
    let slack_us = slack(&reduction.system, ticker)?;
    let factor_64ths = factor(reduction.network, &mut |network| holds(network, ticker));
    Some(Robustness {
        slack_us,
        factor_64ths,
    })
}

/// Robustness of a network without teammates that holds: the slack is the largest time by which all
/// requirements on Nature's events may be tighter.
pub(crate) fn against_nature(
    network: &Network,
    holds: &mut dyn FnMut(&Network) -> Option<bool>,
) -> Option<Robustness> {
    let longest = network.bounds().map(|bound| bound.weight_us.abs()).max()?;
    let touched = |node: Node| network.owner(node) == Some(Owner::Nature);
    let mut holds_with = |slack: Micros| {
        let mut spec: Spec = network.spec().clone();
        for link in &mut spec.links {
            if touched(link.from) || touched(link.to) {
                link.lower_us = link.lower_us.map(|lower| lower + slack);
                link.upper_us = link.upper_us.map(|upper| upper - slack);
            }
        }
        Network::new(spec).map_or(Some(false), |tight| holds(&tight))
    };
    let touches_nature = |link: &crate::problem::Link| touched(link.from) || touched(link.to);
    if !network.links().iter().any(touches_nature) {
        return None;
    }
    Some(Robustness {
        slack_us: bisect(0, 2 * longest + 1, &mut holds_with)?,
        factor_64ths: factor(network, holds),
    })
}

/// Whether a network with teammates holds; `None`: stopped.
pub(crate) fn holds(network: &Network, ticker: &mut impl Ticker) -> Option<bool> {
    let Ok(reduction) = Reduction::new_within(network, &mut || ticker.go_on()) else {
        return Some(false);
    };
    let reduction = reduction?;
    decide(&reduction.system, ticker).holds()
}

/// The largest time by which all obligations can be tightened, by bisection: less is easier.
fn slack(system: &System, ticker: &mut impl Ticker) -> Option<Micros> {
    system.disjunctions.first()?;
    let mut holds_with = |slack: Micros| {
        let mut tight = system.clone();
        for disjunction in &mut tight.disjunctions {
            for (_, offset) in &mut disjunction.targets {
                *offset -= slack;
            }
        }
        decide(&tight, ticker).holds()
    };
    // No room is wider than twice the longest difference.
    let longest = system.bounds.iter().map(|bound| bound.abs()).max()?;
    let offsets = system
        .disjunctions
        .iter()
        .flat_map(|disjunction| &disjunction.targets);
    let longest = offsets
        .map(|(_, offset)| offset.abs())
        .fold(longest, Micros::max);
    bisect(0, 4 * longest + 1, &mut holds_with)
}

/// The largest value at which the network holds, where it does at `low` and not at `high`: less is
/// easier. `None`: stopped.
fn bisect(
    mut low: Micros,
    mut high: Micros,
    holds_with: &mut dyn FnMut(Micros) -> Option<bool>,
) -> Option<Micros> {
    while high - low > 1 {
        let middle = low.midpoint(high);
        if holds_with(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// A factor, in 64ths, on what the others may choose from at which the network holds and at the
/// next larger of which it does not: doubled from one until it fails, then bisected. The largest
/// tried stands for all above. `None` when the others have nothing to choose from, or when
/// stopped.
pub(crate) fn factor(
    network: &Network,
    holds: &mut dyn FnMut(&Network) -> Option<bool>,
) -> Option<u32> {
    scaled(network, ONE)?;
    let mut holds_with =
        |factor| scaled(network, factor).map_or(Some(false), |changed| holds(&changed));
    let mut low = ONE;
    while low < FACTOR_MAX_64THS && holds_with(2 * low)? {
        low *= 2;
    }
    let mut high = 2 * low;
    while low < FACTOR_MAX_64THS && high - low > 1 {
        let middle = low.midpoint(high);
        if holds_with(middle)? {
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
