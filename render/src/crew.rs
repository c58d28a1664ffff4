//! Pictures of crews: the ship, who carries what where, and what there is to choose from.

mod front_svg;
mod front_text;
mod map_svg;
mod page;
mod scene;
mod svg;
mod text;

pub use crate::text::TextOptions;
pub use front_text::{front_text, way_lines};
pub use page::page;
pub use scene::Scene;
pub use svg::svg;
pub use text::text;

use stratagem_proto::v1::{CrewFront, CrewPlan, CrewPoint};

/// One point of a plan, by indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Of the event.
    pub event: usize,
    /// Of the front.
    pub front: usize,
    /// Of the point in it.
    pub point: usize,
}

/// What is drawn into a ship.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// What there is to choose from.
    pub plan: Option<&'a CrewPlan>,
    /// What was chosen. Default: the first choice.
    pub choice: Option<Choice>,
}

impl<'a> Drawn<'a> {
    /// The chosen point, with its front.
    pub(crate) fn point(&self) -> Option<(Choice, &'a CrewFront, &'a CrewPoint)> {
        let plan = self.plan?;
        let choice = match self.choice {
            Some(choice) => choice,
            None => *choices(plan).first()?,
        };
        let front = plan.events.get(choice.event)?.fronts.get(choice.front)?;
        Some((choice, front, front.points.get(choice.point)?))
    }
}

/// All points, in their order.
#[must_use]
pub fn choices(plan: &CrewPlan) -> Vec<Choice> {
    let mut all = Vec::new();
    for (event, options) in plan.events.iter().enumerate() {
        for (front, it) in options.fronts.iter().enumerate() {
            all.extend((0..it.points.len()).map(|point| Choice {
                event,
                front,
                point,
            }));
        }
    }
    all
}
