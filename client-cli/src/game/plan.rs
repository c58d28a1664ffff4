//! What we do next.

use super::bounds::{NONE, Owner, Rules};
use std::collections::BTreeMap;
use stratagem_proto::v1::{DispatchableNetwork, TemporalSchedule};
use stratagem_render::time::micros;

/// How our events are timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// At fixed times: those of our events, in microseconds, by index.
    Schedule(Vec<Option<i64>>),
    /// By what was seen so far, as early as the bounds and waits allow.
    Dispatch(Dispatch),
}

/// A dispatchable network by numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// `time(to) - time(from) <= bound`, in microseconds.
    bounds: Vec<(usize, usize, i64)>,
    waits: Vec<Wait>,
}

/// After `from`, `event` waits for `until`, but no longer than `duration_us`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wait {
    event: usize,
    from: usize,
    until: usize,
    duration_us: i64,
}

impl Plan {
    /// Fixed times. Events that are not ours, or not there, are skipped.
    #[must_use]
    pub fn schedule(rules: &Rules, schedule: &TemporalSchedule) -> Self {
        let index = index(rules);
        let mut times = vec![None; rules.events.len()];
        for event in &schedule.events {
            if let Some(i) = index.get(event.event_id.as_str())
                && rules.owners.get(*i) == Some(&Owner::Us)
            {
                times[*i] = Some(micros(event.time_offset.as_ref()).clamp(-NONE, NONE));
            }
        }
        Self::Schedule(times)
    }

    /// A dispatchable network, together with the bounds that it was made from. Bounds of events
    /// that are not there are skipped.
    #[must_use]
    pub fn dispatch(rules: &Rules, network: &DispatchableNetwork) -> Self {
        let index = index(rules);
        let find = |id: &str| index.get(id).copied();
        let mut bounds = Vec::new();
        for bound in &network.bounds {
            if let (Some(from), Some(to)) = (find(&bound.from_event_id), find(&bound.to_event_id)) {
                let us = micros(bound.bound.as_ref()).clamp(-NONE, NONE);
                bounds.push((from, to, us));
            }
        }
        for c in rules.requirements.iter().chain(&rules.contingent) {
            bounds.push((c.from, c.to, c.upper_us));
            bounds.push((c.to, c.from, -c.lower_us));
        }
        bounds.retain(|(from, to, us)| *us < NONE && from != to);
        let waits = network.waits.iter().filter_map(|wait| {
            Some(Wait {
                event: find(&wait.event_id)?,
                from: find(&wait.from_event_id)?,
                until: find(&wait.until_event_id)?,
                duration_us: micros(wait.duration.as_ref()).clamp(0, NONE),
            })
        });
        let waits = waits.collect();
        Self::Dispatch(Dispatch { bounds, waits })
    }

    /// When the game begins: at the origin, or with the first of fixed times before it.
    pub(super) fn begin_us(&self) -> i64 {
        let first = match self {
            Self::Schedule(plan) => plan.iter().flatten().min().copied(),
            Self::Dispatch(_) => None,
        };
        first.map_or(0, |first| first.min(0))
    }

    /// Our next event and its time, not before now; of several the first in the network. None when
    /// all have happened, or wait for others.
    pub(super) fn next(
        &self,
        rules: &Rules,
        times: &[Option<i64>],
        now_us: i64,
    ) -> Option<(i64, usize)> {
        let ours = (0..rules.events.len())
            .filter(|i| times[*i].is_none() && rules.owners[*i] == Owner::Us);
        match self {
            Self::Schedule(plan) => ours.filter_map(|i| Some((plan[i]?.max(now_us), i))).min(),
            Self::Dispatch(network) => {
                let earliest = network.earliest(times, now_us);
                let blocked = network.blocked(rules, times);
                ours.filter(|i| !blocked[*i])
                    .map(|i| (earliest[i], i))
                    .min()
            }
        }
    }
}

fn index(rules: &Rules) -> BTreeMap<&str, usize> {
    let events = rules.events.iter().enumerate();
    events.map(|(i, id)| (id.as_str(), i)).collect()
}

impl Dispatch {
    /// Earliest times by the bounds and the waits, given what has happened: Bellman-Ford.
    fn earliest(&self, times: &[Option<i64>], now_us: i64) -> Vec<i64> {
        let mut earliest: Vec<i64> = times.iter().map(|t| t.unwrap_or(now_us)).collect();
        for wait in &self.waits {
            if let (Some(begun), None, None) =
                (times[wait.from], times[wait.until], times[wait.event])
            {
                let over = begun + wait.duration_us;
                earliest[wait.event] = earliest[wait.event].max(over);
            }
        }
        // A round more than there are events would be a contradiction: left as it is.
        for _ in 0..=times.len() {
            let mut changed = false;
            for (from, to, bound) in &self.bounds {
                let time = earliest[*to].saturating_sub(*bound).min(NONE);
                if times[*from].is_none() && time > earliest[*from] {
                    earliest[*from] = time;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        earliest
    }

    /// Events whose turn has not come: others must happen first, and nobody knows when.
    fn blocked(&self, rules: &Rules, times: &[Option<i64>]) -> Vec<bool> {
        let mut blocked: Vec<bool> = (0..times.len())
            .map(|i| {
                let others = rules.owners.get(i).is_some_and(|o| *o != Owner::Us);
                others && times[i].is_none()
            })
            .collect();
        for wait in &self.waits {
            // A wait begins with its event.
            let sleeping = times[wait.from].is_none() && times[wait.until].is_none();
            blocked[wait.event] |= sleeping && times[wait.event].is_none();
        }
        loop {
            let mut changed = false;
            for (from, to, bound) in &self.bounds {
                // `to` comes first, or with it.
                if *bound <= 0 && blocked[*to] && !blocked[*from] && times[*from].is_none() {
                    blocked[*from] = true;
                    changed = true;
                }
            }
            if !changed {
                return blocked;
            }
        }
    }
}
