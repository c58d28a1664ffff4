//! Obstacles: what bounds prove and explanations name.

use crate::problem::Micros;

/// What stands in the way of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The agent lacks skills: these bits.
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
    /// The mandatory tasks together are more than all agents together can carry: some task that has
    /// this demand is left out in every plan.
    TotalLoad {
        /// Dimension with the largest shortfall.
        dimension: usize,
        /// By how much.
        shortfall: i64,
    },
    /// The agent cannot be there before the last window closes (lateness allowed included).
    Window {
        /// Earliest arrival possible.
        arrival_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// The agent could do it but not be done before its shift ends.
    Shift {
        /// By how much too late.
        shortfall_us: Micros,
    },
    /// There is no way there, or none from there to the end place in time. Not proved: or the ways
    /// on the agent's route lead nowhere else.
    Unreachable,
    /// Each place on the agent's route would make it or a later task late, or the agent at the end
    /// of its shift.
    NoRoom {
        /// By how much the first of these would be late, at the best place on the route.
        shortfall_us: Micros,
    },
    /// It would fit, but the allowed number of changes of the previous plan is used up.
    Changes,
    /// It would fit, but doing it costs no less than leaving it out.
    Price,
    /// It would fit and make the plan cheaper: the search has not come to it.
    Fits,
    /// It cannot be done without this task: nobody can do that in any plan where it is proved, the
    /// plan leaves it out where not.
    Needs {
        /// Index of the task.
        task: usize,
    },
    /// Nobody can do both tasks of a pair.
    PairAgents {
        /// Index of the pair.
        pair: usize,
    },
    /// Nobody can do both tasks of an order that one agent has to do.
    OrderAgents {
        /// Index of the order.
        order: usize,
    },
    /// There are not as many agents that can do the tasks of a group as it has tasks.
    GroupAgents {
        /// Index of the group.
        group: usize,
    },
    /// An order lets it start too late.
    OrderTime {
        /// Index of the order.
        order: usize,
        /// Earliest start by the order.
        earliest_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// Its group can start too late only.
    GroupTime {
        /// Index of the group.
        group: usize,
        /// Earliest start of the group.
        earliest_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// What it delivers gets there too late.
    PairTime {
        /// Index of the pair.
        pair: usize,
        /// Earliest arrival with it.
        earliest_us: Micros,
        /// Latest start allowed.
        latest_us: Micros,
    },
    /// With the tasks that it goes with it fits nowhere in the plan, by the couplings, breaks and
    /// times of all agents together.
    NoPlace,
    /// It, and all that the plan leaves out and that it goes with, would fit if they could start so
    /// much later, added up, than their windows allow.
    LateTogether {
        /// By how much, all together.
        shortfall_us: Micros,
    },
    /// It was not tried: too many tasks are left out of too long routes, or time was up.
    Untested,
}
