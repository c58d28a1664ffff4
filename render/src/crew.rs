//! Crews: the ship, assignments, paths, and Pareto fronts.

mod fronts;
mod map;
mod ship;
mod words;

use crate::scene::{
    Choice as Selection, ChoiceOption, Content, On, Panel, Picture, Scene, key, part,
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
        scene.push(On::Page, Selection { legend, options });
    }
    scene.push(On::Screen, fronts::picture(&ship, plan, chosen.as_ref()));
    words::tables(&mut scene, &ship, plan);
    words::paths(&mut scene, &ship, chosen.as_ref());
    scene
}

/// Returns the points of a plan alone, and the paths of the chosen one.
#[must_use]
pub fn fronts(problem: &CrewProblem, drawn: Drawn<'_>) -> Scene {
    let ship = Ship::new(problem);
    let mut scene = Scene::default();
    if let Some(plan) = drawn.plan {
        words::tables(&mut scene, &ship, plan);
    }
    words::paths(&mut scene, &ship, drawn.chosen(&ship).as_ref());
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
