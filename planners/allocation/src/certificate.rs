//! Why no plan does some tasks: plain data, for whoever wants to check it.
//!
//! A certificate proves that no valid plan does all of its tasks.
//! [`certificates`](crate::certificates) finds them,
//! [`verify::certificate`](fn@crate::verify::certificate) checks them; they share no code.

use crate::problem::Micros;

/// That no valid plan does all of some tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Indices of the tasks, rising. One: no valid plan does it.
    pub tasks: Vec<usize>,
    /// How many of these every valid plan leaves out, at least; 1 or more.
    pub left_out: usize,
    /// What it follows from.
    pub proof: Proof,
}

/// What a certificate follows from. Bounds on times are those of agents that are free of all other
/// tasks, over any path and any tasks on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Nobody can do the task. Every agent is in one row.
    Nobody {
        /// Agent by agent; those that are barred alike are in one row.
        rows: Vec<Row>,
    },
    /// The tasks together are more than these agents can carry, and nobody else can do any of them.
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
    /// No two of the tasks fit on one route, in either order or for want of capacity, and they are
    /// more than the agents that can do any of them.
    Clique {
        /// Indices of the agents that can do any of the tasks, rising.
        agents: Vec<usize>,
    },
    /// All of the tasks end by a deadline. The tasks and the travel to them take longer than these
    /// agents have until then, and no other agent can do any of them.
    Time {
        /// Indices of the agents that can do any of the tasks, rising.
        agents: Vec<usize>,
        /// When the last of the tasks has ended, at the latest.
        deadline_us: Micros,
        /// Sum of the services, and of the quickest way to each task from anywhere.
        work_us: Micros,
        /// Sum of the time that each agent has, from when it can leave to the deadline or the end
        /// of its shift.
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
        /// What ties them: a pair, or an order whose second is the task.
        tie: Tied,
        /// Agent by agent.
        rows: Vec<Row>,
    },
    /// Couplings push the start of the task beyond the latest that is possible.
    Chain {
        /// From a task that does not wait to the task itself.
        links: Vec<Link>,
        /// What the last link is too late for.
        limit: Limit,
    },
    /// The task is not done without another, which nobody can do.
    Needs {
        /// From the task to that other, each step with what ties it to the one before.
        path: Vec<(Tied, usize)>,
        /// Why the last one is not done.
        root: Box<Proof>,
    },
    /// An agent cannot do the tasks that it has under way, of which the certificate's tasks are the
    /// first: there is no valid plan at all.
    UnderWay {
        /// Index of the agent.
        agent: usize,
        /// What keeps it from the last of them.
        bar: Bar,
    },
}

/// Agents that cannot do a task for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Indices of the agents, rising.
    pub agents: Vec<usize>,
    /// Index of the task.
    pub task: usize,
    /// Why not.
    pub bar: Bar,
}

/// What keeps an agent from a task in every plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Bar {
    /// Another agent has it under way.
    Elsewhere,
    /// It lacks skills.
    Skills {
        /// Bits of the missing skills.
        missing: u64,
    },
    /// It cannot carry it, beside what it has under way.
    Capacity {
        /// Which capacity.
        dimension: usize,
        /// What it would have to carry at least.
        load: i64,
        /// What it can carry.
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
    /// There is no way there.
    Unreachable,
}

/// What ties tasks to each other, by its index in the problem's couplings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tied {
    /// An order.
    Order(usize),
    /// A pair.
    Pair(usize),
    /// A group.
    Group(usize),
}

/// One task of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Index of the task.
    pub task: usize,
    /// What pushes it; `None` for the first.
    pub by: Option<Tied>,
    /// Earliest start: of the first in a window, of the others after what pushes them.
    pub earliest_us: Micros,
}

/// What a chain is too late for.
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
    /// That no valid plan does one task.
    #[must_use]
    pub fn alone(task: usize, proof: Proof) -> Self {
        Self {
            tasks: vec![task],
            left_out: 1,
            proof,
        }
    }
}
