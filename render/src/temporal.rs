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

use crate::picture::{Drawable, Look, Response};
use stratagem_proto::v1::{TemporalConflict, TemporalNetwork, TemporalSchedule};

/// What is known about a network and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Times of our events, ranges of the others': without it the bounds of the network are drawn.
    pub schedule: Option<&'a TemporalSchedule>,
    /// What clashes: its links are marked, its times drawn.
    pub conflict: Option<&'a TemporalConflict>,
}

impl Drawable for TemporalNetwork {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let mut drawn = Drawn::default();
        match response {
            Some(Response::CheckStrongControllability(found)) => {
                drawn.schedule = found.plan.as_ref();
                drawn.conflict = found.conflict.as_ref();
            }
            Some(Response::CheckControllability(found)) => {
                let findings = &found.findings;
                // The last question is the strongest: its times satisfy the most.
                drawn.schedule = findings.iter().rev().find_map(|it| it.plan.as_ref());
                drawn.conflict = findings.iter().find_map(|it| it.conflict.as_ref());
            }
            _ => {}
        }
        // The times of a conflict are its own.
        drawn.schedule = drawn.schedule.filter(|_| drawn.conflict.is_none());
        Some(look.rendered(
            drawn,
            |it, options| {
                let links = links_text(self, it, options);
                format!("{links}\n{}", timeline_text(self, it, options))
            },
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}
