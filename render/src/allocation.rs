//! Pictures of allocation: who does what, when and where.

mod activity;
mod chart;
mod map;
mod scale;
mod svg;
mod timeline;

pub use svg::svg;
pub use timeline::{TextOptions, timeline_text};
