//! Single values: what they may be, and what they become.

use super::mistakes::{Code, Mistakes};
use allocation::problem::MICRO;
use anytime::Path;
pub use anytime::{Time, quoted as shown};
use prost_types::Duration;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Longest id or name, in characters.
pub const ID_MAX: usize = 100;
/// Largest whole number of seconds in a `google.protobuf.Duration`.
const SECONDS_MAX: i64 = 315_576_000_000;

/// A time, rounded to microseconds: halves away from 0.
pub fn rounded_micros(value: &Duration) -> i64 {
    let nanos = i64::from(value.nanos);
    value
        .seconds
        .saturating_mul(MICRO)
        .saturating_add((nanos + 500 * nanos.signum()) / 1_000)
}

/// A share in percent, rounded.
pub fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

/// A number in millionths, rounded.
pub fn millionths(value: f64) -> i64 {
    (value * MICRO as f64).round() as i64
}

impl Mistakes {
    /// A required message or value; notes its absence.
    pub fn required<T>(&mut self, at: &Path<'_>, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.add(at, Code::Required, "is required");
        }
        value
    }

    /// A text of at most `max` characters.
    pub fn text(&mut self, at: &Path<'_>, text: &str, max: usize) {
        let given = text.chars().take(max + 1).count();
        if given > max {
            let given = text.chars().count();
            let why = format!("has {given} characters, at most {max} are allowed");
            self.add(at, Code::TooLong, why);
        }
    }

    /// A text of at most `max` bytes.
    pub fn bytes(&mut self, at: &Path<'_>, text: &str, max: usize) {
        let given = text.len();
        if given > max {
            let why = format!("has {given} bytes, at most {max} are allowed");
            self.add(at, Code::TooLong, why);
        }
    }

    /// An id or name without characters that are not shown, or change how others are shown.
    pub fn visible(&mut self, at: &Path<'_>, id: &str) {
        if let Some(character) = id.chars().find(|it| is_hidden(*it)) {
            let code = u32::from(character);
            let why = format!(
                "contains U+{code:04X}: control characters and marks of text direction are not \
                 allowed"
            );
            self.add(at, Code::CharacterForbidden, why);
        }
    }

    /// A list of at most `max` elements; says whether it is.
    pub fn size(&mut self, at: &Path<'_>, given: usize, max: usize) -> bool {
        if given > max {
            let why = format!("has {given} elements, at most {max} are allowed");
            self.add(at, Code::TooMany, why);
            self.set_too_large();
        }
        given <= max
    }

    /// A whole number in a range, or the range's start.
    pub fn whole(&mut self, at: &Path<'_>, value: i64, range: RangeInclusive<i64>) -> i64 {
        if range.contains(&value) {
            return value;
        }
        let (least, most) = (range.start(), range.end());
        let why = format!("is {value}, outside of {least} to {most}");
        self.add(at, Code::OutOfRange, why);
        *least
    }

    /// A finite number in a range, or the range's start.
    pub fn number(&mut self, at: &Path<'_>, value: f64, range: RangeInclusive<f64>) -> f64 {
        let (least, most) = (*range.start(), *range.end());
        if !value.is_finite() {
            self.add(
                at,
                Code::NotFinite,
                format!("is {value}, not a finite number"),
            );
        } else if range.contains(&value) {
            return value;
        } else if range.contains(&((value * 1e6).round() / 1e6)) {
            // As clients with 32 bits have it: 0.01 is a little less there.
            return value.clamp(least, most);
        } else {
            let why = format!("is {value}, outside of {least} to {most}");
            self.add(at, Code::OutOfRange, why);
        }
        least
    }

    /// A time, rounded to microseconds, in a range, or what is nearest to 0 there.
    pub fn micros(&mut self, at: &Path<'_>, value: Duration, range: RangeInclusive<i64>) -> i64 {
        let Duration { seconds, nanos } = value;
        let (least, most) = (*range.start(), *range.end());
        let opposite = (seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0);
        if opposite
            || nanos.unsigned_abs() > 999_999_999
            || seconds.unsigned_abs() > SECONDS_MAX.unsigned_abs()
        {
            let why =
                format!("has {seconds} seconds and {nanos} nanos, which is no valid Duration");
            self.add(at, Code::DurationMalformed, why);
            return 0.clamp(least, most);
        }
        let micros = rounded_micros(&value);
        if !range.contains(&micros) {
            let (given, least_s, most_s) = (Time(micros), Time(least), Time(most));
            let why = format!("is {given}, outside of {least_s} to {most_s}");
            self.add(at, Code::OutOfRange, why);
            return 0.clamp(least, most);
        }
        micros
    }
}

/// Whether a character changes how the text around it is shown: controls (C0, DEL, C1), and those
/// with Unicode's property `Bidi_Control`, which reverse what follows.
fn is_hidden(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    changes_direction || character.is_control()
}

/// Ids that must be unique, with their indices.
#[derive(Debug, Default)]
pub struct Ids {
    list: Vec<String>,
    index: HashMap<String, usize>,
}

impl Ids {
    /// Takes the id of the next element; notes bad and repeated ones.
    pub fn take(&mut self, at: &Path<'_>, id: String, wrong: &mut Mistakes) {
        if let Some(first) = self.index.get(&id) {
            let why = format!("is {}, as is the one of element {first}", shown(&id));
            wrong.add(at, Code::Duplicate, why);
        } else if !id.is_empty() {
            self.index.insert(id.clone(), self.list.len());
        }
        self.list.push(id);
    }

    /// All, by index.
    pub fn list(&self) -> &[String] {
        &self.list
    }

    /// The same, for good.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }

    /// Index of the element with this id, if there is one.
    pub fn get(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// Index of the element with this id; notes a mistake when no element has it. That an id is
    /// required is a rule of its field.
    pub fn find(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        let found = self.get(id);
        if found.is_none() && !id.is_empty() {
            wrong.add(
                at,
                Code::Unknown,
                format!("is {}, which does not exist", shown(id)),
            );
        }
        found
    }
}

/// Reads each element of a list at its own path.
pub fn read_each<T, U>(
    given: Vec<T>,
    at: &Path<'_>,
    mut read: impl FnMut(T, &Path<'_>) -> U,
) -> Vec<U> {
    let given = given.into_iter().enumerate();
    given.map(|(i, one)| read(one, &at.index(i))).collect()
}

/// A time for the wire.
pub fn duration_of_micros(micros: i64) -> Duration {
    Duration {
        seconds: micros / MICRO,
        // Below 10^9 in magnitude, with the sign of the seconds.
        nanos: (micros % MICRO * 1_000) as i32,
    }
}

/// A measured time for the wire. Lengths that do not fit are longer than any process lives.
pub fn duration(length: std::time::Duration) -> Duration {
    Duration::try_from(length).unwrap_or(Duration {
        seconds: SECONDS_MAX,
        nanos: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_marks_of_direction_are_hidden_and_scripts_are_not() {
        let hidden =
            "\0\t\n\u{1b}\u{7f}\u{80}\u{9f}\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}";
        assert_eq!(hidden.chars().find(|it| !is_hidden(*it)), None);
        // Letters of any script; joiners, which some of them need; emoji with variation selectors.
        let shown = "ann-1 naïve Ωმ 北 שלום سلام क्‍ष \u{200c}\u{200d}\u{feff} ⚔\u{fe0f}";
        assert_eq!(shown.chars().find(|it| is_hidden(*it)), None);
    }

    /// The value and the fields of mistakes.
    fn read<T>(read: impl Fn(&mut Mistakes) -> T) -> (T, usize) {
        let mut wrong = Mistakes::default();
        let value = read(&mut wrong);
        (value, wrong.total())
    }

    #[test]
    fn numbers_are_rounded_before_they_are_compared() {
        let at = Path::root("x");
        let number = |value, range: RangeInclusive<f64>| {
            read(|wrong| wrong.number(&at, value, range.clone()))
        };
        // As clients with 32 bits have it: below 0.01.
        let speed = f64::from(0.01_f32);
        assert!(speed < 0.01);
        assert_eq!(number(speed, 0.01..=100.0), (0.01, 0));
        assert_eq!(number(-0.000_000_4, 0.0..=1.0), (0.0, 0));
        assert_eq!(number(1.000_000_4, 0.0..=1.0), (1.0, 0));
        assert_eq!(number(0.3, 0.0..=1.0), (0.3, 0));
        assert_eq!(number(1.000_000_6, 0.0..=1.0), (0.0, 1));
        assert_eq!(number(-0.000_000_6, 0.0..=1.0), (0.0, 1));
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            assert_eq!(number(value, 0.0..=1.0), (0.0, 1), "{value}");
        }
        assert_eq!(number(f64::MAX, f64::MIN..=f64::MAX), (f64::MAX, 0));
    }

    #[test]
    fn halves_of_a_microsecond_are_rounded_away_from_0() {
        let micros = |seconds, nanos| rounded_micros(&Duration { seconds, nanos });
        for (seconds, nanos, wanted) in [
            (0, 499, 0),
            (0, 500, 1),
            (0, -499, 0),
            (0, -500, -1),
            (1, 999_999_500, 2_000_000),
            (-1, -999_999_500, -2_000_000),
        ] {
            assert_eq!(micros(seconds, nanos), wanted, "{seconds} {nanos}");
        }
    }
}
