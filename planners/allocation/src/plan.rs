//! What a planner answers: plain data.

use crate::problem::{LEVELS_MAX, Micros, Term};

/// Who does what, when. Tasks that are in no route are not done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// One for each agent that has tasks, by rising agent index.
    pub routes: Vec<Route>,
}

/// What one agent does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Index of the agent.
    pub agent: usize,
    /// Its tasks in order, at least one.
    pub stops: Vec<Stop>,
}

/// One task on a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// Index of the task.
    pub task: usize,
    /// When the work starts, in microseconds from the start of the plan.
    pub start_us: Micros,
}

/// What a plan costs, compared level by level; lower is better. Levels that the objective does not
/// have are 0.
///
/// A level is the weighted sum of its terms, each term in millionths of its unit ([`Terms`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub [i64; LEVELS_MAX]);

/// The named parts of a cost, in millionths of their unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// Mandatory tasks that nobody does; each counts a million.
    pub unserved_micro: i64,
    /// Penalties of the optional tasks that nobody does.
    pub drop_penalty_micro: i64,
    /// Travel cost of all agents.
    pub travel_cost_micro: i64,
    /// When the last agent with tasks is done, in microseconds from the start of the plan; 0 when
    /// nobody has any.
    pub makespan_us: Micros,
    /// How much later than their last window tasks start, all together, in microseconds.
    pub lateness_us: Micros,
    /// Agents that have tasks; each counts a million.
    pub agents_used_micro: i64,
}

impl Terms {
    /// The value of one term, in millionths of its unit.
    #[must_use]
    pub fn get(&self, term: Term) -> i64 {
        match term {
            Term::Unserved => self.unserved_micro,
            Term::DropPenalty => self.drop_penalty_micro,
            Term::TravelCost => self.travel_cost_micro,
            Term::Makespan => self.makespan_us,
            Term::Lateness => self.lateness_us,
            Term::AgentsUsed => self.agents_used_micro,
        }
    }
}
