//! How the caller calls things and counts time, which the planner does not know.

use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::{Ids, Time, duration_of_micros, rounded_micros};
use patrol::problem::Tick;
use prost_types::Duration;
use std::ops::RangeInclusive;

/// What the planner does not know.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Ids of the vertices.
    pub vertices: Ids,
    /// Ids of the guards.
    pub guards: Ids,
    /// How long a tick is.
    pub clock: Clock,
}

impl Names {
    /// Id of a vertex.
    pub(super) fn vertex(&self, vertex: usize) -> &str {
        &self.vertices.list()[vertex]
    }

    /// Id of a guard.
    pub(super) fn guard(&self, guard: usize) -> &str {
        &self.guards.list()[guard]
    }
}

/// How long a tick is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    tick_us: i64,
    /// Whether it could be read: if not, there is no telling how many ticks anything takes.
    known: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            tick_us: TICK_DEFAULT_US,
            known: true,
        }
    }
}

/// A tick of a problem that does not say how long they are.
const TICK_DEFAULT_US: i64 = 1_000_000;

impl Clock {
    /// The clock of a problem.
    pub(super) fn new(given: Option<Duration>, at: &Path<'_>, wrong: &Mistakes) -> Self {
        given.map_or_else(Self::default, |given| Self {
            tick_us: rounded_micros(&given),
            known: !wrong.lists_at(at),
        })
    }

    /// A time in ticks, in a range, or the range's start.
    pub(super) fn ticks(
        self,
        (at, given): (&Path<'_>, Duration),
        range: RangeInclusive<u32>,
        wrong: &mut Mistakes,
    ) -> u32 {
        let (least, most) = (*range.start(), *range.end());
        if !self.known {
            return least;
        }
        // At most 2^32 ticks of an hour, 1.6e19 µs: saturates, beyond what a Duration can be.
        let of = |ticks: u32| i64::from(ticks).saturating_mul(self.tick_us);
        let micros = wrong.micros(at, given, of(least)..=of(most));
        if micros % self.tick_us != 0 {
            let (given, tick) = (Time(micros), Time(self.tick_us));
            let why = format!("is {given}, no whole number of ticks of {tick}");
            wrong.add(at, Code::TooPrecise, why);
        }
        u32::try_from(micros / self.tick_us).expect("in range")
    }

    /// A number of ticks for the wire.
    pub(super) fn duration(self, ticks: Tick) -> Duration {
        duration_of_micros(self.micros(ticks))
    }

    /// The same in microseconds.
    pub(super) fn micros(self, ticks: Tick) -> i64 {
        let ticks = i64::try_from(ticks).unwrap_or(i64::MAX);
        ticks.saturating_mul(self.tick_us)
    }

    /// A part of ticks, to the nearest microsecond.
    pub(super) fn mean(self, ticks: f64) -> Duration {
        duration_of_micros((ticks * self.tick_us as f64).round() as i64)
    }

    /// How many seconds a tick has.
    pub(super) fn seconds(self) -> f64 {
        self.tick_us as f64 / 1e6
    }
}
