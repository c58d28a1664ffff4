//! What the searches of several planners share.
//!
//! * [`assignment`]: cheapest matchings of rows with columns, one after the other.
//! * [`paths`]: breadth-first search.
//!
//! Checks of plans share nothing with searches: none of them uses this crate.

pub mod assignment;
pub mod paths;
