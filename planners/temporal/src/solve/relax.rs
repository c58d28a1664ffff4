//! Which bound to move, and how far, so that a network that fails holds.
//!
//! Only bounds that are part of a conflict are tried, one at a time unless none alone helps. They
//! are widened where a rule binds us, and changed in both directions where teammates are involved:
//! less freedom for them helps as much as more for us. Verdicts are not monotone in a bound, so
//! nothing is concluded from one amount about another: every change offered was decided from
//! scratch.

mod recheck;
mod several;

pub(crate) use recheck::{FromScratch, Incremental, Recheck};

use recheck::Progress;

use crate::plan::{Change, Conflict, Relaxation};
use crate::problem::{Micros, Network, Owner, Source};

/// Most networks that are decided, up to 200 nodes; fewer of larger ones, which take longer.
const TRIES_MAX: usize = 256;
/// Fewest of the largest networks.
const TRIES_MIN: usize = 16;
/// Amounts at which a change is tried besides the largest, and how much larger each is.
const PROBES: usize = 3;
const PROBE_GROWTH: Micros = 4;

/// At most `count_max` relaxations after which the network holds by `recheck`, cheapest first; ties
/// in the order of the conflict. `deficit`: the magnitude of its negative cycle, if that is known.
pub(crate) fn relaxations(
    network: &Network,
    conflict: &Conflict,
    deficit: Option<Micros>,
    count_max: usize,
    recheck: &mut dyn Recheck,
) -> Vec<Relaxation> {
    let unit = unit(network);
    let mut search = Search {
        network,
        unit,
        // No smaller change is likely to help.
        first: (deficit.unwrap_or(unit) + unit - 1) / unit,
        tries_left: tries(network.nodes()),
        recheck,
    };
    let mut found: Vec<(Micros, Change)> = Vec::new();
    if count_max == 0 {
        return Vec::new();
    }
    for (source, sign) in directions(network, conflict) {
        let cap = (found.len() >= count_max).then(|| found[found.len() - 1].0 - 1);
        if let Some(change) = search.smallest_change(source, sign, cap) {
            let amount = (change.new_us - change.old_us).abs();
            let at = found.partition_point(|(known, _)| *known <= amount);
            found.insert(at, (amount, change));
            found.truncate(count_max);
        }
    }
    let relaxation = |(_, change)| Relaxation {
        changes: vec![change],
    };
    let mut found: Vec<Relaxation> = found.into_iter().map(relaxation).collect();
    if found.is_empty() {
        search.tries_left = tries(network.nodes());
        found.extend(search.several(conflict, deficit));
    }
    found
}

fn tries(nodes: usize) -> usize {
    (TRIES_MAX * 200 * 200 / (nodes * nodes)).clamp(TRIES_MIN, TRIES_MAX)
}

/// Bounds of the conflict with the directions in which they may move, none twice.
fn directions(network: &Network, conflict: &Conflict) -> Vec<(Source, Micros)> {
    let sources = conflict.members.iter().flat_map(|member| &member.sources);
    let mut all: Vec<(Source, Micros)> = Vec::new();
    for &source in sources {
        let (wider, both) = match source {
            Source::LinkUpper(link) => (1, touches_others(network, link)),
            Source::LinkLower(link) => (-1, touches_others(network, link)),
            // Nature can only be asked for less.
            Source::ContingentUpper(_) => (-1, false),
            Source::ContingentLower(_) => (1, false),
            Source::Horizon(_) | Source::Start(_) => continue,
        };
        for sign in [wider, -wider].into_iter().take(1 + usize::from(both)) {
            if !all.contains(&(source, sign)) {
                all.push((source, sign));
            }
        }
    }
    all
}

/// The bound of a link that a source names, as it is written there.
fn written(network: &Network, source: Source) -> Option<Micros> {
    let weight_us = network.bound(source)?.weight_us;
    match source {
        Source::LinkUpper(_) | Source::ContingentUpper(_) => Some(weight_us),
        Source::LinkLower(_) | Source::ContingentLower(_) => Some(-weight_us),
        Source::Horizon(_) | Source::Start(_) => None,
    }
}

fn touches_others(network: &Network, link: usize) -> bool {
    let link = network.links()[link];
    let others = |node| network.owner(node) == Some(Owner::Uncontrollable);
    others(link.from) || others(link.to)
}

/// The largest number that divides all bounds: as a change of another size would look odd.
pub(crate) fn unit(network: &Network) -> Micros {
    fn divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let weights = network.bounds().map(|bound| bound.weight_us.unsigned_abs());
    let unit = weights.fold(0, divisor).max(1);
    Micros::try_from(unit).expect("bounds fit")
}

struct Search<'a> {
    network: &'a Network,
    unit: Micros,
    /// The first amount to try, in units.
    first: Micros,
    tries_left: usize,
    recheck: &'a mut dyn Recheck,
}

impl Search<'_> {
    /// The smallest amount found, in whole units and at most `cap`, by which to move a bound.
    fn smallest_change(
        &mut self,
        source: Source,
        sign: Micros,
        cap: Option<Micros>,
    ) -> Option<Change> {
        let old_us = written(self.network, source)?;
        let units_max = self.room(source, sign).min(cap.unwrap_or(Micros::MAX)) / self.unit;
        let unit = self.unit;
        let change = |units: Micros| Change {
            source,
            old_us,
            new_us: old_us + sign * units * unit,
        };
        let (mut low, mut high) = (0, None);
        for units in probes(self.first, units_max) {
            if self.works(change(units)) {
                high = Some(units);
                break;
            }
            low = units;
        }
        let mut high = high?;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.works(change(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(change(high))
    }

    /// How far a bound may move in a direction: to the other bound of its link, or by the sum of
    /// what could make a difference.
    fn room(&self, source: Source, sign: Micros) -> Micros {
        let spec = self.network.spec();
        let width = match source {
            Source::LinkUpper(link) | Source::LinkLower(link) => {
                let link = spec.links[link];
                link.lower_us
                    .zip(link.upper_us)
                    .map(|(lower, upper)| upper - lower)
            }
            Source::ContingentUpper(link) | Source::ContingentLower(link) => {
                let link = spec.contingent[link];
                Some(link.upper_us - link.lower_us)
            }
            Source::Horizon(_) | Source::Start(_) => Some(0),
        };
        let narrower = match source {
            Source::LinkUpper(_) | Source::ContingentUpper(_) => sign < 0,
            _ => sign > 0,
        };
        let longest = self
            .network
            .bounds()
            .map(|bound| bound.weight_us.abs())
            .max();
        let far = 2 * longest.unwrap_or(0);
        if narrower { width.unwrap_or(far) } else { far }
    }

    fn works(&mut self, change: Change) -> bool {
        self.still_holds(&[change])
    }

    fn still_holds(&mut self, changes: &[Change]) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        match self.recheck.holds(changes) {
            Some(holds) => holds,
            None => {
                self.tries_left = 0;
                false
            }
        }
    }
}

/// Amounts at which a change is tried first, in rising order, the largest last.
fn probes(first: Micros, units_max: Micros) -> impl Iterator<Item = Micros> {
    let grow = move |units: &Micros| Some(units.saturating_mul(PROBE_GROWTH));
    let rising = std::iter::successors(Some(first.max(1)), grow);
    let rising = rising
        .take_while(move |units| *units < units_max)
        .take(PROBES);
    rising.chain((units_max > 0).then_some(units_max))
}

/// The network after some changes, if it is valid.
pub(crate) fn changed(network: &Network, changes: &[Change]) -> Option<Network> {
    let mut spec = network.spec().clone();
    for change in changes {
        *spec.bound_mut(change.source)? = change.new_us;
    }
    Network::new(spec).ok()
}
