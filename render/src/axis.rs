//! Axes of game time: in columns of a terminal, and in pixels.

use crate::label::columns;
use crate::scale::ticks;
use crate::scene::{STEP, Unit};
use crate::time::span_text;
use std::fmt::Write as _;

/// Columns from one mark of the axis to the next, at least.
const TICK_MIN: usize = 8;
/// Marks on an axis of pixels, at most.
const TICKS_MAX: usize = 12;

/// Game time in columns of a terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharAxis {
    /// Columns. Above 0.
    pub(crate) width: usize,
    /// First and last moment, in microseconds.
    pub(crate) horizon: (i64, i64),
    /// Only ASCII characters.
    pub(crate) ascii: bool,
}

impl CharAxis {
    /// Column of a moment, `width` for the end of the horizon and all later ones.
    pub(crate) fn column(&self, at_us: i64) -> usize {
        let (from_us, to_us) = self.horizon;
        let span = (i128::from(to_us) - i128::from(from_us)).max(1);
        let since = (i128::from(at_us) - i128::from(from_us)).clamp(0, span);
        // At most width.
        (since * self.width as i128 / span) as usize
    }

    /// First microsecond of a column.
    pub(crate) fn moment(&self, column: usize) -> i64 {
        let (from_us, to_us) = self.horizon;
        let span = (i128::from(to_us) - i128::from(from_us)).max(1);
        // Between the ends of the horizon.
        (i128::from(from_us) + span * column as i128 / self.width as i128) as i64
    }

    /// The labels of the axis, and the axis; steps are numbers.
    pub(crate) fn lines(&self, unit: Unit) -> [String; 2] {
        let (line, tick) = if self.ascii {
            ('-', '+')
        } else {
            ('─', '┬')
        };
        let mut labels = String::new();
        let mut line = vec![line; self.width];
        let ticks_max = (self.width / TICK_MIN).max(2);
        for at_us in round(unit, self.horizon, ticks_max) {
            let column = self.column(at_us);
            if column == self.width {
                // The end itself is beyond the last column.
                break;
            }
            line[column] = tick;
            let label = self::label(unit, at_us);
            let free = labels.is_empty() || columns(&labels) < column;
            if free && column + columns(&label) <= self.width {
                labels.push_str(&" ".repeat(column - columns(&labels)));
                labels.push_str(&label);
            }
        }
        [labels, line.into_iter().collect()]
    }
}

/// Round moments, or steps.
fn round(unit: Unit, horizon: (i64, i64), ticks_max: usize) -> Vec<i64> {
    match unit {
        Unit::Time => ticks(horizon.0, horizon.1, ticks_max),
        Unit::Step => {
            let steps = ticks(horizon.0 / STEP, horizon.1 / STEP, ticks_max);
            steps.into_iter().map(|step| step * STEP).collect()
        }
    }
}

/// A moment, or the number of a step.
fn label(unit: Unit, at: i64) -> String {
    match unit {
        Unit::Time => span_text(at),
        Unit::Step => (at / STEP).to_string(),
    }
}

/// Adds a line without blanks at its end.
pub(crate) fn push_line(text: &mut String, line: &str) {
    let _ = writeln!(text, "{}", line.trim_end());
}

/// Game time in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PixelAxis {
    /// Left end.
    pub(crate) left: f64,
    /// Pixels to the right end.
    pub(crate) room: f64,
    /// First and last moment, in microseconds.
    pub(crate) horizon: (i64, i64),
}

impl PixelAxis {
    /// Where a moment is; also outside of the horizon.
    pub(crate) fn x(&self, at_us: i64) -> f64 {
        let (from_us, to_us) = self.horizon;
        let span = (to_us.saturating_sub(from_us)).max(1) as f64;
        self.left + at_us.saturating_sub(from_us) as f64 / span * self.room
    }

    /// Round moments within the horizon.
    pub(crate) fn ticks(&self) -> Vec<i64> {
        round(Unit::Time, self.horizon, TICKS_MAX)
    }
}
