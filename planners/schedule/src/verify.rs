//! The check of a plan: every rule of the problem, from scratch.

use crate::plan::{Cost, Plan};
use crate::problem::{Mode, Point, Problem, Spec};
use anytime::{Fault, Path, element, fault, time};

/// The cost of a plan that satisfies every rule.
///
/// Time: O(n log n + p) for n demands of activities and p precedences.
///
/// # Errors
/// Every broken rule; of a resource that is overloaded the first moment.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    let spec = problem.spec();
    let mut faults = Vec::new();
    let times = times(spec, plan)?;
    check_windows(spec, &times, &mut faults);
    check_precedences(spec, &times, &mut faults);
    for resource in 0..spec.resources.len() {
        check_resource(spec, &times, resource, &mut faults);
    }
    let ends = times.iter().map(|it| it.end_us);
    let makespan_us = ends.max().unwrap_or(0);
    if i128::from(plan.makespan_us) != makespan_us {
        let last = micros(makespan_us);
        let at = Path::root("makespan");
        faults.push(fault!(
            "WRONG_MAKESPAN",
            at,
            "must be {}, the end of the last activity",
            last
        ));
    }
    if faults.is_empty() {
        let makespan_us = plan.makespan_us;
        Ok(Cost { makespan_us })
    } else {
        Err(faults)
    }
}

/// A time as an argument of a fault; one beyond 64 bits is cut off.
fn micros(time_us: i128) -> anytime::Argument {
    let limit = |limit: i64| i128::from(limit);
    let cut = time_us.clamp(limit(i64::MIN), limit(i64::MAX));
    time(i64::try_from(cut).unwrap_or(i64::MAX))
}

/// An activity as a plan places it; wide enough that no sum overflows.
struct Placed<'s> {
    start_us: i128,
    end_us: i128,
    mode: &'s Mode,
}

/// Start, end and mode of each activity.
///
/// # Errors
/// The plan has other activities than the problem, or a mode that does not exist.
fn times<'s>(spec: &'s Spec, plan: &Plan) -> Result<Vec<Placed<'s>>, Vec<Fault>> {
    let (given, expected) = (plan.activities.len(), spec.activities.len());
    if given != expected {
        let at = Path::root("activities");
        return Err(vec![fault!(
            "WRONG_COUNT",
            at,
            "has {} elements instead of {}",
            given,
            expected
        )]);
    }
    let mut placed = Vec::with_capacity(given);
    let mut faults = Vec::new();
    for (index, (it, activity)) in plan.activities.iter().zip(&spec.activities).enumerate() {
        if let Some(mode) = activity.modes.get(it.mode) {
            let start_us = i128::from(it.start_us);
            let end_us = start_us + i128::from(mode.duration_us);
            placed.push(Placed {
                start_us,
                end_us,
                mode,
            });
        } else {
            let at = Path::root("activities");
            let (at, mode) = (at.index(index), element("mode", it.mode));
            faults.push(fault!(
                "UNKNOWN",
                at.field("mode_id"),
                "is {}, which does not exist",
                mode
            ));
        }
    }
    if faults.is_empty() {
        Ok(placed)
    } else {
        Err(faults)
    }
}

fn check_windows(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    let activities = Path::root("activities");
    for (index, (it, activity)) in times.iter().zip(&spec.activities).enumerate() {
        let at = activities.index(index);
        let release_us = i128::from(activity.release_us.max(0));
        if it.start_us < release_us {
            let (start, release) = (micros(it.start_us), micros(release_us));
            faults.push(fault!(
                "EARLY",
                at,
                "starts at {}, before {}",
                start,
                release
            ));
        }
        let deadlines = activity.deadline_us.into_iter().chain(spec.deadline_us);
        if let Some(deadline_us) = deadlines.min()
            && it.end_us > i128::from(deadline_us)
        {
            let (end, deadline) = (micros(it.end_us), time(deadline_us));
            faults.push(fault!("LATE", at, "ends at {}, after {}", end, deadline));
        }
    }
}

fn check_precedences(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    let moment = |point: Point| match point {
        Point::Start(activity) => times[activity].start_us,
        Point::End(activity) => times[activity].end_us,
    };
    let activities = Path::root("activities");
    for (index, precedence) in spec.precedences.iter().enumerate() {
        let lag_us = moment(precedence.to) - moment(precedence.from);
        let at = activities.index(precedence.to.activity());
        let found = || (element("precedence", index), micros(lag_us));
        if let Some(min_us) = precedence.lag_min_us
            && lag_us < i128::from(min_us)
        {
            let (which, lag) = found();
            faults.push(fault!(
                "LAG_TOO_SHORT",
                at,
                "breaks {}: the lag is {}, at least {} is required",
                which,
                lag,
                time(min_us)
            ));
        }
        if let Some(max_us) = precedence.lag_max_us
            && lag_us > i128::from(max_us)
        {
            let (which, lag) = found();
            faults.push(fault!(
                "LAG_TOO_LONG",
                at,
                "breaks {}: the lag is {}, at most {} is allowed",
                which,
                lag,
                time(max_us)
            ));
        }
    }
}

/// Sweeps over the starts and ends of all that hold a resource.
fn check_resource(spec: &Spec, times: &[Placed<'_>], resource: usize, faults: &mut Vec<Fault>) {
    let mut changes: Vec<(i128, i128)> = Vec::new();
    for it in times.iter().filter(|it| it.start_us < it.end_us) {
        let demands = it.mode.demands.iter();
        for demand in demands.filter(|demand| demand.resource == resource) {
            let amount = i128::from(demand.amount);
            changes.push((it.start_us, amount));
            changes.push((it.end_us, -amount));
        }
    }
    // At the same moment what ends gives back first: negative changes sort before positive ones.
    changes.sort_unstable();
    let capacity = i128::from(spec.resources[resource].capacity);
    let mut held = 0;
    for (moment_us, change) in changes {
        held += change;
        if held > capacity {
            faults.push(fault!(
                "OVERLOADED",
                Path::root("activities"),
                "hold more of {} than its capacity of {} at {}",
                element("resource", resource),
                spec.resources[resource].capacity,
                micros(moment_us)
            ));
            return;
        }
    }
}
