//! The rules of single fields, which the contract has as options `buf.validate`: checked before a
//! request is read.

#[cfg(test)]
mod limits;
#[cfg(test)]
mod tests;

use super::mistakes::{Code, Mistakes};
use super::values::duration_of_micros;
use anytime::Path;
use prost_types::Duration;
use std::ops::RangeInclusive;
use stratagem_proto::v1 as pb;

/// A message with rules, or with messages in it that have some.
pub trait Check {
    /// Notes each value that breaks a rule and replaces it by one that satisfies it, so that the
    /// message can be read: the start of a range of numbers, the duration of a range that is
    /// nearest to 0, no value of an enum.
    fn check(&mut self, at: &Path<'_>, wrong: &mut Mistakes);
}

/// Made by the build script from the contract: one check for each message.
mod checks {
    #![expect(clippy::all, clippy::too_many_lines, reason = "generated")]
    use super::{Check, Mistakes, Path, pb};

    include!(concat!(env!("OUT_DIR"), "/checks.rs"));
}

impl Mistakes {
    /// The fields of a message that break rules.
    ///
    /// # Errors
    /// The same, when a list is too long: nothing of that size is looked into.
    pub fn in_fields(message: &mut impl Check) -> Result<Self, Self> {
        let mut wrong = Self::default();
        message.check(&Path::WHOLE, &mut wrong);
        if wrong.is_too_large() {
            Err(wrong)
        } else {
            Ok(wrong)
        }
    }

    /// Notes the absence of what is required.
    fn filled(&mut self, at: &Path<'_>, is_given: bool) {
        self.required(at, is_given.then_some(()));
    }

    fn require_elements(&mut self, at: &Path<'_>, given: usize, min: usize) {
        if given < min {
            let why = format!("has {given} elements, at least {min} are required");
            self.add(at, Code::Required, why);
        }
    }

    fn keep_whole<T>(&mut self, at: &Path<'_>, value: &mut T, range: RangeInclusive<i64>)
    where
        T: Copy + Into<i64> + TryFrom<i64>,
    {
        let kept = self.whole(at, (*value).into(), range);
        // It is the value, or the end of a range of values.
        *value = T::try_from(kept).unwrap_or(*value);
    }

    fn keep_number(&mut self, at: &Path<'_>, value: &mut f64, range: RangeInclusive<f64>) {
        *value = self.number(at, *value, range);
    }

    fn keep_micros(&mut self, at: &Path<'_>, value: &mut Duration, range: RangeInclusive<i64>) {
        *value = duration_of_micros(self.micros(at, *value, range));
    }

    fn keep_choice<E: TryFrom<i32>>(&mut self, at: &Path<'_>, value: &mut i32) {
        if self.choice::<E>(at, *value).is_none() {
            *value = 0;
        }
    }
}
