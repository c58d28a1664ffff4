//! What can be wrong with a Solomon file.

use super::{AGENTS_MAX, TASKS_MAX};

/// Why a text is not a Solomon file. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "fields are named after what they are")]
pub enum SolomonError {
    /// The text ends too early.
    #[error("the file ends before {wanted}")]
    Ended { wanted: &'static str },
    /// Something else stands where a section should begin.
    #[error("line {line}: {wanted} wanted, found `{found}`")]
    Unexpected {
        line: usize,
        wanted: &'static str,
        found: String,
    },
    /// A line with too few or too many columns.
    #[error("line {line}: {given} columns, {wanted} wanted: {names}")]
    Columns {
        line: usize,
        given: usize,
        wanted: usize,
        names: String,
    },
    /// A column that is no number, or not one that makes sense there.
    #[error("line {line}: {column} is `{found}`, {wanted} wanted")]
    Number {
        line: usize,
        column: &'static str,
        found: String,
        wanted: &'static str,
    },
    /// A window that closes before it opens.
    #[error("line {line}: due date {due} is before ready time {ready}")]
    WindowReversed {
        line: usize,
        ready: String,
        due: String,
    },
    /// Two customers of one number.
    #[error("line {line}: customer number {number} is in line {first} already")]
    NumberRepeated {
        line: usize,
        number: i64,
        first: usize,
    },
    /// A depot that is served.
    #[error("line {line}: the first customer is the depot, its demand and service have to be 0")]
    DepotServed { line: usize },
    /// More customers than a problem may have.
    #[error("line {line}: more than {TASKS_MAX} customers besides the depot")]
    TooManyTasks { line: usize },
    /// Number of agents that a problem cannot have.
    #[error("{given} vehicles, 1 to {AGENTS_MAX} are supported: choose their number")]
    Agents { given: i64 },
}
