//! What a planner answers: plain data.

use crate::problem::{Entry, Motion, PROBABILITY_ONE, Problem, Tick};

/// Where everybody goes, for ever.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// One for each guard, in their order.
    pub routes: Vec<Route>,
}

/// Where one guard goes: once along the prefix, then round the cycle for ever.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// From the start of the plan on. Empty: the cycle begins at once.
    pub prefix: Vec<Stop>,
    /// At least one stop. From the last it goes on to the first; a cycle of one stop is to stand
    /// there.
    pub cycle: Vec<Stop>,
}

/// A visit to a vertex. From one stop the guard goes to the next, a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stop {
    /// Index of the vertex.
    pub vertex: usize,
    /// Ticks that it stands there before it goes on.
    pub stay: u32,
}

/// Ticks from when a guard comes to the first of some stops until it comes to `next`, the stop
/// after the last.
pub(crate) fn duration(problem: &Problem, guard: usize, stops: &[Stop], next: &Stop) -> Tick {
    let following = stops.iter().skip(1).chain([next]);
    let each = stops.iter().zip(following).map(|(stop, next)| {
        let edge = problem.out_edge(stop.vertex, next.vertex);
        let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
        Tick::from(stop.stay) + Tick::from(ticks)
    });
    each.sum()
}

/// What a plan costs; lower is better: the weighted sum of [`Terms`], in units of 2^-60.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub u128);

impl Cost {
    /// As reports state it: 1 is an intruder who always escapes, or a tick of idleness.
    #[must_use]
    pub fn level(self) -> f64 {
        self.0 as f64 / PROBABILITY_ONE as f64
    }

    /// Whether it is lower than another by more than is lost where costs, and what they lack to 1,
    /// are stated as doubles: to callers, costs that differ by less are equal.
    #[must_use]
    pub fn is_visibly_below(self, other: Self) -> bool {
        let least = other.0.max(u128::from(PROBABILITY_ONE)) >> 50;
        other.0.saturating_sub(self.0) > least
    }
}

/// The named parts of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Terms {
    /// The probability that the intruder is not caught, of [`crate::problem::PROBABILITY_ONE`], rounded
    /// down.
    pub escape: u64,
    /// The longest time in ticks that a vertex of weight above 0 is out of sight in the joint
    /// period. A vertex that nobody ever sees counts [`UNSEEN`].
    pub worst_idleness: Tick,
    /// The ticks since a vertex was last seen, averaged over the vertices by their weight and over
    /// the joint period; of 2^-60, rounded down.
    pub mean_idleness: u128,
}

/// The idleness of a vertex that nobody ever sees, in ticks.
pub const UNSEEN: Tick = 1 << 30;

/// Longest joint period, and longest prefix, in ticks.
pub const PERIOD_MAX: Tick = 200_000;
/// What it may cost to judge a plan, in steps of [`work`].
pub const WORK_MAX: u64 = 400_000_000;
/// Steps that a step of a walking intruder counts for, at one place.
const WALK: u64 = 8;
/// The same for each way from a place that counts, where there are more than four.
const WAY: u64 = 2;
/// Steps that it counts for to compare where two guards are at a tick.
const PAIR: u64 = 4;

/// Approximate number of steps to evaluate a plan whose last prefix ends at tick `prefix` and that
/// has this joint period. It adds up: ticks, times visible places and all vertices; for walkers,
/// places and arcs for each instant of each distinct entry; pairs of guards where they may not pass
/// each other.
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
        .saturating_add(pairs * PAIR * (prefix + period))
}

/// What one step of a walking intruder counts for, at all places.
pub(crate) fn step_work(problem: &Problem) -> u64 {
    (problem.places() as u64 * WALK).max(problem.links() as u64 * WAY)
}
