//! How plans are found.

pub mod cdcl;
