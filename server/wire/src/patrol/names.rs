//! Names: the caller's ids and unit of time, which the planner does not know.

use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, Time, duration_of_micros, rounded_micros};
use anytime::Path;
use anytime::Step::{Field, Index};
use anytime::{Step, written};
use patrol::problem::Tick;
use prost_types::Duration;
use std::ops::RangeInclusive;

/// Names in a problem.
#[derive(Debug, Default)]
pub struct Names {
    /// Ids of the vertices.
    pub vertices: Ids,
    /// Ids of the guards.
    pub guards: Ids,
    /// Duration of a tick.
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

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        let ids = match kind {
            "vertex" => &self.vertices,
            "guard" => &self.guards,
            _ => return None,
        };
        ids.list().get(index).cloned()
    }

    fn time(&self, ticks: i64) -> String {
        Time(self.clock.micros(ticks.unsigned_abs())).to_string()
    }
}

/// Names in a plan or a mixed strategy from outside.
pub(super) struct PlanNames<'n> {
    pub names: &'n Names,
    /// For each plan, the index of each guard's route in the caller's list.
    pub routes: Vec<&'n [usize]>,
}

impl anytime::Names for PlanNames<'_> {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        self.names.id(kind, index)
    }

    fn path(&self, at: &[Step]) -> String {
        let mut at = at.to_vec();
        match at.as_mut_slice() {
            [Field("routes"), Index(guard), ..] => *guard = self.routes[0][*guard],
            [
                Field("parts"),
                Index(part),
                Field("plan"),
                Field("routes"),
                Index(guard),
                ..,
            ] => {
                *guard = self.routes[*part][*guard];
            }
            _ => {}
        }
        written(&at)
    }

    fn time(&self, ticks: i64) -> String {
        self.names.time(ticks)
    }
}

/// Conversion between ticks and durations.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    tick_us: i64,
    /// Whether the duration of a tick could be read: if not, no other duration can be.
    is_known: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            tick_us: TICK_DEFAULT_US,
            is_known: true,
        }
    }
}

/// Default duration of a tick.
const TICK_DEFAULT_US: i64 = 1_000_000;

impl Clock {
    /// The clock of a problem.
    pub(super) fn new(given: Option<Duration>, at: &Path<'_>, wrong: &Mistakes) -> Self {
        given.map_or_else(Self::default, |given| Self {
            tick_us: rounded_micros(&given),
            is_known: !wrong.lists_at(at),
        })
    }

    /// A duration in ticks within a range; the start of the range if it is invalid.
    pub(super) fn ticks(
        self,
        at: &Path<'_>,
        given: Duration,
        range: RangeInclusive<u32>,
        wrong: &mut Mistakes,
    ) -> u32 {
        let (min, max) = (*range.start(), *range.end());
        if !self.is_known {
            return min;
        }
        // At most 2^32 ticks of an hour, 1.6e19 µs: saturates, beyond what a Duration can be.
        let micros = |ticks: u32| i64::from(ticks).saturating_mul(self.tick_us);
        let micros = wrong.micros(at, given, micros(min)..=micros(max));
        if micros % self.tick_us != 0 {
            let (given, tick) = (Time(micros), Time(self.tick_us));
            let why = format!("is {given}, no whole number of ticks of {tick}");
            wrong.add(at, Code::TooPrecise, why);
        }
        u32::try_from(micros / self.tick_us).expect("in range")
    }

    /// Duration of a number of ticks.
    pub(super) fn duration(self, ticks: Tick) -> Duration {
        duration_of_micros(self.micros(ticks))
    }

    /// The same in microseconds.
    pub(super) fn micros(self, ticks: Tick) -> i64 {
        let ticks = i64::try_from(ticks).unwrap_or(i64::MAX);
        ticks.saturating_mul(self.tick_us)
    }

    /// Duration of a fractional number of ticks, to the nearest microsecond.
    pub(super) fn mean(self, ticks: f64) -> Duration {
        duration_of_micros((ticks * self.tick_us as f64).round() as i64)
    }

    /// Duration of a tick in seconds.
    pub(super) fn seconds(self) -> f64 {
        self.tick_us as f64 / 1e6
    }
}
