//! What a planner answers: plain data.

use crate::problem::{LEVELS_MAX, Micros, Term};

/// Who does what, when. Tasks that are in no route are not done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// One for each agent that has tasks, by rising agent index.
    pub routes: Vec<Route>,
}

/// What one agent does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// Index of the agent.
    pub agent: usize,
    /// Its tasks in order, at least one.
    pub stops: Vec<Stop>,
    /// The breaks that it takes, in order.
    pub rests: Vec<Rest>,
}

/// A break that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// Index of the break in the problem's couplings.
    pub index: usize,
    /// Before which of the route's stops; as many as there are: after the last, and before the end
    /// place is reached.
    pub stop: usize,
    /// When it starts, in microseconds from the start of the plan.
    pub start_us: Micros,
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
    /// What starts outside of preferred times cost.
    pub preferences_micro: i64,
    /// Tasks that another agent does than in the previous plan; each counts a million.
    pub tasks_moved_micro: i64,
    /// How much longer the busiest agent travels and works than the least busy, in microseconds.
    /// Who has no tasks does neither; waiting and breaks do not count.
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
