//! Where in a request something is.

pub(crate) use anytime::Path;
