//! Travel times and costs of arcs between locations.

use crate::problem::{MICRO, Micros, Problem};

/// Most locations of a matrix: every task's, and every agent's start and end. Straight lines
/// between more points are computed when they are needed.
pub const LOCATIONS_MAX: usize = 1_400;
/// Largest coordinate, in units of distance.
pub const COORDINATE_MAX: f64 = 1e6;
/// Largest cost of one arc, in millionths.
pub const ARC_COST_MAX_MICRO: i64 = 1_000_000_000_000_000;

/// Longest travel time that is divided in 64 bits, which is faster: about 100 days.
const SHORT_MAX_US: Micros = 9_000_000_000_000;

/// Travel times and costs of the arcs: matrices with one row for each location of departure, or
/// straight lines. Arcs of matrices may be asymmetric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Travel {
    /// Number of locations.
    pub locations: usize,
    /// Travel time at speed 1 from location i to j at `i * locations + j`; -1: there is no arc.
    /// Empty: the distances of `lines`.
    pub durations_us: Vec<Micros>,
    /// Travel cost in millionths, in the same order; `None`: the durations.
    pub costs_micro: Option<Vec<i64>>,
    /// Straight lines between points, if these are all arcs: `None` after any change of a matrix.
    pub lines: Option<StraightLines>,
}

/// Straight lines between points: one unit of distance costs 1 and takes a second at speed 1.
#[derive(Debug, Clone, PartialEq)]
pub struct StraightLines {
    points: Vec<(f64, f64)>,
    rounding: Rounding,
}

// Coordinates are finite.
impl Eq for StraightLines {}

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

impl StraightLines {
    /// Lines between these points.
    ///
    /// # Panics
    /// When a coordinate is not finite or above [`COORDINATE_MAX`]: the caller has checked them.
    #[must_use]
    pub fn new(points: Vec<(f64, f64)>, rounding: Rounding) -> Self {
        let fits = |c: f64| c.abs() <= COORDINATE_MAX;
        assert!(
            points.iter().all(|p| fits(p.0) && fits(p.1)),
            "coordinates are checked before"
        );
        Self { points, rounding }
    }

    /// The points of the locations.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Distance of two locations in millionths.
    #[inline]
    #[must_use]
    pub fn distance_micro(&self, from: usize, to: usize) -> i64 {
        self.rounding
            .distance_micro(self.points[from], self.points[to])
    }

    /// Those between some of the locations.
    pub(crate) fn between(&self, locations: impl Iterator<Item = usize>) -> Self {
        Self {
            points: locations.map(|location| self.points[location]).collect(),
            rounding: self.rounding,
        }
    }

    /// Rounding changes a distance by less, in millionths.
    fn step_micro(&self) -> i64 {
        match self.rounding {
            Rounding::Exact => 1,
            Rounding::OneDecimalDown => MICRO / 10,
            Rounding::IntegerDown | Rounding::IntegerNearest => MICRO,
        }
    }

    /// At most the length of any path of `arcs` arcs, in millionths.
    fn path_micro(&self, from: usize, to: usize, arcs: usize) -> i64 {
        // Each arc, and the straight line, is off by less than a step.
        (self.distance_micro(from, to) - (arcs as i64 + 1) * self.step_micro()).max(0)
    }

    /// At least the distance of any two locations, in millionths.
    pub(crate) fn longest_micro(&self) -> i64 {
        let corner = |pick: fn(f64, f64) -> f64| {
            let first = self.points.first().copied().unwrap_or_default();
            let points = self.points.iter();
            points.fold(first, |a, b| (pick(a.0, b.0), pick(a.1, b.1)))
        };
        // Rounding adds less than a unit.
        self.rounding
            .distance_micro(corner(f64::min), corner(f64::max))
            + MICRO
    }
}

impl Rounding {
    /// Distance of two points in millionths. Coordinates are at most [`COORDINATE_MAX`], so it is
    /// below 3 * 10^6 units.
    #[inline]
    pub(crate) fn distance_micro(self, a: (f64, f64), b: (f64, f64)) -> i64 {
        let (x, y) = (a.0 - b.0, a.1 - b.1);
        let squared = x * x + y * y;
        match self {
            Self::Exact => nearest(squared.sqrt() * 1e6),
            Self::OneDecimalDown => floor_root(squared * 100.0) * (MICRO / 10),
            Self::IntegerDown => floor_root(squared) * MICRO,
            // floor(d + 1/2) = floor((floor(2 d) + 1) / 2).
            Self::IntegerNearest => (floor_root(squared * 4.0) + 1) / 2 * MICRO,
        }
    }
}

impl Travel {
    /// Straight lines between points, as matrices up to [`LOCATIONS_MAX`] points.
    ///
    /// # Panics
    /// As [`StraightLines::new`].
    ///
    /// # Examples
    /// ```
    /// use allocation::travel::{Rounding, Travel};
    /// let travel = Travel::euclidean(&[(0.0, 0.0), (1.0, 1.0)], Rounding::OneDecimalDown);
    /// assert_eq!(travel.duration_us(0, 1), Some(1_400_000));
    /// ```
    #[must_use]
    pub fn euclidean(points: &[(f64, f64)], rounding: Rounding) -> Self {
        let without_matrix = Self::along(StraightLines::new(points.to_vec(), rounding));
        if points.len() > LOCATIONS_MAX {
            return without_matrix;
        }
        // The rounding is known in each loop.
        let durations_us = match rounding {
            Rounding::Exact => arcs(points, |a, b| Rounding::Exact.distance_micro(a, b)),
            Rounding::OneDecimalDown => {
                arcs(points, |a, b| Rounding::OneDecimalDown.distance_micro(a, b))
            }
            Rounding::IntegerDown => {
                arcs(points, |a, b| Rounding::IntegerDown.distance_micro(a, b))
            }
            Rounding::IntegerNearest => {
                arcs(points, |a, b| Rounding::IntegerNearest.distance_micro(a, b))
            }
        };
        Self {
            durations_us,
            ..without_matrix
        }
    }

    /// Straight lines without a matrix: a distance is computed when it is needed.
    #[must_use]
    pub fn along(lines: StraightLines) -> Self {
        Self {
            locations: lines.points.len(),
            durations_us: Vec::new(),
            costs_micro: None,
            lines: Some(lines),
        }
    }

    /// Travel time at speed 1; `None`: there is no arc.
    #[must_use]
    pub fn duration_us(&self, from: usize, to: usize) -> Option<Micros> {
        match self.durations_us.get(from * self.locations + to) {
            Some(duration_us) => (*duration_us >= 0).then_some(*duration_us),
            None => Some(self.distance_micro(from, to)),
        }
    }

    /// Travel time at a speed in millionths, rounded up; `None`: there is no arc.
    #[must_use]
    pub fn duration_at_us(&self, from: usize, to: usize, speed_micro: i64) -> Option<Micros> {
        let duration_us = self.duration_us(from, to)?;
        Some(at_speed(duration_us, speed_micro))
    }

    /// At most the duration of any path of `arcs` arcs along straight lines, at a speed.
    pub(crate) fn path_us(&self, ends: (usize, usize), arcs: usize, speed_micro: i64) -> Micros {
        let lines = self.lines.as_ref();
        let length = lines.map_or(0, |lines| lines.path_micro(ends.0, ends.1, arcs));
        at_speed(length, speed_micro)
    }

    /// Travel cost in millionths; meaningless without an arc.
    #[must_use]
    pub fn cost_micro(&self, from: usize, to: usize) -> i64 {
        let matrix = self.costs_micro.as_ref().unwrap_or(&self.durations_us);
        match matrix.get(from * self.locations + to) {
            Some(cost_micro) => *cost_micro,
            None => self.distance_micro(from, to),
        }
    }

    /// Distance along a straight line.
    fn distance_micro(&self, from: usize, to: usize) -> i64 {
        let lines = self
            .lines
            .as_ref()
            .expect("without a matrix there are lines");
        lines.distance_micro(from, to)
    }

    /// Whether there are matrices.
    pub(crate) fn has_matrix(&self) -> bool {
        !self.durations_us.is_empty()
    }

    /// At least the cost of any arc, in millionths.
    pub(crate) fn longest_micro(&self) -> i64 {
        if let Some(lines) = self.lines.as_ref().filter(|_| !self.has_matrix()) {
            return lines.longest_micro();
        }
        let arcs = self.costs_micro.as_ref().unwrap_or(&self.durations_us);
        arcs.iter().fold(0, |most, cost| most.max(*cost))
    }
}

/// A travel time at a speed in millionths, rounded up.
#[inline]
pub(crate) fn at_speed(duration_us: Micros, speed_micro: i64) -> Micros {
    if speed_micro == MICRO {
        return duration_us;
    }
    if duration_us <= SHORT_MAX_US {
        return (duration_us * MICRO + speed_micro - 1) / speed_micro;
    }
    // At most 10 years times 10^6: above 64 bits, below 128. The quotient is at most 1,000 times 10
    // years.
    let scaled = i128::from(duration_us) * i128::from(MICRO) + i128::from(speed_micro - 1);
    (scaled / i128::from(speed_micro)) as i64
}

/// Points in the order of their first coordinate.
pub(crate) struct Strip {
    /// Points with their numbers.
    sorted: Vec<(f64, f64, u32)>,
    /// By point: its index in `sorted`.
    ranks: Vec<usize>,
    /// Rounding changes a distance by less, in millionths.
    step_micro: i64,
}

impl Strip {
    /// Those of some tasks of a problem along straight lines.
    pub(crate) fn of_tasks(problem: &Problem, tasks: &[u32]) -> Self {
        let lines = problem
            .travel()
            .lines
            .as_ref()
            .expect("travel is along lines");
        let location = |task: &u32| problem.tasks()[*task as usize].location;
        let points = tasks.iter().map(|task| lines.points[location(task)]);
        let mut sorted: Vec<(f64, f64, u32)> = (0..)
            .zip(points)
            .map(|(number, (x, y))| (x, y, number))
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ranks = vec![0; sorted.len()];
        for (rank, (.., number)) in sorted.iter().enumerate() {
            ranks[*number as usize] = rank;
        }
        Self {
            sorted,
            ranks,
            step_micro: lines.step_micro(),
        }
    }

    /// Visits all points within a rounded distance of one, and some more. `visit` returns that
    /// distance from then on, in millionths.
    pub(crate) fn scan(&self, point: u32, mut visit: impl FnMut(u32) -> f64) {
        let rank = self.ranks[point as usize];
        let (x, y, _) = self.sorted[rank];
        let gap = |at: usize| {
            let other = self.sorted.get(at);
            other.map_or(f64::INFINITY, |other| (other.0 - x).abs())
        };
        let (mut before, mut after) = (rank.wrapping_sub(1), rank + 1);
        let (mut gap_before, mut gap_after) = (gap(before), gap(after));
        let mut limit = f64::INFINITY;
        loop {
            let (dx, at) = if gap_before <= gap_after {
                (gap_before, before)
            } else {
                (gap_after, after)
            };
            let Some(other) = self.sorted.get(at).filter(|_| dx <= limit) else {
                return;
            };
            if at == before {
                before = before.wrapping_sub(1);
                gap_before = gap(before);
            } else {
                after += 1;
                gap_after = gap(after);
            }
            let dy = other.1 - y;
            if dx * dx + dy * dy <= limit * limit {
                let distance_micro = visit(other.2);
                if distance_micro <= 0.0 {
                    return;
                }
                limit = (distance_micro + self.step_micro as f64) / MICRO as f64;
            }
        }
    }
}

/// Distances of all pairs of points.
fn arcs(points: &[(f64, f64)], distance_micro: impl Fn((f64, f64), (f64, f64)) -> i64) -> Vec<i64> {
    let mut all = Vec::with_capacity(points.len() * points.len());
    for a in points {
        all.extend(points.iter().map(|b| distance_micro(*a, *b)));
    }
    all
}

/// A number of at least 0 and below 2^52, rounded to the nearest integer, halves up. `f64::round`
/// is the same, but a call for each of a million arcs.
fn nearest(value: f64) -> i64 {
    let whole = value as i64;
    whole + i64::from(value - whole as f64 >= 0.5)
}

/// floor(sqrt(value)), exact below 2^53: the square root in doubles may be one off next to a
/// square.
#[inline]
fn floor_root(value: f64) -> i64 {
    let near = value.sqrt() as i64;
    let above = |root: i64| (root * root) as f64 > value;
    near + i64::from(!above(near + 1)) - i64::from(above(near))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// No path between two points is shorter than what is said to be at most its length, and no
        /// distance longer than the longest.
        #[test]
        fn paths_are_not_shorter_than_their_bounds(
            points in prop::collection::vec((-9.0..9.0_f64, -9.0..9.0_f64), 2..20),
            rounding in prop::sample::select(vec![
                Rounding::Exact,
                Rounding::OneDecimalDown,
                Rounding::IntegerDown,
                Rounding::IntegerNearest,
            ]),
        ) {
            let lines = StraightLines::new(points.clone(), rounding);
            let (mut length, mut longest) = (0, 0);
            for to in 1..points.len() {
                let arc = lines.distance_micro(to - 1, to);
                length += arc;
                longest = longest.max(arc);
                prop_assert!(lines.path_micro(0, to, to) <= length);
            }
            prop_assert!(longest <= lines.longest_micro());
        }
    }
}
