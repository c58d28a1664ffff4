//! Bars of characters under an axis of game time.

use super::activity::{Activity, Kind, Row};
use crate::axis::CharAxis;
use crate::label::{columns, printable};
use std::fmt::Write as _;

/// The characters of a drawing.
pub(super) struct Pen {
    travel: char,
    wait: char,
    rest: char,
    /// First column of a task, so that two tasks in a row can be distinguished.
    work_first: char,
    work: char,
    late_first: char,
    pub(super) ellipsis: &'static str,
}

pub(super) const BLOCKS: Pen = Pen {
    travel: '─',
    wait: '·',
    rest: '~',
    work_first: '▐',
    work: '█',
    late_first: '!',
    ellipsis: "…",
};

pub(super) const ASCII: Pen = Pen {
    travel: '-',
    wait: '.',
    rest: 'z',
    work_first: '[',
    work: '#',
    late_first: '!',
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
    pub(super) axis: CharAxis,
    pub(super) colour: bool,
}

impl Chart<'_> {
    /// What an agent does, column by column.
    pub(super) fn bar(&self, row: &Row<'_>) -> Vec<Cell> {
        let mut bar: Vec<Cell> = (0..self.axis.width).map(|c| self.cell(row, c)).collect();
        let work = row.activities.iter().filter(|a| a.kind >= Kind::Work);
        for activity in work {
            self.draw_task(&mut bar, activity);
        }
        bar
    }

    /// What most of a column's time is spent on; work is drawn later, over it.
    fn cell(&self, row: &Row<'_>, column: usize) -> Cell {
        let (from_us, to_us) = (self.axis.moment(column), self.axis.moment(column + 1));
        let overlap = |a: &&Activity<'_>| a.to_us.min(to_us).saturating_sub(a.from_us.max(from_us));
        let inside = row.activities.iter().filter(|a| overlap(a) > 0);
        let kind = inside.max_by_key(overlap).map(|a| a.kind);
        let glyph = match kind {
            None => ' ',
            Some(Kind::Travel) => self.pen.travel,
            Some(Kind::Wait) => self.pen.wait,
            Some(Kind::Rest) => self.pen.rest,
            Some(Kind::Work | Kind::LateWork) => self.pen.work,
        };
        Cell { kind, glyph }
    }

    /// The bar of one task: from its first column on, at least one, with its name if that fits.
    fn draw_task(&self, bar: &mut [Cell], task: &Activity<'_>) {
        let first = self.axis.column(task.from_us).min(bar.len() - 1);
        let last = self.axis.column(task.to_us.saturating_sub(1)).max(first);
        let pen = self.pen;
        let late = task.kind == Kind::LateWork;
        let kind = Some(task.kind);
        for cell in &mut bar[first..=last.min(self.axis.width - 1)] {
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

    /// What the characters mean, breaks and late marks only where there are any.
    pub(super) fn legend(&self, rows: &[Row<'_>]) -> String {
        let pen = self.pen;
        let mut text = format!(
            "{first}{work} work  {travel}{travel} travel  {wait}{wait} wait",
            first = pen.work_first,
            work = pen.work,
            travel = pen.travel,
            wait = pen.wait,
        );
        let any = |kind| {
            let mut activities = rows.iter().flat_map(|row| &row.activities);
            activities.any(|activity| activity.kind == kind)
        };
        if any(Kind::Rest) {
            let _ = write!(text, "  {0}{0} break", pen.rest);
        }
        if any(Kind::LateWork) {
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
        Kind::Rest => "36",
        Kind::Work => "32",
        Kind::LateWork => "31",
    }
}
