//! Crews: the ship, assignments, paths, and Pareto fronts.

mod fronts;
mod map;
mod ship;
mod words;

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{
    Choice as Choices, ChoiceOption, Content, On, Panel, Picture, Scene, key, part,
};
use crate::time::micros;
use ship::Ship;
use stratagem_proto::v1::{CrewPlan, CrewProblem, CrewRole};
use words::{both_text, players_text};

/// Points that can be selected: more are in the tables only.
const PICKS_MAX: usize = 24;

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
struct Chosen<'a> {
    choice: Choice,
    /// For how many players, or all events.
    name: String,
    time_us: i64,
    damage: f64,
    /// Who does what.
    roles: Vec<&'a CrewRole>,
}

impl<'a> Drawn<'a> {
    /// The chosen point.
    fn chosen(&self, ship: &Ship<'a>) -> Option<Chosen<'a>> {
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
                let name = ship.event_name(&event.event_id);
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

/// Returns the scene of a crew: the ship with players and tools, damaging arcs in red with their
/// damage, the paths of the chosen point, dashed to the tool and solid from there, and all fronts
/// as a plot of damage over time and as tables. A page has up to 24 points to select from.
#[must_use]
pub fn scene(problem: &CrewProblem, drawn: Drawn<'_>) -> Scene {
    let ship = Ship::new(problem);
    let title = match problem.title.as_str() {
        "" => "Crew",
        title => title,
    };
    let mut scene = Scene::new(title, &problem.description);
    scene.push(On::Terminal, Content::List(words::places(&ship)));
    let chosen = drawn.chosen(&ship);
    let alone = picture(&ship, chosen.as_ref());
    scene.push(On::Svg, alone.clone());
    let Some(plan) = drawn.plan else {
        scene.push(On::Page, alone);
        return scene;
    };
    let mut picks = choices(plan);
    // What was chosen comes first.
    if let Some(chosen) = drawn.choice {
        picks.sort_by_key(|it| *it != chosen);
    }
    let options = picks.into_iter().take(PICKS_MAX).filter_map(|choice| {
        let choice = Some(choice);
        let chosen = Drawn { choice, ..drawn }.chosen(&ship)?;
        let name = chosen.text();
        let picture = Picture {
            caption: name.clone(),
            ..picture(&ship, Some(&chosen))
        };
        let parts = vec![part(On::Page, picture)];
        Some(ChoiceOption { name, parts })
    });
    let options: Vec<_> = options.collect();
    if options.is_empty() {
        scene.push(On::Page, alone);
    } else {
        let legend = "What to choose from".into();
        scene.push(On::Page, Choices { legend, options });
    }
    scene.push(On::Screen, fronts::picture(&ship, plan, chosen.as_ref()));
    words::tables(&mut scene, &ship, plan);
    words::paths(&mut scene, &ship, chosen.as_ref());
    scene
}

/// The ship with the paths of a point.
fn picture(ship: &Ship<'_>, chosen: Option<&Chosen<'_>>) -> Picture {
    let roles = chosen.map_or(&[][..], |it| &it.roles);
    let keys = roles.iter().map(|role| {
        let fill = map::colour(ship.player(&role.player_id));
        let text = format!("{}: {}", ship.role(role), words::path(ship, role));
        key([""; 2], fill, &text)
    });
    let note = chosen.map(|it| Panel::Note(it.text()));
    let panels = [Panel::Drawing(map::drawing(ship, roles))];
    let legend = Panel::Legend(keys.collect());
    Picture {
        caption: "The ship".into(),
        panels: note.into_iter().chain(panels).chain([legend]).collect(),
        clock: None,
    }
}

impl Chosen<'_> {
    /// The point in one line.
    fn text(&self) -> String {
        let [time, damage] = both_text(self.time_us, self.damage);
        format!("{}, {time}, damage {damage}", self.name)
    }
}

/// The selection of a point by its number among all [`choices`]; the default where it is not there.
#[must_use]
pub fn selection(plan: &CrewPlan, number: i32) -> Selection {
    let index = usize::try_from(number).ok();
    match index.and_then(|index| choices(plan).get(index).copied()) {
        Some(Choice::Joint { point }) => Selection {
            point: Some(point),
            ..Selection::default()
        },
        Some(Choice::Event {
            event,
            front,
            point,
        }) => Selection {
            event: Some(event),
            players: Some(front),
            point: Some(point),
        },
        None => Selection::default(),
    }
}

impl Drawable for CrewProblem {
    fn scene(&self, response: Option<&Response>, part: Selection) -> Option<Scene> {
        let plan = match response {
            Some(Response::AssignCrew(found)) => found.plan.as_ref(),
            _ => None,
        };
        let choice = match plan {
            Some(plan) => chosen(plan, part)?,
            None => None,
        };
        Some(scene(self, Drawn { plan, choice }))
    }
}

/// The point that is meant: `Some(None)` where none is named and there is none, `None` where the
/// plan does not have it.
fn chosen(plan: &CrewPlan, part: Selection) -> Option<Option<Choice>> {
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
    (found.is_some() || part == Selection::default()).then_some(found)
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
            let part = Selection {
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
        assert_eq!(chosen(&none, Selection::default()), Some(None));
    }
}
