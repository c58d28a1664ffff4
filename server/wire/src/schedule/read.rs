//! Plans from outside: not trusted, only readable.

use super::names::Names;
use crate::mistakes::Mistakes;
use crate::values::{read_each, rounded_micros};
use anytime::Path;
use schedule::{Plan, ScheduledActivity};
use stratagem_proto::v1 as pb;

/// A plan that is to be checked; `None` when there are mistakes.
pub(super) fn plan(
    given: pb::SchedulePlan,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let activities = read_each(given.activities, &at.field("activities"), |given, at| {
        let activity_at = at.field("activity_id");
        let activity = names
            .activities
            .find(&activity_at, &given.activity_id, wrong)?;
        let modes = &names.modes[activity];
        let mode = match given.mode_id.as_str() {
            "" => 0,
            id => modes.find(&at.field("mode_id"), id, wrong)?,
        };
        Some(scheduled(activity, mode, &given))
    });
    let activities = activities.into_iter().flatten().collect();
    wrong.is_empty().then_some(Plan { activities })
}

/// A plan to begin with, without what the problem does not have.
pub(super) fn previous(given: &pb::SchedulePlan, names: &Names) -> Plan {
    let known = |given: &pb::ScheduledActivity| {
        let activity = names.activities.get(&given.activity_id)?;
        let mode = match given.mode_id.as_str() {
            "" => 0,
            id => names.modes[activity].get(id)?,
        };
        Some(scheduled(activity, mode, given))
    };
    Plan {
        activities: given.activities.iter().filter_map(known).collect(),
    }
}

fn scheduled(activity: usize, mode: usize, given: &pb::ScheduledActivity) -> ScheduledActivity {
    let start = given.start_offset.as_ref();
    ScheduledActivity {
        activity,
        start_us: start.map_or(0, rounded_micros),
        mode,
    }
}
