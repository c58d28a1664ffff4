//! What the searches of several planners share.
//!
//! * [`conflict`]: the deletion filter, which makes a conflict minimal.
//! * [`paths`]: breadth-first search.
//!
//! Checks of plans share nothing with searches, so that none of them stands on this crate.

pub mod conflict;
pub mod paths;
