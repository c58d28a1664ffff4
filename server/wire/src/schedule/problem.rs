//! A project, from the wire.

use super::names::Names;
use crate::mistakes::Mistakes;
use crate::values::{Ids, read_each, rounded_micros};
use anytime::Path;
use prost_types::Duration;
use schedule::problem::{Activity, Demand, Mode, Point, Precedence, Resource};
use schedule::{Problem, Spec};
use stratagem_proto::v1 as pb;

/// The index of what could not be read.
const NOWHERE: usize = usize::MAX;

/// A checked problem, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// A problem; `None` when it is invalid.
pub(crate) fn problem(
    given: pb::ScheduleProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let pb::ScheduleProblem {
        title: _,
        description: _,
        activities,
        precedences,
        resources,
        deadline_offset,
    } = given;
    let mut names = Names::default();
    let resources = read_each(resources, &at.field("resources"), |given, at| {
        let pb::ScheduleResource {
            id,
            label: _,
            capacity,
        } = given;
        names.resources.take(&at.field("id"), id, wrong);
        Resource {
            capacity: capacity.unwrap_or(1).into(),
        }
    });
    let spec = Spec {
        resources,
        activities: read_each(activities, &at.field("activities"), |it, at| {
            activity(it, at, &mut names, wrong)
        }),
        precedences: read_each(precedences, &at.field("precedences"), |it, at| {
            precedence(it, at, &names, wrong)
        }),
        deadline_us: deadline_offset.as_ref().map(rounded_micros),
    };
    // Also with mistakes of single fields, so that the caller hears about everything at once.
    match Problem::new(spec) {
        Ok(problem) => Some(Decoded { problem, names }),
        Err(faults) => {
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
}

fn activity(
    given: pb::ScheduleActivity,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> Activity {
    let pb::ScheduleActivity {
        id,
        label: _,
        modes,
        release_offset,
        deadline_offset,
    } = given;
    names.activities.take(&at.field("id"), id, wrong);
    let mut ids = Ids::default();
    let mut number = 0;
    let modes = read_each(modes, &at.field("modes"), |given, at| {
        let pb::ScheduleMode {
            id,
            work_duration,
            demands,
        } = given;
        number += 1;
        let id = if id.is_empty() {
            number.to_string()
        } else {
            id
        };
        ids.take(&at.field("id"), id, wrong);
        Mode {
            duration_us: micros(work_duration.as_ref()),
            demands: read_each(demands, &at.field("demands"), |it, at| {
                let resource_at = at.field("resource_id");
                let resource = names.resources.find(&resource_at, &it.resource_id, wrong);
                Demand {
                    resource: resource.unwrap_or(NOWHERE),
                    amount: it.amount.unwrap_or(1).into(),
                }
            }),
        }
    });
    names.modes.push(ids);
    Activity {
        release_us: micros(release_offset.as_ref()),
        deadline_us: deadline_offset.as_ref().map(rounded_micros),
        modes,
    }
}

fn precedence(
    given: pb::SchedulePrecedence,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Precedence {
    use pb::SchedulePoint::{End, Start, Unspecified};
    let pb::SchedulePrecedence {
        from_activity_id,
        to_activity_id,
        lower,
        upper,
        from_point,
        to_point,
    } = given;
    let mut find = |field, id: &str| {
        let found = names.activities.find(&at.field(field), id, wrong);
        found.unwrap_or(NOWHERE)
    };
    let from = find("from_activity_id", &from_activity_id);
    let to = find("to_activity_id", &to_activity_id);
    let point = |given: i32| pb::SchedulePoint::try_from(given).unwrap_or_default();
    let is_ordinary = lower.is_none() && upper.is_none();
    let lower_us = lower.as_ref().map(rounded_micros);
    Precedence {
        from: match point(from_point) {
            Start => Point::Start(from),
            End | Unspecified => Point::End(from),
        },
        to: match point(to_point) {
            Start | Unspecified => Point::Start(to),
            End => Point::End(to),
        },
        lag_min_us: lower_us.or(is_ordinary.then_some(0)),
        lag_max_us: upper.as_ref().map(rounded_micros),
    }
}

/// A time in microseconds, 0 by default.
fn micros(given: Option<&Duration>) -> i64 {
    given.map_or(0, rounded_micros)
}
