//! A network with uncertain durations, checked.

use crate::{Edge, TIME_MAX, Time, contingent_cycles};
use std::fmt;

/// Largest number of events in a network. Paths then stay below 2^61 microseconds, derived bounds
/// included, so that differences of path lengths fit into 64 bits.
pub const EVENTS_MAX: usize = 1_023;

/// Largest magnitude of a bound, and of all longest durations together: 2^49 microseconds, more
/// than 17 years. A requirement and all durations together stay within [`TIME_MAX`].
pub const BOUND_MAX: Time = TIME_MAX / 2;

/// Largest number of requirements in a network.
pub const REQUIREMENTS_MAX: usize = 1 << 20;

/// A duration that Nature decides: `lower <= t[to] - t[from] <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contingent {
    /// The event that starts it, an index.
    pub from: u32,
    /// The event that Nature lets happen, an index.
    pub to: u32,
    /// The shortest duration, in microseconds, from 0.
    pub lower: Time,
    /// The longest duration, in microseconds, at least `lower`.
    pub upper: Time,
    /// The caller's name of the link, which conflicts give back.
    pub id: u32,
}

impl Contingent {
    /// `lower <= t[to] - t[from] <= upper`, called `id`. [`Stnu::new`] checks it.
    pub const fn new(from: u32, to: u32, lower: Time, upper: Time, id: u32) -> Self {
        Self {
            from,
            to,
            lower,
            upper,
            id,
        }
    }
}

/// A link by its list and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkIndex {
    /// Index of a requirement.
    Requirement(usize),
    /// Index of a contingent link.
    Contingent(usize),
}

impl fmt::Display for LinkIndex {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkIndex::Requirement(index) => write!(out, "requirement {index}"),
            LinkIndex::Contingent(index) => write!(out, "contingent link {index}"),
        }
    }
}

/// A validation error of a network with uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StnuError {
    /// Sums along paths would not fit.
    #[error("{given} events given, at most {EVENTS_MAX} are supported")]
    TooManyEvents {
        /// Events asked for.
        given: usize,
    },
    /// More than anyone needs: two per pair of events would do.
    #[error("{given} requirements given, at most {REQUIREMENTS_MAX} are supported")]
    TooManyRequirements {
        /// Requirements given.
        given: usize,
    },
    /// A link to or from nowhere.
    #[error("{link} names event {event}, but there are only {events}")]
    UnknownEvent {
        /// The link.
        link: LinkIndex,
        /// The event it names.
        event: u32,
        /// Events in the network.
        events: usize,
    },
    /// A link from an event to itself.
    #[error("{link} leads from event {event} to itself")]
    SelfLoop {
        /// The link.
        link: LinkIndex,
        /// Its only event.
        event: u32,
    },
    /// A bound that could make a sum overflow.
    #[error("{link} has a bound of {bound} us, beyond {BOUND_MAX} us either way")]
    BoundTooLarge {
        /// The link.
        link: LinkIndex,
        /// The bound, in microseconds.
        bound: Time,
    },
    /// An effect before its cause.
    #[error("contingent link {index} may last {lower} us, less than nothing")]
    LowerNegative {
        /// Index of the contingent link.
        index: usize,
        /// Its lower bound, in microseconds.
        lower: Time,
    },
    /// No duration is left to choose.
    #[error("contingent link {index} lasts at least {lower} us, but at most {upper} us")]
    LowerAboveUpper {
        /// Index of the contingent link.
        index: usize,
        /// Its lower bound, in microseconds.
        lower: Time,
        /// Its upper bound, in microseconds.
        upper: Time,
    },
    /// Two links would each decide when the event happens.
    #[error("contingent links {first} and {second} both end at event {event}")]
    SharedEnd {
        /// The event.
        event: u32,
        /// Index of the link that ends there.
        first: usize,
        /// Index of the other link that ends there.
        second: usize,
    },
    /// A cycle of contingent links: none could be the first to start.
    #[error("contingent link {index} is part of a cycle of contingent links")]
    ContingentCycle {
        /// Least index of the links of the cycle.
        index: usize,
    },
    /// Together the durations are too long for sums to fit.
    #[error("the longest durations add up to {sum} us, beyond {BOUND_MAX} us")]
    DurationsTooLarge {
        /// The sum, in microseconds.
        sum: i128,
    },
}

/// A simple temporal network with uncertainty; see the [module](super) for what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stnu {
    events: usize,
    requirements: Vec<Edge>,
    contingents: Vec<Contingent>,
    /// For each event the contingent link that ends there.
    ending_at: Vec<Option<u32>>,
}

impl Stnu {
    /// A network of `events` events, named by index.
    ///
    /// # Errors
    /// Every [`StnuError`] there is: first sizes, then requirements and contingent links in
    /// order, then what contingent links are together.
    ///
    /// # Examples
    /// ```
    /// use stn::uncertain::{Contingent, Stnu};
    /// let ride = Contingent { from: 0, to: 1, lower: 40, upper: 60, id: 0 };
    /// assert!(Stnu::new(2, vec![], vec![ride]).is_ok());
    /// assert!(Stnu::new(2, vec![], vec![ride, ride]).is_err());
    /// ```
    pub fn new(
        events: usize,
        requirements: Vec<Edge>,
        contingents: Vec<Contingent>,
    ) -> Result<Stnu, Vec<StnuError>> {
        let mut errors = too_many(events, &requirements);
        if !errors.is_empty() {
            return Err(errors);
        }
        for (index, edge) in requirements.iter().enumerate() {
            let link = LinkIndex::Requirement(index);
            check_ends(link, [edge.from, edge.to], events, &mut errors);
            check_bound(link, edge.weight, &mut errors);
        }
        for (index, link) in contingents.iter().enumerate() {
            check_contingent(index, link, events, &mut errors);
        }
        let ending_at = check_shared_ends(events, &contingents, &mut errors);
        let into = |event: usize| ending_at.get(event)?.map(|link| link as usize);
        let from = |link: usize| contingents[link].from as usize;
        // A link from an event to itself is another error.
        let cycles = contingent_cycles(events, into, from).into_iter();
        let cycles = cycles.filter(|links| links.len() > 1);
        errors.extend(cycles.map(|links| StnuError::ContingentCycle { index: links[0] }));
        let sum = contingents.iter().map(|link| i128::from(link.upper)).sum();
        if sum > i128::from(BOUND_MAX) {
            errors.push(StnuError::DurationsTooLarge { sum });
        }
        if errors.is_empty() {
            Ok(Stnu {
                events,
                requirements,
                contingents,
                ending_at,
            })
        } else {
            Err(errors)
        }
    }

    /// The number of events.
    pub fn events(&self) -> usize {
        self.events
    }

    /// The requirements, as given.
    pub fn requirements(&self) -> &[Edge] {
        &self.requirements
    }

    /// The contingent links, as given.
    pub fn contingents(&self) -> &[Contingent] {
        &self.contingents
    }

    /// The index of the contingent link that ends at `event`; none when the event is ours.
    ///
    /// # Panics
    /// When there is no such event.
    pub fn ending_at(&self, event: usize) -> Option<usize> {
        self.ending_at[event].map(|index| index as usize)
    }

    /// The same events with fewer links.
    pub(super) fn part(&self, requirements: Vec<Edge>, links: &[usize]) -> Stnu {
        let contingents = links.iter().map(|link| self.contingents[*link]);
        let mut part = Stnu {
            events: self.events,
            requirements,
            contingents: contingents.collect(),
            ending_at: vec![None; self.events],
        };
        for (index, link) in (0..).zip(&part.contingents) {
            part.ending_at[link.to as usize] = Some(index);
        }
        part
    }

    /// The network in which contingent link `i` lasts between `bounds[i].0` and `bounds[i].1`,
    /// both ends included. The caller keeps them within the link's own bounds.
    pub(super) fn narrowed(&self, bounds: &[(Time, Time)]) -> Stnu {
        let mut narrowed = self.clone();
        for (link, (lower, upper)) in narrowed.contingents.iter_mut().zip(bounds) {
            debug_assert!(link.lower <= *lower && *lower <= *upper && *upper <= link.upper);
            (link.lower, link.upper) = (*lower, *upper);
        }
        narrowed
    }
}

fn too_many(events: usize, requirements: &[Edge]) -> Vec<StnuError> {
    let mut errors = Vec::new();
    if events > EVENTS_MAX {
        errors.push(StnuError::TooManyEvents { given: events });
    }
    let given = requirements.len();
    if given > REQUIREMENTS_MAX {
        errors.push(StnuError::TooManyRequirements { given });
    }
    errors
}

fn check_ends(link: LinkIndex, ends: [u32; 2], events: usize, errors: &mut Vec<StnuError>) {
    for event in ends {
        if event as usize >= events {
            errors.push(StnuError::UnknownEvent {
                link,
                event,
                events,
            });
        }
    }
    if ends[0] == ends[1] {
        let event = ends[0];
        errors.push(StnuError::SelfLoop { link, event });
    }
}

fn check_bound(link: LinkIndex, bound: Time, errors: &mut Vec<StnuError>) {
    if bound.unsigned_abs() > BOUND_MAX.unsigned_abs() {
        errors.push(StnuError::BoundTooLarge { link, bound });
    }
}

fn check_contingent(index: usize, link: &Contingent, events: usize, errors: &mut Vec<StnuError>) {
    let Contingent {
        from,
        to,
        lower,
        upper,
        ..
    } = *link;
    let link = LinkIndex::Contingent(index);
    check_ends(link, [from, to], events, errors);
    check_bound(link, lower, errors);
    check_bound(link, upper, errors);
    if lower < 0 {
        errors.push(StnuError::LowerNegative { index, lower });
    }
    if lower > upper {
        errors.push(StnuError::LowerAboveUpper {
            index,
            lower,
            upper,
        });
    }
}

/// For each event the first contingent link that ends there.
fn check_shared_ends(
    events: usize,
    contingents: &[Contingent],
    errors: &mut Vec<StnuError>,
) -> Vec<Option<u32>> {
    let mut ending_at: Vec<Option<u32>> = vec![None; events];
    for (second, link) in contingents.iter().enumerate() {
        let event = link.to;
        // An unknown event has its own error.
        match ending_at.get_mut(event as usize) {
            Some(Some(first)) => errors.push(StnuError::SharedEnd {
                event,
                first: *first as usize,
                second,
            }),
            Some(free) => *free = Some(u32::try_from(second).unwrap_or(u32::MAX)),
            None => {}
        }
    }
    ending_at
}
