//! Charts as rows of characters over an axis.

use super::TextOptions;
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::scene::{Amounts, Bar, Chart, Key, Row, Segment, lanes};

/// Most columns of a name, of one in a tree, and of a label.
const NAME_MAX: usize = 28;
const TREE_NAME_MAX: usize = 34;
const LABEL_MAX: usize = 28;
/// Lines of a picture, and of a name in a tree, at most.
const LINES_MAX: usize = 200;
const NAME_LINES: usize = 4;
/// Columns by which a row is to the right of its parent, and the maximum number of such steps.
const STEP: usize = 2;
const STEPS_MAX: usize = 6;
/// Shares of a limit, from none to all.
const SHARES: [[char; 2]; 9] = [
    [' ', ' '],
    ['▁', '1'],
    ['▂', '2'],
    ['▃', '3'],
    ['▄', '4'],
    ['▅', '5'],
    ['▆', '6'],
    ['▇', '7'],
    ['█', '8'],
];

/// A chart: its axis, its rows, what the characters mean, and notes.
pub(super) fn painted(chart: &Chart, options: &TextOptions) -> String {
    if chart.rows.is_empty() && !chart.empty.is_empty() {
        return format!("{}\n", chart.empty);
    }
    let painter = Painter::new(chart, options);
    let mut lines = painter.axis.lines(chart.unit).to_vec();
    let blank = " ".repeat(painter.names);
    lines
        .iter_mut()
        .for_each(|it| *it = format!("{blank} {it}"));
    let mut was_amount = true;
    let mut left_out = chart.more.0;
    for (n, row) in chart.rows.iter().enumerate() {
        let drawn = painter.row(row, n);
        if lines.len() + drawn.len() > LINES_MAX + 2 {
            left_out += chart.rows.len() - n;
            break;
        }
        if row.amounts.is_some() && !was_amount {
            lines.push(String::new());
        }
        was_amount = row.amounts.is_some();
        lines.extend(drawn);
    }
    if left_out > 0 {
        let what = chart.more.1;
        lines.push(format!("and {left_out} more {what}"));
    }
    lines.extend(legend(&chart.keys, "  ", options));
    let notes = chart.notes.iter();
    lines.extend(notes.map(|note| fit(note, options.columns(), options.ellipsis())));
    let mut out = String::new();
    lines.iter().for_each(|line| push_line(&mut out, line));
    out
}

/// Characters and what they mean, in lines.
pub(super) fn legend(keys: &[Key], joint: &str, options: &TextOptions) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for key in keys.iter().filter(|key| !key.signs[0].is_empty()) {
        let text = format!("{} {}", options.pick(&key.signs), key.text);
        match lines.last_mut() {
            Some(line) if columns(&format!("{line}{joint}{text}")) <= options.columns() => {
                *line += &format!("{joint}{text}");
            }
            _ => lines.push(text),
        }
    }
    lines
}

struct Painter<'a> {
    options: &'a TextOptions,
    axis: CharAxis,
    /// Columns of names.
    names: usize,
    is_tree: bool,
    has_notes: bool,
}

/// A character and its style.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    glyph: char,
    style: &'static str,
}

/// A bar in columns, with its label next to it.
struct Placed {
    first: usize,
    cells: Vec<Cell>,
    label_at: usize,
    label: String,
}

impl Placed {
    /// First and last column, label included.
    fn extent(&self) -> (f64, f64) {
        let end = self.first + self.cells.len();
        if self.label.is_empty() {
            return (self.first as f64, end as f64);
        }
        let label_end = self.label_at + columns(&self.label);
        (
            self.first.min(self.label_at) as f64,
            end.max(label_end) as f64,
        )
    }
}

impl<'a> Painter<'a> {
    fn new(chart: &Chart, options: &'a TextOptions) -> Self {
        let width = options.columns();
        let is_tree = chart.rows.iter().any(|row| row.parent.is_some());
        let names = if is_tree {
            TREE_NAME_MAX.min(width * 2 / 5)
        } else {
            let longest = chart.rows.iter().map(|row| columns(&printable(&row.name)));
            let longest = longest.max().unwrap_or(0);
            longest.min(NAME_MAX).min(width / 3).max(4)
        };
        let notes = chart.rows.iter().filter_map(|row| row.amounts.as_ref());
        let notes = notes.map(|it| columns(&it.note) + 1).max();
        // Left out where they take more than a third of the width.
        let notes = notes.filter(|it| *it <= width / 3);
        Self {
            options,
            axis: CharAxis {
                width: width - names - notes.unwrap_or(0) - 1,
                horizon: chart.horizon,
                ascii: options.ascii,
            },
            names,
            is_tree,
            has_notes: notes.is_some(),
        }
    }

    /// A row: one line for each lane of bars, and for each line of its name.
    fn row(&self, row: &Row, n: usize) -> Vec<String> {
        let names = self.name(row, n);
        let mut drawn = self.lanes(&row.bars);
        if let Some(amounts) = &row.amounts {
            let shares = self.options.styled("33", &self.shares(amounts));
            let note = if self.has_notes { &amounts.note } else { "" };
            drawn = vec![format!("{shares} {note}")];
        }
        if !row.words.is_empty() {
            drawn = vec![fit(&row.words, self.axis.width, self.options.ellipsis())];
        }
        let count = names.len().max(drawn.len());
        let line = |at: usize| {
            let name = names.get(at).map_or("", String::as_str);
            let name = fit(name, self.names, self.options.ellipsis());
            format!("{name} {}", drawn.get(at).map_or("", String::as_str))
        };
        (0..count).map(line).collect()
    }

    /// A name; in a tree with its number, in several lines.
    fn name(&self, row: &Row, n: usize) -> Vec<String> {
        if !self.is_tree {
            return vec![row.name.clone()];
        }
        let indent = " ".repeat(row.depth.min(STEPS_MAX) * STEP);
        let mut lines = vec![format!("{indent}{}", n + 1)];
        for word in row.name.split_whitespace().skip(1) {
            let last = lines.len() - 1;
            let is_full = columns(&lines[last]) + 1 + columns(word) > self.names;
            if is_full && last + 1 < NAME_LINES {
                lines.push(format!("{indent}  {word}"));
            } else {
                lines[last] += &format!(" {word}");
            }
        }
        lines
    }

    /// One line for each lane.
    fn lanes(&self, bars: &[Bar]) -> Vec<String> {
        let placed: Vec<_> = bars.iter().map(|bar| self.place(bar)).collect();
        let extents: Vec<_> = placed.iter().map(Placed::extent).collect();
        let (lane_of, count) = lanes(&extents, 1.0);
        let line = |lane: usize| {
            let mut bars: Vec<_> = (0..placed.len()).filter(|i| lane_of[*i] == lane).collect();
            bars.sort_by_key(|i| placed[*i].first);
            let (mut line, mut used) = (String::new(), 0);
            for bar in bars {
                let at = extents[bar].0 as usize;
                line += &" ".repeat(at.saturating_sub(used));
                line += &self.painted(&placed[bar]);
                used = extents[bar].1 as usize;
            }
            line
        };
        (0..count).map(line).collect()
    }

    fn place(&self, bar: &Bar) -> Placed {
        let (first, cells) = self.cells(bar);
        let end = first + cells.len();
        let suffix = printable(&bar.suffix);
        let label = |room: usize| {
            if room == 0 {
                return String::new();
            }
            let whole = printable(&bar.label);
            let own = columns(&whole).min(room.saturating_sub(columns(&suffix)));
            let text = fit(&whole, own, self.options.ellipsis());
            let text = format!("{}{suffix}", text.trim_end());
            fit(&text, columns(&text).min(room), self.options.ellipsis())
        };
        let wide = columns(&label(LABEL_MAX));
        let room = self.axis.width.saturating_sub(end);
        let (label_at, label) = if wide == 0 {
            (end, String::new())
        } else if wide < room {
            (end + 1, label(LABEL_MAX))
        } else if wide < first {
            (first - wide - 1, label(LABEL_MAX))
        } else if room > first {
            // Neither side has room: what fits on the wider one.
            (end + 1, label(room.saturating_sub(1).min(wide)))
        } else {
            (0, label(first.saturating_sub(1).min(wide)))
        };
        Placed {
            first,
            cells,
            label_at,
            label,
        }
    }

    /// First and last column of a span; at least one.
    fn columns_of(&self, span: (i64, i64)) -> (usize, usize) {
        let last = self.axis.width - 1;
        let first = self.axis.column(span.0).min(last);
        let end = self.axis.column(span.1.saturating_sub(1)).min(last);
        (first, end.max(first))
    }

    /// The characters of a bar, from its first column on.
    fn cells(&self, bar: &Bar) -> (usize, Vec<Cell>) {
        let segments = bar.segments.iter().map(|it| self.columns_of(it.span));
        let marks = bar.marks.iter().map(|it| self.columns_of((it.at, it.at)));
        let ends = segments.chain(marks);
        let Some((first, last)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return (0, Vec::new());
        };
        let style = bar.segments.first().map_or("", |it| it.ink.style);
        let blank = Cell {
            glyph: ' ',
            style: "",
        };
        let mut cells = vec![blank; last + 1 - first];
        for (n, cell) in cells.iter_mut().enumerate() {
            let column = first + n;
            if let Some(segment) = self.seen(bar, column) {
                let (from, to) = self.columns_of(segment.span);
                *cell = self.cell(segment, (column == from, column == to));
            }
        }
        for segment in bar.segments.iter().filter(|it| it.ink.is_kept) {
            let (from, to) = self.columns_of(segment.span);
            for column in from..=to {
                let ends = (column == from, column == to);
                cells[column - first] = self.cell(segment, ends);
            }
            let name = printable(&segment.label);
            // Letters of two columns do not fit into cells.
            let is_narrow = columns(&name) == name.chars().count();
            if is_narrow && columns(&name) + 2 <= to + 1 - from {
                let inside = cells[from + 1 - first..].iter_mut();
                inside
                    .zip(name.chars())
                    .for_each(|(cell, it)| cell.glyph = it);
            }
        }
        for mark in &bar.marks {
            let (column, _) = self.columns_of((mark.at, mark.at));
            let glyph = self.options.pick(&mark.sign.glyphs());
            cells[column - first] = Cell { glyph, style };
        }
        (first, cells)
    }

    fn cell(&self, segment: &Segment, ends: (bool, bool)) -> Cell {
        let glyph = match ends {
            (true, true) => 3,
            (true, false) => 0,
            (false, true) => 2,
            (false, false) => 1,
        };
        Cell {
            glyph: self.options.pick(&segment.ink.glyphs[glyph]),
            style: segment.ink.style,
        }
    }

    /// The part of a bar that is seen in a column: the last that covers half of it, or else the one
    /// that covers most.
    fn seen<'b>(&self, bar: &'b Bar, column: usize) -> Option<&'b Segment> {
        let (from, to) = (self.axis.moment(column), self.axis.moment(column + 1));
        let overlap = |it: &&Segment| {
            let (start, end) = (it.span.0.max(from), it.span.1.min(to));
            end.saturating_sub(start)
        };
        let half = to.saturating_sub(from).saturating_add(1) / 2;
        let mut last = bar.segments.iter().rev();
        let covering = last.find(|it| overlap(it) > 0 && overlap(it) >= half);
        let inside = bar.segments.iter().filter(|it| overlap(it) > 0);
        covering.or_else(|| inside.max_by_key(overlap))
    }

    /// The characters of a bar and its label.
    fn painted(&self, placed: &Placed) -> String {
        let mut glyphs = String::new();
        for run in placed.cells.chunk_by(|a, b| a.style == b.style) {
            let text: String = run.iter().map(|cell| cell.glyph).collect();
            glyphs += &self.options.styled(run[0].style, &text);
        }
        let label = &placed.label;
        if label.is_empty() {
            return glyphs;
        }
        let end = placed.first + placed.cells.len();
        if placed.label_at >= end {
            return format!("{glyphs}{}{label}", " ".repeat(placed.label_at - end));
        }
        let gap = placed
            .first
            .saturating_sub(placed.label_at + columns(label));
        format!("{label}{}{glyphs}", " ".repeat(gap))
    }

    /// The largest share in each column; `!` where it is more than the limit.
    fn shares(&self, amounts: &Amounts) -> String {
        let share = |column: usize| {
            let held = amounts.largest(self.axis.moment(column), self.axis.moment(column + 1));
            if held > amounts.limit {
                return '!';
            }
            let limit = amounts.limit.max(1);
            // At most the limit, and something is never shown as nothing.
            let eighths = (held.max(0).saturating_mul(8).saturating_add(limit - 1)) / limit;
            self.options
                .pick(&SHARES[usize::try_from(eighths).unwrap_or(0).min(8)])
        };
        (0..self.axis.width).map(share).collect()
    }
}
