//! What every method of the contract guarantees, whatever it plans: tables of claims about all of
//! them, by their descriptors, at a server within the test.

#![expect(
    clippy::unwrap_used,
    reason = "a test all over: what is not there fails it"
)]

mod answers;
mod calls;
mod examples;
mod executions;
mod games;
mod guards;
mod heists;
mod in_process;
mod jobs;
mod plans;
mod requests;
mod searches;
mod sessions;
mod sharing;
mod stopping;
mod stories;
mod streams;
mod survival;
mod tenants;
mod unbounded;
mod wrong;
