//! Rules that are checked in several places.

use crate::EDITS_MAX;
use anytime::{Fault, Path, fault};

/// A number that is not from `min` to `max`.
pub(crate) fn out_of_range(at: &Path<'_>, given: f64, min: f64, max: f64) -> Option<Fault> {
    if (min..=max).contains(&given) {
        return None;
    }
    let code = if given.is_finite() {
        "OUT_OF_RANGE"
    } else {
        "NOT_FINITE"
    };
    let [given, min, max] = [given, min, max].map(|number| number.to_string());
    Some(fault!(
        code,
        at,
        "{} is out of range, {} to {}",
        given,
        min,
        max
    ))
}

/// A file of more bytes than are read.
pub(crate) fn too_long(
    file: &'static str,
    what: &'static str,
    bytes: u64,
    max: u64,
) -> Option<Fault> {
    let at = Path::root(file);
    (bytes > max).then(|| fault!("TOO_LONG", at, "more than {} bytes of {}", max, what))
}

/// More corrections than are made.
pub(crate) fn too_many_edits(given: usize) -> Option<Fault> {
    (given > EDITS_MAX).then(|| {
        fault!(
            "TOO_MANY",
            Path::root("edits"),
            "{} edits given, at most {} are supported",
            given,
            EDITS_MAX
        )
    })
}
