//! The command line: what it takes, what documents say of it, and what it plays.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod aliases;
mod args;
mod documents;
mod reference;
mod sokoban;
