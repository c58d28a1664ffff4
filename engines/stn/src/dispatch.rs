//! Dispatch: execution of a dispatchable network while Nature picks durations.
//!
//! # Problem
//! Events of ours have to happen so that all bounds are satisfied, whatever Nature does within its
//! links. A [`Dispatcher`] returns which of them happen now, and the next time to decide. It has no
//! clock: callers report the time and what they observed.
//!
//! # Method
//! RTE* of Hunsberger and Posenato, "Foundations of dispatchability for simple temporal networks
//! with uncertainty", ICAART 2024: as early as possible. A network is dispatchable if every run of
//! RTE* satisfies all constraints. The comment of the message `TemporalDispatchableNetwork` in
//! `proto/stratagem/v1/temporal.proto` is the same algorithm for programmers of clients.
//!
//! * An event is *enabled* when all events have happened that a negative bound leads to, and each
//!   link that it has a wait for has begun.
//! * A bound of 0 is an order: both events may happen simultaneously, so those of ours that are
//!   ready happen together, and an event of ours waits until one of Nature's was observed.
//!   RTE* leaves this open. Rigid groups of events, which bounds of 0 tie to each other both ways,
//!   make the difference.
//!
//! # Guarantees
//! * In a dispatchable network and durations within the links there is no [`Deviation`], unless
//!   the caller reacts late.
//! * What is refused changes nothing. Same calls, same answers.
//!
//! # Cost
//! Executing an event looks at each bound of it, at each wait for a link that starts or ends with
//! it, and at the waits of events that follow it. A decision costs O(events), in steps of a
//! nanosecond.
//!
//! # Examples
//! ```
//! use stn::dispatch::{Dispatcher, Observation};
//! use stn::{Edge, uncertain::{Contingent, Stnu, strategy}};
//! // A courier, event 1, rides 10 to 20. A lamp, event 2, is lit at most 3 before the arrival and
//! // at most 5 after it.
//! let ride = Contingent { from: 0, to: 1, lower: 10, upper: 20, id: 0 };
//! let lamp = vec![Edge::new(2, 1, 3, 0), Edge::new(1, 2, 5, 1)];
//! let network = Stnu::new(3, lamp, vec![ride]).unwrap();
//! let strategy = strategy(&network, &mut || true).witness().unwrap();
//! let mut dispatcher = Dispatcher::new(&(&strategy).into()).unwrap();
//! assert_eq!(dispatcher.step(0, &[]).unwrap().wake, Some(17));
//! let arrival = Observation { event: 1, at: 12 };
//! assert_eq!(dispatcher.step(12, &[arrival]).unwrap().fire, [2]);
//! assert!(dispatcher.is_over());
//! ```

mod forecast;
mod network;
mod report;
mod rules;
mod simultaneous;

pub use forecast::{Forecast, Window};
pub use network::{DispatchableNetwork, NetworkError, Part};
pub use report::{Decision, Deviation, Observation, StepError};

use crate::{TIME_MAX, Time};
use rules::Rules;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// No bound so far.
const NEVER: Time = Time::MAX;

/// A run of a dispatchable network. Clones share the network.
#[derive(Debug, Clone)]
pub struct Dispatcher {
    rules: Arc<Rules>,
    times: Vec<Option<Time>>,
    /// By event: negative bounds to events that have not happened, and waits not begun.
    awaited: Vec<u32>,
    /// By event: bounds of 0 to events that have not happened.
    open_orders: Vec<u32>,
    /// By event: the earliest time by bounds; with waits too, as queued last; and the latest.
    earliest: Vec<Time>,
    queued: Vec<Time>,
    latest: Vec<Time>,
    /// Enabled events by their earliest time. An entry with another than `queued` is outdated.
    queue: BinaryHeap<Reverse<(Time, u32)>>,
    /// Enabled events whose earliest time is over.
    ready: Vec<u32>,
    is_ready: Vec<bool>,
    /// Links that have begun and have not ended, and events that have not happened.
    running: usize,
    left: usize,
    now: Time,
    deviation: Option<Deviation>,
}

impl Dispatcher {
    /// A run in which only the origin has happened, at 0.
    ///
    /// # Errors
    /// The first mistake of the network. That it is dispatchable is not checked.
    pub fn new(network: &DispatchableNetwork<'_>) -> Result<Self, NetworkError> {
        let rules = Rules::new(network)?;
        let count = rules.events();
        let mut awaited = vec![0; count];
        let bounds = network.bounds.iter().filter(|bound| bound.weight < 0);
        let waiting = bounds.map(|bound| bound.from);
        for event in waiting.chain(network.waits.iter().map(|wait| wait.event)) {
            awaited[event as usize] += 1;
        }
        let mut open_orders = vec![0; count];
        for order in &rules.orders {
            open_orders[order.event as usize] += 1;
        }
        let mut dispatcher = Self {
            rules: Arc::new(rules),
            times: vec![None; count],
            awaited,
            open_orders,
            earliest: vec![0; count],
            queued: vec![NEVER; count],
            latest: vec![NEVER; count],
            queue: BinaryHeap::new(),
            ready: Vec::new(),
            is_ready: vec![false; count],
            running: 0,
            left: count,
            now: 0,
            deviation: None,
        };
        for event in 0..u32::try_from(count).expect("at most NODES_MAX") {
            dispatcher.enqueue(event);
        }
        dispatcher.execute(0, 0);
        Ok(dispatcher)
    }

    /// When each event has happened, in microseconds after the origin; `None`: not yet.
    pub fn times(&self) -> &[Option<Time>] {
        &self.times
    }

    /// Whether everything has happened.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Notes observations and the time, executes all events of ours that are due, and returns them.
    ///
    /// # Errors
    /// Invalid reports, which change nothing; a deviation.
    pub fn step(&mut self, now: Time, observed: &[Observation]) -> Result<Decision, StepError> {
        self.observe(now, observed)?;
        let mut fired = Vec::new();
        loop {
            let decision = self.decide()?;
            if decision.fire.is_empty() {
                let fire = fired;
                return Ok(Decision { fire, ..decision });
            }
            for &event in &decision.fire {
                self.execute(event, now);
            }
            fired.extend(decision.fire);
        }
    }

    /// Notes the time and what happened until then, events of ours included, and executes nothing:
    /// for callers who execute events themselves, as a [`Forecast`] says.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn observe(&mut self, now: Time, observed: &[Observation]) -> Result<(), StepError> {
        self.check(now, observed)?;
        self.now = now;
        let mut left = observed.to_vec();
        left.sort_by_key(|seen| (seen.at, self.rules.is_ours(seen.event)));
        while !left.is_empty() {
            let Observation { event, at } = left.remove(self.first(&left));
            if let Some(deviation) = self.deviates(event, at) {
                return Err(self.end(deviation));
            }
            self.execute(event, at);
        }
        match self.overdue() {
            Some(deviation) => Err(self.end(deviation)),
            None => Ok(()),
        }
    }

    /// Which of some events, sorted by time, happened first. Among those of the same time it is
    /// one that deviates only if each of them does: what starts a link comes before what ends it.
    fn first(&self, sorted: &[Observation]) -> usize {
        let same = sorted.partition_point(|seen| seen.at == sorted[0].at);
        let same = &sorted[..same];
        let is_fine = |seen: &Observation| self.deviates(seen.event, seen.at).is_none();
        let starts_here = |seen: &Observation| {
            let link = self.rules.ending_at[seen.event as usize];
            let start = link.map(|link| self.rules.links[link as usize].from);
            same.iter().any(|other| start == Some(other.event))
        };
        let fine = same.iter().position(is_fine);
        let cause = || same.iter().position(|seen| !starts_here(seen));
        fine.or_else(cause).unwrap_or(0)
    }

    /// What is due at the last reported time, without executing it.
    fn decide(&mut self) -> Result<Decision, StepError> {
        self.ready.retain(|event| self.is_ready[*event as usize]);
        let wake = loop {
            let Some(&Reverse((time, event))) = self.queue.peek() else {
                break None;
            };
            let at = event as usize;
            let outdated = self.queued[at] != time || self.times[at].is_some();
            if !outdated && time > self.now {
                break Some(time);
            }
            self.queue.pop();
            if !outdated && !self.is_ready[at] {
                self.is_ready[at] = true;
                self.ready.push(event);
            }
        };
        let fire = self.simultaneous();
        if fire.is_empty() && wake.is_none() && self.running == 0 && self.left > 0 {
            return Err(self.end(Deviation::Stuck));
        }
        Ok(Decision { fire, wake })
    }

    fn check(&self, now: Time, observed: &[Observation]) -> Result<(), StepError> {
        if let Some(deviation) = self.deviation {
            return Err(deviation.into());
        }
        let last = self.now;
        if !(last..=TIME_MAX).contains(&now) {
            return Err(StepError::Time { now, last });
        }
        for (index, &Observation { event, at }) in observed.iter().enumerate() {
            let before = observed[..index].iter().any(|other| other.event == event);
            match self.times.get(event as usize) {
                None => return Err(StepError::Unknown { event }),
                Some(time) if time.is_some() || before => {
                    return Err(StepError::Repeated { event });
                }
                Some(_) if !(0..=now).contains(&at) => {
                    return Err(StepError::NotYet { event, at, now });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn end(&mut self, deviation: Deviation) -> StepError {
        self.deviation = Some(deviation);
        deviation.into()
    }

    /// How an event that happens at a time deviates.
    fn deviates(&self, event: u32, at: Time) -> Option<Deviation> {
        let outside = Deviation::Outside { event };
        if let Some(link) = self.rules.ending_at[event as usize] {
            let link = self.rules.links[link as usize];
            let range =
                self.times[link.from as usize].map(|start| start + link.lower..=start + link.upper);
            return (!range.is_some_and(|range| range.contains(&at))).then_some(outside);
        }
        let latest = self.latest[event as usize];
        if at > latest {
            return Some(Deviation::Late { event, latest });
        }
        let too_early = self.awaited[event as usize] > 0 || at < self.earliest(event);
        too_early.then_some(outside)
    }

    /// The event that should have happened first, if its time is over. A scan costs less than a
    /// queue: bounds bring latest times forward often.
    fn overdue(&self) -> Option<Deviation> {
        let first = (0..).zip(&self.latest).min_by_key(|(_, time)| **time);
        let (event, latest) = first.filter(|(_, time)| **time < self.now)?;
        let latest = *latest;
        let is_ours = self.rules.is_ours(event);
        let late = is_ours.then_some(Deviation::Late { event, latest });
        Some(late.unwrap_or(Deviation::Outside { event }))
    }

    /// The earliest time of an enabled event.
    fn earliest(&self, event: u32) -> Time {
        let waits = self.rules.waits_of.leaving(event as usize).iter();
        let over = waits.filter_map(|arc| {
            let link = self.rules.links[self.rules.waits[arc.edge as usize].link as usize];
            let begun = self.times[link.from as usize].filter(|_| self.is_open(link.to));
            begun.map(|begun| begun + arc.weight)
        });
        over.fold(self.earliest[event as usize], Time::max)
    }

    fn is_open(&self, event: u32) -> bool {
        self.times[event as usize].is_none()
    }

    /// Queues an event by its earliest time, if it is one of ours and enabled.
    fn enqueue(&mut self, event: u32) {
        let at = event as usize;
        let waits = self.awaited[at] > 0 || self.is_ready[at];
        if waits || !self.is_open(event) || !self.rules.is_ours(event) {
            return;
        }
        self.queued[at] = self.earliest(event);
        self.queue.push(Reverse((self.queued[at], event)));
    }

    /// Notes that an event happened.
    fn execute(&mut self, event: u32, at: Time) {
        let row = event as usize;
        self.times[row] = Some(at);
        self.latest[row] = NEVER;
        self.is_ready[row] = false;
        self.left -= 1;
        self.running -= usize::from(!self.rules.is_ours(event));
        let mut changed = Vec::new();
        for arc in self.rules.earlier.leaving(row) {
            let limited = arc.to as usize;
            self.earliest[limited] = self.earliest[limited].max(at - arc.weight);
            if arc.weight < 0 {
                self.awaited[limited] -= 1;
                changed.push(arc.to);
            } else if arc.weight == 0 {
                self.open_orders[limited] -= 1;
            }
        }
        for arc in self.rules.later.leaving(row) {
            if self.is_open(arc.to) && self.rules.is_ours(arc.to) {
                let latest = &mut self.latest[arc.to as usize];
                *latest = (*latest).min(at + arc.weight);
            }
        }
        for arc in self.rules.links_from.leaving(row) {
            self.running += 1;
            self.latest[arc.to as usize] = at + arc.weight;
        }
        for arc in self.rules.waits_from.leaving(row) {
            self.awaited[arc.to as usize] -= 1;
            changed.push(arc.to);
        }
        // They have begun before.
        let ended = self.rules.waits_until.leaving(row).iter();
        changed.extend(ended.map(|arc| arc.to));
        changed.sort_unstable();
        changed.dedup();
        for event in changed {
            self.enqueue(event);
        }
    }
}
