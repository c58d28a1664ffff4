//! Which field of the request an error is about, in the caller's words.

use crate::wire::mistakes::{Code, Mistake, RelativeMistake, relative};
use anytime::Path;
use puzzle::{BoardError, ProblemError as E};

/// Row at fault, if there is one, and the kind of mistake.
pub(super) fn on_board(error: &BoardError) -> (Option<usize>, Code) {
    match *error {
        BoardError::TooLarge { .. } => (None, Code::TooMany),
        BoardError::UnknownCharacter { row, .. } => (Some(row), Code::CharacterUnknown),
        BoardError::NoPlayer => (None, Code::NoPlayer),
        BoardError::SecondPlayer { row, .. } => (Some(row), Code::SecondPlayer),
        BoardError::NoBoxes => (None, Code::NoBoxes),
        BoardError::TooManyBoxes { .. } => (None, Code::TooMany),
        BoardError::UnequalGoals { .. } => (None, Code::UnequalGoals),
        BoardError::OpenBorder { row, .. } => (Some(row), Code::BorderOpen),
        BoardError::OutOfReach { row, .. } => (Some(row), Code::WalledOff),
        // The others are about lists that are made here; the planner's text says what it is.
        _ => (None, Code::Contradiction),
    }
}

/// Row of the template at fault, if there is one, and the kind of mistake.
pub(super) fn on_template(error: &E) -> Option<(usize, Code)> {
    match *error {
        E::TemplateBorder { row, .. } => Some((row, Code::BorderOpen)),
        E::TemplateStart { row, .. } => Some((row, Code::SecondPlayer)),
        E::TemplateCut { row, .. } => Some((row, Code::Disconnected)),
        E::TemplateSymmetry { row, .. } => Some((row, Code::Contradiction)),
        _ => None,
    }
}

/// The mistake that an error that is about no row is.
pub(super) fn mistake(error: &E, at: &Path<'_>, has_template: bool) -> Mistake {
    let mistake = match *error {
        E::TemplateGoals { .. } => relative("template_rows".into(), Code::Contradiction, error),
        E::SymmetrySquare { .. } => relative("symmetry".into(), Code::Contradiction, error),
        E::BoxesNoRoom { room: 0, .. } if has_template => {
            let why = "leaves no floor to push a box on";
            relative("template_rows".into(), Code::NoFloor, why)
        }
        E::BoxesNoRoom { .. } => relative("min_boxes".into(), Code::NoRoom, error),
        E::Boxes { .. } => relative("max_boxes".into(), Code::Reversed, error),
        E::WallsUnsolved => relative("walls".into(), Code::Contradiction, error),
        E::NoWeights => relative("weights".into(), Code::AllZero, error),
        ref other => of_numbers(other),
    };
    mistake.at(at)
}

/// Errors about single numbers, which were reported before unless they come from defaults.
fn of_numbers(error: &E) -> RelativeMistake {
    let field = match *error {
        E::Size { .. } => "width",
        E::Levels { .. } => "level_count",
        E::Avoided { .. } => return relative("avoided".into(), Code::TooMany, error),
        E::Difference { .. } => "min_difference",
        E::BoxPushes { .. } => "min_box_pushes",
        E::Weight { .. } => "weights",
        E::Divisor { .. } => "weights.divisor",
        E::Target { .. } => return relative("target.range.hardest".into(), Code::Reversed, error),
        E::Tolerance { .. } => "target.tolerance",
        // The others are about lists that are made here; the planner's text says what it is.
        _ => return relative(String::new(), Code::Contradiction, error),
    };
    relative(field.into(), Code::OutOfRange, error)
}
