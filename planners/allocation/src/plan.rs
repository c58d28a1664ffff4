//! Plans and costs: plain data.

use crate::problem::{LEVELS_MAX, Micros, Term};

/// A plan: routes of agents. Tasks in no route are not done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// One for each agent that has tasks, by rising agent index.
    pub routes: Vec<Route>,
}

/// A route of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// Index of the agent.
    pub agent: usize,
    /// Its tasks in order, at least one.
    pub stops: Vec<Stop>,
    /// The breaks that it takes, in order.
    pub rests: Vec<Rest>,
}

impl Route {
    /// A route without breaks.
    #[must_use]
    pub const fn new(agent: usize, stops: Vec<Stop>) -> Self {
        Self {
            agent,
            stops,
            rests: Vec::new(),
        }
    }
}

/// A break that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// Index of the break in the problem's couplings.
    pub index: usize,
    /// Index of the stop before which it is taken; the number of stops: after the last one and
    /// before the arrival at the end place.
    pub stop: usize,
    /// Its start, in microseconds from the start of the plan.
    pub start_us: Micros,
}

/// A visit: one task on a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// Index of the task.
    pub task: usize,
    /// Start of the work, in microseconds from the start of the plan.
    pub start_us: Micros,
}

/// Cost of a plan: a vector of levels, compared lexicographically; lower is better. Levels that the
/// objective does not have are 0.
///
/// A level is the weighted sum of its terms, each term in millionths of its unit ([`Terms`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub [i64; LEVELS_MAX]);

/// The terms of a cost, in millionths of their unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// Mandatory tasks not done; each counts a million.
    pub unserved_micro: i64,
    /// Penalties of the optional tasks not done.
    pub drop_penalty_micro: i64,
    /// Travel cost of all agents.
    pub travel_cost_micro: i64,
    /// End of the last route, in microseconds from the start of the plan; 0 without routes.
    pub makespan_us: Micros,
    /// Sum of the lateness of starts after the last windows, in microseconds.
    pub lateness_us: Micros,
    /// Agents that have tasks; each counts a million.
    pub agents_used_micro: i64,
    /// Costs of starts outside of preferred times.
    pub preferences_micro: i64,
    /// Tasks moved from their agent in the previous plan; each counts a million.
    pub tasks_moved_micro: i64,
    /// Difference of travel and work between the busiest and the least busy agent, in microseconds.
    /// Agents without tasks count as 0; waiting and breaks do not count.
    pub balance_us: Micros,
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
            Term::Preferences => self.preferences_micro,
            Term::TasksMoved => self.tasks_moved_micro,
            Term::Balance => self.balance_us,
        }
    }
}
