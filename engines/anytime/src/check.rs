//! Rules that problems of all kinds share, each with its code and its text.

use crate::fault;
use crate::fault::{Argument, Fault};
use crate::path::Path;

/// A list with more than `max` elements.
#[must_use]
pub fn too_many(at: &Path<'_>, given: usize, max: usize) -> Option<Fault> {
    (given > max).then(|| {
        fault!(
            "TOO_MANY",
            at,
            "has {} elements, at most {} are allowed",
            given,
            max
        )
    })
}

/// A field that has to be there, or a list that has to have an element.
#[must_use]
pub fn required(at: &Path<'_>) -> Fault {
    fault!("REQUIRED", at, "is required")
}

/// A field that names an element which the problem does not have.
#[must_use]
pub fn unknown(at: &Path<'_>, element: Argument) -> Fault {
    fault!("UNKNOWN", at, "is {}, which does not exist", element)
}

/// A number or a time that is not from `min` to `max`.
#[must_use]
pub fn out_of_range(at: &Path<'_>, given: Argument, min: Argument, max: Argument) -> Fault {
    fault!(
        "OUT_OF_RANGE",
        at,
        "must be between {} and {}, got {}",
        min,
        max,
        given
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_the_largest_size_is_allowed() {
        let at = Path::root("tasks");
        assert_eq!(too_many(&at, 5, 5), None);
        let fault = too_many(&at, 6, 5).expect("it has one more");
        assert_eq!(
            fault.to_string(),
            "tasks has 6 elements, at most 5 are allowed"
        );
    }
}
