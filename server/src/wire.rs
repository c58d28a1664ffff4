//! The one place that converts between messages and planners.
//!
//! Free functions, both directions of a planner side by side, messages taken apart by name: a new
//! field does not compile until someone decides about it. What a field *is* is judged here; what
//! fields mean *together* is judged by the planner's own `Problem::new`.

pub(crate) mod allocation;
pub(crate) mod crew;
pub(crate) mod examples;
mod faults;
pub(crate) mod heist;
pub(crate) mod info;
pub(crate) mod job;
pub(crate) mod links;
pub(crate) mod mistakes;
pub(crate) mod narrative;
pub(crate) mod patrol;
pub(crate) mod planning;
pub(crate) mod puzzle;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod rules;
pub(crate) mod schedule;
pub(crate) mod solve;
pub(crate) mod story;
pub(crate) mod temporal;
pub(crate) mod values;
