//! What has happened already.

use super::super::{Micros, Node, ORIGIN, Spec, TIME_MAX_US};
use super::known;
use crate::errors::{NarrativeError, Which};

pub(super) fn errors(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let given_us = spec.progress.now_us;
    if !(0..=TIME_MAX_US).contains(&given_us) {
        wrong.push(NarrativeError::NowOutOfRange { given_us });
    }
    let before = wrong.len();
    made(spec, wrong);
    let times = happened(spec, wrong);
    if wrong.len() == before {
        elsewhere(spec, wrong);
        taken(spec, &times, wrong);
    }
}

fn made(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let all = &spec.progress.made;
    for (made, &(choice, option)) in all.iter().enumerate() {
        let options = spec
            .choices
            .get(choice)
            .map_or(0, |known| known.options.len());
        let mut earlier = all[..made].iter();
        if option >= options || earlier.any(|(other, _)| *other == choice) {
            wrong.push(NarrativeError::UnknownPick {
                made,
                choice,
                option,
            });
        }
    }
}

/// Checks the list of what happened, and returns the times by node.
fn happened(spec: &Spec, wrong: &mut Vec<NarrativeError>) -> Vec<Option<Micros>> {
    let mut times = vec![None; spec.events + 1];
    times[ORIGIN] = Some(0);
    let now_us = spec.progress.now_us;
    for (happened, &(node, given_us)) in spec.progress.happened.iter().enumerate() {
        let which = Which::Happened(happened);
        known(spec, which, node, wrong);
        if node == ORIGIN {
            wrong.push(NarrativeError::Origin { which });
            continue;
        }
        if !(0..=now_us).contains(&given_us) {
            wrong.push(NarrativeError::HappenedOutOfRange {
                happened,
                node,
                given_us,
                now_us,
            });
        }
        if let Some(time) = times.get_mut(node)
            && time.replace(given_us).is_some()
        {
            wrong.push(NarrativeError::HappenedTwice { happened, node });
        }
    }
    times
}

/// Nothing happened that the choices made leave out.
fn elsewhere(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    for (choice, option) in super::super::made(spec) {
        let others = spec.choices[choice].options.iter().enumerate();
        let left_out = others.filter(|(at, _)| *at != option);
        let left_out: Vec<Node> = left_out.flat_map(|(_, nodes)| nodes).copied().collect();
        for (happened, &(node, _)) in spec.progress.happened.iter().enumerate() {
            if left_out.contains(&node) {
                wrong.push(NarrativeError::HappenedElsewhere { happened, node });
            }
        }
    }
}

/// Contingent links took, or have taken until now, a time that they may take.
fn taken(spec: &Spec, times: &[Option<Micros>], wrong: &mut Vec<NarrativeError>) {
    let time = |node: Node| times.get(node).copied().flatten();
    for (contingent, link) in spec.contingent.iter().enumerate() {
        let (lower_us, upper_us) = (link.lower_us, link.upper_us);
        if link.to == ORIGIN {
            // Nothing can: that is another mistake.
            continue;
        }
        let taken = match (time(link.from), time(link.to)) {
            (None, Some(_)) => {
                wrong.push(NarrativeError::NotBegun { contingent });
                continue;
            }
            (Some(start), Some(end)) => Some((end - start, lower_us)),
            (Some(start), None) => Some((spec.progress.now_us - start, Micros::MIN)),
            (None, None) => None,
        };
        if let Some((taken_us, least)) = taken
            && !(least..=upper_us).contains(&taken_us)
        {
            wrong.push(NarrativeError::Impossible {
                contingent,
                taken_us,
                lower_us,
                upper_us,
            });
        }
    }
}
