//! A validated problem.

mod check;
mod coupling;
mod objective;

pub use coupling::{
    AGENT_BREAKS_MAX, BREAKS_MAX, Break, Couplings, GROUPS_MAX, Group, ORDERS_MAX, Order,
    PAIRS_MAX, PREFERENCES_MAX, Pair, Preference, RATE_MAX_MICRO,
};

use crate::errors::ProblemError;
use crate::plan::{Cost, Terms};
use crate::travel::Travel;

/// Microseconds, from the start of the plan where it is a moment.
pub type Micros = i64;

/// A time for people: in seconds, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Micros);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (
            self.0.unsigned_abs() / 1_000_000,
            self.0.unsigned_abs() % 1_000_000,
        );
        let part = format!("{part:06}");
        match part.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole} s"),
            part => write!(f, "{sign}{whole}.{part} s"),
        }
    }
}

/// Most agents in a problem.
pub const AGENTS_MAX: usize = 200;
/// Most tasks in a problem.
pub const TASKS_MAX: usize = 1_000;
/// Most capacity dimensions.
pub const DIMENSIONS_MAX: usize = 8;
/// Most windows of a task.
pub const WINDOWS_MAX: usize = 16;
/// Most levels of an objective, the one included that is put in front where it forgets the tasks
/// not done. Terms that are used are at one level each; there are more terms than levels.
pub const LEVELS_MAX: usize = 6;
/// Latest moment and longest duration that a problem may name: ten years of 365 days.
pub const TIME_MAX_US: Micros = 10 * 365 * 86_400 * MICRO;
/// End of a shift that has none: twice [`TIME_MAX_US`].
pub const SHIFT_OPEN_US: Micros = 2 * TIME_MAX_US;
/// Largest capacity or demand in one dimension.
pub const QUANTITY_MAX: i64 = 1_000_000_000;
/// Slowest speed, in millionths.
pub const SPEED_MIN_MICRO: i64 = 1_000;
/// Fastest speed, in millionths.
pub const SPEED_MAX_MICRO: i64 = 1_000_000_000;
/// Largest drop penalty, in millionths of a unit of travel cost.
pub const PENALTY_MAX_MICRO: i64 = 1_000_000_000 * MICRO;
/// Largest weight of a term.
pub const WEIGHT_MAX: i64 = 1_000_000;
/// Millionths in one.
pub const MICRO: i64 = 1_000_000;

/// A problem as given: plain data, nothing checked. [`Problem::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Who can work.
    pub agents: Vec<Agent>,
    /// What is to be done.
    pub tasks: Vec<Task>,
    /// How far locations are apart; agents and tasks name locations by index.
    pub travel: Travel,
    /// What counts, most important first. Empty: the default, mandatory tasks not done,
    /// then drop penalties plus travel cost.
    pub objective: Vec<Level>,
    /// The plan that is being carried out.
    pub previous: Option<Previous>,
    /// What ties tasks to each other, and agents to the clock.
    pub couplings: Couplings,
    /// What time it is: nothing that is not under way happens before. 0 to [`TIME_MAX_US`]; 0: the
    /// plan begins.
    pub now_us: Micros,
}

/// Somebody who can do tasks, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Location where it stands at the start of its shift.
    pub start: usize,
    /// Location where it has to be in the end; `None`: wherever its last task is.
    pub end: Option<usize>,
    /// When it can leave its start, 0 to [`TIME_MAX_US`]. See [`Problem::leaves_us`].
    pub shift_start_us: Micros,
    /// Latest moment, inclusive, at which it has done its last task and reached its end. At most
    /// [`TIME_MAX_US`], or [`SHIFT_OPEN_US`] for no limit.
    pub shift_end_us: Micros,
    /// What it can carry, one value a dimension; missing ones are 0.
    pub capacities: Vec<i64>,
    /// What it can do, one bit a skill.
    pub skills: u64,
    /// Its speed in millionths: travel takes duration * 10^6 / speed, rounded up.
    pub speed_micro: i64,
}

/// Something to be done once, by one agent, without interruption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Location where it is done.
    pub location: usize,
    /// How long it takes, 0 to [`TIME_MAX_US`].
    pub service_us: Micros,
    /// When it may start, rising, not overlapping nor touching. Empty: at any time.
    pub windows: Vec<Window>,
    /// How much of each capacity it takes; missing ones are 0.
    pub demands: Vec<i64>,
    /// Skills that its agent must have, all of them.
    pub skills: u64,
    /// What leaving it out costs, in millionths; `None`: it is mandatory.
    pub drop_penalty_micro: Option<i64>,
    /// How much later than its last window it may start. `None` is 0. Without windows it means
    /// nothing.
    pub lateness_max_us: Option<Micros>,
}

/// A time window, ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Earliest start.
    pub open_us: Micros,
    /// Latest start.
    pub close_us: Micros,
}

/// A weighted sum of terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its terms, at least one.
    pub terms: Vec<(Term, i64)>,
}

/// What can be counted. See [`crate::plan::Terms`] for units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// Mandatory tasks that nobody does.
    Unserved,
    /// Penalties of the optional tasks that nobody does.
    DropPenalty,
    /// Travel cost of all agents.
    TravelCost,
    /// When the last agent is done.
    Makespan,
    /// How much later than their last window tasks start.
    Lateness,
    /// Agents that have tasks.
    AgentsUsed,
    /// What starts outside of preferred times cost.
    Preferences,
    /// Tasks that another agent does than in the previous plan.
    TasksMoved,
    /// How much longer the busiest agent travels and works than the least busy, idle ones included.
    Balance,
}

/// A plan that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Previous {
    /// At most one for each agent.
    pub routes: Vec<PreviousRoute>,
    /// How many tasks may go to another agent than before. A task that is new or no longer done
    /// does not count.
    pub changes_max: Option<usize>,
}

/// What one agent was going to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviousRoute {
    /// Index of the agent.
    pub agent: usize,
    /// Its tasks in order.
    pub tasks: Vec<usize>,
    /// How many of them, from the first, are done or under way: they stay first, with this agent,
    /// in this order.
    pub started: usize,
}

/// A checked problem: every index is in range, every sum of costs fits, the objective is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    levels: Vec<Level>,
    strict: bool,
    coupled: bool,
    dimensions: usize,
    previous_agent: Vec<Option<usize>>,
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// All mistakes, in the order agents, tasks, travel, couplings, objective, previous plan, now.
    pub fn new(spec: Spec) -> Result<Self, Vec<ProblemError>> {
        let errors = check::errors(&spec);
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self::assemble(spec))
    }

    fn assemble(spec: Spec) -> Self {
        let levels = objective::complete(&spec);
        let strict = levels[0].terms.len() == 1 && levels[0].terms[0].0 == Term::Unserved;
        let coupled = !spec.couplings.is_empty() || objective::is_coupled(&levels);
        let longest = |lists: &mut dyn Iterator<Item = usize>| lists.max().unwrap_or(0);
        let dimensions = longest(&mut spec.agents.iter().map(|a| a.capacities.len()))
            .max(longest(&mut spec.tasks.iter().map(|t| t.demands.len())));
        let mut previous_agent = vec![None; spec.tasks.len()];
        for route in spec.previous.iter().flat_map(|p| &p.routes) {
            for &task in &route.tasks {
                previous_agent[task] = Some(route.agent);
            }
        }
        Self {
            spec,
            levels,
            strict,
            coupled,
            dimensions,
            previous_agent,
        }
    }

    /// The problem as it was given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The same after a change that leaves every index and every sum in range; that is not checked.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Spec)) -> Self {
        let mut spec = self.spec.clone();
        change(&mut spec);
        Self::assemble(spec)
    }

    /// Changes how many of its tasks each agent has under way, those without a route excepted.
    pub(crate) fn set_started(&mut self, started: &[usize]) {
        let routes = self.spec.previous.iter_mut().flat_map(|p| &mut p.routes);
        routes.for_each(|route| route.started = started[route.agent]);
    }

    /// The agents.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        &self.spec.agents
    }

    /// The tasks.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        &self.spec.tasks
    }

    /// How far locations are apart.
    #[must_use]
    pub fn travel(&self) -> &Travel {
        &self.spec.travel
    }

    /// The plan that is being carried out.
    #[must_use]
    pub fn previous(&self) -> Option<&Previous> {
        self.spec.previous.as_ref()
    }

    /// The objective, complete: [`Term::Unserved`] is in it, every level has a term and every
    /// weight is at least 1.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether mandatory means mandatory: the first level is the unserved tasks alone.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// What ties tasks to each other, and agents to the clock.
    #[must_use]
    pub fn couplings(&self) -> &Couplings {
        &self.spec.couplings
    }

    /// Whether routes cannot be judged one by one: there are couplings, or the objective counts
    /// preferred times, tasks moved or balance.
    #[must_use]
    pub fn is_coupled(&self) -> bool {
        self.coupled
    }

    /// The same without couplings, where what is picked up and delivered weighs nothing: every
    /// valid plan of this problem, without its breaks, is one of that problem, and costs no more
    /// there.
    pub(crate) fn uncoupled(&self) -> Self {
        let mut free = self.clone();
        let couplings = std::mem::take(&mut free.spec.couplings);
        for pair in &couplings.pairs {
            free.spec.tasks[pair.pickup].demands.clear();
        }
        free.coupled = false;
        free
    }

    /// Capacity dimensions in use.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The agent that the previous plan gave a task to.
    #[must_use]
    pub fn previous_agent(&self, task: usize) -> Option<usize> {
        self.previous_agent[task]
    }

    /// The tasks that must stay first on the route of `agent`, in this order.
    #[must_use]
    pub fn started(&self, agent: usize) -> &[usize] {
        let route = self
            .spec
            .previous
            .iter()
            .flat_map(|p| &p.routes)
            .find(|r| r.agent == agent);
        route.map_or(&[], |route| &route.tasks[..route.started])
    }

    /// What time it is.
    #[must_use]
    pub fn now_us(&self) -> Micros {
        self.spec.now_us
    }

    /// When an agent leaves its start: at the start of its shift, and without tasks under way not
    /// before now.
    #[must_use]
    pub fn leaves_us(&self, agent: usize) -> Micros {
        let shift_start_us = self.spec.agents[agent].shift_start_us;
        if self.started(agent).is_empty() {
            shift_start_us.max(self.spec.now_us)
        } else {
            shift_start_us
        }
    }

    /// The cost of these terms under this problem's objective.
    #[must_use]
    pub fn cost(&self, terms: &Terms) -> Cost {
        let mut cost = Cost::default();
        for (sum, level) in cost.0.iter_mut().zip(&self.levels) {
            // Fits: check::errors bounds each level by what the worst plan costs.
            *sum = level
                .terms
                .iter()
                .map(|&(term, weight)| weight * terms.get(term))
                .sum();
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::Seconds;

    #[test]
    fn seconds_are_exact() {
        let told = [0, 1, -1_500_000, 90_000_000, i64::MIN].map(|us| Seconds(us).to_string());
        let expected = [
            "0 s",
            "0.000001 s",
            "-1.5 s",
            "90 s",
            "-9223372036854.775808 s",
        ];
        assert_eq!(told, expected);
    }
}
