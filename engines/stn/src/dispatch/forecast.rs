//! What is due, what is next, and what is waited for.

use super::{Decision, Dispatcher, NEVER, StepError};
use crate::Time;

/// When an event may happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The event.
    pub event: u32,
    /// Its earliest time, in microseconds.
    pub earliest: Time,
    /// Its latest time. `None`: there is no limit so far.
    pub latest: Option<Time>,
    /// Nature's events whose observation ends a wait for `earliest`, rising.
    pub until: Vec<u32>,
}

/// What happens next, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forecast {
    /// Events of ours that happen now, in this order.
    pub due: Vec<Window>,
    /// Events of ours that nothing but time and waits holds back, when those that are due have
    /// happened now. The first one to happen comes first.
    pub upcoming: Vec<Window>,
    /// Nature's events whose links run, likewise.
    pub expected: Vec<Window>,
    /// The next time to decide, if nothing is observed before. `None`: not before an observation.
    pub wake: Option<Time>,
}

impl Dispatcher {
    /// What [`Self::step`] would execute at the last reported time, and what comes next then.
    ///
    /// # Errors
    /// A deviation.
    pub fn forecast(&self) -> Result<Forecast, StepError> {
        let (mut after, mut due) = (self.clone(), Vec::new());
        let wake = loop {
            let Decision { fire, wake } = after.decide()?;
            if fire.is_empty() {
                break wake;
            }
            for event in fire {
                due.extend(after.window(event));
                after.execute(event, self.now);
            }
        };
        let events = (0..).zip(&after.times).filter(|(_, time)| time.is_none());
        let windows = events.filter_map(|(event, _)| after.window(event));
        let is_ours = |window: &Window| self.rules.is_ours(window.event);
        let (mut upcoming, mut expected) = windows.partition::<Vec<_>, _>(is_ours);
        upcoming.sort_by_key(|window| (window.earliest, window.event));
        expected.sort_by_key(|window| (window.earliest, window.event));
        Ok(Forecast {
            due,
            upcoming,
            expected,
            wake,
        })
    }

    /// The window of an event that has not happened; `None`: it is not enabled, or its link does
    /// not run.
    fn window(&self, event: u32) -> Option<Window> {
        let latest = self.latest[event as usize];
        if let Some(link) = self.rules.ending_at[event as usize] {
            let link = self.rules.links[link as usize];
            return Some(Window {
                event,
                earliest: self.times[link.from as usize]? + link.lower,
                latest: limit(latest),
                until: Vec::new(),
            });
        }
        let is_enabled = self.awaited[event as usize] == 0;
        is_enabled.then(|| Window {
            event,
            earliest: self.earliest(event),
            latest: limit(latest),
            until: self.awaited_ends(event),
        })
    }

    /// The ends of running links for which an event waits.
    fn awaited_ends(&self, event: u32) -> Vec<u32> {
        let waits = self.rules.waits_of.leaving(event as usize).iter();
        let ends = waits.filter_map(|arc| {
            let link = self.rules.links[self.rules.waits[arc.edge as usize].link as usize];
            let over = self.times[link.from as usize]? + arc.weight;
            (self.is_open(link.to) && over > self.now).then_some(link.to)
        });
        let mut ends: Vec<u32> = ends.collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Whether an event that has happened breaks a bound with another one, as an observation of
    /// Nature can that comes after what should have waited for it.
    #[must_use]
    pub fn breaks_bound(&self, event: u32) -> bool {
        let Some(at) = self.times.get(event as usize).copied().flatten() else {
            return false;
        };
        let time = |other: u32| self.times[other as usize];
        let mut later = self.rules.later.leaving(event as usize).iter();
        let mut earlier = self.rules.earlier.leaving(event as usize).iter();
        later.any(|arc| time(arc.to).is_some_and(|to| to > at + arc.weight))
            || earlier.any(|arc| time(arc.to).is_some_and(|from| at > from + arc.weight))
    }

    /// Memory that it takes, near enough, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rules = &self.rules;
        let arcs = rules.later.len() + rules.earlier.len() + 4 * rules.waits.len();
        100 * self.times.len() + 16 * arcs + 40 * rules.orders.len()
    }
}

/// A latest time, if there is a limit.
fn limit(latest: Time) -> Option<Time> {
    (latest != NEVER).then_some(latest)
}
