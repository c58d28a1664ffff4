//! What has to happen now or later.

use super::Violation;
use crate::plan::Route;
use crate::problem::{Break, Micros, Problem};

/// The earliest time at which an agent leaves for a stop, and rests before it. Only for the first
/// task that is not under way is it later than what the stops before it require: what is under way
/// may lie in the past, with the arc to the end place behind it.
pub(super) fn floor_us(problem: &Problem, route: &Route, stop: usize) -> Micros {
    let is_first = || stop == problem.started(route.agent).len() && stop < route.stops.len();
    let now_us = Some(problem.now_us()).filter(|now_us| *now_us > 0 && is_first());
    now_us.unwrap_or(Micros::MIN)
}

/// That a task which is not under way starts in the past.
pub(super) fn past(
    problem: &Problem,
    (route, given): (usize, &Route),
    stop: usize,
) -> Option<Violation> {
    let (one, now_us) = (given.stops[stop], problem.now_us());
    let is_open = || stop >= problem.started(given.agent).len();
    (0 < now_us && one.start_us < now_us && is_open()).then_some(Violation::StartBeforeNow {
        route,
        stop,
        task: one.task,
        start_us: one.start_us,
        now_us,
    })
}

/// Whether a break is past: it had to start before now, and its agent had nothing to do then, or
/// had done all that is under way.
pub(super) fn is_over(problem: &Problem, route: &Route, one: &Break) -> bool {
    let last = problem.started(route.agent).len().checked_sub(1);
    let done_us = last.map_or(Some(Micros::MIN), |last| {
        let stop = route.stops.get(last)?;
        let task = problem.tasks().get(stop.task)?;
        Some(stop.start_us.saturating_add(task.service_us))
    });
    one.latest_us < problem.now_us() && done_us.is_some_and(|done_us| done_us <= one.latest_us)
}
