//! The check of a plan: every rule of the problem, from scratch.

use crate::errors::Fault;
use crate::plan::{Cost, Plan};
use crate::problem::{Mode, Point, Problem, Spec};

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
        let text = format!("must be the end of the last activity, {makespan_us} us");
        faults.push(Fault::new("WRONG_MAKESPAN", "makespan", text));
    }
    if faults.is_empty() {
        let makespan_us = plan.makespan_us;
        Ok(Cost { makespan_us })
    } else {
        Err(faults)
    }
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
        let text = format!("has {given} elements, the problem has {expected} activities");
        return Err(vec![Fault::new("WRONG_COUNT", "activities", text)]);
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
            let at = format!("activities[{index}].mode_id");
            let text = format!("is mode {}, which does not exist", it.mode);
            faults.push(Fault::new("UNKNOWN", &at, text));
        }
    }
    if faults.is_empty() {
        Ok(placed)
    } else {
        Err(faults)
    }
}

fn check_windows(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    for (index, (it, activity)) in times.iter().zip(&spec.activities).enumerate() {
        let at = format!("activities[{index}]");
        let release_us = activity.release_us.max(0);
        if it.start_us < i128::from(release_us) {
            let text = format!("starts at {} us, before {release_us} us", it.start_us);
            faults.push(Fault::new("EARLY", &at, text));
        }
        let deadlines = activity.deadline_us.into_iter().chain(spec.deadline_us);
        if let Some(deadline_us) = deadlines.min()
            && it.end_us > i128::from(deadline_us)
        {
            let text = format!("ends at {} us, after {deadline_us} us", it.end_us);
            faults.push(Fault::new("LATE", &at, text));
        }
    }
}

fn check_precedences(spec: &Spec, times: &[Placed<'_>], faults: &mut Vec<Fault>) {
    let time = |point: Point| match point {
        Point::Start(activity) => times[activity].start_us,
        Point::End(activity) => times[activity].end_us,
    };
    for (index, precedence) in spec.precedences.iter().enumerate() {
        let lag_us = time(precedence.to) - time(precedence.from);
        let at = format!("activities[{}]", precedence.to.activity());
        if let Some(min_us) = precedence.lag_min_us
            && lag_us < i128::from(min_us)
        {
            let text = format!("breaks precedence {index}: lag {lag_us} us, at least {min_us} us");
            faults.push(Fault::new("LAG_TOO_SHORT", &at, text));
        }
        if let Some(max_us) = precedence.lag_max_us
            && lag_us > i128::from(max_us)
        {
            let text = format!("breaks precedence {index}: lag {lag_us} us, at most {max_us} us");
            faults.push(Fault::new("LAG_TOO_LONG", &at, text));
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
            let text = format!(
                "hold {held} or more of resource {resource} at {moment_us} us, of {capacity}"
            );
            faults.push(Fault::new("OVERLOADED", "activities", text));
            return;
        }
    }
}
