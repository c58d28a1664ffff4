//! What makes sense: one function for each group of rules.

mod progress;
mod story;

use super::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, CHOICES_MAX, CONTINGENT_MAX, Contingent, EVENTS_MAX,
    LINKS_MAX, Link, Micros, Node, ORIGIN, RESOURCES_MAX, Spec, TIME_MAX_US,
};
use crate::errors::{NarrativeError, Which};

/// All reasons why a narrative makes no sense. Sizes come first: when one is too large nothing else
/// is looked at. Bounds are compared, never added or negated: nothing overflows.
pub(super) fn errors(spec: &Spec) -> Vec<NarrativeError> {
    let mut wrong = Vec::new();
    sizes(spec, &mut wrong);
    if !wrong.is_empty() {
        return wrong;
    }
    if let Some(given_us) = spec.horizon_us
        && !(0..=TIME_MAX_US).contains(&given_us)
    {
        wrong.push(NarrativeError::HorizonOutOfRange { given_us });
    }
    for (index, link) in spec.links.iter().enumerate() {
        requirement(spec, index, link, &mut wrong);
    }
    for (index, link) in spec.contingent.iter().enumerate() {
        contingent(spec, index, link, &mut wrong);
    }
    one_end(spec, &mut wrong);
    for (resource, given) in spec.resources.iter().enumerate() {
        let given = given.capacity;
        if given > CAPACITY_MAX {
            wrong.push(NarrativeError::CapacityOutOfRange { resource, given });
        }
    }
    for (index, activity) in spec.activities.iter().enumerate() {
        self::activity(spec, index, activity, &mut wrong);
    }
    waiting(spec, &mut wrong);
    story::errors(spec, &mut wrong);
    progress::errors(spec, &mut wrong);
    wrong
}

fn sizes(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    type Error = fn(usize) -> NarrativeError;
    let limits: [(usize, usize, Error); 6] = [
        (spec.events, EVENTS_MAX, |given| {
            NarrativeError::TooManyEvents { given }
        }),
        (spec.links.len(), LINKS_MAX, |given| {
            NarrativeError::TooManyLinks { given }
        }),
        (spec.contingent.len(), CONTINGENT_MAX, |given| {
            NarrativeError::TooManyContingent { given }
        }),
        (spec.activities.len(), ACTIVITIES_MAX, |given| {
            NarrativeError::TooManyActivities { given }
        }),
        (spec.resources.len(), RESOURCES_MAX, |given| {
            NarrativeError::TooManyResources { given }
        }),
        (spec.choices.len(), CHOICES_MAX, |given| {
            NarrativeError::TooManyChoices { given }
        }),
    ];
    if spec.events == 0 {
        wrong.push(NarrativeError::NoEvents);
    }
    let (given, events) = (spec.groups.len(), spec.events);
    if given > 0 && given != events {
        wrong.push(NarrativeError::GroupCount { given, events });
    }
    for (given, most, error) in limits {
        if given > most {
            wrong.push(error(given));
        }
    }
}

fn requirement(spec: &Spec, index: usize, link: &Link, wrong: &mut Vec<NarrativeError>) {
    let which = Which::Link(index);
    ends(spec, which, link.from, link.to, wrong);
    if link.lower_us.is_none() && link.upper_us.is_none() {
        wrong.push(NarrativeError::Unbounded { link: index });
    }
    range(which, link.lower_us, link.upper_us, wrong);
}

fn contingent(spec: &Spec, index: usize, link: &Contingent, wrong: &mut Vec<NarrativeError>) {
    let which = Which::Contingent(index);
    ends(spec, which, link.from, link.to, wrong);
    range(which, Some(link.lower_us), Some(link.upper_us), wrong);
    if link.lower_us < 0 {
        wrong.push(NarrativeError::NegativeDuration {
            contingent: index,
            lower_us: link.lower_us,
        });
    }
    if link.to == ORIGIN {
        wrong.push(NarrativeError::EndsAtOrigin { contingent: index });
    }
}

/// Both ends exist and differ.
fn ends(spec: &Spec, which: Which, from: Node, to: Node, wrong: &mut Vec<NarrativeError>) {
    for node in [from, to] {
        known(spec, which, node, wrong);
    }
    if from == to {
        wrong.push(NarrativeError::SelfLoop { which, node: from });
    }
}

fn known(spec: &Spec, which: Which, node: Node, wrong: &mut Vec<NarrativeError>) {
    let nodes = spec.events + 1;
    if node >= nodes {
        wrong.push(NarrativeError::UnknownNode { which, node, nodes });
    }
}

/// Both bounds are in range and in order.
fn range(
    which: Which,
    lower: Option<Micros>,
    upper: Option<Micros>,
    wrong: &mut Vec<NarrativeError>,
) {
    for given_us in [lower, upper].into_iter().flatten() {
        if !(-TIME_MAX_US..=TIME_MAX_US).contains(&given_us) {
            wrong.push(NarrativeError::BoundOutOfRange { which, given_us });
        }
    }
    if let (Some(lower_us), Some(upper_us)) = (lower, upper)
        && lower_us > upper_us
    {
        wrong.push(NarrativeError::Reversed {
            which,
            lower_us,
            upper_us,
        });
    }
}

/// No two contingent links end at one event, and none waits for itself.
fn one_end(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let mut ending: Vec<Option<usize>> = vec![None; spec.events + 1];
    for (second, link) in spec.contingent.iter().enumerate() {
        let node = link.to;
        match ending.get_mut(node) {
            Some(Some(first)) => wrong.push(NarrativeError::TwoContingent {
                first: *first,
                second,
                node,
            }),
            Some(none) => *none = Some(second),
            None => {}
        }
    }
    for (contingent, link) in spec.contingent.iter().enumerate() {
        let before = |node: Node| ending.get(node).copied().flatten();
        let mut at = before(link.from);
        for _ in 0..spec.contingent.len() {
            match at {
                Some(again) if again == contingent => {
                    wrong.push(NarrativeError::ContingentCircle { contingent });
                    break;
                }
                Some(other) => at = before(spec.contingent[other].from),
                None => break,
            }
        }
    }
}

fn activity(spec: &Spec, index: usize, given: &Activity, wrong: &mut Vec<NarrativeError>) {
    let which = Which::Activity(index);
    ends(spec, which, given.start, given.end, wrong);
    let pair = (given.start, given.end);
    let mut links = spec.links.iter();
    let linked = links
        .any(|link| (link.from, link.to) == pair && link.lower_us.is_some_and(|lower| lower >= 0));
    let mut contingent = spec.contingent.iter();
    if !linked && !contingent.any(|link| (link.from, link.to) == pair) {
        wrong.push(NarrativeError::NoDuration { activity: index });
    }
    let resources = spec.resources.len();
    for (at, demand) in given.demands.iter().enumerate() {
        let resource = demand.resource;
        let Some(capacity) = spec.resources.get(resource).map(|known| known.capacity) else {
            wrong.push(NarrativeError::UnknownResource {
                activity: index,
                demand: at,
                resource,
                resources,
            });
            continue;
        };
        let mut earlier = given.demands[..at].iter();
        if earlier.any(|other| other.resource == resource) {
            wrong.push(NarrativeError::DemandTwice {
                activity: index,
                demand: at,
                resource,
            });
        }
        if demand.amount == 0 || demand.amount > capacity {
            wrong.push(NarrativeError::DemandOutOfRange {
                activity: index,
                demand: at,
                resource,
                amount: demand.amount,
                capacity,
            });
        }
    }
}

fn waiting(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    for (waiting, &link) in spec.waiting.iter().enumerate() {
        let known = spec.links.get(link).and_then(|link| link.lower_us);
        if known.is_none_or(|lower| lower < 0) {
            wrong.push(NarrativeError::NotWaiting { waiting, link });
        }
    }
}
