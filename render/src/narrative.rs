//! Pictures of narratives: who is busy when and how sure that is, which storyline is for which
//! outcomes, and how the story forks.

mod coverage;
mod coverage_svg;
mod coverage_text;
mod decisions;
mod decisions_svg;
mod decisions_text;
mod forks;
mod gantt;
mod gantt_svg;
mod lists;
mod page;
mod story;
mod story_svg;
mod strands;
mod svg;
mod text;
mod timeline;
mod tree;
mod words;

pub use coverage_svg::coverage_svg;
pub use coverage_text::coverage_text;
pub use gantt_svg::gantt_svg;
pub use page::page;
pub use story_svg::story_svg;
pub use strands::storylines;
pub use svg::svg;
pub use text::text;
pub use timeline::timeline_text;
pub use words::policy_text;

use crate::picture::{Drawable, Look, Response};
use stratagem_proto::v1::{NarrativeConflict, NarrativePlan, NarrativeProblem};

/// What is known about a narrative and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// How each storyline is written.
    pub plan: Option<&'a NarrativePlan>,
    /// What clashes: its links, events and choices are marked.
    pub conflict: Option<&'a NarrativeConflict>,
}

impl Drawable for NarrativeProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let drawn = match response {
            Some(Response::ScheduleNarrative(found)) => Drawn {
                plan: found.plan.as_ref(),
                conflict: found.conflict.as_ref(),
            },
            _ => Drawn::default(),
        };
        Some(look.rendered(
            drawn,
            |it, options| text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}
