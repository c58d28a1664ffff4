//! Networks without uncertainty against the definitions.

#![expect(
    clippy::unwrap_used,
    reason = "a test all over: what is not there fails it"
)]

mod closing;
mod instances;
mod judge;
mod trailing;
