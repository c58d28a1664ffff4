//! Pictures of allocation: who does what, when and where.

mod activity;
mod chart;
mod map;
mod moments;
mod page;
mod svg;
mod timeline;

pub use crate::text::TextOptions;
pub use page::page;
pub use svg::svg;
pub use timeline::timeline_text;
