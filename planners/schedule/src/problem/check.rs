//! The rules of a valid problem.

use super::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, HORIZON_MAX_US, MODES_MAX, Mode, PRECEDENCES_MAX,
    Point, Precedence, RESOURCES_MAX, Spec, TIME_MAX_US, horizon_us,
};
use crate::errors::Fault;
use std::collections::BTreeMap;

/// All broken rules; when there are too many elements, only those.
pub(super) fn check(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_counts(spec, &mut faults);
    if !faults.is_empty() {
        return faults;
    }
    check_optional_time("deadline", spec.deadline_us, 0, &mut faults);
    for (index, resource) in spec.resources.iter().enumerate() {
        let at = format!("resources[{index}].capacity");
        check_amount(&at, resource.capacity, &mut faults);
    }
    for (index, activity) in spec.activities.iter().enumerate() {
        let at = format!("activities[{index}]");
        check_activity(spec, &at, activity, &mut faults);
    }
    for (index, precedence) in spec.precedences.iter().enumerate() {
        let at = format!("precedences[{index}]");
        check_precedence(spec, &at, precedence, &mut faults);
    }
    if faults.is_empty() && horizon_us(spec) > HORIZON_MAX_US {
        let text = format!(
            "allow a plan of {} us, at most {HORIZON_MAX_US} us are supported: set a deadline",
            horizon_us(spec)
        );
        faults.push(Fault::new("OUT_OF_RANGE", "activities", text));
    }
    faults
}

fn check_counts(spec: &Spec, faults: &mut Vec<Fault>) {
    let mut count = |at: &str, given: usize, max: usize| {
        if given > max {
            let text = format!("has {given} elements, at most {max} are allowed");
            faults.push(Fault::new("TOO_MANY", at, text));
        }
    };
    count("activities", spec.activities.len(), ACTIVITIES_MAX);
    count("precedences", spec.precedences.len(), PRECEDENCES_MAX);
    count("resources", spec.resources.len(), RESOURCES_MAX);
    for (index, activity) in spec.activities.iter().take(ACTIVITIES_MAX).enumerate() {
        let at = format!("activities[{index}].modes");
        count(&at, activity.modes.len(), MODES_MAX);
        for (mode, it) in activity.modes.iter().take(MODES_MAX).enumerate() {
            let at = format!("activities[{index}].modes[{mode}].demands");
            count(&at, it.demands.len(), RESOURCES_MAX);
        }
    }
}

fn check_activity(spec: &Spec, at: &str, activity: &Activity, faults: &mut Vec<Fault>) {
    check_time(&format!("{at}.release"), activity.release_us, 0, faults);
    check_optional_time(&format!("{at}.deadline"), activity.deadline_us, 0, faults);
    if activity.modes.is_empty() {
        let text = "is required".to_owned();
        faults.push(Fault::new("REQUIRED", &format!("{at}.modes"), text));
    }
    for (index, mode) in activity.modes.iter().enumerate() {
        check_mode(spec, &format!("{at}.modes[{index}]"), mode, faults);
    }
}

fn check_mode(spec: &Spec, at: &str, mode: &Mode, faults: &mut Vec<Fault>) {
    check_time(&format!("{at}.duration"), mode.duration_us, 0, faults);
    let mut first = BTreeMap::new();
    for (index, demand) in mode.demands.iter().enumerate() {
        let at = format!("{at}.demands[{index}]");
        check_amount(&format!("{at}.amount"), demand.amount, faults);
        let resource = format!("{at}.resource_id");
        if demand.resource >= spec.resources.len() {
            let text = format!("is resource {}, which does not exist", demand.resource);
            faults.push(Fault::new("UNKNOWN", &resource, text));
        } else if let Some(first) = first.insert(demand.resource, index) {
            let text = format!("is the resource of demand {first}, too");
            faults.push(Fault::new("DUPLICATE", &resource, text));
        }
    }
}

fn check_precedence(spec: &Spec, at: &str, precedence: &Precedence, faults: &mut Vec<Fault>) {
    let Precedence {
        from,
        to,
        lag_min_us,
        lag_max_us,
    } = *precedence;
    let mut known = |field: &str, point: Point| {
        let activity = point.activity();
        if activity >= spec.activities.len() {
            let text = format!("is activity {activity}, which does not exist");
            faults.push(Fault::new("UNKNOWN", &format!("{at}.{field}"), text));
        }
    };
    known("from_activity_id", from);
    known("to_activity_id", to);
    if from.activity() == to.activity() {
        let text = "is the activity where the precedence begins".to_owned();
        let at = format!("{at}.to_activity_id");
        faults.push(Fault::new("SELF_LOOP", &at, text));
    }
    check_optional_time(&format!("{at}.lag_min"), lag_min_us, -TIME_MAX_US, faults);
    check_optional_time(&format!("{at}.lag_max"), lag_max_us, -TIME_MAX_US, faults);
    match lag_min_us.zip(lag_max_us) {
        Some((min, max)) if min > max => {
            let text = format!("must be at least the minimal lag of {min} us, got {max} us");
            faults.push(Fault::new("REVERSED", &format!("{at}.lag_max"), text));
        }
        None if lag_min_us.or(lag_max_us).is_none() => {
            let text = "has neither a minimal nor a maximal lag".to_owned();
            faults.push(Fault::new("REQUIRED", at, text));
        }
        _ => {}
    }
}

fn check_optional_time(at: &str, given_us: Option<i64>, min_us: i64, faults: &mut Vec<Fault>) {
    if let Some(given_us) = given_us {
        check_time(at, given_us, min_us, faults);
    }
}

fn check_time(at: &str, given_us: i64, min_us: i64, faults: &mut Vec<Fault>) {
    if !(min_us..=TIME_MAX_US).contains(&given_us) {
        let text = format!("must be between {min_us} and {TIME_MAX_US} us, got {given_us}");
        faults.push(Fault::new("OUT_OF_RANGE", at, text));
    }
}

fn check_amount(at: &str, given: i64, faults: &mut Vec<Fault>) {
    if !(0..=CAPACITY_MAX).contains(&given) {
        let text = format!("must be between 0 and {CAPACITY_MAX}, got {given}");
        faults.push(Fault::new("OUT_OF_RANGE", at, text));
    }
}
