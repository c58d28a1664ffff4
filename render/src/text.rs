//! Scenes in characters, for terminals.

mod blocks;
mod chart;
mod rooms;
mod spots;

use crate::axis::push_line;
use crate::label::{columns, fit, printable};
use crate::scene::{Content, Flow, Panel, Part, Scene, Table};

/// Fewest columns of a picture: narrower terminals wrap it.
const WIDTH_MIN: usize = 40;
/// Rows of a table that are printed: more are only counted.
const ROWS_MAX: usize = 200;
/// Most columns of a picture: wider ones are hard to follow with the eye.
const WIDTH_MAX: usize = 400;

/// How a picture for a terminal is to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns, 40 to 400; values outside are taken as the nearest inside.
    pub width: usize,
    /// Only ASCII characters for the drawing (names stay as they are).
    pub ascii: bool,
    /// With ANSI colours.
    pub colour: bool,
}

impl TextOptions {
    /// The columns to use.
    pub(crate) fn columns(&self) -> usize {
        self.width.clamp(WIDTH_MIN, WIDTH_MAX)
    }

    /// A text in an ANSI style, as in `31` for red, where there are colours.
    pub(crate) fn styled(&self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() && !code.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// Of two texts or characters the one to use.
    pub(crate) fn pick<T: Clone>(&self, [unicode, ascii]: &[T; 2]) -> T {
        if self.ascii { ascii } else { unicode }.clone()
    }

    pub(crate) fn ellipsis(&self) -> &'static str {
        self.pick(&["…", "~"])
    }
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            width: 100,
            ascii: false,
            colour: false,
        }
    }
}

/// All parts of a scene that are for terminals, with blank lines between them.
pub(crate) fn painted(scene: &Scene, options: &TextOptions) -> String {
    let mut out = String::new();
    if !scene.title.is_empty() {
        let title = fit(&scene.title, options.columns(), options.ellipsis());
        push_line(&mut out, &options.styled("1", title.trim_end()));
        out.push('\n');
    }
    parts(&mut out, &scene.parts, options);
    let end = out.trim_end_matches('\n').len();
    out.truncate(end);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn parts(out: &mut String, parts: &[Part], options: &TextOptions) {
    let mut is_tight = true;
    let mut was_flow = false;
    for part in parts.iter().filter(|part| part.on.is_terminal()) {
        let mut text = String::new();
        content(&mut text, &part.content, options);
        let is_flow = matches!(part.content, Content::Flow(_));
        if text.is_empty() {
            continue;
        }
        if !(is_tight || is_flow && was_flow) {
            out.push('\n');
        }
        *out += &text;
        is_tight = matches!(part.content, Content::Heading(_));
        was_flow = is_flow;
    }
}

fn content(out: &mut String, content: &Content, options: &TextOptions) {
    match content {
        Content::Picture(picture) => {
            for panel in &picture.panels {
                if let Panel::Chart(chart) = panel {
                    *out += &chart::painted(chart, options);
                }
            }
        }
        Content::Heading(text) => folded(out, "1", text, options),
        Content::Paragraph(text) if text.is_empty() => {}
        Content::Paragraph(text) => folded(out, "", text, options),
        Content::Verbatim(text) => text.lines().for_each(|it| push_line(out, &printable(it))),
        Content::List(items) => {
            let items = items.iter();
            items.for_each(|item| folded(out, "", &format!("  {item}"), options));
        }
        Content::Lines(lines) => {
            let lines = lines.iter();
            lines.for_each(|line| folded(out, line.style, &line.text, options));
        }
        Content::Flow(flow) => *out += &flowing(flow, options),
        Content::Table(table) => tabled(out, table, options),
        Content::Blocks(blocks) => *out += &blocks::painted(blocks, options),
        Content::Rooms(map) => *out += &rooms::painted(map, options),
        Content::Keys(keys) => {
            let lines = chart::legend(keys, "   ", options);
            lines.iter().for_each(|line| push_line(out, line));
        }
        Content::Spots(map) => *out += &spots::painted(map, options),
        Content::Choice(choice) => {
            for option in &choice.options {
                folded(out, "1", &option.name, options);
                parts(out, &option.parts, options);
                out.push('\n');
            }
        }
    }
}

/// A line in as many as it takes; further ones are indented.
fn folded(out: &mut String, style: &str, text: &str, options: &TextOptions) {
    let room = options.columns();
    let mut line = String::new();
    let mut push = |line: &str| {
        let line = fit(line.trim_end(), room, options.ellipsis());
        push_line(out, &options.styled(style, line.trim_end()));
    };
    for word in printable(text).split_inclusive(' ') {
        let is_full = columns(&line) + columns(word.trim_end()) > room;
        if is_full && !line.trim().is_empty() {
            push(&line);
            line = " ".repeat(6);
        }
        line += word;
    }
    push(&line);
}

/// Items in lines that are as wide as the terminal.
fn flowing(flow: &Flow, options: &TextOptions) -> String {
    let room = options.columns().min(flow.columns_max);
    let joint = options.pick(&flow.joint);
    let mut out = String::new();
    let mut text = printable(&flow.head);
    for (n, item) in flow.items.iter().enumerate() {
        let item = printable(item);
        let joint = if n == 0 { "" } else { joint };
        if n > 0 && columns(&text) + columns(joint) + columns(&item) > room {
            push_line(&mut out, &text);
            text = " ".repeat(flow.indent) + joint.trim_start();
        } else {
            text += joint;
        }
        text += &item;
    }
    if !text.trim().is_empty() {
        push_line(&mut out, &text);
    }
    out
}

/// A table in columns; numbers are at the right.
fn tabled(out: &mut String, table: &Table, options: &TextOptions) {
    if table.rows.is_empty() {
        return;
    }
    if !table.caption.is_empty() {
        push_line(out, &options.styled("1", &printable(&table.caption)));
    }
    let more = table.more + table.rows.len().saturating_sub(ROWS_MAX);
    let head: Vec<String> = table.head.iter().map(|cell| (*cell).to_owned()).collect();
    let all = || std::iter::once(&head).chain(table.rows.iter().take(ROWS_MAX));
    let width = |column: usize| {
        let cells = all().filter_map(|row| row.get(column));
        cells
            .map(|cell| columns(&printable(cell)))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let is_number = |cell: &String| {
        let mut signs = cell.chars();
        signs
            .next()
            .is_none_or(|sign| sign.is_ascii_digit() || "-?".contains(sign))
    };
    let numeric = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        column + 1 < head.len() && cells.all(is_number)
    };
    let numeric: Vec<bool> = (0..head.len()).map(numeric).collect();
    for (n, row) in all().enumerate() {
        let mut text = String::new();
        for (column, cell) in row.iter().enumerate() {
            let cell = printable(cell);
            let blank = " ".repeat(widths[column].saturating_sub(columns(&cell)));
            text += &if numeric[column] {
                format!("  {blank}{cell}")
            } else {
                format!("  {cell}{blank}")
            };
        }
        let style = if n == 0 { "2" } else { "" };
        folded(out, style, text.trim_end(), options);
    }
    if more > 0 {
        push_line(out, &format!("  and {more} more"));
    }
}
