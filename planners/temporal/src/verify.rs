//! Independent check of findings: nothing here is used by, or taken from, the search.
//!
//! All of it is computed from scratch, in whole microseconds and without tolerance: the network's
//! closure by Johnson's algorithm, precedence, the ranges of the others. The answer may come from
//! outside, so nothing about it is trusted: times beyond 2^60 are refused before they are added to
//! anything, which keeps all sums within 64 bits.

mod answer;
mod closure;
mod conflict;
mod differences;
mod disjunctive;
mod dispatch;
mod durations;
mod dynamic_control;
mod nature;
mod relaxation;
mod teammates;
mod violation;

pub use answer::{finding, levels};
pub(crate) use answer::{finding_until, levels_until};
pub use violation::Violation;

use crate::plan::{Range, Schedule};
use crate::problem::{Micros, Network, Node, ORIGIN, Owner};
pub(crate) use closure::Closure;
use nature::Chains;

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
pub fn strong(network: &Network, schedule: &Schedule) -> Result<Vec<Range>, Vec<Violation>> {
    strong_until(network, schedule, &mut || true).expect("nothing stops it")
}

/// A check was stopped: nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

impl Stopped {
    /// # Errors
    /// When stopped.
    fn unless(goes_on: bool) -> Result<(), Self> {
        if goes_on { Ok(()) } else { Err(Self) }
    }
}

/// The same.
///
/// # Errors
/// `go_on` returned false.
fn strong_until(
    network: &Network,
    schedule: &Schedule,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Result<Vec<Range>, Vec<Violation>>, Stopped> {
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
    let Some(closure) = Closure::new(network, go_on)? else {
        return Ok(Err(vec![Violation::Inconsistent]));
    };
    let ranges = teammates::ranges(&closure, times, go_on)?;
    let broken = teammates::broken(&closure, times, &ranges);
    Ok(unless_broken(broken, || ranges))
}

fn unless_broken<T>(
    mut broken: Vec<Violation>,
    good: impl FnOnce() -> T,
) -> Result<T, Vec<Violation>> {
    if broken.is_empty() {
        Ok(good())
    } else {
        broken.truncate(VIOLATIONS_MAX);
        Err(broken)
    }
}

/// Whether a schedule has a sensible time for each of our nodes, 0 for the origin, and no other.
pub(crate) fn is_complete(network: &Network, schedule: &Schedule) -> Result<(), Vec<Violation>> {
    let ours = |node| matches!(network.owner(node), None | Some(Owner::Controllable));
    times(network, schedule, ours)
}

/// Whether a schedule has a sensible time for each node that should have one, 0 for the origin, and
/// no other.
fn times(
    network: &Network,
    schedule: &Schedule,
    should: impl Fn(Node) -> bool,
) -> Result<(), Vec<Violation>> {
    let (given, expected) = (schedule.times_us.len(), network.nodes());
    if given != expected {
        return Err(vec![Violation::Shape {
            what: "the schedule",
            given,
            expected,
        }]);
    }
    let mut broken = Vec::new();
    for (node, time) in schedule.times_us.iter().enumerate() {
        match *time {
            None if should(node) => broken.push(Violation::TimeMissing { node }),
            Some(_) if !should(node) => broken.push(Violation::TimeForeign { node }),
            Some(time_us) if node == ORIGIN && time_us != 0 || !is_sensible(time_us) => {
                broken.push(Violation::TimeOutOfRange { node, time_us });
            }
            _ => {}
        }
    }
    unless_broken(broken, || ())
}

fn is_sensible(time_us: Micros) -> bool {
    (-SCHEDULE_MAX_US..=SCHEDULE_MAX_US).contains(&time_us)
}
