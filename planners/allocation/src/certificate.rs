//! Certificates of infeasibility: plain data.
//!
//! A certificate proves that no valid plan does all of its tasks.
//! [`certificates`](crate::certificates) finds certificates,
//! [`verify::certificate`](fn@crate::verify::certificate) checks them. The two share no code.

use crate::plan::Cost;
use crate::problem::Micros;

/// A proof that no valid plan does all of some tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Indices of the tasks, rising. If there is one, no valid plan does it.
    pub tasks: Vec<usize>,
    /// Lower bound on how many of these a valid plan leaves out; at least 1.
    pub left_out: usize,
    /// What it follows from.
    pub proof: Proof,
}

/// What a certificate follows from. Bounds on times are those of agents that are free of all other
/// tasks, over any path and any tasks on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// No agent can do the task. Every agent is in one row.
    NoAgent {
        /// Agents that cannot do the task, those with the same incompatibility in one row.
        rows: Vec<Row>,
    },
    /// The sum of the demands is more than these agents can carry, and no other agent can do any of
    /// the tasks.
    Load {
        /// Indices of the agents that can do any of the tasks, rising.
        agents: Vec<usize>,
        /// Which capacity.
        dimension: usize,
        /// Sum of the demands of the tasks.
        load: i64,
        /// Sum of what the agents can carry.
        capacity: i64,
    },
    /// Clique bound: no two of the tasks fit on one route, in either order or for want of capacity,
    /// and they are more than the agents that can do any of them.
    Clique {
        /// Indices of the agents that can do any of the tasks, rising.
        agents: Vec<usize>,
    },
    /// Energetic reasoning: all of the tasks end by a deadline. They and the travel to them take
    /// longer than these agents have until then, and no other agent can do any of them.
    Time {
        /// Indices of the agents that can do any of the tasks, rising.
        agents: Vec<usize>,
        /// Latest end of the last of the tasks.
        deadline_us: Micros,
        /// Sum of the service times, and of the quickest arc into each task.
        work_us: Micros,
        /// Sum over the agents of the time from when one can leave to the deadline or the end of
        /// its shift.
        room_us: Micros,
    },
    /// Some members of the task's group are more than the agents that can do any of them.
    Group {
        /// Index of the group.
        group: usize,
        /// Indices of these members, rising.
        members: Vec<usize>,
        /// Indices of the agents that can do any of them, rising.
        agents: Vec<usize>,
    },
    /// One agent has to do the task and another one, and no agent can do both: every agent is in
    /// one row, about one of the two.
    OneAgent {
        /// A pair, or an order whose second task is the task.
        coupling: CouplingId,
        /// Agents that cannot do one of the two.
        rows: Vec<Row>,
    },
    /// Couplings push the start of the task beyond the latest that is possible.
    Chain {
        /// From a task that does not wait to the task itself.
        links: Vec<Link>,
        /// The latest time that the last link is after.
        limit: Limit,
    },
    /// The task is not done without another one, which is impossible.
    Needs {
        /// Tasks from the task to that other one, each with its coupling to the task before.
        path: Vec<(CouplingId, usize)>,
        /// Why the last one is impossible.
        root: Box<Proof>,
    },
    /// An agent cannot do the tasks that it has under way, of which the certificate's tasks are the
    /// first: no plan is valid.
    Committed {
        /// Index of the agent.
        agent: usize,
        /// Why it cannot do the last of them.
        incompatibility: Incompatibility,
    },
}

/// Agents that cannot do a task because of the same incompatibility.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Indices of the agents, rising.
    pub agents: Vec<usize>,
    /// Index of the task.
    pub task: usize,
    /// Why they cannot do it.
    pub incompatibility: Incompatibility,
}

/// Why an agent does not do a task in any plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Incompatibility {
    /// Another agent has it under way.
    Elsewhere,
    /// It lacks skills.
    Skills {
        /// Bits of the missing skills.
        missing: u64,
    },
    /// It cannot carry the demand of the task in addition to those of its tasks under way.
    Capacity {
        /// Which capacity.
        dimension: usize,
        /// Lower bound on its load with the task.
        load: i64,
        /// Its capacity.
        capacity: i64,
    },
    /// It arrives after the last window and the lateness allowed.
    Window {
        /// Earliest arrival possible, or a bound below it.
        arrival_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// It arrives in time, but its shift is over before it is done and at its end place.
    Shift {
        /// Earliest start possible, or a bound below it.
        earliest_us: Micros,
        /// Latest start, in a window, from which the shift can end in time; `None`: there is none.
        latest_us: Option<Micros>,
    },
    /// There is no path to the task.
    Unreachable,
}

/// A coupling of tasks, by its index in the problem's couplings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CouplingId {
    /// An order.
    Order(usize),
    /// A pair.
    Pair(usize),
    /// A group.
    Group(usize),
}

impl CouplingId {
    /// The field of the problem that has the coupling, as the contract writes it.
    #[must_use]
    pub fn field(self) -> String {
        match self {
            Self::Order(order) => format!("couplings.orders[{order}]"),
            Self::Pair(pair) => format!("couplings.pairs[{pair}]"),
            Self::Group(group) => format!("couplings.groups[{group}]"),
        }
    }
}

/// One task of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Index of the task.
    pub task: usize,
    /// The coupling that pushes it; `None` for the first.
    pub by: Option<CouplingId>,
    /// Earliest start: of the first in a window, of the others after the task that pushes them.
    pub earliest_us: Micros,
}

/// The latest time that a chain exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The latest start by windows and shifts.
    Start {
        /// The latest start, for any agent.
        latest_us: Micros,
    },
    /// The longest gap of an order of which the task is the second.
    Gap {
        /// Index of the order.
        order: usize,
        /// Latest end of the first, and the longest gap.
        latest_us: Micros,
    },
}

impl Certificate {
    /// A certificate that no valid plan does one task.
    #[must_use]
    pub fn of_task(task: usize, proof: Proof) -> Self {
        Self {
            tasks: vec![task],
            left_out: 1,
            proof,
        }
    }
}

/// A proof, by dual values, that every valid plan costs at least some bound. It is about the first
/// level of the cost, after that of the unserved tasks in a strict problem.
///
/// The bound is `sum duals + sum over classes of least * number of agents`, rounded up to a
/// multiple of the greatest common divisor of all costs at the level. Why it holds:
/// `bound/columns.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DualBound {
    /// By task, its dual value: at least 0, and at most the cost of leaving it out.
    pub duals: Vec<i64>,
    /// By task, the tasks that a route remembers when it has served it, rising, itself among
    /// them. A route does not serve a task that it remembers.
    pub neighbours: Vec<Vec<usize>>,
    /// Classes of identical agents; each agent is in one.
    pub classes: Vec<PricedClass>,
    /// What every valid plan costs at least.
    pub bound: Cost,
}

/// Identical agents, and what their routes cost at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedClass {
    /// Indices of the agents, rising.
    pub agents: Vec<usize>,
    /// No route of them costs less than this plus the dual values of its tasks; at most 0.
    pub least: i64,
}
