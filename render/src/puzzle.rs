//! Sokoban levels: boards, sets of levels, and solutions that play.

mod board;
mod caption;
mod drawing;
mod letters;
mod pixels;
mod signs;

pub use board::{Board, Heading, Moved};
pub use pixels::{Pixels, pixels};
pub use signs::board_lines;

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{Choice, ChoiceOption, Content, On, Part, Picture as Drawn, Scene, part, table};
use caption::{features, number};
use stratagem_proto::v1::{PuzzleLevel, PuzzlePlan, PuzzleProblem};

/// Rows of tables, at most.
const ROWS_MAX: usize = 2_000;
/// Letters in a line of a solution, and most that are written out.
const LETTERS: usize = 80;
const LETTERS_MAX: usize = 20_000;

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

    /// The scene of levels: side by side, name and notes below each; and a page with an overview
    /// and the selected level with its solution. Boxes and players move along solutions, for at
    /// most 2,000 steps. `levels` are the server's reports in the order of the sheet; they may be
    /// fewer, or none.
    #[must_use]
    pub fn scene(&self, levels: &[PuzzleLevel]) -> Scene {
        let mut scene = Scene::new(&self.title, &self.description);
        let side = drawing::side(self.pictures.len());
        for picture in &self.pictures {
            scene.push(On::Svg, drawing::picture(picture, side));
        }
        let blocks = self.pictures.iter().map(signs::block);
        scene.push(On::Terminal, Content::Blocks(blocks.collect()));
        if self.pictures.len() > 1 {
            self.overview(&mut scene, levels, side);
        }
        let options = self.pictures.iter().enumerate();
        let options = options.map(|(index, picture)| ChoiceOption {
            name: self.name(index),
            parts: level(picture, levels.get(index)),
        });
        let mut options: Vec<_> = options.collect();
        let legend = "Level".into();
        match options.len() {
            0 => scene.push(On::Page, Content::Paragraph("There are no levels.".into())),
            1 => scene.parts.extend(options.remove(0).parts),
            _ => scene.push(On::Page, Choice { legend, options }),
        }
        scene
    }

    fn name(&self, index: usize) -> String {
        match self.pictures[index].name.as_str() {
            "" => (index + 1).to_string(),
            name => name.to_owned(),
        }
    }

    /// All levels, and a table of what they are like.
    fn overview(&self, scene: &mut Scene, levels: &[PuzzleLevel], side: f64) {
        scene.push(On::Page, Content::Heading("All levels".into()));
        for (index, picture) in self.pictures.iter().enumerate() {
            let still = Picture {
                solution: String::new(),
                ..picture.clone()
            };
            let caption = format!("Level {}", self.name(index));
            let drawn = drawing::picture(&still, side);
            scene.push(On::Page, Drawn { caption, ..drawn });
        }
        let known = levels.iter().take(self.pictures.len()).enumerate();
        let known = known.filter(|(_, level)| level.features.is_some());
        let rows = known.map(|(index, level)| {
            let features = level.features.unwrap_or_default();
            let effort = features.effort.map(|effort| effort.to_string());
            vec![
                self.name(index),
                level.value.map_or(String::new(), number),
                features.boxes.to_string(),
                features.pushes.to_string(),
                features.moves.to_string(),
                features.box_changes.to_string(),
                effort.unwrap_or_default(),
            ]
        });
        let head = [
            "level", "value", "boxes", "pushes", "steps", "turns", "effort",
        ];
        scene.push(On::Page, table("Features", &head, rows, ROWS_MAX));
        scene.push(On::Page, Content::Heading("One by one".into()));
    }
}

/// A level of a page.
fn level(picture: &Picture, level: Option<&PuzzleLevel>) -> Vec<Part> {
    let caption = if picture.solution.is_empty() {
        "The level; no solution is known"
    } else {
        "The level and its solution"
    };
    let alone = Picture {
        name: String::new(),
        notes: Vec::new(),
        ..picture.clone()
    };
    let drawn = Drawn {
        caption: caption.into(),
        ..drawing::picture(&alone, drawing::side(1))
    };
    let mut parts = vec![
        part(On::Page, drawn),
        part(On::Page, Content::Paragraph(picture.notes.join(" · "))),
    ];
    if !picture.solution.is_empty() {
        let text = "The solution: l, u, r, d are steps, capitals push.".to_owned();
        parts.push(part(On::Page, Content::Paragraph(text)));
        let letters: Vec<char> = picture.solution.chars().take(LETTERS_MAX).collect();
        let lines = letters.chunks(LETTERS).map(String::from_iter);
        let lines = lines.collect::<Vec<_>>().join("\n");
        parts.push(part(On::Page, Content::Verbatim(lines)));
    }
    let text = "The board, to copy:".to_owned();
    parts.push(part(On::Page, Content::Paragraph(text)));
    let rows = picture.rows.join("\n");
    parts.push(part(On::Page, Content::Verbatim(rows)));
    let rows = level.map(features).unwrap_or_default().into_iter();
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    let features = table("What it is like", &["feature", "value"], rows, ROWS_MAX);
    parts.push(part(On::Page, features));
    parts
}

impl Drawable for PuzzleProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let plan = match response {
            Some(Response::GeneratePuzzle(found)) => found.plan.as_ref(),
            _ => None,
        };
        let levels = plan.map_or(&[][..], |plan| &plan.levels);
        Some(Sheet::of_plan(self, plan).scene(levels))
    }
}
