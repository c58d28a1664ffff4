//! Allocation.

pub mod errors;
pub mod plan;
pub mod problem;
pub mod travel;
