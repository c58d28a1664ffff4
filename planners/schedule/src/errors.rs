//! Broken rules of problems and plans, as data.

use std::fmt::{Display, Formatter, Result};

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Stable name of the rule, in `UPPER_SNAKE_CASE`.
    pub code: &'static str,
    /// The field that breaks it, from the problem or the plan on: `activities[3].release`.
    pub at: String,
    /// A sentence without its subject, which is the field.
    pub text: String,
}

impl Fault {
    pub(crate) fn new(code: &'static str, at: &str, text: String) -> Self {
        let at = at.to_owned();
        Self { code, at, text }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", self.at, self.text)
    }
}

impl std::error::Error for Fault {}
