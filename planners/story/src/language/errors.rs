//! Syntax errors.

use super::{NESTING_MAX, TEXT_BYTES_MAX};

/// A mistake and where it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("at character {at}: {reason}")]
pub struct SyntaxError {
    /// The character at which it shows, from 1.
    pub at: usize,
    /// What is wrong there.
    pub reason: SyntaxReason,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum SyntaxReason {
    /// A text that is too long; it is not looked at.
    #[error("the text has {given} bytes, at most {TEXT_BYTES_MAX} are read")]
    TooLong { given: usize },
    /// A character that the language does not have.
    #[error("'{found}' means nothing here")]
    Character { found: char },
    /// A quote that is not closed.
    #[error("the quote is not closed")]
    Unclosed,
    /// A number that is too large for a double.
    #[error("the number is too large")]
    Number,
    /// Something else than what has to be there.
    #[error("expected is {expected}, but there is {found}")]
    Expected {
        expected: &'static str,
        found: String,
    },
    /// Two comparisons without brackets.
    #[error("comparisons in a row need brackets, or 'and' between them")]
    Chained,
    /// Something nested too deeply.
    #[error("nested more than {NESTING_MAX} deep")]
    TooDeep,
    /// A division by 0.
    #[error("nothing can be divided by 0")]
    DivisionByZero,
    /// A whole number beyond 32 bits where limits are given.
    #[error("{given} is no whole number of 32 bits")]
    NotWhole { given: f64 },
}
