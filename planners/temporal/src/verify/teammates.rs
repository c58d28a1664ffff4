//! The paper's check of a schedule by dynamic ranges (equations 2 to 6), for networks with
//! teammates.
//!
//! A teammate's node i may be as early as everything before it allows, at its earliest, and as late
//! as everything before it or unordered with it allows. Our node j must then satisfy, for the
//! closed bounds c: if i precedes j, `a_j >= latest_i - c(j, i)`; if i precedes j or they are
//! unordered, `a_j <= earliest_i + c(i, j)`. Equality is allowed: at a tie a teammate decides
//! before it sees a node of ours that comes after its own.

use super::closure::Closure;
use super::{VIOLATIONS_MAX, bound_broken, time_at};
use crate::plan::Range;
use crate::problem::{Micros, Node, ORIGIN};
use anytime::{Fault, Path, Pulse, Stop, element, fault, time};

/// The dynamic range of each node when our nodes happen at `times`: equations 5 and 6. Ranges may
/// come out empty.
///
/// # Errors
/// When stopped.
pub(super) fn ranges(
    closure: &Closure,
    times: &[Option<Micros>],
    pulse: &Pulse,
) -> Result<Vec<Range>, Stop> {
    let mut ranges: Vec<_> = (0..times.len())
        .map(|node| match times[node] {
            Some(time) => Range {
                earliest_us: time,
                latest_us: time,
            },
            None => Range {
                earliest_us: -closure.bound(node, ORIGIN),
                latest_us: closure.bound(ORIGIN, node),
            },
        })
        .collect();
    let theirs: Vec<_> = closure.theirs().collect();
    for &node in &theirs {
        pulse.check()?;
        for ours in (0..times.len()).filter(|node| times[*node].is_some()) {
            narrow(closure, ours, node, &mut ranges);
        }
    }
    // Among teammates, to a fixed point. Each round but the last moves an end; an end that moves
    // in round r hangs on r teammates in a row, none twice, so there are at most as many rounds.
    for _ in 0..=theirs.len() {
        let before = ranges.clone();
        for &node in &theirs {
            pulse.check()?;
            for &other in theirs.iter().filter(|other| **other != node) {
                narrow(closure, other, node, &mut ranges);
            }
        }
        if before == ranges {
            break;
        }
    }
    Ok(ranges)
}

/// Equations 5 and 6 for one pair.
fn narrow(closure: &Closure, from: Node, node: Node, ranges: &mut [Range]) {
    if closure.precedes(from, node) {
        let earliest = ranges[from].earliest_us - closure.bound(node, from);
        ranges[node].earliest_us = ranges[node].earliest_us.max(earliest);
    } else if closure.precedes(node, from) {
        return;
    }
    let latest = ranges[from].latest_us + closure.bound(from, node);
    ranges[node].latest_us = ranges[node].latest_us.min(latest);
}

/// Violated rules, about [`VIOLATIONS_MAX`] at most: bounds between our nodes, empty ranges, then
/// equations 2 and 3.
pub(super) fn broken(closure: &Closure, times: &[Option<Micros>], ranges: &[Range]) -> Vec<Fault> {
    let mut broken = Vec::new();
    let ours = || (0..times.len()).filter_map(|node| times[node].map(|time| (node, time)));
    for (from, start) in ours() {
        if broken.len() >= VIOLATIONS_MAX {
            return broken;
        }
        for (to, end) in ours() {
            let (worst_us, bound_us) = (end - start, closure.bound(from, to));
            if worst_us > bound_us {
                broken.push(bound_broken(from, to, worst_us, bound_us));
            }
        }
    }
    let events = Path::root("events");
    for teammate in closure.theirs() {
        if broken.len() >= VIOLATIONS_MAX {
            return broken;
        }
        let range = ranges[teammate];
        if range.earliest_us > range.latest_us {
            let at = time_at(&events, teammate);
            let node = element("node", teammate);
            let [from, to] = [range.earliest_us, range.latest_us].map(time);
            broken.push(fault!(
                "RANGE_EMPTY",
                at,
                "{} may not happen before {} nor after {}",
                node,
                from,
                to
            ));
        }
        for (node, time_us) in ours().filter(|(node, _)| *node != ORIGIN) {
            obligations(closure, teammate, range, node, time_us, &mut broken);
        }
    }
    broken
}

fn obligations(
    closure: &Closure,
    teammate: Node,
    range: Range,
    node: Node,
    time_us: Micros,
    broken: &mut Vec<Fault>,
) {
    if closure.precedes(node, teammate) {
        return;
    }
    let events = Path::root("events");
    let at = time_at(&events, node);
    let names = || [node, teammate].map(|node| element("node", node));
    if closure.precedes(teammate, node) {
        let needed_us = range.latest_us - closure.bound(node, teammate);
        if time_us < needed_us {
            let ([node, teammate], [us, needed]) = (names(), [time_us, needed_us].map(time));
            broken.push(fault!(
                "TOO_EARLY",
                at,
                "{} is at {}, but {} may need {} or later",
                node,
                us,
                teammate,
                needed
            ));
        }
    }
    let needed_us = range.earliest_us + closure.bound(teammate, node);
    if time_us > needed_us {
        let ([node, teammate], [us, needed]) = (names(), [time_us, needed_us].map(time));
        broken.push(fault!(
            "TOO_LATE",
            at,
            "{} is at {}, but {} may need {} or earlier",
            node,
            us,
            teammate,
            needed
        ));
    }
}
