//! What we do next.

use super::bounds::{Owner, Rules};
use crate::dispatch::{self, Actors, Dispatch, NONE, STEPS_MAX};
use std::collections::BTreeMap;
use stratagem_proto::v1::{TemporalDispatchableNetwork, TemporalSchedule};
use stratagem_render::time::micros;

/// How our events are timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// At fixed times: those of our events, in microseconds, by index.
    Schedule(Vec<Option<i64>>),
    /// By what was seen so far, as early as the bounds and waits allow.
    Dispatch(Dispatch),
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
    pub fn dispatch(rules: &Rules, network: &TemporalDispatchableNetwork) -> Self {
        let index = index(rules);
        let find = |id: &str| index.get(id).copied();
        let (mut bounds, waits) = dispatch::read(network, find);
        for c in rules.requirements.iter().chain(&rules.contingent) {
            bounds.push((c.from, c.to, c.upper_us));
            bounds.push((c.to, c.from, -c.lower_us));
        }
        let ours = rules.owners.iter().map(|owner| *owner == Owner::Us);
        let lasting = rules.contingent.iter();
        let actors = Actors {
            // The origin is nobody's and has happened.
            ours: ours.chain([true]).collect(),
            lasting: lasting.map(|c| (c.from, c.to, c.upper_us)).collect(),
        };
        Self::Dispatch(Dispatch::new(bounds, &waits, &actors, STEPS_MAX))
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
                ours.filter(|i| !network.blocked(times, *i))
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
