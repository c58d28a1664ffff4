//! Broken rules as data: written once, where the rule is.
//!
//! A planner knows elements by index and does not know how its caller calls them. A [`Fault`] has
//! the rule's code, the path of the field that breaks it, and a text with arguments; what reports
//! it brings the [`Names`].

use crate::path::{Path, Step, written};
use std::fmt::{Display, Formatter, Result};

/// A broken rule: what is wrong with a problem, or with a plan.
///
/// ```
/// use anytime::{Path, Unnamed, element, fault};
/// let arcs = Path::root("arcs");
/// let fault = fault!("SELF_LOOP", arcs.index(2), "leads from {} to itself", element("node", 7));
/// assert_eq!(fault.to_string(), "arcs[2] leads from node 7 to itself");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Stable name of the rule, in `UPPER_SNAKE_CASE`: docs/reference/errors.md lists them.
    pub code: &'static str,
    /// The field that breaks it, from the problem or the plan on.
    pub at: Vec<Step>,
    text: &'static str,
    arguments: Vec<Argument>,
}

/// A value in the text of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// An element: its kind and its index among those of the kind.
    Element(&'static str, usize),
    /// A time or a length, in the planner's unit: microseconds, unless [`Names`] say otherwise.
    Time(i64),
    /// A whole number.
    Number(i128),
    /// A decimal number, in millionths.
    Millionths(i128),
    /// A text as it is.
    Text(String),
    /// Several, separated by commas.
    List(Vec<Argument>),
}

/// Writes a [`Fault`]: code, path, and a sentence without subject, in which each `{}` is an
/// argument. That there are as many of one as of the other is checked when this is compiled:
///
/// ```compile_fail
/// anytime::fault!("X", anytime::Path::WHOLE, "has {} of {}", 1_u32);
/// ```
#[macro_export]
macro_rules! fault {
    ($code:expr, $at:expr, $text:literal $(, $argument:expr)* $(,)?) => {{
        const _: () = assert!(
            $crate::placeholders($text) == <[&str]>::len(&[$(stringify!($argument)),*]),
            "as many arguments as placeholders",
        );
        $crate::Fault::new($code, &$at, $text, vec![$($crate::Argument::from($argument)),*])
    }};
}

/// Number of `{}` in a text.
#[doc(hidden)]
#[must_use]
pub const fn placeholders(text: &str) -> usize {
    let text = text.as_bytes();
    let (mut count, mut next) = (0, 1);
    while next < text.len() {
        if text[next - 1] == b'{' && text[next] == b'}' {
            count += 1;
        }
        next += 1;
    }
    count
}

/// How a caller calls what a planner knows by index.
pub trait Names {
    /// The caller's id of an element; `None` when it has none.
    fn id(&self, kind: &str, index: usize) -> Option<String>;

    /// An element as messages show it: its id in quotes, or its kind and its index.
    fn name(&self, kind: &str, index: usize) -> String {
        let id = self.id(kind, index);
        id.map_or_else(|| format!("{kind} {index}"), |id| quoted(&id))
    }

    /// The path in the caller's message, which may have other lists than the planner.
    fn path(&self, at: &[Step]) -> String {
        written(at)
    }

    /// A time or a length in the planner's unit.
    fn time(&self, time: i64) -> String {
        Time(time).to_string()
    }
}

/// No names: elements are called by kind and index.
#[derive(Debug, Clone, Copy)]
pub struct Unnamed;

impl Names for Unnamed {
    fn id(&self, _: &str, _: usize) -> Option<String> {
        None
    }
}

impl Fault {
    /// A fault, for [`fault!`].
    #[must_use]
    pub fn new(
        code: &'static str,
        at: &Path<'_>,
        text: &'static str,
        arguments: Vec<Argument>,
    ) -> Self {
        Self {
            code,
            at: at.steps(),
            text,
            arguments,
        }
    }

    /// The fault of a part as one of the whole that has the part here.
    #[must_use]
    pub fn under(mut self, at: &Path<'_>) -> Self {
        self.at.splice(..0, at.steps());
        self
    }

    /// The field that breaks the rule, as the contract writes it.
    #[must_use]
    pub fn field(&self) -> String {
        written(&self.at)
    }

    /// The sentence, without its subject.
    #[must_use]
    pub fn text(&self, names: &(impl Names + ?Sized)) -> String {
        let mut pieces = self.text.split("{}");
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for (argument, piece) in self.arguments.iter().zip(pieces) {
            text += &argument.shown(names);
            text += piece;
        }
        text
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let text = self.text(&Unnamed);
        match self.at.as_slice() {
            [] => f.write_str(&text),
            at => write!(f, "{} {text}", written(at)),
        }
    }
}

impl std::error::Error for Fault {}

/// An element of a kind, by index: an argument of a [`Fault`].
#[must_use]
pub fn element(kind: &'static str, index: usize) -> Argument {
    Argument::Element(kind, index)
}

/// A time or a length: an argument of a [`Fault`]. Beyond 2^63 it is cut off.
#[must_use]
pub fn time(time: impl TryInto<i64>) -> Argument {
    Argument::Time(time.try_into().unwrap_or(i64::MAX))
}

/// A decimal number, given in millionths: an argument of a [`Fault`].
#[must_use]
pub fn millionths(number: impl Into<i128>) -> Argument {
    Argument::Millionths(number.into())
}

impl Argument {
    /// The value in words.
    fn shown(&self, names: &(impl Names + ?Sized)) -> String {
        match self {
            Self::Element(kind, index) => names.name(kind, *index),
            Self::Time(time) => names.time(*time),
            Self::Number(number) => number.to_string(),
            Self::Millionths(number) => {
                let (whole, part) = (number.abs() / 1_000_000, number.abs() % 1_000_000);
                let sign = if *number < 0 { "-" } else { "" };
                let decimals = format!(".{part:06}");
                let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
                format!("{sign}{whole}{decimals}")
            }
            Self::Text(text) => text.clone(),
            Self::List(all) => {
                let all: Vec<_> = all.iter().map(|one| one.shown(names)).collect();
                all.join(", ")
            }
        }
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl From<$number> for Argument {
            fn from(number: $number) -> Self {
                // Sizes of this machine have at most 64 bits.
                Self::Number(number as i128)
            }
        })*
    };
}

numbers!(usize u64 u32 i64 i32);

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Longest text that is quoted whole, in characters.
const QUOTED_MAX: usize = 100;

/// A caller's text as messages quote it: escaped, and cut when it is longer than an id may be.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut cut: String = text.chars().take(QUOTED_MAX).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("{cut:?}")
}

/// A time in microseconds, printed exactly and in the units of people: `2 h 15 min`, `90.5 s` as `1
/// min 30.5 s`.
#[derive(Debug, Clone, Copy)]
pub struct Time(pub i64);

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let micros = self.0.unsigned_abs();
        let (whole, decimals) = (micros / 1_000_000, format!("{:06}", micros % 1_000_000));
        let seconds = match decimals.trim_end_matches('0') {
            "" => (whole % 60).to_string(),
            decimals => format!("{}.{decimals}", whole % 60),
        };
        let parts = [
            ((whole / 86_400).to_string(), "d"),
            ((whole / 3_600 % 24).to_string(), "h"),
            ((whole / 60 % 60).to_string(), "min"),
            (seconds, "s"),
        ];
        let parts = parts.iter().filter(|(count, _)| count != "0");
        let parts: Vec<String> = parts
            .map(|(count, unit)| format!("{count} {unit}"))
            .collect();
        match parts.as_slice() {
            [] => f.write_str("0 s"),
            parts => {
                let sign = if self.0 < 0 { "-" } else { "" };
                write!(f, "{sign}{}", parts.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_exactly_in_the_units_of_people() {
        for (micros, text) in [
            (0, "0 s"),
            (1, "0.000001 s"),
            (59_500_000, "59.5 s"),
            (60_000_000, "1 min"),
            (90_500_000, "1 min 30.5 s"),
            (8_100_000_000, "2 h 15 min"),
            (-3_601_000_000, "-1 h 1 s"),
            (86_400_000_000 * 3_650, "3650 d"),
            (i64::MIN, "-106751991 d 4 h 54.775808 s"),
        ] {
            assert_eq!(Time(micros).to_string(), text);
        }
    }

    #[test]
    fn a_fault_is_called_as_its_reader_calls_things() {
        struct Nodes;
        impl Names for Nodes {
            fn id(&self, kind: &str, index: usize) -> Option<String> {
                (kind == "node").then(|| format!("n{index}"))
            }

            fn path(&self, at: &[Step]) -> String {
                format!("graph.{}", written(at))
            }

            fn time(&self, time: i64) -> String {
                format!("{time} ticks")
            }
        }
        let arcs = Path::root("arcs");
        let all = Argument::List(vec![element("node", 1), element("tool", 2)]);
        let given = (time(90_000_000_u64), millionths(-1_500_000));
        let fault = fault!(
            "X",
            arcs.index(2),
            "{} after {} costs {}",
            all,
            given.0,
            given.1
        );
        let text = "arcs[2] node 1, tool 2 after 1 min 30 s costs -1.5";
        assert_eq!(fault.to_string(), text);
        assert_eq!(
            fault.text(&Nodes),
            "\"n1\", tool 2 after 90000000 ticks costs -1.5"
        );
        assert_eq!(Nodes.path(&fault.at), "graph.arcs[2]");
    }

    #[test]
    fn numbers_are_exact_and_times_are_cut_off() {
        let shown = |argument: Argument| argument.shown(&Unnamed);
        assert_eq!(shown(u64::MAX.into()), "18446744073709551615");
        assert_eq!(shown(i64::MIN.into()), "-9223372036854775808");
        assert_eq!(shown(millionths(0)), "0");
        assert_eq!(shown(millionths(i64::MAX)), "9223372036854.775807");
        assert_eq!(shown(millionths(-1)), "-0.000001");
        assert_eq!(shown(time(u64::MAX)), Time(i64::MAX).to_string());
    }

    #[test]
    fn ids_are_escaped_and_cut() {
        assert_eq!(quoted("a\"b\n"), r#""a\"b\n""#);
        assert_eq!(quoted(&"é".repeat(100)), format!("\"{}\"", "é".repeat(100)));
        assert_eq!(
            quoted(&"é".repeat(101)),
            format!("\"{}…\"", "é".repeat(100))
        );
    }

    #[test]
    fn a_fault_of_the_whole_has_no_field() {
        let fault = fault!("X", Path::WHOLE, "is empty");
        assert_eq!(
            (fault.field().as_str(), fault.to_string().as_str()),
            ("", "is empty")
        );
    }
}
