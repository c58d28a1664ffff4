//! Formats of files, from the crate `formats`, and messages by their descriptors.

pub mod reflect;

pub use formats::*;
pub use reflect::{has_options, job_methods, member, with_options};
