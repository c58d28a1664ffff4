//! The engine from outside: against brute force, against its limits, against rude listeners.

#![expect(
    clippy::unwrap_used,
    reason = "a test all over: what is not there fails it"
)]

mod columns;
mod ending;
mod instances;
mod lints;
mod mistakes;
mod optimum;
mod property;
mod quiet;
mod repair;
mod repeat;
mod rude;

use anytime::{CancelToken, Pulse};
use milp::{Listener, Model, Outcome, Params, solve};

/// No deadline and no cancellation.
fn calm() -> Pulse {
    Pulse::new(None, CancelToken::new())
}

/// Solves a model without mistakes to the end.
fn solved(model: &Model) -> Outcome {
    heard(model, &Params::default(), &mut ())
}

fn heard(model: &Model, params: &Params, listener: &mut dyn Listener) -> Outcome {
    solve(model, params, &calm(), listener).expect("a model without mistakes")
}
