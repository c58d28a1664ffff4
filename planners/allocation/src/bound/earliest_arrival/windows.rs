//! Time windows of one task: earliest and latest starts.

use crate::problem::{Micros, Task};

/// Earliest start at or after `from_us` that the windows, and the lateness allowed after the last,
/// permit.
pub(crate) fn earliest_start(task: &Task, from_us: Micros) -> Option<Micros> {
    if task.windows.is_empty() {
        return Some(from_us);
    }
    let next = closings(task).find(|(_, close_us)| from_us <= *close_us);
    next.map(|(open_us, _)| from_us.max(open_us))
}

/// Latest start at or before `by_us` that the windows, and the lateness allowed after the last,
/// permit. Never below 0.
pub(crate) fn latest_start(task: &Task, by_us: Micros) -> Option<Micros> {
    if task.windows.is_empty() {
        return (by_us >= 0).then_some(by_us);
    }
    let last = closings(task)
        .filter(|(open_us, _)| *open_us <= by_us)
        .last();
    last.map(|(_, close_us)| by_us.min(close_us))
}

/// Latest start that the windows, and the lateness allowed after the last, permit.
pub(crate) fn latest_close(task: &Task) -> Micros {
    closings(task)
        .last()
        .map_or(Micros::MAX, |(_, close_us)| close_us)
}

/// Openings and closings, the lateness allowed in the last.
fn closings(task: &Task) -> impl Iterator<Item = (Micros, Micros)> {
    let last = task.windows.len().saturating_sub(1);
    let late_us = task.lateness_max_us.unwrap_or(0);
    let windows = task.windows.iter().enumerate();
    windows.map(move |(index, window)| {
        let late_us = if index == last { late_us } else { 0 };
        (window.open_us, window.close_us + late_us)
    })
}
