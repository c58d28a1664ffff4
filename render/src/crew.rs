//! Pictures of crews: the ship, assignments, paths, and Pareto fronts.

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

use crate::picture::{Drawable, Look, Part, Response};
use crate::time::micros;
use front_text::players_text;
use stratagem_proto::v1::{CrewPlan, CrewProblem, CrewRole};

/// One point of a plan, by indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Of one event.
    Event {
        /// Of the event.
        event: usize,
        /// Of the front.
        front: usize,
        /// Of the point in it.
        point: usize,
    },
    /// Of all events together.
    Joint {
        /// Of the point.
        point: usize,
    },
}

/// What is drawn into a ship.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// What there is to choose from.
    pub plan: Option<&'a CrewPlan>,
    /// What was chosen. Default: the first choice.
    pub choice: Option<Choice>,
}

/// The chosen point, as names.
pub(crate) struct Chosen<'a> {
    pub(crate) choice: Choice,
    /// For how many players, or all events.
    pub(crate) name: String,
    pub(crate) time_us: i64,
    pub(crate) damage: f64,
    /// Who does what.
    pub(crate) roles: Vec<&'a CrewRole>,
}

impl<'a> Drawn<'a> {
    /// The chosen point.
    pub(crate) fn chosen(&self, scene: &Scene<'a>) -> Option<Chosen<'a>> {
        let plan = self.plan?;
        let choice = match self.choice {
            Some(choice) => choice,
            None => *choices(plan).first()?,
        };
        match choice {
            Choice::Event {
                event,
                front,
                point,
            } => {
                let event = plan.events.get(event)?;
                let front = event.fronts.get(front)?;
                let point = front.points.get(point)?;
                let name = scene.event_name(&event.event_id);
                Some(Chosen {
                    choice,
                    name: format!("{name}: {}", players_text(front)),
                    time_us: micros(point.worst_duration.as_ref()),
                    damage: point.worst_damage,
                    roles: point.roles.iter().collect(),
                })
            }
            Choice::Joint { point } => {
                let point = plan.joint.as_ref()?.points.get(point)?;
                Some(Chosen {
                    choice,
                    name: if point.teams.len() == plan.events.len() {
                        "all events together".into()
                    } else {
                        format!("{} of {} events", point.teams.len(), plan.events.len())
                    },
                    time_us: micros(point.worst_duration.as_ref()),
                    damage: point.worst_damage,
                    roles: point.teams.iter().flat_map(|team| &team.roles).collect(),
                })
            }
        }
    }
}

/// All points, in their order: those of all events together first.
#[must_use]
pub fn choices(plan: &CrewPlan) -> Vec<Choice> {
    let joint = plan.joint.as_ref().map_or(0, |joint| joint.points.len());
    let mut all: Vec<Choice> = (0..joint).map(|point| Choice::Joint { point }).collect();
    for (event, options) in plan.events.iter().enumerate() {
        for (front, it) in options.fronts.iter().enumerate() {
            all.extend((0..it.points.len()).map(|point| Choice::Event {
                event,
                front,
                point,
            }));
        }
    }
    all
}

impl Drawable for CrewProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let plan = match response {
            Some(Response::AssignCrew(found)) => found.plan.as_ref(),
            _ => None,
        };
        let choice = match plan {
            Some(plan) => chosen(plan, look.part)?,
            None => None,
        };
        Some(look.rendered(
            Drawn { plan, choice },
            |it, options| text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}

/// The point that is meant: `Some(None)` where none is named and there is none, `None` where the
/// plan does not have it.
fn chosen(plan: &CrewPlan, part: Part) -> Option<Option<Choice>> {
    let is_meant = |choice: &Choice| match *choice {
        Choice::Event { event, front, .. } => {
            part.event.is_none_or(|wanted| wanted == event)
                && part.players.is_none_or(|wanted| wanted == front)
        }
        Choice::Joint { .. } => part.event.is_none() && part.players.is_none(),
    };
    let wanted = part.point.unwrap_or(0);
    // Of the front of the first.
    let found = match choices(plan).into_iter().find(is_meant) {
        Some(Choice::Joint { .. }) => Some(Choice::Joint { point: wanted }),
        Some(Choice::Event { event, front, .. }) => Some(Choice::Event {
            event,
            front,
            point: wanted,
        }),
        None => None,
    };
    let found = found.filter(|found| choices(plan).contains(found));
    (found.is_some() || part == Part::default()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{CrewFront, CrewOptions, CrewPoint};

    #[test]
    fn the_point_that_is_meant_is_the_first_unless_named() {
        let front = |points: usize| CrewFront {
            points: vec![CrewPoint::default(); points],
            ..CrewFront::default()
        };
        let plan = CrewPlan {
            events: vec![CrewOptions {
                fronts: vec![front(0), front(2)],
                ..CrewOptions::default()
            }],
            ..CrewPlan::default()
        };
        let of = |players, point| {
            let event = None;
            let part = Part {
                event,
                players,
                point,
            };
            chosen(&plan, part)
        };
        let choice = |point| Choice::Event {
            event: 0,
            front: 1,
            point,
        };
        assert_eq!(of(None, None), Some(Some(choice(0))));
        assert_eq!(of(Some(1), Some(1)), Some(Some(choice(1))));
        assert_eq!(of(Some(0), None), None);
        assert_eq!(of(None, Some(2)), None);
        let none = CrewPlan::default();
        assert_eq!(chosen(&none, Part::default()), Some(None));
    }
}
