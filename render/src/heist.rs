//! Pictures of heists: the museum, an agent's beliefs, and the agent's plan.

mod explain;
mod frame;
mod game;
mod layout;
mod legend;
mod lines;
mod map_svg;
mod map_text;
mod moment;
mod page;
mod scene;
mod svg;
mod text;
mod way;
mod words;

pub use crate::text::TextOptions;
pub use explain::{Section, sections};
pub use game::{Game, deed_word, deed_words, ending, game_page, game_svg, game_text, tick_lines};
pub use map_text::map_text;
pub use moment::moment;
pub use page::page;
pub use scene::{Place, Scene, Thing};
pub use svg::svg;
pub use text::{step_lines, text};
pub use words::{StepText, leaf_word, outcome_words, steps};

use crate::picture::{Drawable, Look, Response};
use stratagem_proto::v1::{HeistOutcome, HeistPlan, HeistProblem};

/// What is known about a problem of heist and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// The agent's plan.
    pub plan: Option<&'a HeistPlan>,
    /// What comes of it.
    pub outcome: Option<&'a HeistOutcome>,
}

impl Drawable for HeistProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
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
        let problem = level.as_ref().unwrap_or(self);
        Some(look.rendered(
            drawn,
            |it, options| text(problem, it, options),
            |it| svg(problem, it),
            |it| page(problem, it),
        ))
    }
}
