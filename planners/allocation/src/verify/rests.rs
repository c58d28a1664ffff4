//! Rules about breaks.

use super::now;
use crate::plan::{Plan, Rest, Route};
use crate::problem::{Break, Micros, Problem};
use anytime::{Fault, Path, element, fault, time};

/// Breaks of a route before one of its stops.
pub(super) struct Rested {
    /// Sum of their lengths.
    pub(super) length_us: Micros,
    /// End of the last of them; `None` without breaks.
    pub(super) awake_us: Option<Micros>,
}

/// Checks the breaks before a stop. They start at `free_us` or later; `None`: the plan does not
/// determine that time.
pub(super) fn before(
    problem: &Problem,
    route: &Route,
    stop: usize,
    free_us: Option<Micros>,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) -> Rested {
    let mut rested = Rested {
        length_us: 0,
        awake_us: None,
    };
    for (rest, one) in route.rests.iter().enumerate() {
        let Some(known) = known(problem, one).filter(|_| one.stop == stop) else {
            continue;
        };
        let awake_us = rested.awake_us.or(free_us);
        if let Some(free_us) = awake_us.filter(|free_us| one.start_us < *free_us) {
            let [start, free] = [one.start_us, free_us].map(time);
            faults.push(fault!(
                "BREAK_TOO_EARLY",
                at,
                "has rest {} at {}, before its agent is free at {}",
                rest,
                start,
                free
            ));
        }
        rested.length_us = rested.length_us.saturating_add(known.length_us);
        rested.awake_us = Some(one.start_us.saturating_add(known.length_us));
    }
    rested
}

fn known<'p>(problem: &'p Problem, rest: &Rest) -> Option<&'p Break> {
    problem.couplings().breaks.get(rest.index)
}

/// Checks that each route takes the breaks of its agent once, within their windows. `ends_us` are
/// the ends of the routes.
pub(super) fn check(problem: &Problem, plan: &Plan, ends_us: &[Micros], faults: &mut Vec<Fault>) {
    let routes_at = Path::root("routes");
    for ((index, route), &end_us) in plan.routes.iter().enumerate().zip(ends_us) {
        let at = routes_at.index(index);
        let mut taken = vec![false; problem.couplings().breaks.len()];
        for (rest, one) in route.rests.iter().enumerate() {
            let name = element("break", one.index);
            let Some(known) = known(problem, one).filter(|known| known.agent == route.agent) else {
                let code = "BREAK_UNKNOWN";
                faults.push(fault!(
                    code,
                    at,
                    "has rest {} of {}, which its agent does not have",
                    rest,
                    name
                ));
                continue;
            };
            if taken[one.index] {
                faults.push(fault!(
                    "BREAK_REPEATED",
                    at,
                    "has {} again as rest {}",
                    name.clone(),
                    rest
                ));
            }
            taken[one.index] = true;
            if one.stop > route.stops.len() {
                let code = "BREAK_MISPLACED";
                faults.push(fault!(
                    code,
                    at,
                    "has rest {} before stop {}, which does not exist",
                    rest,
                    one.stop
                ));
            }
            if !(known.earliest_us..=known.latest_us).contains(&one.start_us) {
                let (code, start) = ("BREAK_OUTSIDE_WINDOW", time(one.start_us));
                faults.push(fault!(
                    code,
                    at,
                    "has rest {} at {}, outside of the window of {}",
                    rest,
                    start,
                    name
                ));
            }
        }
        check_taken(problem, route, &taken, end_us, &at, faults);
    }
}

/// Checks that breaks are taken. A route that ends before the latest start of a break need not take
/// it, nor one whose agent was idle then, before now.
fn check_taken(
    problem: &Problem,
    route: &Route,
    taken: &[bool],
    end_us: Micros,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    for (index, one) in problem.couplings().breaks.iter().enumerate() {
        let is_due = !taken[index] && end_us > one.latest_us;
        if one.agent == route.agent && is_due && !now::is_over(problem, route, one) {
            faults.push(fault!(
                "BREAK_MISSING",
                at,
                "ends at {} without {}, which starts by {}",
                time(end_us),
                element("break", index),
                time(one.latest_us)
            ));
        }
    }
}
