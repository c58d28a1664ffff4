//! What a planner answers: plain data.

use crate::problem::Tick;

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
    /// At least one stop. From the last it goes on to the first; a cycle of one stop is to stand there.
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

/// What a plan costs; lower is better: the weighted sum of [`Terms`], in units of 2^-60.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub u128);

/// The named parts of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Terms {
    /// The probability that the intruder is not caught, of [`crate::problem::CERTAIN`], rounded down.
    pub escape: u64,
    /// The longest time in ticks that a vertex of weight above 0 is out of sight in the joint period. A vertex that nobody
    /// ever sees counts [`UNSEEN`].
    pub worst_idleness: Tick,
    /// The ticks since a vertex was last seen, averaged over the vertices by their weight and over the joint period; of
    /// 2^-60, rounded down.
    pub mean_idleness: u128,
}

/// The idleness of a vertex that nobody ever sees, in ticks.
pub const UNSEEN: Tick = 1 << 30;

/// Longest joint period, and longest prefix, in ticks.
pub const PERIOD_MAX: Tick = 200_000;
/// What it may cost to judge a plan, in steps: ticks to be looked at times what can be seen at once and all vertices, and
/// [`WALK`] for each place, instant and entry of a walking intruder that differ. Less than a second.
pub const WORK_MAX: u64 = 400_000_000;
/// Steps that a step of a walking intruder counts for, at one place.
pub const WALK: u64 = 8;
