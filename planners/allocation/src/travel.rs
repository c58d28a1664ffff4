//! Travel times and costs of arcs between locations.

use crate::problem::{MICRO, Micros};

/// Most locations: every task's, and every agent's start and end.
pub const LOCATIONS_MAX: usize = 1_400;
/// Largest coordinate, in units of distance.
pub const COORDINATE_MAX: f64 = 1e6;
/// Largest cost of one arc, in millionths.
pub const ARC_COST_MAX_MICRO: i64 = 1_000_000_000_000_000;

/// Longest travel time that is divided in 64 bits, which is faster: about 100 days.
const SHORT_MAX_US: Micros = 9_000_000_000_000;

/// Travel times and costs of the arcs, as matrices with one row for each location of departure.
/// Arcs may be asymmetric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Travel {
    /// Number of locations.
    pub locations: usize,
    /// Travel time at speed 1 from location i to j at `i * locations + j`; -1: there is no arc.
    pub durations_us: Vec<Micros>,
    /// Travel cost in millionths, in the same order; `None`: the durations.
    pub costs_micro: Option<Vec<i64>>,
}

/// Conventions on rounding a distance d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest millionth.
    Exact,
    /// floor(10 d) / 10, as the exact methods for Solomon's problems do.
    OneDecimalDown,
    /// floor(d).
    IntegerDown,
    /// floor(d + 1/2).
    IntegerNearest,
}

impl Travel {
    /// Straight lines between points: one unit of distance costs 1 and takes a second at speed 1.
    ///
    /// # Panics
    /// When a coordinate is not finite or above [`COORDINATE_MAX`]: the caller has checked them.
    ///
    /// # Examples
    /// ```
    /// use allocation::travel::{Rounding, Travel};
    /// let travel = Travel::euclidean(&[(0.0, 0.0), (1.0, 1.0)], Rounding::OneDecimalDown);
    /// assert_eq!(travel.duration_us(0, 1), Some(1_400_000));
    /// ```
    #[must_use]
    pub fn euclidean(points: &[(f64, f64)], rounding: Rounding) -> Self {
        let fits = |c: f64| c.abs() <= COORDINATE_MAX;
        assert!(
            points.iter().all(|p| fits(p.0) && fits(p.1)),
            "coordinates are checked before"
        );
        let arcs = points
            .iter()
            .flat_map(|a| points.iter().map(|b| distance_micro(*a, *b, rounding)));
        Self {
            locations: points.len(),
            durations_us: arcs.collect(),
            costs_micro: None,
        }
    }

    /// Travel time at speed 1; `None`: there is no arc.
    #[must_use]
    pub fn duration_us(&self, from: usize, to: usize) -> Option<Micros> {
        let duration_us = self.durations_us[from * self.locations + to];
        (duration_us >= 0).then_some(duration_us)
    }

    /// Travel time at a speed in millionths, rounded up; `None`: there is no arc.
    #[must_use]
    pub fn duration_at_us(&self, from: usize, to: usize, speed_micro: i64) -> Option<Micros> {
        let duration_us = self.duration_us(from, to)?;
        if speed_micro == MICRO {
            return Some(duration_us);
        }
        if duration_us <= SHORT_MAX_US {
            return Some((duration_us * MICRO + speed_micro - 1) / speed_micro);
        }
        // At most 10 years times 10^6: above 64 bits, below 128. The quotient is at most 1,000
        // times 10 years.
        let scaled = i128::from(duration_us) * i128::from(MICRO) + i128::from(speed_micro - 1);
        Some((scaled / i128::from(speed_micro)) as i64)
    }

    /// Travel cost in millionths; meaningless without an arc.
    #[must_use]
    pub fn cost_micro(&self, from: usize, to: usize) -> i64 {
        self.costs_micro.as_ref().unwrap_or(&self.durations_us)[from * self.locations + to]
    }
}

/// Distance of two points in millionths. Coordinates are at most 10^6, so a distance is below 3 *
/// 10^6 units.
fn distance_micro(a: (f64, f64), b: (f64, f64), rounding: Rounding) -> i64 {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    let squared = x * x + y * y;
    match rounding {
        Rounding::Exact => (squared.sqrt() * 1e6).round() as i64,
        Rounding::OneDecimalDown => floor_root(squared * 100.0) * (MICRO / 10),
        Rounding::IntegerDown => floor_root(squared) * MICRO,
        // floor(d + 1/2) = floor((floor(2 d) + 1) / 2).
        Rounding::IntegerNearest => (floor_root(squared * 4.0) + 1) / 2 * MICRO,
    }
}

/// floor(sqrt(value)), exact: the square root in doubles may be one off next to a square.
fn floor_root(value: f64) -> i64 {
    let near = value.sqrt().floor();
    let root = if near * near > value {
        near - 1.0
    } else {
        near
    };
    let next = root + 1.0;
    (if next * next <= value { next } else { root }) as i64
}
