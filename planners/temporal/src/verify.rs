//! Independent check of findings: nothing here is used by, or taken from, the search.
//!
//! All of it is computed from scratch, in whole microseconds and without tolerance: closures and
//! dynamic controllability by the independent checker [`stn::check`], precedence, the ranges of
//! teammates and Nature. The answer may come from outside, so nothing about it is trusted: times
//! beyond 2^60 are refused before they are added to anything, which keeps all sums within 64 bits.
//! Paths of faults lead from the finding on, those of its times from the schedule on.

mod answer;
mod closure;
mod conflict;
mod disjunctive;
mod dispatch;
mod durations;
mod nature;
mod relaxation;
mod teammates;

pub use answer::{finding, levels};
pub(crate) use answer::{finding_until, levels_until};

use crate::plan::{Range, Schedule};
use crate::problem::{Bound, Micros, Network, Node, ORIGIN, Owner};
use anytime::{Fault, Path, Pulse, Stop, element, fault, time};
pub(crate) use closure::Closure;
use nature::Chains;
use stn::Difference;
use stn::check::potentials;

/// Most violations that are reported.
pub const VIOLATIONS_MAX: usize = 1_000;

/// Largest time of a schedule, either way. Bounds of a consistent network add up to less than 2^59.
const SCHEDULE_MAX_US: Micros = 1 << 60;

/// The dynamic range of each node, by node, of a schedule that is strongly controllable: all rules
/// are satisfied, whatever the others do.
///
/// With teammates by equations 5 and 6 of the paper, else for all durations that Nature may pick.
/// O(nodes * (bounds + nodes) * log nodes) time and O(nodes^2) memory with teammates, else
/// O(bounds * longest chain).
///
/// # Errors
/// All violated rules, up to [`VIOLATIONS_MAX`].
pub fn strong(network: &Network, schedule: &Schedule) -> Result<Vec<Range>, Vec<Fault>> {
    strong_until(network, schedule, &Pulse::unbounded()).expect("nothing stops it")
}

/// The same.
///
/// # Errors
/// When stopped.
fn strong_until(
    network: &Network,
    schedule: &Schedule,
    pulse: &Pulse,
) -> Result<Result<Vec<Range>, Vec<Fault>>, Stop> {
    if let Err(broken) = is_complete(network, schedule) {
        return Ok(Err(broken));
    }
    let times = &schedule.times_us;
    if !network.has_teammates() {
        let chains = Chains::new(network);
        return Ok(unless_broken(chains.broken(network, times), || {
            chains.ranges(times)
        }));
    }
    let Some(closure) = Closure::new(network, pulse)? else {
        return Ok(Err(vec![fault!(
            "INCONSISTENT",
            Path::WHOLE,
            "the network is inconsistent"
        )]));
    };
    let ranges = teammates::ranges(&closure, times, pulse)?;
    let broken = teammates::broken(&closure, times, &ranges);
    Ok(unless_broken(broken, || ranges))
}

fn unless_broken<T>(mut broken: Vec<Fault>, good: impl FnOnce() -> T) -> Result<T, Vec<Fault>> {
    if broken.is_empty() {
        Ok(good())
    } else {
        broken.truncate(VIOLATIONS_MAX);
        Err(broken)
    }
}

/// Whether some times satisfy all constraints.
fn is_satisfiable(nodes: usize, bounds: &[Difference]) -> bool {
    potentials(nodes, bounds, || true).is_some()
}

/// Whether some times satisfy all bounds of a network when Nature helps.
///
/// # Errors
/// When stopped.
fn is_consistent(network: &Network, pulse: &Pulse) -> Result<bool, Stop> {
    let bounds: Vec<Difference> = network.bounds().map(Bound::difference).collect();
    let times = potentials(network.nodes(), &bounds, || pulse.beats());
    pulse.check()?;
    Ok(times.is_some())
}

/// Whether a schedule has a sensible time for each of our nodes, 0 for the origin, and no other.
pub(crate) fn is_complete(network: &Network, schedule: &Schedule) -> Result<(), Vec<Fault>> {
    let ours = |node| matches!(network.owner(node), None | Some(Owner::Controllable));
    times(network, schedule, ours)
}

/// Whether a schedule has a sensible time for each node that should have one, 0 for the origin, and
/// no other.
fn times(
    network: &Network,
    schedule: &Schedule,
    should: impl Fn(Node) -> bool,
) -> Result<(), Vec<Fault>> {
    let (given, expected) = (schedule.times_us.len(), network.nodes());
    if given != expected {
        return Err(vec![shape(&Path::root("events"), given, expected)]);
    }
    let events = Path::root("events");
    let mut broken = Vec::new();
    for (node, given) in schedule.times_us.iter().enumerate() {
        let (at, name) = (time_at(&events, node), element("node", node));
        match *given {
            None if should(node) => {
                let fault = fault!("TIME_MISSING", at, "{} is ours, but has no time", name);
                broken.push(fault);
            }
            Some(_) if !should(node) => {
                let fault = fault!("TIME_FOREIGN", at, "{} is not ours, but has a time", name);
                broken.push(fault);
            }
            Some(us) if node == ORIGIN && us != 0 || !is_sensible(us) => {
                let us = time(us);
                let fault = fault!("TIME_OUT_OF_RANGE", at, "{} cannot be at {}", name, us);
                broken.push(fault);
            }
            _ => {}
        }
    }
    unless_broken(broken, || ())
}

fn is_sensible(time_us: Micros) -> bool {
    (-SCHEDULE_MAX_US..=SCHEDULE_MAX_US).contains(&time_us)
}

/// A list that does not have one entry for each element.
fn shape(at: &Path<'_>, given: usize, expected: usize) -> Fault {
    fault!(
        "SHAPE",
        at,
        "has {} entries, but there are {}",
        given,
        expected
    )
}

/// Path of the time of a node, by that of the events of a schedule; empty for the origin.
fn time_at<'p>(events: &'p Path<'p>, node: Node) -> Path<'p> {
    let event = node.checked_sub(1);
    event.map_or(Path::WHOLE, |event| events.index(event))
}

/// A bound that times violate, by the largest difference that the others can make.
fn bound_broken(from: Node, to: Node, worst_us: Micros, bound_us: Micros) -> Fault {
    let events = Path::root("events");
    let at = time_at(&events, if to == ORIGIN { from } else { to });
    let [from, to] = [from, to].map(|node| element("node", node));
    let [worst, bound] = [worst_us, bound_us].map(time);
    fault!(
        "BOUND_BROKEN",
        at,
        "{} may be {} after {}, above {}",
        to,
        worst,
        from,
        bound
    )
}
