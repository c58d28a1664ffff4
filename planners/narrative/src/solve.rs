//! How plans are found.

pub mod cdcl;
pub mod rcpsp;
