//! What ties tasks to each other, and agents to the clock.

use super::{AGENTS_MAX, MICRO, Micros, TASKS_MAX};

/// Most orders between tasks.
pub const ORDERS_MAX: usize = 2 * TASKS_MAX;
/// Most pairs of pickup and delivery: a task is in one at most.
pub const PAIRS_MAX: usize = TASKS_MAX / 2;
/// Most groups of tasks that start together: a task is in one at most.
pub const GROUPS_MAX: usize = TASKS_MAX / 2;
/// Most breaks of all agents together.
pub const BREAKS_MAX: usize = 2 * AGENTS_MAX;
/// Most breaks of one agent.
pub const AGENT_BREAKS_MAX: usize = 4;
/// Most preferences: a task has one at most.
pub const PREFERENCES_MAX: usize = TASKS_MAX;
/// Largest price of a second too early or too late, in millionths: a million.
pub const RATE_MAX_MICRO: i64 = 1_000_000 * MICRO;

/// What ties tasks to each other, and agents to the clock. The default is nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Couplings {
    /// Which tasks start after others, at most [`ORDERS_MAX`].
    pub orders: Vec<Order>,
    /// What is picked up and delivered, at most [`PAIRS_MAX`].
    pub pairs: Vec<Pair>,
    /// Which tasks start at the same moment, at most [`GROUPS_MAX`].
    pub groups: Vec<Group>,
    /// When agents rest, at most [`BREAKS_MAX`], of one agent [`AGENT_BREAKS_MAX`].
    pub breaks: Vec<Break>,
    /// When tasks had better start, at most [`PREFERENCES_MAX`].
    pub preferences: Vec<Preference>,
}

/// One task starts some time after another has ended. Without the first the second is not done;
/// the first may be done alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// Index of the task that ends first.
    pub first: usize,
    /// Index of the task that starts afterwards.
    pub second: usize,
    /// Least time between the end of one and the start of the other, 0 to
    /// [`TIME_MAX_US`](super::TIME_MAX_US).
    pub gap_min_us: Micros,
    /// Longest such time, at least `gap_min_us`; `None`: any.
    pub gap_max_us: Option<Micros>,
    /// Whether one agent does both.
    pub same_agent: bool,
}

/// Something that is picked up by one task and delivered by another, on the same route and in this
/// order. Neither is done without the other.
///
/// What the pickup demands is carried from there to the delivery only. The delivery demands
/// nothing itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Index of the task that picks it up.
    pub pickup: usize,
    /// Index of the task that delivers it.
    pub delivery: usize,
}

/// Tasks that start at the same moment, each done by another agent. All are done or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Indices of the tasks, at least two.
    pub tasks: Vec<usize>,
}

/// A rest of an agent. It rests wherever it is, on the way too, which takes that much longer then,
/// but not during work.
///
/// Only an agent with tasks rests, and one that is done, at its end place if it has one, when the
/// rest has to start at the latest need not: it rests afterwards. For now see the crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Index of the agent.
    pub agent: usize,
    /// How long it takes, 0 to [`TIME_MAX_US`](super::TIME_MAX_US).
    pub length_us: Micros,
    /// Earliest start.
    pub earliest_us: Micros,
    /// Latest start, inclusive, not before the agent's shift starts.
    pub latest_us: Micros,
}

/// When a task had better start. What it costs otherwise is the term
/// [`Preferences`](super::Term::Preferences), rounded up to whole millionths for each task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preference {
    /// Index of the task.
    pub task: usize,
    /// Before this a start is too early.
    pub from_us: Micros,
    /// After this a start is too late.
    pub until_us: Micros,
    /// What each second too early costs, in millionths, 0 to [`RATE_MAX_MICRO`].
    pub early_micro: i64,
    /// What each second too late costs, in millionths, 0 to [`RATE_MAX_MICRO`].
    pub late_micro: i64,
}

impl Preference {
    /// What this start costs, in millionths, rounded up.
    #[must_use]
    pub fn cost_micro(&self, start_us: Micros) -> i64 {
        let early_us = i128::from(self.from_us.saturating_sub(start_us).max(0));
        let late_us = i128::from(start_us.saturating_sub(self.until_us).max(0));
        let cost = early_us * i128::from(self.early_micro) + late_us * i128::from(self.late_micro);
        let micro = i128::from(MICRO);
        i64::try_from((cost + micro - 1) / micro).unwrap_or(i64::MAX)
    }
}

impl Couplings {
    /// Whether nothing is coupled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
            && self.pairs.is_empty()
            && self.groups.is_empty()
            && self.breaks.is_empty()
            && self.preferences.is_empty()
    }
}
