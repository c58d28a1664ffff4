//! The one place that converts between messages of the contract and problems and plans.
//!
//! Free functions, both directions of a planner side by side, messages taken apart by name: a new
//! field does not compile until someone decides about it. What a field *is* is judged here; what
//! fields mean *together* is judged by the planner's own `Problem::new`.
//!
//! Nothing here knows how a request came, what searches it, or when: a [`method::Method`] reads a
//! message into a [`request::Request`] and writes an [`anytime::Outcome`] as its answer. What all
//! planners share are lists over methods, jobs and planners, made from the contract
//! ([`contract`]).
//!
//! # Examples
//! ```
//! use wire::decode::{Rejected, allocate};
//! assert!(matches!(allocate(b"no message"), Err(Rejected::Malformed(_))));
//! ```

mod allocation;
pub mod answers;
mod books;
pub mod contract;
mod crew;
pub mod decode;
pub mod examples;
mod faults;
mod files;
mod heist;
pub mod info;
pub mod job;
mod links;
pub mod method;
pub mod mistakes;
mod narrative;
mod patrol;
pub mod planning;
mod puzzle;
pub mod report;
pub mod request;
pub mod rules;
mod schedule;
mod searches;
pub mod session;
pub mod solve;
mod story;
mod temporal;
pub mod values;
pub mod weigh;
