//! Heists: the museum, an agent's beliefs, and the agent's plan.

mod explain;
mod frame;
mod game;
mod layout;
mod lines;
mod map;
mod moment;
mod rooms;
mod scene;
mod way;
mod words;

pub use explain::{Section, sections};
pub use game::{Game, deed_word, deed_words, ending, game, tick_lines};
pub use moment::moment;
pub use scene::{Place, Scene, Thing};
pub use words::{StepText, leaf_word, outcome_words, steps};

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{Content, Line, On, Panel, line, table};
use stratagem_proto::v1::{HeistOutcome, HeistPlan, HeistProblem};

/// Steps that a page and a terminal list: more are only counted.
const STEPS_MAX: usize = 6_000;
const PRINTED_MAX: usize = 2_000;

/// What is known about a problem of heist and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// The agent's plan.
    pub plan: Option<&'a HeistPlan>,
    /// What comes of it.
    pub outcome: Option<&'a HeistOutcome>,
}

/// Returns the scene of a heist: rooms at the problem's points, or on a grid; doors and containers
/// as the agent believes them, locked ones in the colour of their key, wrong beliefs ringed;
/// machines, cameras, and guards with their routes; rooms to avoid red, unknown traps orange; the
/// plan as a line with arrows and the numbers of the steps that enter rooms, and step by step; and
/// the explained problem.
#[must_use]
pub fn scene(problem: &HeistProblem, drawn: Drawn<'_>) -> crate::Scene {
    let museum = Scene::new(problem);
    let mut scene = titled(&museum);
    let outcome = drawn.plan.zip(drawn.outcome);
    let outcome = outcome.map(|(plan, outcome)| outcome_words(&museum, plan, outcome));
    let mut picture = map::picture(&museum, drawn, None);
    scene.push(On::Page, picture.clone());
    let note = outcome.clone().map(Panel::Note);
    picture.panels.splice(0..0, note);
    scene.push(On::Svg, picture);
    rooms::map(&mut scene, &museum, drawn);
    if let Some(plan) = drawn.plan {
        scene.push(On::Terminal, Content::Lines(step_lines(&museum, plan)));
        scene.push(On::Page, Content::Heading("The plan".into()));
        if let Some(words) = outcome {
            let sentence = format!("In fact {words}.");
            scene.push(On::Words, Content::Paragraph(sentence));
        }
        let rows = steps(&museum, plan).into_iter().enumerate();
        let rows = rows.map(|(n, step)| vec![(n + 1).to_string(), step.room, step.words]);
        let head = ["step", "room", "action"];
        scene.push(On::Page, table("Step by step", &head, rows, STEPS_MAX));
    }
    let on = match drawn.plan {
        Some(_) => On::Page,
        None => On::Words,
    };
    for section in sections(&museum) {
        scene.push(on, Content::Heading(section.title.into()));
        scene.push(on, Content::List(section.lines));
    }
    scene
}

fn titled(museum: &Scene<'_>) -> crate::Scene {
    let title = match museum.world.title.as_str() {
        "" => "Heist",
        title => title,
    };
    crate::Scene::new(title, &museum.world.description)
}

fn step_lines(museum: &Scene<'_>, plan: &HeistPlan) -> Vec<Line> {
    let texts = steps(museum, plan);
    if texts.is_empty() {
        return vec![line("", "nothing is to be done")];
    }
    let digits = texts.len().min(PRINTED_MAX).to_string().len();
    let mut lines = Vec::new();
    let mut here = None;
    for (n, step) in texts.iter().take(PRINTED_MAX).enumerate() {
        if here != Some(&step.room) {
            let room = match step.room.as_str() {
                "" => "somewhere",
                room => room,
            };
            lines.push(line("36", room));
            here = Some(&step.room);
        }
        lines.push(line("", format!("  {:>digits$}  {}", n + 1, step.words)));
    }
    if texts.len() > PRINTED_MAX {
        let more = texts.len() - PRINTED_MAX;
        lines.push(line("", format!("and {more} more steps")));
    }
    lines
}

impl Drawable for HeistProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<crate::Scene> {
        let mut drawn = Drawn::default();
        let mut level = None;
        match response {
            Some(Response::PlanBurglar(found)) => {
                drawn.plan = found.plan.as_ref();
                drawn.outcome = found.outcome.as_ref();
            }
            Some(Response::DesignHeist(found)) => {
                level = Some(Self {
                    world: found.plan.as_ref()?.world.clone(),
                    ..Self::default()
                });
            }
            Some(_) => return None,
            None => {}
        }
        Some(scene(level.as_ref().unwrap_or(self), drawn))
    }
}
