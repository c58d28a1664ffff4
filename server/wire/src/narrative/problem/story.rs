//! Activities, resources, choices and what has happened, from the wire.

use super::super::names::{Names, Written, no_group};
use super::super::read::unknown;
use crate::links::{Nodes as _, TIME_MAX_US};
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each, rounded_micros, shown};
use anytime::Path;
use narrative::problem::{Activity, CAPACITY_MAX, Choice, Chooser, Demand, Progress, Resource};
use stratagem_proto::v1 as pb;

pub(super) fn resources(
    given: Vec<pb::NarrativeResource>,
    at: &Path<'_>,
    written: &mut Written,
    wrong: &mut Mistakes,
) -> Vec<Resource> {
    read_each(given, &at.field("resources"), |resource, at| {
        written.resources.take(&at.field("id"), resource.id, wrong);
        let capacity = at.field("capacity");
        let given = resource.capacity.unwrap_or(1).unsigned_abs();
        Resource {
            // One that cannot be is as good as all: demands are judged by what was meant.
            capacity: if wrong.lists_at(&capacity) {
                CAPACITY_MAX
            } else {
                given
            },
        }
    })
}

/// The activities that could be read, and the index of each in the request.
pub(super) fn activities(
    given: Vec<pb::NarrativeActivity>,
    at: &Path<'_>,
    written: &mut Written,
    wrong: &mut Mistakes,
) -> (Vec<Activity>, Vec<usize>) {
    let read = read_each(given, &at.field("activities"), |activity, at| {
        let id = at.field("id");
        no_group(&id, &activity.id, wrong);
        written.activities.take(&id, activity.id, wrong);
        let start = at.field("start_event_id");
        let start = written.find(&start, &activity.start_event_id, wrong);
        let end = at.field("end_event_id");
        let end = written.find(&end, &activity.end_event_id, wrong);
        let demands = read_each(activity.demands, &at.field("demands"), |demand, at| {
            self::demand(&demand, at, written, wrong)
        });
        Some(Activity {
            start: start?,
            end: end?,
            demands: demands.into_iter().collect::<Option<_>>()?,
        })
    });
    let whole = read.into_iter().enumerate();
    let whole = whole.filter_map(|(at, activity)| Some((activity?, at)));
    whole.unzip()
}

fn demand(
    given: &pb::NarrativeDemand,
    at: &Path<'_>,
    written: &Written,
    wrong: &mut Mistakes,
) -> Option<Demand> {
    let resource = at.field("resource_id");
    let resource = written.resources.find(&resource, &given.resource_id, wrong);
    Some(Demand {
        resource: resource?,
        amount: given.amount.map_or(1, i32::unsigned_abs),
        consumed: given.consumed,
    })
}

/// The choices, and which of their options are withheld.
pub(super) fn choices(
    given: Vec<pb::NarrativeChoice>,
    at: &Path<'_>,
    written: &mut Written,
    wrong: &mut Mistakes,
) -> (Vec<Choice>, Vec<(usize, usize)>) {
    let mut withheld = Vec::new();
    let choices = read_each(given, &at.field("choices"), |choice, at| {
        let chooser = chooser(choice.chooser());
        let id = at.field("id");
        no_group(&id, &choice.id, wrong);
        written.choices.take(&id, choice.id, wrong);
        let mut ids = Ids::default();
        let list = at.field("options");
        let options = read_each(choice.options, &list, |option, at| {
            let which = (written.options.len(), ids.list().len());
            ids.take(&at.field("id"), option.id, wrong);
            if option.withheld {
                withheld.push(which);
            }
            let events = read_each(option.event_ids, &at.field("event_ids"), |id, at| {
                let node = written.find(at, &id, wrong);
                if node == Some(0) {
                    let why = format!("is {}, the origin, which always happens", shown(&id));
                    wrong.add(at, Code::Contradiction, why);
                    return None;
                }
                node
            });
            events.into_iter().flatten().collect()
        });
        written.options.push(ids);
        Choice { chooser, options }
    });
    (choices, withheld)
}

fn chooser(given: pb::NarrativeChooser) -> Chooser {
    use pb::NarrativeChooser as Wire;
    match given {
        Wire::Player => Chooser::Player,
        Wire::System | Wire::Unspecified => Chooser::System,
    }
}

/// What has happened, by the names that groups give.
pub(in crate::narrative) fn progress(
    given: Option<pb::NarrativeProgress>,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Progress {
    let given = given.unwrap_or_default();
    let now_us = given.now_offset.as_ref().map_or(0, rounded_micros);
    let list = at.field("happened");
    wrong.size(&list, given.happened.len(), names.events.len());
    let happened = read_each(given.happened, &list, |event, at| {
        let id = at.field("event_id");
        let node = names.event(&event.event_id);
        if node.is_none() {
            unknown(&event.event_id, &id, wrong);
        }
        let time_at = at.field("time_offset");
        let time = wrong.micros(&time_at, event.time_offset?, 0..=TIME_MAX_US);
        Some((node?, time))
    });
    let list = at.field("made");
    wrong.size(&list, given.made.len(), names.choices.len());
    let made = read_each(given.made, &list, |pick, at| names.picked(&pick, at, wrong));
    Progress {
        now_us,
        happened: happened.into_iter().flatten().collect(),
        made: made.into_iter().flatten().collect(),
    }
}
