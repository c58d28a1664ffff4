//! Schedules: to the wire, and from it for checking.

use super::names::Names;
use super::network::Decoded;
use crate::mistakes::{Code, Mistakes};
use crate::values::{duration_of_micros, rounded_micros, shown};
use anytime::Path;
use anytime::Step::{Field, Index};
use anytime::{Step, written};
use stratagem_proto::v1 as pb;
use temporal::plan::Range;
use temporal::problem::{Micros, Owner};
use temporal::{Network, Schedule};

/// A schedule, and the ranges of the others.
pub(super) fn schedule(
    network: &Network,
    names: &Names,
    schedule: &Schedule,
    ranges: &[Range],
) -> pb::TemporalSchedule {
    let others = ranges.iter().enumerate().filter(|(node, _)| {
        let owner = network.owner(*node);
        matches!(owner, Some(Owner::Uncontrollable | Owner::Nature))
    });
    let ranges = others.map(|(node, range)| pb::TemporalEventRange {
        event_id: names.node(node).into(),
        earliest_offset: Some(duration_of_micros(range.earliest_us)),
        latest_offset: Some(duration_of_micros(range.latest_us)),
    });
    pb::TemporalSchedule {
        events: times(names, &schedule.times_us),
        ranges: ranges.collect(),
    }
}

/// The events that have a time, in the order of the network.
pub(super) fn times(names: &Names, times_us: &[Option<Micros>]) -> Vec<pb::TemporalScheduledEvent> {
    let events = times_us.iter().enumerate().skip(1);
    let timed = events.filter_map(|(node, time)| Some((node, (*time)?)));
    let event = |(node, time_us)| pb::TemporalScheduledEvent {
        event_id: names.node(node).into(),
        time_offset: Some(duration_of_micros(time_us)),
    };
    timed.map(event).collect()
}

/// A schedule from outside.
#[derive(Debug)]
pub(crate) struct ReadSchedule {
    pub schedule: Schedule,
    /// Where the time of each node stands in the list of events.
    pub at: Vec<Option<usize>>,
}

/// The ids of a network, and the events of a schedule as the caller lists them.
pub(super) struct ScheduleNames<'s> {
    pub names: &'s Names,
    pub at: &'s [Option<usize>],
}

impl anytime::Names for ScheduleNames<'_> {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        self.names.id(kind, index)
    }

    /// Empty where the schedule has no time of the event.
    fn path(&self, at: &[Step]) -> String {
        match *at {
            [Field("events"), Index(event)] => match self.at[event + 1] {
                Some(index) => written(&[Field("events"), Index(index)]),
                None => String::new(),
            },
            _ => written(at),
        }
    }
}

/// A schedule from outside: not trusted, only readable. `None` when there are mistakes.
pub(crate) fn plan(
    given: pb::TemporalSchedule,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadSchedule> {
    // Ranges of the others are computed, not read.
    let pb::TemporalSchedule { events, ranges: _ } = given;
    let Decoded { network, names } = decoded;
    let mut times_us = vec![None; network.nodes()];
    times_us[0] = Some(0);
    let mut places = vec![None; network.nodes()];
    let list = at.field("events");
    for (i, given) in events.into_iter().enumerate() {
        let pb::TemporalScheduledEvent {
            event_id,
            time_offset,
        } = given;
        let at = list.index(i);
        let id_at = at.field("event_id");
        let event = names.events.find(&id_at, &event_id, wrong);
        let Some(node) = event.map(|event| event + 1) else {
            continue;
        };
        if network.owner(node) != Some(Owner::Controllable) {
            let why = format!("is {}, which is not ours to schedule", shown(&event_id));
            wrong.add(&id_at, Code::Contradiction, why);
        } else if times_us[node].is_some() {
            let why = format!("is {}, which has a time already", shown(&event_id));
            wrong.add(&id_at, Code::Duplicate, why);
        }
        times_us[node] = Some(time_offset.as_ref().map_or(0, rounded_micros));
        places[node] = Some(i);
    }
    let ours = (1..network.nodes()).filter(|n| network.owner(*n) == Some(Owner::Controllable));
    for node in ours.filter(|node| times_us[*node].is_none()) {
        let why = format!("has no time for {}", shown(names.node(node)));
        wrong.add(&list, Code::Required, why);
    }
    wrong.is_empty().then_some(ReadSchedule {
        schedule: Schedule { times_us },
        at: places,
    })
}
