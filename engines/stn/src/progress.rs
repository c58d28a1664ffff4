//! What has happened in a network while it is executed, and what that leaves of its links.

use crate::dispatch::Deviation;
use crate::{Contingent, Link, Time};

/// The least time that a contingent link gets that has lasted too long: 1 s.
pub const EXTENSION_MIN_US: Time = 1_000_000;

/// A deviation, and when it was noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviated {
    /// What it is.
    pub what: Deviation,
    /// The current time then.
    pub at_us: Time,
}

/// Why a report of an event is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportError {
    /// The event has happened before.
    Repeated,
    /// It is reported for a time before the origin or after now.
    OutOfRange,
    /// It ends a link that has not begun, or began later.
    BeforeStart,
}

/// The current time, and the time of each event that has happened, by index of the event: its node
/// is one above. Node 0 is the origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// The current time.
    pub now_us: Time,
    /// By event.
    pub times_us: Vec<Option<Time>>,
}

impl Progress {
    /// Time of a node that has happened.
    #[must_use]
    pub fn time(&self, node: usize) -> Option<Time> {
        match node {
            0 => Some(0),
            event => self.times_us[event - 1],
        }
    }

    /// Nodes that have happened, and when.
    pub fn happened(&self) -> impl Iterator<Item = (usize, Time)> {
        let times = (1..).zip(&self.times_us);
        times.filter_map(|(node, time)| Some((node, (*time)?)))
    }

    /// Progress after a report of nodes with their times.
    ///
    /// # Errors
    /// The index of the event in the report, and what is wrong with it.
    ///
    /// # Panics
    /// When an event is the origin or does not exist, or the time goes back.
    pub fn after(
        &self,
        now_us: Time,
        events: &[(usize, Time)],
        links: &[Contingent],
    ) -> Result<Self, (usize, ReportError)> {
        assert!(now_us >= self.now_us, "time goes back");
        let mut next = Self {
            now_us,
            times_us: self.times_us.clone(),
        };
        for (index, &(node, at_us)) in events.iter().enumerate() {
            if next.times_us[node - 1].replace(at_us).is_some() {
                return Err((index, ReportError::Repeated));
            }
            if !(0..=now_us).contains(&at_us) {
                return Err((index, ReportError::OutOfRange));
            }
        }
        for (index, &(node, at_us)) in events.iter().enumerate() {
            let starts = links.iter().filter(|link| link.to == node);
            let mut starts = starts.map(|link| next.time(link.from));
            if starts.any(|start| start.is_none_or(|start_us| start_us > at_us)) {
                return Err((index, ReportError::BeforeStart));
            }
        }
        Ok(next)
    }

    /// Whether a link runs.
    #[must_use]
    pub fn is_running(&self, link: &Contingent) -> bool {
        self.time(link.from).is_some() && self.time(link.to).is_none()
    }

    /// What a contingent link can still last: what it took when it has ended; as long again as its
    /// range, at least [`EXTENSION_MIN_US`] and at most `max_us` in all, when it lasts too long.
    #[must_use]
    pub fn left(&self, link: Contingent, max_us: Time) -> Contingent {
        let Some(start_us) = self.time(link.from) else {
            return link;
        };
        let (lower_us, upper_us) = match self.time(link.to) {
            Some(end_us) => (end_us - start_us, end_us - start_us),
            None => {
                let lasted_us = self.now_us - start_us;
                let extended_us = lasted_us + link.upper_us.max(EXTENSION_MIN_US);
                let upper_us = if lasted_us > link.upper_us {
                    extended_us.min(max_us)
                } else {
                    link.upper_us
                };
                (link.lower_us.max(lasted_us), upper_us)
            }
        };
        Contingent {
            lower_us,
            upper_us,
            ..link
        }
    }

    /// Whether lower and upper bound of a link between events that happen for sure cannot be
    /// satisfied any more.
    #[must_use]
    pub fn broken_bounds(&self, link: &Link) -> [bool; 2] {
        let (begin, end) = (self.time(link.from), self.time(link.to));
        // The least and the largest difference that is left.
        let least = begin.map(|begin_us| end.unwrap_or(self.now_us) - begin_us);
        let most = end.map(|end_us| end_us - begin.unwrap_or(self.now_us));
        let lower = most.is_some_and(|most_us| link.lower_us > Some(most_us));
        [lower, least > link.upper_us && link.upper_us.is_some()]
    }
}
