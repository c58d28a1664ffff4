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
        let durations_us = match rounding {
            Rounding::Exact => arcs(points, |squared| nearest(squared.sqrt() * 1e6)),
            Rounding::OneDecimalDown => {
                arcs(points, |squared| floor_root(squared * 100.0) * (MICRO / 10))
            }
            Rounding::IntegerDown => arcs(points, |squared| floor_root(squared) * MICRO),
            // floor(d + 1/2) = floor((floor(2 d) + 1) / 2).
            Rounding::IntegerNearest => arcs(points, |squared| {
                (floor_root(squared * 4.0) + 1) / 2 * MICRO
            }),
        };
        Self {
            locations: points.len(),
            durations_us,
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

/// Distances of all pairs of points in millionths, by the square of the distance. Coordinates are
/// at most 10^6, so a distance is below 3 * 10^6 units.
fn arcs(points: &[(f64, f64)], distance_micro: impl Fn(f64) -> i64) -> Vec<i64> {
    let mut all = Vec::with_capacity(points.len() * points.len());
    for a in points {
        all.extend(points.iter().map(|b| {
            let (x, y) = (a.0 - b.0, a.1 - b.1);
            distance_micro(x * x + y * y)
        }));
    }
    all
}

/// A number of at least 0 and below 2^52, rounded to the nearest integer, halves up. `f64::round`
/// is the same, but a call for each of a million arcs.
fn nearest(value: f64) -> i64 {
    let whole = value as i64;
    whole + i64::from(value - whole as f64 >= 0.5)
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
