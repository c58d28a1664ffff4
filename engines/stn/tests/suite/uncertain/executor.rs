//! Executes a dispatchable network while Nature picks durations: a check of strategies.

use stn::Time;
use stn::uncertain::Strategy;

/// Something that we may do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Move {
    /// The event.
    pub(crate) event: u32,
    /// The earliest time, in microseconds, if nothing else happens before.
    pub(crate) from: Time,
    /// The latest time, in microseconds, both ends included; none: no limit. May be before
    /// `from`: then something else has to happen first.
    pub(crate) to: Option<Time>,
    /// Contingent events that would bring `from` forward if they happened.
    pub(crate) waits_for: Vec<u32>,
}

/// A contingent event that Nature may let happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The event.
    pub(crate) event: u32,
    /// The earliest time, in microseconds.
    pub(crate) from: Time,
    /// The latest time, in microseconds, both ends included.
    pub(crate) to: Time,
}

/// Why an event cannot happen as reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StepError {
    /// No such event.
    #[error("there is no event {event}")]
    Unknown {
        /// The event.
        event: u32,
    },
    /// It has happened.
    #[error("event {event} has happened already, at {at} us")]
    Happened {
        /// The event.
        event: u32,
        /// When, in microseconds.
        at: Time,
    },
    /// Time does not go back.
    #[error("it is {now} us already")]
    Past {
        /// The time of the last event, in microseconds.
        now: Time,
    },
    /// Nature decides about it: observe it.
    #[error("event {event} ends a contingent link")]
    Natures {
        /// The event.
        event: u32,
    },
    /// We decide about it: execute it.
    #[error("event {event} ends no contingent link")]
    Ours {
        /// The event.
        event: u32,
    },
    /// It must follow an event that has not happened yet.
    #[error("event {event} has to follow event {after}")]
    NotEnabled {
        /// The event.
        event: u32,
        /// An event that has to happen before.
        after: u32,
    },
    /// A bound or a wait forbids it so soon.
    #[error("event {event} has to wait until {from} us")]
    TooEarly {
        /// The event.
        event: u32,
        /// The earliest time, in microseconds.
        from: Time,
    },
    /// An event, this or another of ours, has to happen before.
    #[error("event {event} has to happen by {to} us")]
    TooLate {
        /// The event that is late.
        event: u32,
        /// Its latest time, in microseconds.
        to: Time,
    },
}

/// A run of a [`Strategy`]: what has happened, and what may happen next.
///
/// It knows no clock: callers report when events happened. Each event of ours that happens as
/// [`Executor::moves`] allow, with nothing left undone beyond [`Executor::deadline`], keeps all
/// requirements satisfiable, whatever Nature does within its bounds. Where several moves are
/// possible, each is as safe as the others.
#[derive(Debug, Clone)]
pub(crate) struct Executor<'a> {
    strategy: &'a Strategy,
    /// By event, the contingent link that ends there.
    ending_at: Vec<Option<u32>>,
    /// By event, the bounds that bound it from below: `(i, j)` in `strategy.bounds()`.
    leaving: Vec<(usize, usize)>,
    happened: Vec<Option<Time>>,
    /// By event, the tightest upper bound that events so far have set.
    latest: Vec<Option<Time>>,
    now: Option<Time>,
}

impl<'a> Executor<'a> {
    /// Nothing has happened yet. The first event may happen at any time.
    pub(crate) fn new(strategy: &'a Strategy) -> Executor<'a> {
        let events = strategy.events();
        let bounds = strategy.bounds();
        let mut leaving = Vec::with_capacity(events);
        let mut begin = 0;
        for event in 0..events {
            let rest = &bounds[begin..];
            let end = begin + rest.partition_point(|bound| bound.from as usize <= event);
            leaving.push((begin, end));
            begin = end;
        }
        let mut ending_at = vec![None; events];
        for (index, link) in (0..).zip(strategy.contingents()) {
            ending_at[link.to as usize] = Some(index);
        }
        Executor {
            strategy,
            ending_at,
            leaving,
            happened: vec![None; events],
            latest: vec![None; events],
            now: None,
        }
    }

    /// When each event has happened, in microseconds; none: not yet.
    pub(crate) fn happened(&self) -> &[Option<Time>] {
        &self.happened
    }

    /// Whether everything has happened.
    pub(crate) fn is_finished(&self) -> bool {
        self.happened.iter().all(Option::is_some)
    }

    /// What we may do next, by event. Nothing else may happen before without changing the answer.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let deadline = self.deadline();
        let ours = self.pending().filter(|event| self.is_ours(*event));
        let moves = ours.filter_map(|event| {
            let (from, waits_for) = self.earliest(event).ok()?;
            let event = index(event);
            Some(Move {
                event,
                from,
                to: deadline.map(|(_, at)| at),
                waits_for,
            })
        });
        moves.collect()
    }

    /// What Nature may do next, by event.
    pub(crate) fn expected(&self) -> Vec<Expected> {
        let links = self.strategy.contingents().iter();
        let under_way = links.filter(|link| self.happened[link.to as usize].is_none());
        let expected = under_way.filter_map(|link| {
            let start = self.happened[link.from as usize]?;
            let now = self.now.unwrap_or(start);
            let from = now.max(start + link.lower);
            Some(Expected {
                event: link.to,
                from,
                to: start + link.upper,
            })
        });
        expected.collect()
    }

    /// The event of ours that has to happen first, and by when, in microseconds.
    pub(crate) fn deadline(&self) -> Option<(u32, Time)> {
        let ours = self.pending().filter(|event| self.is_ours(*event));
        let bounded = ours.filter_map(|event| Some((self.latest[event]?, index(event))));
        bounded.min().map(|(at, event)| (event, at))
    }

    /// Lets one of our events happen at `at`, in microseconds.
    ///
    /// # Errors
    /// Any [`StepError`]; nothing has changed then.
    pub(crate) fn execute(&mut self, event: u32, at: Time) -> Result<(), StepError> {
        self.check_time(event, at)?;
        if !self.is_ours(event as usize) {
            return Err(StepError::Natures { event });
        }
        let (from, _) = self.earliest(event as usize)?;
        if at < from {
            return Err(StepError::TooEarly { event, from });
        }
        self.record(event, at)
    }

    /// Takes note that Nature has let `event` happen at `at`, in microseconds. Report Nature's
    /// events at an instant before acting at it: the strategy may use them.
    ///
    /// # Errors
    /// Any [`StepError`]; nothing has changed then. [`StepError::TooLate`] may be about an event of
    /// ours that was not executed in time, or the contingent one: then Nature broke its bounds.
    pub(crate) fn observe(&mut self, event: u32, at: Time) -> Result<(), StepError> {
        self.check_time(event, at)?;
        let ending = self.ending_at[event as usize];
        let link = ending.ok_or(StepError::Ours { event })?;
        let link = self.strategy.contingents()[link as usize];
        let after = link.from;
        let start = self.happened[after as usize].ok_or(StepError::NotEnabled { event, after })?;
        let (from, to) = (start + link.lower, start + link.upper);
        if at < from {
            return Err(StepError::TooEarly { event, from });
        }
        if at > to {
            return Err(StepError::TooLate { event, to });
        }
        self.record(event, at)
    }

    fn check_time(&self, event: u32, at: Time) -> Result<(), StepError> {
        match self.happened.get(event as usize) {
            None => return Err(StepError::Unknown { event }),
            Some(Some(at)) => return Err(StepError::Happened { event, at: *at }),
            Some(None) => {}
        }
        match self.now {
            Some(now) if at < now => Err(StepError::Past { now }),
            _ => Ok(()),
        }
    }

    fn record(&mut self, event: u32, at: Time) -> Result<(), StepError> {
        if let Some((event, to)) = self.deadline().filter(|(_, to)| at > *to) {
            return Err(StepError::TooLate { event, to });
        }
        self.happened[event as usize] = Some(at);
        self.now = Some(at);
        let (begin, end) = self.leaving[event as usize];
        for bound in &self.strategy.bounds()[begin..end] {
            let latest = &mut self.latest[bound.to as usize];
            let bound = at + bound.weight;
            *latest = Some(latest.map_or(bound, |old| old.min(bound)));
        }
        Ok(())
    }

    fn pending(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.happened.len()).filter(|event| self.happened[*event].is_none())
    }

    fn is_ours(&self, event: usize) -> bool {
        self.ending_at[event].is_none()
    }

    /// The earliest time of an event of ours, and what would bring it forward.
    fn earliest(&self, event: usize) -> Result<(Time, Vec<u32>), StepError> {
        let not_enabled = |after| StepError::NotEnabled {
            event: index(event),
            after,
        };
        let (begin, end) = self.leaving[event];
        // No event before the first has a time to compare with: it may happen at 0 or later.
        let mut earliest = self.now.unwrap_or(0);
        for bound in &self.strategy.bounds()[begin..end] {
            match self.happened[bound.to as usize] {
                Some(at) => earliest = earliest.max(at - bound.weight),
                None if bound.weight < 0 => return Err(not_enabled(bound.to)),
                None => {}
            }
        }
        let waits = self.strategy.waits();
        let begin = waits.partition_point(|wait| (wait.event as usize) < event);
        let mut open = Vec::new();
        for wait in waits[begin..]
            .iter()
            .take_while(|wait| wait.event as usize == event)
        {
            let link = &self.strategy.contingents()[wait.link as usize];
            if self.happened[link.to as usize].is_some() {
                continue;
            }
            let start = self.happened[link.from as usize].ok_or(not_enabled(link.from))?;
            open.push((start + wait.least, link.to));
        }
        let without = earliest;
        let after_waits = open.iter().map(|(at, _)| *at).max();
        earliest = earliest.max(after_waits.unwrap_or(earliest));
        open.retain(|(at, _)| *at == earliest && *at > without);
        Ok((earliest, open.into_iter().map(|(_, end)| end).collect()))
    }
}

fn index(event: usize) -> u32 {
    u32::try_from(event).expect("at most EVENTS_MAX events")
}
