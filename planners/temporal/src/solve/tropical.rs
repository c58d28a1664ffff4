//! Max-plus (tropical) fixed points: the box that contains all solutions.
//!
//! Solutions of the differences with the late disjunctions alone are closed under pointwise
//! minimum, so there is a least one, L; with the early disjunctions alone there is a greatest, G.
//! Every solution of all lies between them. Where they cross there is none; where one of them
//! satisfies all it is one. Both come from one procedure: reversing time swaps the sides.

use super::reduce::{Side, System, Timepoint};
use crate::problem::{Micros, ORIGIN};

/// Rounds after which a fixed point is given up: value iteration may creep by microseconds. The
/// values are then bounds all the same. Four rounds are usual.
const ROUNDS_MAX: usize = 64;

/// Earliest and latest times by timepoint; every solution lies between.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) least: Vec<Micros>,
    pub(crate) greatest: Vec<Micros>,
}

/// The verdict of the fixed points.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// Proved: there is no solution.
    Empty,
    /// A solution.
    Solved(Vec<Micros>),
    /// Nothing but bounds.
    Open(Window),
}

/// Computes both fixed points and looks whether they decide the system. `go_on` is called once a
/// round; when it returns false the bounds reached so far are returned.
pub(crate) fn bounds(system: &System, go_on: &mut impl FnMut() -> bool) -> Outcome {
    let Some(least) = fixed_point(system, Side::Late, go_on) else {
        return Outcome::Empty;
    };
    if system.accepts(&least) {
        return Outcome::Solved(least);
    }
    let Some(mut greatest) = fixed_point(system, Side::Early, go_on) else {
        return Outcome::Empty;
    };
    for time in &mut greatest {
        *time = -*time;
    }
    if least.iter().zip(&greatest).any(|(low, high)| low > high) {
        return Outcome::Empty;
    }
    if system.accepts(&greatest) {
        return Outcome::Solved(greatest);
    }
    Outcome::Open(Window { least, greatest })
}

/// The least solution of the differences with the disjunctions of one side; for [`Side::Early`]
/// that of the time-reversed system, whose times are negated. `None`: there is none.
fn fixed_point(
    system: &System,
    side: Side,
    go_on: &mut impl FnMut() -> bool,
) -> Option<Vec<Micros>> {
    let directed = Directed { system, side };
    let mut times: Vec<Micros> = (0..system.size).map(|q| -directed.gap(q, ORIGIN)).collect();
    let disjunctions: Vec<_> = system
        .disjunctions
        .iter()
        .filter(|disjunction| disjunction.side == side)
        .collect();
    for _ in 0..ROUNDS_MAX {
        if !go_on() {
            break;
        }
        let mut raised = Vec::new();
        for disjunction in &disjunctions {
            let ends = disjunction.choices.iter().map(|&(k, a)| times[k] + a);
            let end = ends.min().expect("the origin is always a choice");
            for &(j, b) in &disjunction.targets {
                if times[j] < end - b {
                    times[j] = end - b;
                    raised.push(j);
                }
            }
        }
        if raised.is_empty() {
            break;
        }
        if !directed.propagate(raised, &mut times) {
            return None;
        }
    }
    Some(times)
}

struct Directed<'s> {
    system: &'s System,
    side: Side,
}

impl Directed<'_> {
    /// `time[p] - time[q] <= gap`.
    fn gap(&self, q: Timepoint, p: Timepoint) -> Micros {
        match self.side {
            Side::Late => self.system.bound(q, p),
            Side::Early => self.system.bound(p, q),
        }
    }

    /// Raises what follows from raised times; one sweep is enough as the differences are closed.
    /// False when the origin would have to move.
    fn propagate(&self, mut raised: Vec<Timepoint>, times: &mut [Micros]) -> bool {
        raised.sort_unstable();
        raised.dedup();
        for &p in &raised {
            if times[p] > self.gap(ORIGIN, p) {
                return false;
            }
            for q in 0..self.system.size {
                times[q] = times[q].max(times[p] - self.gap(q, p));
            }
        }
        true
    }
}
