//! What has happened already.

use super::super::{Micros, Node, ORIGIN, Spec, made};
use super::{check_node, check_time};
use anytime::{Fault, Path, element, fault, time};

pub(super) fn check(spec: &Spec, faults: &mut Vec<Fault>) {
    let progress = Path::root("progress");
    check_time(spec.progress.now_us, &progress.field("now_offset"), faults);
    let before = faults.len();
    check_made(spec, &progress.field("made"), faults);
    let times = check_happened(spec, &progress.field("happened"), faults);
    if faults.len() == before {
        check_left_out(spec, &progress.field("happened"), faults);
        check_taken(spec, &times, &progress, faults);
    }
}

/// Choices that were made exist, and were made once.
fn check_made(spec: &Spec, list: &Path<'_>, faults: &mut Vec<Fault>) {
    let all = &spec.progress.made;
    for (index, &(choice, option)) in all.iter().enumerate() {
        let known = spec.choices.get(choice);
        let options = known.map_or(0, |known| known.options.len());
        let made_at = list.index(index);
        let at = made_at.field("choice_id");
        let mut earlier = all[..index].iter();
        if option >= options {
            faults.push(fault!(
                "UNKNOWN",
                at,
                "and its option {} do not exist",
                option
            ));
        } else if earlier.any(|(other, _)| *other == choice) {
            faults.push(fault!("DUPLICATE", at, "was made already"));
        }
    }
}

/// Checks the list of what happened, and returns the times by node.
fn check_happened(spec: &Spec, list: &Path<'_>, faults: &mut Vec<Fault>) -> Vec<Option<Micros>> {
    let mut times = vec![None; spec.events + 1];
    times[ORIGIN] = Some(0);
    let now_us = spec.progress.now_us;
    for (index, &(node, given_us)) in spec.progress.happened.iter().enumerate() {
        let at = list.index(index);
        check_node(spec, node, &at, faults);
        if node == ORIGIN {
            faults.push(fault!(
                "CONTRADICTION",
                at,
                "is the origin, which always happens"
            ));
            continue;
        }
        if !(0..=now_us).contains(&given_us) {
            let (at, given, now) = (at.field("time_offset"), time(given_us), time(now_us));
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, outside of 0 to now, {}",
                given,
                now
            ));
        }
        if let Some(time) = times.get_mut(node)
            && time.replace(given_us).is_some()
        {
            let (at, event) = (at.field("event_id"), element("node", node));
            faults.push(fault!(
                "DUPLICATE",
                at,
                "is {}, which is there already",
                event
            ));
        }
    }
    times
}

/// Nothing happened that the choices made leave out.
fn check_left_out(spec: &Spec, list: &Path<'_>, faults: &mut Vec<Fault>) {
    for (choice, option) in made(spec) {
        let others = spec.choices[choice].options.iter().enumerate();
        let left_out = others.filter(|(at, _)| *at != option);
        let left_out: Vec<Node> = left_out.flat_map(|(_, nodes)| nodes).copied().collect();
        for (index, &(node, _)) in spec.progress.happened.iter().enumerate() {
            if left_out.contains(&node) {
                let happened_at = list.index(index);
                let (at, event) = (happened_at.field("event_id"), element("node", node));
                faults.push(fault!(
                    "CONTRADICTION",
                    at,
                    "is {}, which the choices made leave out",
                    event
                ));
            }
        }
    }
}

/// Contingent links took, or have taken until now, a time that they may take.
fn check_taken(
    spec: &Spec,
    times: &[Option<Micros>],
    progress: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let time = |node: Node| times.get(node).copied().flatten();
    for (index, link) in spec.contingent.iter().enumerate() {
        if link.to == ORIGIN {
            // Nothing can: that is another fault.
            continue;
        }
        let name = element("contingent link", index);
        let (taken_us, lower_us) = match (time(link.from), time(link.to)) {
            (None, Some(_)) => {
                let at = progress.field("happened");
                faults.push(fault!(
                    "CONTRADICTION",
                    at,
                    "lets {} end but not begin",
                    name
                ));
                continue;
            }
            (Some(start), Some(end)) => (end - start, link.lower_us),
            // It can still become long enough.
            (Some(start), None) => (spec.progress.now_us - start, Micros::MIN),
            (None, None) => continue,
        };
        // Differences do not depend on where time starts.
        let early_us = lower_us.saturating_sub(taken_us);
        let late_us = taken_us.saturating_sub(link.upper_us);
        let (missed_us, what) = if early_us > 0 {
            (early_us, "less than its shortest")
        } else {
            (late_us, "more than its longest")
        };
        if missed_us > 0 {
            let missed = anytime::time(missed_us);
            faults.push(fault!(
                "CONTRADICTION",
                progress,
                "lets {} take {} {} duration",
                name,
                missed,
                what
            ));
        }
    }
}
