//! Validation of players' answers.

use super::{ANSWERS_MAX, Answer, RATED_MAX, RatingParams};
use anytime::check::{out_of_range, required, too_many};
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
    faults.extend(too_many(&levels_at, levels, RATED_MAX));
    if answers.is_empty() {
        faults.push(required(&answers_at));
    }
    faults.extend(too_many(&answers_at, answers.len(), ANSWERS_MAX));
    for (name, given, most) in [
        ("draw_probability", params.draws_micro, DRAWS_MAX_MICRO),
        ("drift", params.drift_micro, DRIFT_MAX_MICRO),
    ] {
        if !(0..=most).contains(&given) {
            let [given, min, max] = [given, 0, most].map(millionths);
            faults.push(out_of_range(&Path::root(name), given, min, max));
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
