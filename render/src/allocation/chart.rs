//! Bars of characters over an axis of game time.

use super::activity::{Activity, Kind, Row};
use super::scale::ticks;
use crate::label::{columns, printable};
use crate::time::span_text;
use std::fmt::Write as _;

/// Columns from one mark of the axis to the next, at least.
const TICK_MIN: usize = 8;

/// The characters of a drawing.
pub(super) struct Pen {
    travel: char,
    wait: char,
    /// First column of a task, so that two tasks in a row can be told apart.
    work_first: char,
    work: char,
    late_first: char,
    axis: char,
    tick: char,
    pub(super) ellipsis: &'static str,
}

pub(super) const BLOCKS: Pen = Pen {
    travel: '─',
    wait: '·',
    work_first: '▐',
    work: '█',
    late_first: '!',
    axis: '─',
    tick: '┬',
    ellipsis: "…",
};

pub(super) const ASCII: Pen = Pen {
    travel: '-',
    wait: '.',
    work_first: '[',
    work: '#',
    late_first: '!',
    axis: '-',
    tick: '+',
    ellipsis: "~",
};

/// One column of a bar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    kind: Option<Kind>,
    glyph: char,
}

/// Where times are drawn, and with what.
pub(super) struct Chart<'a> {
    pub(super) pen: &'a Pen,
    pub(super) bar_width: usize,
    /// First and last moment, in microseconds.
    pub(super) horizon: (i64, i64),
    pub(super) colour: bool,
}

impl Chart<'_> {
    /// Column of a moment, `bar_width` for the end of the horizon and all later ones.
    fn column(&self, at_us: i64) -> usize {
        let (from_us, to_us) = self.horizon;
        let span = (i128::from(to_us) - i128::from(from_us)).max(1);
        let since = (i128::from(at_us) - i128::from(from_us)).clamp(0, span);
        // At most bar_width.
        (since * self.bar_width as i128 / span) as usize
    }

    /// First microsecond of a column.
    fn moment(&self, column: usize) -> i64 {
        let (from_us, to_us) = self.horizon;
        let span = (i128::from(to_us) - i128::from(from_us)).max(1);
        // Between the ends of the horizon.
        (i128::from(from_us) + span * column as i128 / self.bar_width as i128) as i64
    }

    /// The labels of the axis, and the axis.
    pub(super) fn axis(&self) -> [String; 2] {
        let mut labels = String::new();
        let mut line = vec![self.pen.axis; self.bar_width];
        let ticks_max = (self.bar_width / TICK_MIN).max(2);
        for at_us in ticks(self.horizon.0, self.horizon.1, ticks_max) {
            let column = self.column(at_us);
            if column == self.bar_width {
                // The end itself is beyond the last column.
                break;
            }
            line[column] = self.pen.tick;
            let label = span_text(at_us);
            let free = labels.is_empty() || columns(&labels) < column;
            if free && column + columns(&label) <= self.bar_width {
                labels.push_str(&" ".repeat(column - columns(&labels)));
                labels.push_str(&label);
            }
        }
        [labels, line.into_iter().collect()]
    }

    /// What an agent does, column by column.
    pub(super) fn bar(&self, row: &Row<'_>) -> Vec<Cell> {
        let mut bar: Vec<Cell> = (0..self.bar_width).map(|c| self.cell(row, c)).collect();
        let work = row.activities.iter().filter(|a| a.kind >= Kind::Work);
        for activity in work {
            self.draw_task(&mut bar, activity);
        }
        bar
    }

    /// What most of a column's time is spent on; work is drawn later, over it.
    fn cell(&self, row: &Row<'_>, column: usize) -> Cell {
        let (from_us, to_us) = (self.moment(column), self.moment(column + 1));
        let overlap = |a: &&Activity<'_>| a.to_us.min(to_us).saturating_sub(a.from_us.max(from_us));
        let inside = row.activities.iter().filter(|a| overlap(a) > 0);
        let kind = inside.max_by_key(overlap).map(|a| a.kind);
        let glyph = match kind {
            None => ' ',
            Some(Kind::Travel) => self.pen.travel,
            Some(Kind::Wait) => self.pen.wait,
            Some(Kind::Work | Kind::LateWork) => self.pen.work,
        };
        Cell { kind, glyph }
    }

    /// The bar of one task: from its first column on, at least one, with its name if that fits.
    fn draw_task(&self, bar: &mut [Cell], task: &Activity<'_>) {
        let first = self.column(task.from_us).min(bar.len() - 1);
        let last = self.column(task.to_us.saturating_sub(1)).max(first);
        let pen = self.pen;
        let late = task.kind == Kind::LateWork;
        let kind = Some(task.kind);
        for cell in &mut bar[first..=last.min(self.bar_width - 1)] {
            *cell = Cell {
                kind,
                glyph: pen.work,
            };
        }
        bar[first].glyph = if late { pen.late_first } else { pen.work_first };
        let name = printable(task.task);
        // Letters of two columns do not fit into cells.
        let narrow = columns(&name) == name.chars().count();
        if narrow && !name.is_empty() && columns(&name) + 2 <= last - first + 1 {
            for (cell, letter) in bar[first + 1..].iter_mut().zip(name.chars()) {
                cell.glyph = letter;
            }
        }
    }

    /// The characters of a bar, with colours if wanted.
    pub(super) fn paint(&self, bar: &[Cell]) -> String {
        let mut text = String::new();
        for run in bar.chunk_by(|a, b| a.kind == b.kind) {
            let glyphs: String = run.iter().map(|c| c.glyph).collect();
            match run[0].kind.filter(|_| self.colour) {
                None => text.push_str(&glyphs),
                Some(kind) => {
                    let _ = write!(text, "\u{1b}[{}m{glyphs}\u{1b}[0m", code(kind));
                }
            }
        }
        text
    }

    /// What the characters mean, late marks only where there are any.
    pub(super) fn legend(&self, rows: &[Row<'_>]) -> String {
        let pen = self.pen;
        let mut text = format!(
            "{first}{work} work  {travel}{travel} travel  {wait}{wait} wait",
            first = pen.work_first,
            work = pen.work,
            travel = pen.travel,
            wait = pen.wait,
        );
        let late = |row: &Row<'_>| row.activities.iter().any(|a| a.kind == Kind::LateWork);
        if rows.iter().any(late) {
            let _ = write!(text, "  {}{} late", pen.late_first, pen.work);
        }
        text
    }
}

/// Select-graphic-rendition code of a kind.
fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Travel => "2",
        Kind::Wait => "33",
        Kind::Work => "32",
        Kind::LateWork => "31",
    }
}
