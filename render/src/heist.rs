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

use stratagem_proto::v1::{HeistOutcome, HeistPlan};

/// What is known about a problem of heist and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// The agent's plan.
    pub plan: Option<&'a HeistPlan>,
    /// What comes of it.
    pub outcome: Option<&'a HeistOutcome>,
}
