//! Pictures of temporal networks: who comes before whom, when events may happen, what clashes.

mod graph;
mod layout;
mod links;
mod page;
mod svg;
mod timeline;
mod windows;

pub use crate::links::{LinkIds, link_ids};
pub use links::links_text;
pub use page::page;
pub use svg::svg;
pub use timeline::timeline_text;

use stratagem_proto::v1::{TemporalConflict, TemporalSchedule};

/// What is known about a network and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Times of our events, ranges of the others': without it the bounds of the network are drawn.
    pub schedule: Option<&'a TemporalSchedule>,
    /// What clashes: its links are marked, its times drawn.
    pub conflict: Option<&'a TemporalConflict>,
}
