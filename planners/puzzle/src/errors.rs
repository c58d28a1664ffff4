//! Why a board or a problem makes no sense.

use crate::board::{self, SIDE_MAX};
use crate::problem::{
    AVOIDED_MAX, BOX_PUSHES_MAX, BOXES_MAX, LEVELS_MAX, SIDE_MIN, VALUE_MAX_MICRO, WEIGHT_MAX_MICRO,
};

/// One reason why tiles are no board. Rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum BoardError {
    /// Tiles that do not make full rows.
    #[error("{tiles} tiles do not make rows of {width}")]
    NotRectangular { tiles: usize, width: usize },
    /// More rows or columns than supported.
    #[error("the board is {width} x {height}, at most {SIDE_MAX} x {SIDE_MAX} are supported")]
    TooLarge { width: usize, height: usize },
    /// A character that XSB does not have.
    #[error(
        "'{}' at row {row}, column {column} is none of # (wall), blank, - and _ (floor), . (goal), $ (box), * (box on goal), \
         @ (player), + (player on goal)",
        character.escape_default()
    )]
    UnknownCharacter {
        row: usize,
        column: usize,
        character: char,
    },
    /// Nobody to push.
    #[error("there is no player: one @ or + is needed")]
    NoPlayer,
    /// More than one player.
    #[error("a second player stands at row {row}, column {column}")]
    SecondPlayer { row: usize, column: usize },
    /// Nothing to push.
    #[error("there are no boxes: at least one $ or * is needed")]
    NoBoxes,
    /// More boxes than supported.
    #[error("{given} boxes, at most {} are supported", board::BOXES_MAX)]
    TooManyBoxes { given: usize },
    /// Boxes and goals in different numbers.
    #[error("{boxes} boxes, but {goals} goals")]
    UnequalGoals { boxes: usize, goals: usize },
    /// The player can walk off the board.
    #[error(
        "the border is open: from row {row}, column {column} the player can walk off the board"
    )]
    OpenBorder { row: usize, column: usize },
    /// A box or a goal that is walled off from the player, where boxes and goals within reach are
    /// not as many.
    #[error("the box or goal at row {row}, column {column} is walled off from the player")]
    OutOfReach { row: usize, column: usize },
}

/// One reason why a problem makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// A side out of range.
    #[error("the board is {width} x {height}, sides of {SIDE_MIN} to {SIDE_MAX} are supported")]
    Size { width: usize, height: usize },
    /// A template of another size than the board.
    #[error("the template has {given} cells, the board has {expected}")]
    TemplateSize { given: usize, expected: usize },
    /// The template wants something on the border, where walls are.
    #[error("row {row}, column {column} is on the border, which is all walls")]
    TemplateBorder { row: usize, column: usize },
    /// Two starts.
    #[error("the template has a second start at row {row}, column {column}")]
    TemplateStart { row: usize, column: usize },
    /// Cells that have to be walkable but are cut off from each other by walls of the template.
    #[error(
        "row {row}, column {column} is cut off from the other floor of the template by its walls"
    )]
    TemplateCut { row: usize, column: usize },
    /// The template and the symmetry contradict each other.
    #[error("row {row}, column {column} and its mirror image are wall and floor in the template")]
    TemplateSymmetry { row: usize, column: usize },
    /// A symmetry that a board of these sides cannot have.
    #[error("a board of {width} x {height} is not square, as this symmetry needs")]
    SymmetrySquare { width: usize, height: usize },
    /// No boxes, more than supported, or a range upside down.
    #[error("{least} to {most} boxes wanted, 1 to {BOXES_MAX} are supported")]
    Boxes { least: usize, most: usize },
    /// More boxes than fit.
    #[error("{wanted} boxes do not fit: the board has room for at most {room}")]
    BoxesNoRoom { wanted: usize, room: usize },
    /// More goals in the template than boxes allowed.
    #[error("the template has {goals} goals, but at most {most} boxes are wanted")]
    TemplateGoals { goals: usize, most: usize },
    /// No levels or too many.
    #[error("{given} levels wanted, 1 to {LEVELS_MAX} are supported")]
    Levels { given: usize },
    /// Too many levels to avoid.
    #[error("{given} levels to differ from, at most {AVOIDED_MAX} are supported")]
    Avoided { given: usize },
    /// A share above one.
    #[error("levels are to differ in {given} %, at most 100 is possible")]
    Difference { given: u32 },
    /// Too many pushes asked for each box.
    #[error("each box is to be pushed {given} times, at most {BOX_PUSHES_MAX} is supported")]
    BoxPushes { given: u32 },
    /// A weight out of range.
    #[error(
        "a weight is {given_micro} millionths, -{WEIGHT_MAX_MICRO} to {WEIGHT_MAX_MICRO} are supported"
    )]
    Weight { given_micro: i64 },
    /// Nothing counts.
    #[error("all weights are 0: nothing makes one level better than another")]
    NoWeights,
    /// Walls that matter, where nothing counts that walls could matter to.
    #[error(
        "which walls are needed is decided by solving: a weight of pushes, box changes, counter-intuitive pushes or effort is needed"
    )]
    WallsUnsolved,
    /// The divisor is not positive or out of range.
    #[error("the divisor is {given_micro} millionths, 1 to {WEIGHT_MAX_MICRO} are supported")]
    Divisor { given_micro: i64 },
    /// A target out of range, or upside down.
    #[error(
        "targets from {easiest_micro} to {hardest_micro} millionths, rising ones within -{VALUE_MAX_MICRO} to {VALUE_MAX_MICRO} \
         are supported"
    )]
    Target {
        easiest_micro: i64,
        hardest_micro: i64,
    },
    /// A tolerance out of range.
    #[error("a tolerance of {given} %, at most 100 is supported")]
    Tolerance { given: u32 },
}
