//! Schedules of projects: a Gantt chart and a profile of each resource, as text, SVG and HTML.

mod page;
mod scene;
mod svg;
mod text;

pub use page::page;
pub use svg::svg;
pub use text::text;
