//! What is wrong with a request: all of it, with paths and stable codes.

use anytime::Path;
use std::fmt::{Display, Formatter, Result};

/// Most mistakes that are listed; the others are counted.
pub const LISTED_MAX: usize = 100;

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Path of the field in the caller's request.
    pub field: String,
    /// What kind of mistake.
    pub code: Code,
    /// One sentence for people, with the numbers.
    pub description: String,
}

/// The kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A required field is missing or empty.
    Required,
    /// A number or time is outside of its range.
    OutOfRange,
    /// NaN or infinite.
    NotFinite,
    /// A time that is no whole number of the ticks of its problem.
    TooPrecise,
    /// A Duration whose seconds and nanos do not make one.
    DurationMalformed,
    /// A text longer than allowed.
    TooLong,
    /// More elements than allowed.
    TooMany,
    /// An id that is there already.
    Duplicate,
    /// An id or name that nothing has.
    Unknown,
    /// A number that is no value of the enumeration.
    EnumUnknown,
    /// A place that is not of the kind that the travel needs.
    PlaceKind,
    /// An end before its beginning.
    Reversed,
    /// A table whose size does not fit.
    WrongSize,
    /// Some stops of a route have a start and others do not.
    Mixed,
    /// A link from an event, or an edge from a vertex, to itself.
    SelfLoop,
    /// A character that the notation does not have.
    CharacterUnknown,
    /// An id with a character that is not shown, or changes how others are shown.
    CharacterForbidden,
    /// A step that cannot be made.
    StepImpossible,
    /// A board that cannot be solved.
    Unsolvable,
    /// The id of something of another kind than wanted.
    WrongKind,
    /// Something that stands in another room.
    Elsewhere,
    /// A text that is none of its language.
    Syntax,
    /// A division by 0.
    DivisionByZero,
    /// An expression that is nested too deeply, or takes too much to work out.
    TooDeep,
    /// Another contradiction that the planner sees.
    Contradiction,
    /// A rule that a planner checks: the code of the fault.
    Rule(&'static str),
}

impl Code {
    /// All codes but those of rules that planners check.
    pub const ALL: [Self; 25] = [
        Self::Required,
        Self::OutOfRange,
        Self::NotFinite,
        Self::TooPrecise,
        Self::DurationMalformed,
        Self::TooLong,
        Self::TooMany,
        Self::Duplicate,
        Self::Unknown,
        Self::EnumUnknown,
        Self::PlaceKind,
        Self::Reversed,
        Self::WrongSize,
        Self::Mixed,
        Self::SelfLoop,
        Self::CharacterUnknown,
        Self::CharacterForbidden,
        Self::StepImpossible,
        Self::Unsolvable,
        Self::WrongKind,
        Self::Elsewhere,
        Self::Syntax,
        Self::DivisionByZero,
        Self::TooDeep,
        Self::Contradiction,
    ];

    /// Stable name, the `reason` of a `google.rpc.BadRequest.FieldViolation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Required => "REQUIRED",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::NotFinite => "NOT_FINITE",
            Self::TooPrecise => "TOO_PRECISE",
            Self::DurationMalformed => "DURATION_MALFORMED",
            Self::TooLong => "TOO_LONG",
            Self::TooMany => "TOO_MANY",
            Self::Duplicate => "DUPLICATE",
            Self::Unknown => "UNKNOWN",
            Self::EnumUnknown => "ENUM_UNKNOWN",
            Self::PlaceKind => "PLACE_KIND",
            Self::Reversed => "REVERSED",
            Self::WrongSize => "WRONG_SIZE",
            Self::Mixed => "MIXED",
            Self::SelfLoop => "SELF_LOOP",
            Self::CharacterUnknown => "CHARACTER_UNKNOWN",
            Self::CharacterForbidden => "CHARACTER_FORBIDDEN",
            Self::StepImpossible => "STEP_IMPOSSIBLE",
            Self::Unsolvable => "UNSOLVABLE",
            Self::WrongKind => "WRONG_KIND",
            Self::Elsewhere => "ELSEWHERE",
            Self::Syntax => "SYNTAX",
            Self::DivisionByZero => "DIVISION_BY_ZERO",
            Self::TooDeep => "TOO_DEEP",
            Self::Contradiction => "CONTRADICTION",
            Self::Rule(code) => code,
        }
    }
}

/// The mistakes of a request, in the order in which they were found, at most 100 listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mistakes {
    list: Vec<Mistake>,
    unlisted: usize,
    /// Whether a list is too long.
    too_large: bool,
}

impl Mistakes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Notes that a list is too long.
    pub(super) fn set_too_large(&mut self) {
        self.too_large = true;
    }

    /// Whether a list is too long, listed or not.
    pub fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// Whether no more can be listed.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() == LISTED_MAX
    }

    /// Whether one at this field is among those that are listed.
    pub fn lists_at(&self, at: &Path<'_>) -> bool {
        let at = at.to_string();
        self.list.iter().any(|mistake| mistake.field == at)
    }

    /// How many there are, those included that are not listed.
    pub fn total(&self) -> usize {
        self.list.len() + self.unlisted
    }

    /// Those that are listed.
    pub fn into_list(self) -> Vec<Mistake> {
        self.list
    }

    /// Adds one. Nothing is written down beyond those that are listed.
    pub fn add(&mut self, at: &Path<'_>, code: Code, description: impl Display) {
        if self.is_full() {
            self.add_unlisted();
            return;
        }
        self.push(Mistake {
            field: at.to_string(),
            code,
            description: description.to_string(),
        });
    }

    /// Adds those of a message that is the field `at` of this one.
    pub fn add_below(&mut self, others: Self, at: &str) {
        // Rules of fields are checked from the outside, too.
        self.unlisted = self.unlisted.max(others.unlisted);
        for mut mistake in others.list {
            mistake.field = format!("{at}.{}", mistake.field);
            if !self.list.contains(&mistake) {
                self.push(mistake);
            }
        }
    }

    /// The value of an enum; `None`: a mistake, there is no value of this number.
    pub fn choice<E: TryFrom<i32>>(&mut self, at: &Path<'_>, number: i32) -> Option<E> {
        let value = E::try_from(number).ok();
        if value.is_none() {
            let path = std::any::type_name::<E>();
            let name = path.rsplit("::").next().unwrap_or(path);
            let why = format!("is {number}, which is no {name}");
            self.add(at, Code::EnumUnknown, why);
        }
        value
    }

    /// Adds one of a planner's, unless its field, or one inside, is known to be wrong already: a
    /// value that could not be read was replaced, and what the planner says about the replacement
    /// means nothing.
    pub fn add_unless_known(&mut self, mistake: Mistake) {
        let inside = |known: &Mistake| {
            let rest = known.field.strip_prefix(mistake.field.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        // Where not all are listed, there is no telling.
        if !self.is_full() && !self.list.iter().any(inside) {
            self.push(mistake);
        }
    }

    /// Counts one that is not listed.
    pub(super) fn add_unlisted(&mut self) {
        self.unlisted += 1;
    }

    /// Adds one, whatever else is known of its field.
    pub(super) fn push(&mut self, mistake: Mistake) {
        if self.is_full() {
            self.add_unlisted();
        } else {
            self.list.push(mistake);
        }
    }
}

impl Display for Mistakes {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let count = self.total();
        match self.list.as_slice() {
            [] => f.write_str("no mistakes"),
            [one] => write!(f, "{}: {}", one.field, one.description),
            [first, ..] => write!(
                f,
                "{count} mistakes, the first: {}: {}",
                first.field, first.description
            ),
        }
    }
}
