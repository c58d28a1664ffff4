//! Validation of a narrative: one function for each group of rules.

mod progress;
mod story;

use super::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, CHOICES_MAX, CONTINGENT_MAX, EVENTS_MAX, LINKS_MAX,
    Micros, Node, ORIGIN, RESOURCES_MAX, STORYLINES_MAX, STRANDS_MAX, Spec, TIME_MAX_US,
};
use anytime::check::{required, unknown};
use anytime::{Fault, Path, element, fault, time};
use stn::contingent_cycles;

/// All broken rules. Sizes come first: while one is too large nothing else is checked. Bounds are
/// compared, never added or negated: nothing overflows.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_sizes(spec, &mut faults);
    if !faults.is_empty() {
        return faults;
    }
    if let Some(horizon_us) = spec.horizon_us {
        check_time(horizon_us, &Path::root("horizon_offset"), &mut faults);
    }
    let links = Path::root("links");
    for (index, link) in spec.links.iter().enumerate() {
        let at = links.index(index);
        check_ends(spec, link.from, link.to, &at, "to_event_id", &mut faults);
        if link.lower_us.is_none() && link.upper_us.is_none() {
            faults.push(fault!("REQUIRED", at, "needs a lower or an upper bound"));
        }
        check_bounds(link.lower_us, link.upper_us, &at, &mut faults);
    }
    check_contingent(spec, &mut faults);
    for (index, resource) in spec.resources.iter().enumerate() {
        let given = resource.capacity;
        if given > CAPACITY_MAX {
            let resources = Path::root("resources");
            let resource_at = resources.index(index);
            let at = resource_at.field("capacity");
            let max = CAPACITY_MAX;
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, at most {} are allowed",
                given,
                max
            ));
        }
    }
    let activities = Path::root("activities");
    for (index, activity) in spec.activities.iter().enumerate() {
        check_activity(spec, activity, &activities.index(index), &mut faults);
    }
    check_waiting(spec, &mut faults);
    story::check(spec, &mut faults);
    progress::check(spec, &mut faults);
    faults
}

/// The rule about the number of storylines.
pub(super) fn too_many_storylines(spec: &Spec) -> Fault {
    let at = Path::root("choices");
    if spec.groups.is_empty() {
        fault!(
            "TOO_MANY",
            at,
            "make more than {} storylines",
            STORYLINES_MAX
        )
    } else {
        fault!(
            "TOO_MANY",
            at,
            "make more than {} storylines, and more than {} strands of single groups: plan some \
             groups first, then others with what those may use as activities at fixed times",
            STORYLINES_MAX,
            STRANDS_MAX
        )
    }
}

fn check_sizes(spec: &Spec, faults: &mut Vec<Fault>) {
    if spec.events == 0 {
        faults.push(required(&Path::root("events")));
    }
    let (given, events) = (spec.groups.len(), spec.events);
    if given > 0 && given != events {
        let at = Path::root("groups");
        faults.push(fault!(
            "CONTRADICTION",
            at,
            "are given for {} events, one for each of {} or none is allowed",
            given,
            events
        ));
    }
    for (field, given, max) in [
        ("events", spec.events, EVENTS_MAX),
        ("links", spec.links.len(), LINKS_MAX),
        ("contingent_links", spec.contingent.len(), CONTINGENT_MAX),
        ("activities", spec.activities.len(), ACTIVITIES_MAX),
        ("resources", spec.resources.len(), RESOURCES_MAX),
        ("choices", spec.choices.len(), CHOICES_MAX),
    ] {
        if given > max {
            let name = field.replace('_', " ");
            let at = Path::root(field);
            faults.push(fault!(
                "TOO_MANY",
                at,
                "make {} {}, at most {} are allowed",
                given,
                name,
                max
            ));
        }
    }
}

/// A time from the origin on, within ten years.
fn check_time(given_us: Micros, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if !(0..=TIME_MAX_US).contains(&given_us) {
        let (given, max) = (time(given_us), time(TIME_MAX_US));
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "is {}, outside of 0 to {}",
            given,
            max
        ));
    }
}

/// Both ends of a link or an activity exist and differ; `end` is the field of the second.
fn check_ends(
    spec: &Spec,
    from: Node,
    to: Node,
    at: &Path<'_>,
    end: &'static str,
    faults: &mut Vec<Fault>,
) {
    check_node(spec, from, at, faults);
    check_node(spec, to, at, faults);
    if from == to {
        let node = element("node", from);
        faults.push(fault!(
            "SELF_LOOP",
            at.field(end),
            "is {}, where it begins",
            node
        ));
    }
}

fn check_node(spec: &Spec, node: Node, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if node > spec.events {
        let node = element("node", node);
        faults.push(fault!(
            "UNKNOWN",
            at,
            "names {}, which does not exist",
            node
        ));
    }
}

/// Both bounds are in range and in order.
fn check_bounds(
    lower_us: Option<Micros>,
    upper_us: Option<Micros>,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    for given_us in [lower_us, upper_us].into_iter().flatten() {
        if !(-TIME_MAX_US..=TIME_MAX_US).contains(&given_us) {
            let (given, max) = (time(given_us), time(TIME_MAX_US));
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "has a bound of {}, beyond {}",
                given,
                max
            ));
        }
    }
    if let (Some(lower_us), Some(upper_us)) = (lower_us, upper_us)
        && lower_us > upper_us
    {
        let (lower, upper) = (time(lower_us), time(upper_us));
        let at = at.field("upper");
        faults.push(fault!(
            "REVERSED",
            at,
            "is {}, below the lower bound {}",
            upper,
            lower
        ));
    }
}

/// Contingent links are in range, no two of them end at one event, and they form no cycle.
fn check_contingent(spec: &Spec, faults: &mut Vec<Fault>) {
    let links = Path::root("contingent_links");
    for (index, link) in spec.contingent.iter().enumerate() {
        let at = links.index(index);
        check_ends(spec, link.from, link.to, &at, "to_event_id", faults);
        check_bounds(Some(link.lower_us), Some(link.upper_us), &at, faults);
        if link.lower_us < 0 {
            let (at, given) = (at.field("lower"), time(link.lower_us));
            faults.push(fault!("OUT_OF_RANGE", at, "is {}, less than 0", given));
        }
        if link.to == ORIGIN {
            let at = at.field("to_event_id");
            faults.push(fault!(
                "CONTRADICTION",
                at,
                "is the origin, where nothing ends"
            ));
        }
    }
    let mut ending: Vec<Option<usize>> = vec![None; spec.events + 1];
    for (second, link) in spec.contingent.iter().enumerate() {
        match ending.get_mut(link.to) {
            Some(Some(first)) => {
                let (node, first) = (element("node", link.to), element("contingent link", *first));
                let link_at = links.index(second);
                let at = link_at.field("to_event_id");
                faults.push(fault!(
                    "DUPLICATE",
                    at,
                    "is {}, where {} ends already",
                    node,
                    first
                ));
            }
            Some(none) => *none = Some(second),
            None => {}
        }
    }
    let into = |node: Node| *ending.get(node)?;
    let from = |link: usize| spec.contingent[link].from;
    let mut on_cycle = contingent_cycles(ending.len(), into, from).concat();
    on_cycle.sort_unstable();
    for contingent in on_cycle {
        let at = links.index(contingent);
        let fault = fault!("CIRCULAR", at, "is part of a cycle of contingent links");
        faults.push(fault);
    }
}

fn check_activity(spec: &Spec, given: &Activity, at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_ends(spec, given.start, given.end, at, "end_event_id", faults);
    let pair = (given.start, given.end);
    let mut links = spec.links.iter();
    let linked = links
        .any(|link| (link.from, link.to) == pair && link.lower_us.is_some_and(|lower| lower >= 0));
    let mut contingent = spec.contingent.iter();
    if !linked && !contingent.any(|link| (link.from, link.to) == pair) {
        faults.push(fault!(
            "REQUIRED",
            at,
            "needs a link from its start to its end with a lower bound of 0 or more"
        ));
    }
    let demands = at.field("demands");
    for (index, demand) in given.demands.iter().enumerate() {
        let at = demands.index(index);
        let resource = element("resource", demand.resource);
        let Some(known) = spec.resources.get(demand.resource) else {
            faults.push(unknown(&at.field("resource_id"), resource));
            continue;
        };
        let mut earlier = given.demands[..index].iter();
        if earlier.any(|other| other.resource == demand.resource) {
            let (at, resource) = (at.field("resource_id"), resource.clone());
            faults.push(fault!(
                "DUPLICATE",
                at,
                "is {}, which is there already",
                resource
            ));
        }
        if demand.amount == 0 || demand.amount > known.capacity {
            faults.push(fault!(
                "OUT_OF_RANGE",
                at.field("amount"),
                "is {} of {}, of which there are {}",
                demand.amount,
                resource,
                known.capacity
            ));
        }
    }
}

fn check_waiting(spec: &Spec, faults: &mut Vec<Fault>) {
    for (index, &link) in spec.waiting.iter().enumerate() {
        let known = spec.links.get(link).and_then(|link| link.lower_us);
        if known.is_none_or(|lower| lower < 0) {
            let objective = Path::root("objective");
            let list = objective.field("idle_link_ids");
            let (at, link) = (list.index(index), element("link", link));
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, whose duration has no lower bound of 0 or more",
                link
            ));
        }
    }
}
