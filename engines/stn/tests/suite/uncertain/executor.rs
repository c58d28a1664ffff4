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
            let (from, waits_for) = self.earliest(event)?;
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

    /// Lets one of our events happen at `at`, in microseconds; false: the strategy forbids it, and
    /// nothing has changed.
    pub(crate) fn execute(&mut self, event: u32, at: Time) -> bool {
        let is_ours = self.is_pending(event, at) && self.is_ours(event as usize);
        let earliest = self.earliest(event as usize).filter(|_| is_ours);
        earliest.is_some_and(|(from, _)| at >= from) && self.record(event, at)
    }

    /// Takes note that Nature has let `event` happen at `at`, in microseconds; false: it was not
    /// allowed to, or an event of ours should have happened before, and nothing has changed. Report
    /// Nature's events at an instant before acting at it: the strategy may use them.
    pub(crate) fn observe(&mut self, event: u32, at: Time) -> bool {
        let link = self.ending_at[event as usize].filter(|_| self.is_pending(event, at));
        let link = link.map(|link| self.strategy.contingents()[link as usize]);
        let is_allowed = link.is_some_and(|link| {
            let start = self.happened[link.from as usize];
            start.is_some_and(|start| (start + link.lower..=start + link.upper).contains(&at))
        });
        is_allowed && self.record(event, at)
    }

    /// Whether an event has not happened before `at`, nor anything after that.
    fn is_pending(&self, event: u32, at: Time) -> bool {
        self.happened[event as usize].is_none() && self.now.is_none_or(|now| now <= at)
    }

    fn record(&mut self, event: u32, at: Time) -> bool {
        if self.deadline().is_some_and(|(_, to)| at > to) {
            return false;
        }
        self.happened[event as usize] = Some(at);
        self.now = Some(at);
        let (begin, end) = self.leaving[event as usize];
        for bound in &self.strategy.bounds()[begin..end] {
            let latest = &mut self.latest[bound.to as usize];
            let bound = at + bound.weight;
            *latest = Some(latest.map_or(bound, |old| old.min(bound)));
        }
        true
    }

    fn pending(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.happened.len()).filter(|event| self.happened[*event].is_none())
    }

    fn is_ours(&self, event: usize) -> bool {
        self.ending_at[event].is_none()
    }

    /// The earliest time of an event of ours, and what would bring it forward. `None`: another
    /// event has to happen before.
    fn earliest(&self, event: usize) -> Option<(Time, Vec<u32>)> {
        let (begin, end) = self.leaving[event];
        // No event before the first has a time to compare with: it may happen at 0 or later.
        let mut earliest = self.now.unwrap_or(0);
        for bound in &self.strategy.bounds()[begin..end] {
            match self.happened[bound.to as usize] {
                Some(at) => earliest = earliest.max(at - bound.weight),
                None if bound.weight < 0 => return None,
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
            let start = self.happened[link.from as usize]?;
            open.push((start + wait.least, link.to));
        }
        let without = earliest;
        let after_waits = open.iter().map(|(at, _)| *at).max();
        earliest = earliest.max(after_waits.unwrap_or(earliest));
        open.retain(|(at, _)| *at == earliest && *at > without);
        Some((earliest, open.into_iter().map(|(_, end)| end).collect()))
    }
}

fn index(event: usize) -> u32 {
    u32::try_from(event).expect("at most EVENTS_MAX events")
}
