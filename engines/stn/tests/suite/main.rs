//! Networks of time, certain and uncertain.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod certain;
mod uncertain;
