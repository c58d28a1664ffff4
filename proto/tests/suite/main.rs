//! Rules of the contract, its documentation, its names and its examples.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod conventions;
mod documented;
mod examples;
mod names;
