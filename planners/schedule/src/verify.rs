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
    if faults.is_empty() {
        let makespan_us = times.iter().map(|it| it.end_us).max().unwrap_or(0);
        let beyond = |_| {
            vec![fault!(
                "OUT_OF_RANGE",
                Path::root("activities"),
                "end too late"
            )]
        };
        let makespan_us = i64::try_from(makespan_us).map_err(beyond)?;
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
    /// Index in the plan.
    at: usize,
    start_us: i128,
    end_us: i128,
    mode: &'s Mode,
}

/// Start, end and mode of each activity, in the order of the problem.
///
/// # Errors
/// The plan does not have each activity once, or has a mode that does not exist.
fn times<'s>(spec: &'s Spec, plan: &Plan) -> Result<Vec<Placed<'s>>, Vec<Fault>> {
    let mut placed: Vec<Option<Placed<'s>>> = spec.activities.iter().map(|_| None).collect();
    let mut faults = Vec::new();
    let activities = Path::root("activities");
    for (index, it) in plan.activities.iter().enumerate() {
        let at = activities.index(index);
        let activity = element("activity", it.activity);
        let Some(known) = spec.activities.get(it.activity) else {
            let at = at.field("activity_id");
            faults.push(anytime::check::unknown(&at, activity));
            continue;
        };
        let Some(mode) = known.modes.get(it.mode) else {
            let (at, mode) = (at.field("mode_id"), element("mode", it.mode));
            let fault = fault!(
                "UNKNOWN",
                at,
                "is {} of {}, which does not exist",
                mode,
                activity
            );
            faults.push(fault);
            continue;
        };
        let start_us = i128::from(it.start_us);
        let end_us = start_us + i128::from(mode.duration_us);
        let place = Placed {
            at: index,
            start_us,
            end_us,
            mode,
        };
        if placed[it.activity].replace(place).is_some() {
            let at = at.field("activity_id");
            let fault = fault!(
                "ACTIVITY_REPEATED",
                at,
                "is {}, which is scheduled twice",
                activity
            );
            faults.push(fault);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let missing = placed.iter().enumerate().filter(|(_, it)| it.is_none());
    let missing = missing.map(|(index, _)| element("activity", index));
    let faults: Vec<_> = missing
        .map(|missing| fault!("ACTIVITY_MISSING", activities, "lack {}", missing))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(placed.into_iter().flatten().collect())
}

fn check_windows(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    let activities = Path::root("activities");
    for (it, activity) in times.iter().zip(&spec.activities) {
        let at = activities.index(it.at);
        let release_us = i128::from(activity.release_us.max(0));
        if it.start_us < release_us {
            let (start, release) = (micros(it.start_us), micros(release_us));
            faults.push(fault!(
                "BEFORE_RELEASE",
                at,
                "starts at {}, before its release at {}",
                start,
                release
            ));
        }
        let deadlines = activity.deadline_us.into_iter().chain(spec.deadline_us);
        if let Some(deadline_us) = deadlines.min()
            && it.end_us > i128::from(deadline_us)
        {
            let (end, deadline) = (micros(it.end_us), time(deadline_us));
            faults.push(fault!(
                "AFTER_DEADLINE",
                at,
                "ends at {}, after the deadline at {}",
                end,
                deadline
            ));
        }
    }
}

fn check_precedences(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    let moment = |point: Point| match point {
        Point::Start(activity) => times[activity].start_us,
        Point::End(activity) => times[activity].end_us,
    };
    let activities = Path::root("activities");
    for precedence in &spec.precedences {
        let (from, to) = (precedence.from.activity(), precedence.to.activity());
        let lag_us = moment(precedence.to) - moment(precedence.from);
        let at = activities.index(times[to].at);
        let found = || {
            (
                element("activity", from),
                element("activity", to),
                micros(lag_us),
            )
        };
        if let Some(min_us) = precedence.lag_min_us
            && lag_us < i128::from(min_us)
        {
            let (from, to, lag) = found();
            faults.push(fault!(
                "LAG_TOO_SHORT",
                at,
                "breaks the precedence from {} to {}: the lag is {}, at least {} is required",
                from,
                to,
                lag,
                time(min_us)
            ));
        }
        if let Some(max_us) = precedence.lag_max_us
            && lag_us > i128::from(max_us)
        {
            let (from, to, lag) = found();
            faults.push(fault!(
                "LAG_TOO_LONG",
                at,
                "breaks the precedence from {} to {}: the lag is {}, at most {} is allowed",
                from,
                to,
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
                "OVERLOAD",
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
