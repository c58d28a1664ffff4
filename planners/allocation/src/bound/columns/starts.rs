//! Starts of tasks.

use crate::problem::{Micros, SHIFT_OPEN_US, Task, Window};

/// When a task may start.
#[derive(Debug)]
pub(super) struct Starts {
    open_us: Micros,
    /// End of the last window, and with the lateness allowed.
    pub(super) close_us: Micros,
    pub(super) latest_us: Micros,
    /// Windows, if there are several; else none.
    windows: Vec<Window>,
}

impl Starts {
    pub(super) fn new(task: &Task) -> Self {
        let last = task.windows.last();
        let close_us = last.map_or(SHIFT_OPEN_US, |window| window.close_us);
        let is_split = task.windows.len() > 1;
        Self {
            open_us: task.windows.first().map_or(0, |window| window.open_us),
            close_us,
            latest_us: close_us + last.and(task.lateness_max_us).unwrap_or(0),
            windows: if is_split {
                task.windows.clone()
            } else {
                Vec::new()
            },
        }
    }

    /// Earliest start for an arrival; it may be too late.
    #[inline]
    pub(super) fn start_us(&self, arrival_us: Micros) -> Micros {
        let mut windows = self.windows.iter();
        let next = windows.find(|window| arrival_us <= window.close_us);
        let open_us = next.map_or(self.open_us, |window| window.open_us);
        arrival_us.max(open_us)
    }
}
