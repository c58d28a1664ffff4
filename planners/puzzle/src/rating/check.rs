//! Validation of players' answers.

use super::{ANSWERS_MAX, Answer, RATED_MAX, RatingParams};
use anytime::{Fault, Path, fault, millionths};

const DRAWS_MAX_MICRO: i64 = 900_000;
const DRIFT_MAX_MICRO: i64 = 10_000_000;

pub(super) fn check(levels: usize, answers: &[Answer], params: &RatingParams) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (levels_at, answers_at) = (Path::root("levels"), Path::root("comparisons"));
    if levels < 2 {
        faults.push(fault!(
            "REQUIRED",
            levels_at,
            "must have at least 2 elements, got {}",
            levels
        ));
    }
    if levels > RATED_MAX {
        faults.push(too_many(&levels_at, RATED_MAX, levels));
    }
    if answers.is_empty() {
        faults.push(fault!(
            "REQUIRED",
            answers_at,
            "must have at least 1 element, got 0"
        ));
    }
    if answers.len() > ANSWERS_MAX {
        faults.push(too_many(&answers_at, ANSWERS_MAX, answers.len()));
    }
    for (name, given, most) in [
        ("draw_probability", params.draws_micro, DRAWS_MAX_MICRO),
        ("drift", params.drift_micro, DRIFT_MAX_MICRO),
    ] {
        if !(0..=most).contains(&given) {
            faults.push(fault!(
                "OUT_OF_RANGE",
                Path::root(name),
                "must be between 0 and {}, got {}",
                millionths(most),
                millionths(given)
            ));
        }
    }
    for (index, answer) in answers.iter().enumerate() {
        check_answer(levels, answer, &answers_at.index(index), &mut faults);
    }
    faults
}

fn check_answer(levels: usize, answer: &Answer, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let Answer { first, second, .. } = *answer;
    for (name, level) in [("harder_id", first), ("easier_id", second)] {
        if level >= levels {
            faults.push(fault!(
                "UNKNOWN",
                at.field(name),
                "is level {}, but there are {} (0 is the first)",
                level,
                levels
            ));
        }
    }
    if first == second {
        faults.push(fault!(
            "CONTRADICTION",
            at.field("easier_id"),
            "is level {}, as is the other one",
            first
        ));
    }
}

fn too_many(at: &Path<'_>, most: usize, given: usize) -> Fault {
    fault!(
        "TOO_MANY",
        at,
        "must have at most {} elements, got {}",
        most,
        given
    )
}
