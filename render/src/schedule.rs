//! Schedules of projects: a Gantt chart and a profile of each resource, as text, SVG and HTML.

mod page;
mod scene;
mod svg;
mod text;

pub use page::page;
pub use svg::svg;
pub use text::text;

use crate::picture::{Drawable, Look, Response};
use stratagem_proto::v1::ScheduleProblem;

impl Drawable for ScheduleProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let plan = match response {
            Some(Response::ScheduleProject(found)) => found.plan.as_ref(),
            _ => None,
        };
        Some(look.rendered(
            plan,
            |it, options| text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}
