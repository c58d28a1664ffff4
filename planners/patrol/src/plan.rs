//! Plan and cost: plain data.

use crate::problem::{Entry, Motion, PROBABILITY_ONE, Problem, Tick};

/// Plan: one cyclic route for each guard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Routes in the order of guards.
    pub routes: Vec<Route>,
}

impl Plan {
    /// Plan of the routes of all guards, in order.
    #[must_use]
    pub const fn new(routes: Vec<Route>) -> Self {
        Self { routes }
    }
}

/// Patrol route of a guard: the prefix once, then the cycle again and again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// Stops before the cycle. Empty: the cycle begins at tick 0.
    pub prefix: Vec<Stop>,
    /// At least one stop. The first follows the last; a guard with a cycle of one stop stands
    /// there.
    pub cycle: Vec<Stop>,
}

/// Visit to a vertex. The next stop is at a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stop {
    /// Index of the vertex.
    pub vertex: usize,
    /// Duration of the visit in ticks.
    pub stay: u32,
}

impl Route {
    /// Route with a prefix before its cycle.
    #[must_use]
    pub const fn new(prefix: Vec<Stop>, cycle: Vec<Stop>) -> Self {
        Self { prefix, cycle }
    }

    /// Route without a prefix.
    #[must_use]
    pub fn cyclic(cycle: Vec<Stop>) -> Self {
        Self::new(Vec::new(), cycle)
    }
}

impl Stop {
    /// Visit to a vertex for a number of ticks.
    #[must_use]
    pub fn new(vertex: usize, stay: u32) -> Self {
        Self { vertex, stay }
    }
}

/// Ticks from the arrival of a guard at the first of some stops until its arrival at `next`, the
/// stop after the last.
pub(crate) fn duration(problem: &Problem, guard: usize, stops: &[Stop], next: &Stop) -> Tick {
    let following = stops.iter().skip(1).chain([next]);
    let each = stops.iter().zip(following).map(|(stop, next)| {
        let edge = problem.out_edge(stop.vertex, next.vertex);
        let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
        Tick::from(stop.stay) + Tick::from(ticks)
    });
    each.sum()
}

/// Joint period of cycles of these durations in ticks: their least common multiple. `None`: longer
/// than [`PERIOD_MAX`].
#[must_use]
pub fn joint_period(durations: impl IntoIterator<Item = Tick>) -> Option<Tick> {
    durations.into_iter().try_fold(1, |joint, duration| {
        // Neither is above the limit: no overflow.
        let joint = joint / greatest_common_divisor(joint, duration) * duration;
        (joint <= PERIOD_MAX).then_some(joint)
    })
}

pub(crate) fn greatest_common_divisor(a: Tick, b: Tick) -> Tick {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// Cost of a plan, to be minimised: the weighted sum of [`Terms`], in units of 2^-60.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub u128);

impl Cost {
    /// Cost as a double: 1 is an intruder that always escapes, or a tick of idleness.
    #[must_use]
    pub fn level(self) -> f64 {
        self.0 as f64 / PROBABILITY_ONE as f64
    }

    /// Whether the cost is lower than another by more than the rounding of doubles, also of their
    /// difference from 1: callers see costs that differ by less as equal.
    #[must_use]
    pub(crate) fn is_visibly_below(self, other: Self) -> bool {
        let least = other.0.max(u128::from(PROBABILITY_ONE)) >> 50;
        other.0.saturating_sub(self.0) > least
    }
}

/// Terms of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Terms {
    /// Probability of escape in units of 2^-60, rounded down.
    pub escape: u64,
    /// Longest time in ticks that a vertex of weight above 0 is out of sight in the joint period. A
    /// vertex that is never seen counts [`UNSEEN`].
    pub worst_idleness: Tick,
    /// Ticks since a vertex was last seen, averaged over the vertices by their weight and over the
    /// joint period; in units of 2^-60, rounded down.
    pub mean_idleness: u128,
}

/// Idleness in ticks of a vertex that is never seen.
pub const UNSEEN: Tick = 1 << 30;

/// Longest joint period, and longest prefix, in ticks.
pub const PERIOD_MAX: Tick = 200_000;
/// Maximum [`work`] to evaluate a plan, in steps.
pub const WORK_MAX: u64 = 400_000_000;
/// Work of one step of a dynamic intruder at one place.
const PLACE_WORK: u64 = 8;
/// Work of one step of a dynamic intruder for each link between places, where these are more than
/// four for each place.
const LINK_WORK: u64 = 2;
/// Work to compare the positions of two guards at a tick.
const PAIR_WORK: u64 = 4;

/// Approximate number of steps to evaluate a plan whose last prefix ends at tick `prefix` and that
/// has this joint period. The sum of: ticks times visible places and all vertices; for a dynamic
/// intruder, places and links for each instant of each distinct entry; pairs of guards where they
/// may not pass each other.
#[must_use]
pub fn work(problem: &Problem, prefix: Tick, period: Tick) -> u64 {
    let guards = 0..problem.guards().len();
    let sight = |guard| (0..problem.vertices()).map(move |v| problem.sight(guard, v).len());
    let seen: usize = guards.map(|guard| sight(guard).max().unwrap_or(0)).sum();
    // The number of distinct entries (in the cyclic part, an entry one period later is the same),
    // and the end of all entries.
    let (entries, end) = match problem.intruder().entry {
        Entry::Start => (1, 1),
        Entry::Mission(last) => {
            let all = Tick::from(last) + 1;
            (all.min(prefix + period), all)
        }
        Entry::Steady => (period, prefix + period),
    };
    let instants = Tick::from(problem.intruder().instants);
    let ticks = end + instants + prefix + 2 * period;
    let look = ticks.saturating_mul(seen as u64 + problem.vertices() as u64);
    let walk = match problem.intruder().motion {
        Motion::Still => 0,
        _ => (entries * instants).saturating_mul(step_work(problem)),
    };
    let pairs = if problem.spec().may_swap {
        0
    } else {
        (problem.guards().len() * (problem.guards().len() - 1) / 2) as u64
    };
    look.saturating_add(walk)
        .saturating_add(pairs * PAIR_WORK * (prefix + period))
}

/// Work of one step of a dynamic intruder at all places.
pub(crate) fn step_work(problem: &Problem) -> u64 {
    (problem.places() as u64 * PLACE_WORK).max(problem.links() as u64 * LINK_WORK)
}
