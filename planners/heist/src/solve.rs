//! How plans are made.

mod errand;
mod reach;

pub use errand::Errand;
pub use reach::exists;
