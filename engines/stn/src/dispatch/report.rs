//! What callers report to a dispatcher, and what it returns.

use crate::{TIME_MAX, Time};

/// An event that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// The event.
    pub event: u32,
    /// When, in microseconds after the origin.
    pub at: Time,
}

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decision {
    /// Events of ours that happen now, in this order.
    pub fire: Vec<u32>,
    /// The next time to decide, if nothing is observed before. `None`: not before an observation.
    pub wake: Option<Time>,
}

/// A run that the network has no answer for. It ends the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Deviation {
    /// An event of ours has not happened in time.
    #[error("event {event} had to happen by {latest} us")]
    Late {
        /// The event.
        event: u32,
        /// Its latest time, in microseconds.
        latest: Time,
    },
    /// An event of Nature happened, or is missing, outside the range of its link; or an event of
    /// ours was reported before its window.
    #[error("event {event} is outside its range")]
    Outside {
        /// The event.
        event: u32,
    },
    /// Nothing can happen any more, but not everything has happened.
    #[error("nothing can happen any more")]
    Stuck,
}

/// Why a report was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// Time does not go back.
    #[error("time {now} us is before {last} us, or beyond {TIME_MAX} us")]
    Time {
        /// The reported time, in microseconds.
        now: Time,
        /// The last one.
        last: Time,
    },
    /// No such event.
    #[error("there is no event {event}")]
    Unknown {
        /// The event.
        event: u32,
    },
    /// An event that happened before, or is reported twice.
    #[error("event {event} was reported before")]
    Repeated {
        /// The event.
        event: u32,
    },
    /// An event in the future, or before the origin.
    #[error("event {event} is reported at {at} us, allowed is 0 to {now} us")]
    NotYet {
        /// The event.
        event: u32,
        /// When it is reported to happen, in microseconds.
        at: Time,
        /// The reported time.
        now: Time,
    },
    /// The run has ended with a deviation.
    #[error(transparent)]
    Deviated(#[from] Deviation),
}
