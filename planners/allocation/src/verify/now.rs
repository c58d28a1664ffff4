//! Rules about now: what is not under way happens now or later.

use crate::plan::Route;
use crate::problem::{Break, Micros, Problem};
use anytime::{Fault, Path, element, fault, time};

/// Earliest departure of an agent to a stop, rests before it included, as far as now requires it.
/// Now matters for the first task that is not under way only: tasks under way may lie in the past,
/// with the arc to the end place after them.
pub(super) fn earliest_departure_us(problem: &Problem, route: &Route, stop: usize) -> Micros {
    let is_first = || stop == problem.committed(route.agent).len() && stop < route.stops.len();
    let now_us = Some(problem.now_us()).filter(|now_us| *now_us > 0 && is_first());
    now_us.unwrap_or(Micros::MIN)
}

/// The fault of a task that is not under way and starts in the past.
pub(super) fn past(problem: &Problem, route: &Route, stop: usize, at: &Path<'_>) -> Option<Fault> {
    let (one, now_us) = (route.stops[stop], problem.now_us());
    let is_open = || stop >= problem.committed(route.agent).len();
    (0 < now_us && one.start_us < now_us && is_open()).then(|| {
        fault!(
            "START_BEFORE_NOW",
            at,
            "starts at {}, but now is {} and {} is not under way",
            time(one.start_us),
            time(now_us),
            element("task", one.task)
        )
    })
}

/// Whether a break is past: it had to start before now, and its agent had done all tasks under way
/// then.
pub(super) fn is_over(problem: &Problem, route: &Route, one: &Break) -> bool {
    let last = problem.committed(route.agent).len().checked_sub(1);
    let done_us = last.map_or(Some(Micros::MIN), |last| {
        let stop = route.stops.get(last)?;
        let task = problem.tasks().get(stop.task)?;
        Some(stop.start_us.saturating_add(task.service_us))
    });
    one.latest_us < problem.now_us() && done_us.is_some_and(|done_us| done_us <= one.latest_us)
}
