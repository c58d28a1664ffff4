//! Obstacles: reasons why a task is left out, proved by bounds and reported by explanations.

use crate::certificate::CouplingId;
use crate::problem::Micros;

/// Why a task is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The agent lacks skills.
    MissingSkill {
        /// Bits of the missing skills.
        missing: u64,
    },
    /// The load would be above the capacity.
    Capacity {
        /// Dimension with the largest shortfall.
        dimension: usize,
        /// By how much.
        shortfall: i64,
    },
    /// The sum of the demands of the mandatory tasks is more than all agents can carry: every plan
    /// leaves out some task that has this demand.
    TotalLoad {
        /// Dimension with the largest shortfall.
        dimension: usize,
        /// By how much.
        shortfall: i64,
    },
    /// The agent arrives after the last window and the lateness allowed.
    Window {
        /// Earliest arrival possible.
        arrival_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// The agent could do it, but its route would end after its shift.
    Shift {
        /// By how much too late.
        shortfall_us: Micros,
    },
    /// There is no path to the task, or none from it to the end place in time. If this is not
    /// proved: there are no such arcs at any place of the agent's route.
    Unreachable,
    /// At each place on the agent's route the task or a later one would be late, or the route would
    /// end after the shift.
    NoRoom {
        /// Delay of the first of these, at the best place on the route.
        shortfall_us: Micros,
    },
    /// It would fit, but the plan already has the largest number of changes of the previous plan.
    Changes,
    /// It would fit, but the plan would not cost less.
    Price,
    /// It would fit and make the plan cheaper: the search has not found that yet.
    Fits,
    /// It is not done without another task. If this is proved the other one is impossible, else the
    /// plan leaves it out.
    Needs {
        /// Index of the other task.
        task: usize,
    },
    /// One agent has to do both tasks of a pair or an order, and none can.
    OneAgent {
        /// The pair or the order.
        by: CouplingId,
    },
    /// Fewer agents can do the tasks of a group than it has tasks.
    GroupAgents {
        /// Index of the group.
        group: usize,
    },
    /// A coupling lets it start too late.
    CouplingTime {
        /// The coupling.
        by: CouplingId,
        /// Earliest start that the coupling allows.
        earliest_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// The task, with the tasks that are coupled with it, fits nowhere in the plan: couplings,
    /// breaks and times of all agents are checked jointly.
    NoPlace,
    /// The task, with the coupled tasks that the plan leaves out, would fit if their windows closed
    /// later.
    LateTogether {
        /// Sum of the delays.
        shortfall_us: Micros,
    },
    /// It was not tried: too many tasks are left out of routes that are too long, or time ran out.
    Untested,
}
