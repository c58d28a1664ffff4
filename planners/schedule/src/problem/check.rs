//! The rules of a valid problem.

use super::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, HORIZON_MAX_US, MODES_MAX, Mode, PRECEDENCES_MAX,
    Point, Precedence, RESOURCES_MAX, Spec, TIME_MAX_US, horizon_us,
};
use anytime::{Fault, Path, check, element, fault, time};
use std::collections::BTreeMap;

/// All broken rules; when there are too many elements, only those.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_counts(spec, &mut faults);
    if !faults.is_empty() {
        return faults;
    }
    let deadline = Path::root("deadline_offset");
    check_time(&deadline, spec.deadline_us, 0, &mut faults);
    let resources = Path::root("resources");
    for (index, resource) in spec.resources.iter().enumerate() {
        let at = resources.index(index);
        check_amount(&at.field("capacity"), resource.capacity, &mut faults);
    }
    let activities = Path::root("activities");
    for (index, activity) in spec.activities.iter().enumerate() {
        check_activity(spec, activity, &activities.index(index), &mut faults);
    }
    let precedences = Path::root("precedences");
    for (index, precedence) in spec.precedences.iter().enumerate() {
        check_precedence(spec, precedence, &precedences.index(index), &mut faults);
    }
    if faults.is_empty() && horizon_us(spec) > HORIZON_MAX_US {
        let (given, max) = (time(horizon_us(spec)), time(HORIZON_MAX_US));
        faults.push(fault!(
            "OUT_OF_RANGE",
            activities,
            "may take {} without a deadline, at most {} are supported",
            given,
            max
        ));
    }
    faults
}

fn check_counts(spec: &Spec, faults: &mut Vec<Fault>) {
    let mut count = |at: &Path<'_>, given: usize, max: usize| {
        faults.extend(check::too_many(at, given, max));
    };
    let activities = Path::root("activities");
    count(&activities, spec.activities.len(), ACTIVITIES_MAX);
    count(
        &Path::root("precedences"),
        spec.precedences.len(),
        PRECEDENCES_MAX,
    );
    count(
        &Path::root("resources"),
        spec.resources.len(),
        RESOURCES_MAX,
    );
    for (index, activity) in spec.activities.iter().take(ACTIVITIES_MAX).enumerate() {
        let at = activities.index(index);
        let modes = at.field("modes");
        count(&modes, activity.modes.len(), MODES_MAX);
        for (mode, it) in activity.modes.iter().take(MODES_MAX).enumerate() {
            let at = modes.index(mode);
            count(&at.field("demands"), it.demands.len(), RESOURCES_MAX);
        }
    }
}

fn check_activity(spec: &Spec, activity: &Activity, at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_time(
        &at.field("release_offset"),
        Some(activity.release_us),
        0,
        faults,
    );
    check_time(
        &at.field("deadline_offset"),
        activity.deadline_us,
        0,
        faults,
    );
    let modes = at.field("modes");
    if activity.modes.is_empty() {
        faults.push(check::required(&modes));
    }
    for (index, mode) in activity.modes.iter().enumerate() {
        check_mode(spec, mode, &modes.index(index), faults);
    }
}

fn check_mode(spec: &Spec, mode: &Mode, at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_time(
        &at.field("work_duration"),
        Some(mode.duration_us),
        0,
        faults,
    );
    let demands = at.field("demands");
    let mut first = BTreeMap::new();
    for (index, demand) in mode.demands.iter().enumerate() {
        let at = demands.index(index);
        check_amount(&at.field("amount"), demand.amount, faults);
        let resource_at = at.field("resource_id");
        let resource = element("resource", demand.resource);
        if demand.resource >= spec.resources.len() {
            faults.push(check::unknown(&resource_at, resource));
        } else if first.insert(demand.resource, index).is_some() {
            faults.push(fault!(
                "DUPLICATE",
                resource_at,
                "is {}, which is demanded twice",
                resource
            ));
        }
    }
}

fn check_precedence(spec: &Spec, it: &Precedence, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let mut known = |field: &'static str, point: Point| {
        if point.activity() >= spec.activities.len() {
            let activity = element("activity", point.activity());
            faults.push(check::unknown(&at.field(field), activity));
        }
    };
    known("from_activity_id", it.from);
    known("to_activity_id", it.to);
    if it.from.activity() == it.to.activity() {
        let at = at.field("to_activity_id");
        faults.push(fault!("SELF_LOOP", at, "is where the precedence begins"));
    }
    check_time(&at.field("lower"), it.lag_min_us, -TIME_MAX_US, faults);
    let lag_max = at.field("upper");
    check_time(&lag_max, it.lag_max_us, -TIME_MAX_US, faults);
    match (it.lag_min_us, it.lag_max_us) {
        (Some(min_us), Some(max_us)) if min_us > max_us => {
            let (min, max) = (time(min_us), time(max_us));
            faults.push(fault!(
                "REVERSED",
                lag_max,
                "must be at least {}, got {}",
                min,
                max
            ));
        }
        (None, None) => {
            faults.push(fault!(
                "REQUIRED",
                at,
                "has neither a minimal nor a maximal lag"
            ));
        }
        _ => {}
    }
}

fn check_time(at: &Path<'_>, given_us: Option<i64>, min_us: i64, faults: &mut Vec<Fault>) {
    let in_range = |given_us: i64| (min_us..=TIME_MAX_US).contains(&given_us);
    if let Some(given_us) = given_us.filter(|given_us| !in_range(*given_us)) {
        let [given, min, max] = [given_us, min_us, TIME_MAX_US].map(time);
        faults.push(check::out_of_range(at, given, min, max));
    }
}

fn check_amount(at: &Path<'_>, given: i64, faults: &mut Vec<Fault>) {
    if !(0..=CAPACITY_MAX).contains(&given) {
        faults.push(check::out_of_range(
            at,
            given.into(),
            0_i64.into(),
            CAPACITY_MAX.into(),
        ));
    }
}
