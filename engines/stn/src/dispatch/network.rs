//! Dispatchable networks as callers give them, and what is wrong with invalid ones.

use crate::uncertain::{Contingent, DispatchBound, Strategy, Wait};
use crate::{NODES_MAX, TIME_MAX, Time};
use std::fmt;

/// A dispatchable network: what to observe while events happen. Event 0 is the origin.
///
/// It must be *dispatchable*: bounds and waits alone make sure that no event comes too late. The
/// networks of [`strategy`](crate::uncertain::strategy()) are, reduced or not.
#[derive(Debug, Clone, Copy)]
pub struct DispatchableNetwork<'a> {
    /// The number of events, at most [`NODES_MAX`].
    pub events: usize,
    /// Bounds, at most 2^32 - 1.
    pub bounds: &'a [DispatchBound],
    /// Waits of events that are ours.
    pub waits: &'a [Wait],
    /// Contingent links: an event at the end of one is Nature's, all others are ours.
    pub links: &'a [Contingent],
}

impl<'a> From<&'a Strategy> for DispatchableNetwork<'a> {
    fn from(strategy: &'a Strategy) -> Self {
        Self {
            events: strategy.events(),
            bounds: strategy.bounds(),
            waits: strategy.waits(),
            links: strategy.contingents(),
        }
    }
}

/// A list of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The bounds.
    Bound,
    /// The waits.
    Wait,
    /// The contingent links.
    Link,
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Bound => "bound",
            Self::Wait => "wait",
            Self::Link => "link",
        })
    }
}

/// A validation error of a dispatchable network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Too few or too many events.
    #[error("{given} events given, 1 to {NODES_MAX} are supported")]
    EventCount {
        /// Events given.
        given: usize,
    },
    /// An event that is not there.
    #[error("{part} {index} names event {event}, but there are only {events}")]
    UnknownEvent {
        /// The list.
        part: Part,
        /// Index in the list.
        index: usize,
        /// The event that it names.
        event: u32,
        /// Events of the network.
        events: usize,
    },
    /// A time that could make a sum overflow.
    #[error("{part} {index} has a time of {time} us, beyond {TIME_MAX} us")]
    TimeTooLarge {
        /// The list.
        part: Part,
        /// Index in the list.
        index: usize,
        /// The time, in microseconds.
        time: Time,
    },
    /// A wait for a link that is not there.
    #[error("wait {index} names link {link}, but there are only {links}")]
    UnknownLink {
        /// Index of the wait.
        index: usize,
        /// The link that it names.
        link: u32,
        /// Links of the network.
        links: usize,
    },
    /// A wait of an event that Nature decides.
    #[error("wait {index} is of event {event}, which ends a link")]
    WaitOfNature {
        /// Index of the wait.
        index: usize,
        /// The event.
        event: u32,
    },
    /// A link that is shorter than 0, or has no duration.
    #[error("link {index} lasts {lower} to {upper} us, allowed is 0 <= lower <= upper")]
    LinkRange {
        /// Index of the link.
        index: usize,
        /// Its shortest duration, in microseconds.
        lower: Time,
        /// Its longest duration, in microseconds.
        upper: Time,
    },
    /// A link that ends at the origin, where it starts, or where another link ends.
    #[error("link {index} must not end at event {event}")]
    LinkEnd {
        /// Index of the link.
        index: usize,
        /// The event at its end.
        event: u32,
    },
}

impl DispatchableNetwork<'_> {
    /// By event the link that ends there, of a network without mistakes.
    pub(super) fn check(&self) -> Result<Vec<Option<u32>>, NetworkError> {
        if !(1..=NODES_MAX).contains(&self.events) {
            return Err(NetworkError::EventCount { given: self.events });
        }
        for (index, bound) in self.bounds.iter().enumerate() {
            let events = [bound.from, bound.to];
            self.check_entry(Part::Bound, index, events, bound.weight)?;
        }
        for (index, link) in self.links.iter().enumerate() {
            self.check_entry(Part::Link, index, [link.from, link.to], link.upper)?;
        }
        let ending_at = self.ending_at()?;
        for (index, wait) in self.waits.iter().enumerate() {
            self.check_entry(Part::Wait, index, [wait.event; 2], wait.least)?;
            if wait.link as usize >= self.links.len() {
                return Err(NetworkError::UnknownLink {
                    index,
                    link: wait.link,
                    links: self.links.len(),
                });
            }
            if ending_at[wait.event as usize].is_some() {
                let event = wait.event;
                return Err(NetworkError::WaitOfNature { index, event });
            }
        }
        Ok(ending_at)
    }

    fn check_entry(
        &self,
        part: Part,
        index: usize,
        named: [u32; 2],
        time: Time,
    ) -> Result<(), NetworkError> {
        let events = self.events;
        if let Some(&event) = named.iter().find(|event| **event as usize >= events) {
            return Err(NetworkError::UnknownEvent {
                part,
                index,
                event,
                events,
            });
        }
        if !(-TIME_MAX..=TIME_MAX).contains(&time) {
            return Err(NetworkError::TimeTooLarge { part, index, time });
        }
        Ok(())
    }

    fn ending_at(&self) -> Result<Vec<Option<u32>>, NetworkError> {
        let mut ending_at = vec![None; self.events];
        for (index, link) in self.links.iter().enumerate() {
            let (lower, upper, event) = (link.lower, link.upper, link.to);
            if lower < 0 || lower > upper {
                return Err(NetworkError::LinkRange {
                    index,
                    lower,
                    upper,
                });
            }
            let at = u32::try_from(index).expect("links end at events of their own, few");
            let taken = ending_at[event as usize].replace(at);
            if event == 0 || link.from == event || taken.is_some() {
                return Err(NetworkError::LinkEnd { index, event });
            }
        }
        Ok(ending_at)
    }
}
