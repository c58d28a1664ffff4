//! What moves, and when.

use super::Point;

/// Time in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clock {
    /// First and last moment, in microseconds or thousandths of a step.
    pub(crate) span: [i64; 2],
    /// What a thousand units are called, as in `step`; empty for microseconds of time.
    pub(crate) unit: &'static str,
    /// Units that a second of the animation shows.
    pub(crate) pace: f64,
    /// When the animation begins if cycles are repeated.
    pub(crate) all_round: i64,
}

impl Clock {
    /// Game time; the film takes about this number of seconds.
    pub(crate) fn of_time(span: [i64; 2], seconds: f64) -> Option<Self> {
        let length = span[1].saturating_sub(span[0]);
        (length > 0).then_some(Self {
            span,
            unit: "",
            pace: length as f64 / seconds,
            all_round: span[0],
        })
    }

    /// Counted steps, as many as are given.
    pub(crate) fn of_steps(count: usize, unit: &'static str, seconds: f64) -> Option<Self> {
        (count > 0).then_some(Self {
            span: [0, count as i64 * 1_000],
            unit,
            pace: 1_000.0 / seconds,
            all_round: 0,
        })
    }

    /// The clock of two pictures that go on together.
    pub(crate) fn joined(self, other: Self) -> Self {
        Self {
            span: [
                self.span[0].min(other.span[0]),
                self.span[1].max(other.span[1]),
            ],
            unit: self.unit,
            pace: self.pace.max(other.pace),
            all_round: self.all_round.max(other.all_round),
        }
    }
}

/// Where something is at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stop {
    pub(crate) at: i64,
    pub(crate) place: Point,
}

/// The places of something that moves: straight from stop to stop.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Track {
    /// In the order of time.
    pub(crate) stops: Vec<Stop>,
    /// Length of the cycle that the last stops are, where it is repeated.
    pub(crate) cycle: Option<i64>,
}

impl Track {
    /// Adds a stop. Where the last two are the same place the time of the last is moved.
    pub(crate) fn stop(&mut self, at: i64, place: Point) {
        if let [.., before, last] = self.stops.as_mut_slice()
            && before.place == place
            && last.place == place
        {
            last.at = at;
            return;
        }
        self.stops.push(Stop { at, place });
    }
}
