//! Scenes: what is drawn of a problem and a plan, as plain data.
//!
//! A planner makes one [`Scene`] and writes no format; characters and styles for terminals are
//! part of it. [`Scene::svg`], [`Scene::html`] and
//! [`Scene::text`] write any scene, whatever planner it is from:
//!
//! ```text
//! problem + plan  ->  Scene  ->  svg    pictures, one below the other
//!                                html   pictures, tables and lists
//!                                text   charts, tables and lists in characters
//! ```
//!
//! A scene is a list of `Part`s. A part is a picture, a table, a list or a text, and `On` names
//! the formats that show it. A picture is made of panels: a `Chart` has rows of bars and marks
//! over an axis of time, a `Drawing` has shapes at places. What moves has a `Track`: where it
//! is at which time. The picture shows the start, and its `Clock` makes it a film.

mod chart;
mod drawing;
mod track;

pub(crate) use chart::{
    Amounts, Arrow, Bar, Chart, Ink, Key, Mark, Row, STEP, Segment, Sign, Unit, key, lanes, row,
};
pub(crate) use drawing::{Drawing, Fit, Form, Point, Shape, colour, moved};
pub(crate) use track::{Clock, Stop, Track};

use crate::svg::Film;
use crate::text::TextOptions;
use crate::{html, svg, text};

/// A problem, and maybe a plan, ready to be drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    pub(crate) title: String,
    /// For pages of HTML.
    pub(crate) description: String,
    pub(crate) parts: Vec<Part>,
}

impl Scene {
    /// Returns the pictures as one self-contained SVG document without scripts. What moves is at
    /// its first place, and has its track as data.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::document(self, Film::Still)
    }

    /// Returns the same document with an animation that repeats; without scripts.
    #[must_use]
    pub fn animated_svg(&self) -> String {
        svg::document(self, Film::Moving)
    }

    /// Returns one self-contained page of HTML. A picture in which something moves has a slider of
    /// time, for which the page has a script of its own; no other page has one.
    #[must_use]
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// Returns text for a terminal. Lines end with `\n` and have no blanks at their ends.
    #[must_use]
    pub fn text(&self, options: &TextOptions) -> String {
        text::painted(self, options)
    }

    /// The same without its title, for where it is already.
    #[must_use]
    pub fn untitled(self) -> Self {
        Self {
            title: String::new(),
            ..self
        }
    }

    pub(crate) fn new(title: &str, description: &str) -> Self {
        Self {
            title: title.to_owned(),
            description: description.to_owned(),
            parts: Vec::new(),
        }
    }

    /// Adds a part.
    pub(crate) fn push(&mut self, on: On, content: impl Into<Content>) {
        self.parts.push(part(on, content));
    }
}

/// The formats that show a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    /// All.
    All,
    /// SVG and HTML.
    Screen,
    /// SVG alone.
    Svg,
    /// HTML alone.
    Page,
    /// HTML and text.
    Words,
    /// Text alone.
    Terminal,
}

impl On {
    pub(crate) fn is_svg(self) -> bool {
        matches!(self, Self::All | Self::Screen | Self::Svg)
    }

    pub(crate) fn is_page(self) -> bool {
        matches!(self, Self::All | Self::Screen | Self::Page | Self::Words)
    }

    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::All | Self::Words | Self::Terminal)
    }
}

/// A part of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) on: On,
    pub(crate) content: Content,
}

/// A part with its formats.
pub(crate) fn part(on: On, content: impl Into<Content>) -> Part {
    Part {
        on,
        content: content.into(),
    }
}

/// What a part is.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Picture(Picture),
    Heading(String),
    Paragraph(String),
    /// Text as it is, line by line.
    Verbatim(String),
    List(Vec<String>),
    /// Lines, each with its style on a terminal.
    Lines(Vec<Line>),
    /// Items one after the other, in lines that are as wide as there is room.
    Flow(Flow),
    Table(Table),
    /// Maps of characters side by side.
    Blocks(Vec<Block>),
    /// Boxes of characters with doors between them.
    Rooms(Rooms),
    /// Characters and what they mean.
    Keys(Vec<Key>),
    /// Maps of characters of the same places, side by side.
    Spots(Spots),
    /// Parts of which a page shows the selected one, and other formats all.
    Choice(Choice),
}

macro_rules! contents {
    ($($kind:ident)*) => {
        $(impl From<$kind> for Content {
            fn from(content: $kind) -> Self {
                Self::$kind(content)
            }
        })*
    };
}

contents!(Picture Flow Table Choice Spots);

/// A picture: panels from top to bottom.
#[derive(Debug, Clone, Default)]
pub(crate) struct Picture {
    pub(crate) caption: String,
    pub(crate) panels: Vec<Panel>,
    /// Where something moves.
    pub(crate) clock: Option<Clock>,
}

/// A part of a picture.
#[derive(Debug, Clone)]
pub(crate) enum Panel {
    Head(String),
    Note(String),
    Chart(Chart),
    Drawing(Drawing),
    /// Colours and what they mean, in lines.
    Legend(Vec<Key>),
}

/// A line of text.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// An ANSI style; empty for none.
    pub(crate) style: &'static str,
    pub(crate) text: String,
}

/// A line in a style.
pub(crate) fn line(style: &'static str, text: impl Into<String>) -> Line {
    let text = text.into();
    Line { style, text }
}

/// Items in lines.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    /// What stands before the first.
    pub(crate) head: String,
    pub(crate) items: Vec<String>,
    /// What stands between two, in Unicode and in ASCII.
    pub(crate) joint: [&'static str; 2],
    /// Blanks before further lines, and the largest number of columns.
    pub(crate) indent: usize,
    pub(crate) columns_max: usize,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Rows that were left out.
    pub(crate) more: usize,
}

/// A table of a number of rows at most; the others are counted.
pub(crate) fn table(
    caption: &str,
    head: &[&'static str],
    rows: impl Iterator<Item = Vec<String>>,
    rows_max: usize,
) -> Table {
    let mut rows: Vec<Vec<String>> = rows.collect();
    let more = rows.len().saturating_sub(rows_max);
    rows.truncate(rows_max);
    Table {
        caption: caption.to_owned(),
        head: head.to_vec(),
        rows,
        more,
    }
}

impl Table {
    /// The same without its last column where that is empty.
    pub(crate) fn trimmed(mut self) -> Self {
        let last = self.head.len().saturating_sub(1);
        let is_empty = |row: &Vec<String>| row.get(last).is_none_or(String::is_empty);
        if self.rows.iter().all(is_empty) {
            self.head.truncate(last);
            self.rows.iter_mut().for_each(|row| row.truncate(last));
        }
        self
    }
}

/// A map of characters with lines above it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub(crate) head: Vec<Line>,
    /// Least number of columns.
    pub(crate) columns_min: usize,
    pub(crate) rows: Vec<Vec<Letter>>,
}

/// A cell of a map of characters, in Unicode and in ASCII, and its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) signs: [&'static str; 2],
    pub(crate) style: &'static str,
}

/// Rooms in the cells of a grid, each another, and doors between them.
#[derive(Debug, Clone)]
pub(crate) struct Rooms {
    pub(crate) rooms: Vec<Room>,
    pub(crate) doors: Vec<Door>,
    /// Whether rooms have a line of numbers.
    pub(crate) has_numbers: bool,
}

/// A box.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    /// Column and row.
    pub(crate) cell: (i64, i64),
    pub(crate) name: String,
    /// What is in it, in Unicode and in ASCII.
    pub(crate) marks: [String; 2],
    pub(crate) numbers: String,
    /// Horizontal and vertical edges and corners, in Unicode and in ASCII, and an ANSI style.
    pub(crate) border: ([&'static str; 2], &'static str),
}

/// A door between two rooms.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) ends: [usize; 2],
    /// A character and its style.
    pub(crate) mark: Option<(char, &'static str)>,
    /// What is written where it is not on the map.
    pub(crate) text: String,
}

/// Places with a character each.
#[derive(Debug, Clone)]
pub(crate) struct Spots {
    pub(crate) places: Vec<Point>,
    pub(crate) links: Vec<[usize; 2]>,
    /// How far apart neighbours are.
    pub(crate) spacing: f64,
    /// Whether each is a tile of a grid: links are plain to see.
    pub(crate) are_tiles: bool,
    /// A map for each.
    pub(crate) layers: Vec<Layer>,
}

/// A map: a character for each place.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) title: &'static str,
    pub(crate) letters: Vec<Letter>,
}

/// A selection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    pub(crate) legend: String,
    pub(crate) options: Vec<ChoiceOption>,
}

/// One of the things to select.
#[derive(Debug, Clone)]
pub(crate) struct ChoiceOption {
    pub(crate) name: String,
    pub(crate) parts: Vec<Part>,
}
