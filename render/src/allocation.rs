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

use crate::picture::{Drawable, Look, Response};
use stratagem_proto::v1::{AllocationPlan, AllocationProblem};

impl Drawable for AllocationProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let none = AllocationPlan::default();
        let plan = match response {
            Some(Response::AllocateTasks(found)) => found.plan.as_ref(),
            _ => None,
        };
        let plan = plan.unwrap_or(&none);
        Some(look.rendered(
            plan,
            |it, options| timeline_text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}
