//! What is wrong with a domain, in the caller's words.

use super::fields::field;
use crate::wire::mistakes::{Code, RelativeMistake, relative};
use story::language::position;
use story::{ProblemError, Reason};
use stratagem_proto::v1 as pb;

/// The mistake that an error of the domain is; in texts, with the character at which it shows.
pub(super) fn mistake(error: &ProblemError, given: &pb::StoryProblem) -> RelativeMistake {
    let ProblemError { path, reason } = error;
    let field = field(path, reason, given);
    match field.text {
        Some((text, form, part)) => {
            let at = position(text, form, &part);
            let why = format!("at character {at}: {reason}");
            relative(field.path, code(reason), why)
        }
        None => relative(field.path, code(reason), reason),
    }
}

fn code(reason: &Reason) -> Code {
    let range = |given: f64| {
        if given.is_finite() {
            Code::OutOfRange
        } else {
            Code::NotFinite
        }
    };
    match *reason {
        Reason::TooMany { .. } | Reason::TooManyGround { .. } | Reason::EventArgs { .. } => {
            Code::TooMany
        }
        Reason::None { .. } | Reason::NameLength { given: 0, .. } => Code::Required,
        Reason::NameLength { .. } => Code::TooLong,
        Reason::Duplicate { .. } => Code::Duplicate,
        Reason::Unknown { .. } | Reason::NoAttribute { .. } | Reason::NeverThatWord { .. } => {
            Code::Unknown
        }
        Reason::Type { .. }
        | Reason::Incomparable { .. }
        | Reason::Static { .. }
        | Reason::NumberNotStatic => Code::TypeMismatch,
        Reason::IntLimits { min, max } if min > max => Code::Reversed,
        Reason::IntLimits { .. } | Reason::StoryLength { .. } => Code::OutOfRange,
        Reason::OutOfRange { given, .. }
        | Reason::Believability { given }
        | Reason::SliderRange { given }
        | Reason::Weight { given } => range(given),
        Reason::TooDeep | Reason::TooLarge | Reason::TooMuchWork => Code::TooDeep,
        Reason::Placeholder { .. } => Code::Unknown,
        Reason::Brace => Code::Syntax,
        Reason::NeverHolds { .. } | Reason::NeverHappens { .. } => Code::NeverHolds,
        // Of a planner that is newer than this.
        _ => Code::Contradiction,
    }
}
