//! Faults of a domain, and the place of the check.

use crate::problem::NAME_BYTES_MAX;
use anytime::{Fault, Path, Step, check, fault};

/// Faults so far, and the place of the check.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    at: Vec<Step>,
    found: Vec<Fault>,
}

impl Faults {
    /// Checks a part.
    pub(crate) fn inside<T>(&mut self, part: &Path<'_>, check: impl FnOnce(&mut Self) -> T) -> T {
        let back = self.enter(part);
        let result = check(self);
        self.leave(back);
        result
    }

    /// Goes into a part, until [`Faults::leave`].
    pub(crate) fn enter(&mut self, part: &Path<'_>) -> usize {
        let length = self.at.len();
        self.at.extend(part.steps());
        length
    }

    /// Goes back to where [`Faults::enter`] was called.
    pub(crate) fn leave(&mut self, length: usize) {
        self.at.truncate(length);
    }

    /// Checks each element of a list with its index, unless there are too many. The field has the
    /// name of its elements.
    pub(crate) fn check_list<T>(
        &mut self,
        what: &'static str,
        all: &[T],
        max: usize,
        mut check: impl FnMut(&mut Self, usize, &T),
    ) {
        let list = Path::root(what);
        if self.fits(&list, what, all.len(), max) {
            for (i, one) in all.iter().enumerate() {
                self.inside(&list.index(i), |faults| check(faults, i, one));
            }
        }
    }

    /// Adds a fault, whose path begins here.
    pub(crate) fn add(&mut self, mut fault: Fault) {
        fault.at.splice(..0, self.at.iter().copied());
        self.found.push(fault);
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them.
    pub(crate) fn into_vec(self) -> Vec<Fault> {
        self.found
    }

    /// Whether a list is short enough to be looked at; adds a fault if not.
    pub(crate) fn fits(
        &mut self,
        at: &Path<'_>,
        what: &'static str,
        given: usize,
        max: usize,
    ) -> bool {
        if given > max {
            let text = (given, what, max);
            self.add(fault!(
                "TOO_MANY",
                at,
                "has {} {}, at most {} are supported",
                text.0,
                text.1,
                text.2
            ));
        }
        given <= max
    }

    /// Checks the length of a name.
    pub(crate) fn check_name(&mut self, at: &Path<'_>, name: &str) {
        match name.len() {
            0 => self.add(check::required(at)),
            1..=NAME_BYTES_MAX => {}
            given => self.add(fault!(
                "TOO_LONG",
                at,
                "has {} bytes, at most {} are allowed",
                given,
                NAME_BYTES_MAX
            )),
        }
    }

    /// Checks the name of a part, which may be given already.
    pub(crate) fn check_new_name(&mut self, what: &'static str, name: &str, is_given: bool) {
        let at = Path::root("name");
        self.check_name(&at, name);
        if is_given {
            self.duplicate(&at, what, name);
        }
    }

    /// Adds that a name is given twice.
    pub(crate) fn duplicate(&mut self, at: &Path<'_>, what: &'static str, name: &str) {
        self.add(fault!(
            "DUPLICATE",
            at,
            "gives the {} '{}' twice",
            what,
            name
        ));
    }

    /// Adds that a name is of nothing.
    pub(crate) fn unknown(&mut self, at: &Path<'_>, what: &'static str, name: &str) {
        self.add(fault!(
            "UNKNOWN",
            at,
            "names the {} '{}', which does not exist",
            what,
            name
        ));
    }

    /// Adds that a value has a wrong type.
    pub(crate) fn wrong_type(&mut self, expected: impl Into<String>, found: impl Into<String>) {
        let (expected, found) = (expected.into(), found.into());
        self.add(fault!(
            "TYPE_MISMATCH",
            Path::WHOLE,
            "must be {}, got {}",
            expected,
            found
        ));
    }

    /// Whether a number is within limits; adds a fault if not.
    pub(crate) fn in_range(&mut self, at: &Path<'_>, given: f64, min: f64, max: f64) -> bool {
        let is_in = (min..=max).contains(&given);
        if !is_in {
            self.out_of_range(at, given, &format!("between {min} and {max}"));
        }
        is_in
    }

    /// Adds that a number is out of its range.
    pub(crate) fn out_of_range(&mut self, at: &Path<'_>, given: f64, range: &str) {
        let code = if given.is_finite() {
            "OUT_OF_RANGE"
        } else {
            "NOT_FINITE"
        };
        let given = given.to_string();
        self.add(fault!(code, at, "must be {}, got {}", range, given));
    }
}

/// A name with its article: `an actor`, `a place`, `a unicorn`. By letters alone, so that some are
/// wrong.
pub(crate) fn with_article(name: &str) -> String {
    let small = name.to_lowercase();
    let like_a_consonant = ["uni", "use", "eu", "one"];
    let is_vowel = small.starts_with(['a', 'e', 'i', 'o', 'u'])
        && !like_a_consonant
            .iter()
            .any(|start| small.starts_with(start));
    format!("{} {name}", if is_vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn articles_go_with_what_follows() {
        let names = ["actor", "Item", "place", "uncle", "unicorn", "", "1st"];
        let shown = names.map(with_article);
        let wanted = [
            "an actor",
            "an Item",
            "a place",
            "an uncle",
            "a unicorn",
            "a ",
            "a 1st",
        ];
        assert_eq!(shown, wanted);
    }
}
