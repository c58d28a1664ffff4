//! Couplings of tasks, and breaks of agents.

use super::{DENSE_AGENTS_MAX, DENSE_TASKS_MAX, MICRO, Micros};
use petgraph::graphmap::DiGraphMap;

/// Most orders between tasks.
pub const ORDERS_MAX: usize = 2 * DENSE_TASKS_MAX;
/// Most pairs of pickup and delivery: a task is in one at most.
pub const PAIRS_MAX: usize = DENSE_TASKS_MAX / 2;
/// Most groups of tasks that start together: a task is in one at most.
pub const GROUPS_MAX: usize = DENSE_TASKS_MAX / 2;
/// Most breaks of all agents.
pub const BREAKS_MAX: usize = 2 * DENSE_AGENTS_MAX;
/// Most breaks of one agent.
pub const AGENT_BREAKS_MAX: usize = 4;
/// Most preferences: a task has one at most.
pub const PREFERENCES_MAX: usize = DENSE_TASKS_MAX;
/// Largest cost of a second too early or too late, in millionths: a million.
pub const RATE_MAX_MICRO: i64 = 1_000_000 * MICRO;

/// Couplings of tasks, breaks of agents and preferred times. The default is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Couplings {
    /// Orders, at most [`ORDERS_MAX`].
    pub orders: Vec<Order>,
    /// Pairs of pickup and delivery, at most [`PAIRS_MAX`].
    pub pairs: Vec<Pair>,
    /// Groups of synchronised tasks, at most [`GROUPS_MAX`].
    pub groups: Vec<Group>,
    /// Breaks, at most [`BREAKS_MAX`], of one agent at most [`AGENT_BREAKS_MAX`].
    pub breaks: Vec<Break>,
    /// Preferred times, at most [`PREFERENCES_MAX`].
    pub preferences: Vec<Preference>,
}

/// An order: a task starts some time after another has ended. The second is not done without the
/// first; the first may be done alone.
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

/// A pickup and its delivery, on the same route and in this order. Neither is done without the
/// other.
///
/// The demand of the pickup is carried from there to the delivery only. The delivery has no demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Index of the pickup.
    pub pickup: usize,
    /// Index of the delivery.
    pub delivery: usize,
}

/// A group of synchronised tasks: they start simultaneously, each with another agent. All are done
/// or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Indices of the tasks, at least two.
    pub tasks: Vec<usize>,
}

/// A break of an agent. It interrupts waiting or travel, which takes that much longer, but not
/// work.
///
/// Only agents with tasks take breaks. A route that ends before the latest start of a break need
/// not take it. For breaks before now see the [crate](crate#problem).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Index of the agent.
    pub agent: usize,
    /// Its length, 0 to [`TIME_MAX_US`](super::TIME_MAX_US).
    pub length_us: Micros,
    /// Earliest start.
    pub earliest_us: Micros,
    /// Latest start, inclusive, not before the agent's shift starts.
    pub latest_us: Micros,
}

/// A preferred time of a task. The costs of starts outside of it are the term
/// [`Preferences`](super::Term::Preferences), rounded up to whole millionths for each task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preference {
    /// Index of the task.
    pub task: usize,
    /// Earliest preferred start.
    pub from_us: Micros,
    /// Latest preferred start.
    pub until_us: Micros,
    /// Cost of each second too early, in millionths, 0 to [`RATE_MAX_MICRO`].
    pub early_micro: i64,
    /// Cost of each second too late, in millionths, 0 to [`RATE_MAX_MICRO`].
    pub late_micro: i64,
}

impl Preference {
    /// Cost of a start, in millionths, rounded up.
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

    /// For each task the first of its group, which stands for it, and edges from those to the ones
    /// that they wait for.
    pub(crate) fn waits(&self, tasks: usize) -> (Vec<usize>, DiGraphMap<usize, ()>) {
        let mut name: Vec<usize> = (0..tasks).collect();
        for group in &self.groups {
            for &task in &group.tasks {
                name[task] = group.tasks[0];
            }
        }
        let orders = self.orders.iter().map(|o| (o.second, o.first));
        let pairs = self.pairs.iter().map(|p| (p.delivery, p.pickup));
        let waits = orders.chain(pairs);
        let waits = waits.map(|(second, first)| (name[second], name[first]));
        let waits = DiGraphMap::from_edges(waits);
        (name, waits)
    }
}
