//! Pictures of Sokoban levels: boards, sets of levels, and solutions that play.

mod board;
mod caption;
mod letters;
mod motion;
mod page;
mod pixels;
mod style;
mod svg;
mod text;

pub use crate::text::TextOptions;
pub use board::{Board, Heading, Moved};
pub use page::page;
pub use pixels::{Pixels, pixels};
pub use svg::{animated_svg, svg};
pub use text::{board_lines, text};

use crate::picture::{Drawable, Form, Look, Response};
use stratagem_proto::v1::{PuzzlePlan, PuzzleProblem};

/// Levels with their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// What is written above all. May be empty.
    pub title: String,
    /// What they are about. May be empty.
    pub description: String,
    /// The levels, in this order.
    pub pictures: Vec<Picture>,
}

/// A level with its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    /// Its name or number. May be empty.
    pub name: String,
    /// What is known of it, in a few words each, as in `24 pushes`.
    pub notes: Vec<String>,
    /// The board, in the XSB notation. Characters of no meaning are floor.
    pub rows: Vec<String>,
    /// A solution, in the LURD notation; empty where none is known. Steps that cannot be made are
    /// not drawn.
    pub solution: String,
    /// A push that is marked with an arrow.
    pub marked: Option<Marked>,
}

/// A push on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// Row of the box before it is pushed, from 0. Beyond the board nothing is marked.
    pub row: usize,
    /// Column of the box before it is pushed, from 0.
    pub column: usize,
    /// Where it is pushed.
    pub heading: Heading,
}

impl Sheet {
    /// The levels of a plan, numbered by their rungs, or, without one, the template of the problem.
    #[must_use]
    pub fn of_plan(problem: &PuzzleProblem, plan: Option<&PuzzlePlan>) -> Self {
        let levels = plan.map_or(&[][..], |plan| &plan.levels);
        let alone = levels.len() < 2 && problem.level_count.unwrap_or(1) < 2;
        let level = |level: &stratagem_proto::v1::PuzzleLevel| Picture {
            name: if alone {
                String::new()
            } else {
                level.rung.saturating_add(1).to_string()
            },
            notes: caption::notes(level),
            rows: level.rows.clone(),
            solution: level.solution.clone(),
            marked: None,
        };
        let mut pictures: Vec<Picture> = levels.iter().map(level).collect();
        if plan.is_none() && !problem.template_rows.is_empty() {
            pictures.push(Picture {
                name: "template".into(),
                rows: problem.template_rows.clone(),
                ..Picture::default()
            });
        }
        Self {
            title: problem.title.clone(),
            description: problem.description.clone(),
            pictures,
        }
    }
}

impl Drawable for PuzzleProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let plan = match response {
            Some(Response::GeneratePuzzle(found)) => found.plan.as_ref(),
            _ => None,
        };
        let sheet = Sheet::of_plan(self, plan);
        if look.form == Form::AnimatedSvg {
            return Some(animated_svg(&sheet));
        }
        let levels = plan.map_or(&[][..], |plan| &plan.levels);
        let text = |it: &Sheet, options: &TextOptions| text(it, options);
        Some(look.rendered(&sheet, text, svg, |it| page(it, levels)))
    }
}
