//! Lines, words and numbers of a text, each with its place.

use super::Mistake;
use super::durations::parse_seconds;
use std::ops::RangeInclusive;

/// Largest coordinate, either sign.
const COORDINATE_MAX: f64 = 1e6;
/// Largest capacity and demand.
pub(crate) const QUANTITY_MAX: i64 = 1_000_000_000;

/// A text without the mark that some editors begin files with.
pub(crate) fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A part of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    line: &'t str,
    /// Of the line, from 1.
    pub(crate) number: usize,
}

/// The lines of a text that are not blank, without the blanks around them.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = unmarked(text).lines().enumerate();
    let whole = lines.map(|(at, line)| Word {
        text: line.trim(),
        line,
        number: at + 1,
    });
    whole.filter(|line| !line.text.is_empty())
}

impl<'t> Word<'t> {
    /// Another part of the same line.
    pub(crate) fn part(self, text: &'t str) -> Self {
        Self { text, ..self }
    }

    /// What stands between blanks.
    pub(crate) fn words(self) -> impl Iterator<Item = Self> {
        let parts = self.text.split_whitespace();
        parts.map(move |part| self.part(part))
    }

    /// As many words as there are names.
    pub(crate) fn columns<const N: usize>(self, names: [&str; N]) -> Result<[Self; N], Mistake> {
        let words: Vec<Self> = self.words().collect();
        let given = words.len();
        words.try_into().map_err(|_| {
            let names = names.join(", ");
            self.wrong(format!("{given} columns instead of {N}: {names}"))
        })
    }

    /// A mistake at its first letter.
    pub(crate) fn wrong(self, message: impl Into<String>) -> Mistake {
        let before = self.text.as_ptr() as usize - self.line.as_ptr() as usize;
        let column = 1 + self.line[..before].chars().count();
        Mistake::new(message).placed(self.number, column)
    }

    /// A mistake: something else should stand here.
    pub(crate) fn expected(self, what: &str) -> Mistake {
        self.wrong(format!("expected {what}, got `{}`", self.shown()))
    }

    /// At most 40 letters of it.
    pub(crate) fn shown(self) -> String {
        let mut shown: String = self.text.chars().take(40).collect();
        if shown.len() < self.text.len() {
            shown.push_str("...");
        }
        shown
    }

    fn out_of<T>(self, name: &str, kind: &str, number: Option<T>) -> Result<T, Mistake> {
        let wrong = || self.wrong(format!("{name} must be {kind}, got `{}`", self.shown()));
        number.ok_or_else(wrong)
    }

    /// A whole number; some files write it as `10.0`.
    pub(crate) fn whole(self, name: &str, range: RangeInclusive<i64>) -> Result<i64, Mistake> {
        let text = self.text.strip_suffix(".0").unwrap_or(self.text);
        let number = text.parse().ok().filter(|number| range.contains(number));
        let kind = format!("a whole number from {} to {}", range.start(), range.end());
        self.out_of(name, &kind, number)
    }

    /// A coordinate.
    pub(crate) fn coordinate(self, name: &str) -> Result<f64, Mistake> {
        // NaN and infinities fail the comparison.
        let number = self.text.parse::<f64>().ok();
        let number = number.filter(|number| number.abs() <= COORDINATE_MAX);
        self.out_of(name, "a number from -10^6 to 10^6", number)
    }

    /// Microseconds of a time in seconds.
    pub(crate) fn seconds(self, name: &str) -> Result<i64, Mistake> {
        let kind = "a number from 0 to ten years in seconds, with at most 6 decimals";
        self.out_of(name, kind, parse_seconds(self.text))
    }
}
