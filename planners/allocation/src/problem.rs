//! A validated problem.

mod check;
mod coupling;
mod objective;

pub use coupling::{
    AGENT_BREAKS_MAX, BREAKS_MAX, Break, Couplings, GROUPS_MAX, Group, ORDERS_MAX, Order,
    PAIRS_MAX, PREFERENCES_MAX, Pair, Preference, RATE_MAX_MICRO,
};

use crate::plan::{Cost, Terms};
use crate::travel::Travel;
use anytime::Fault;

/// Microseconds, from the start of the plan where it is a moment.
pub type Micros = i64;

/// Most agents in a problem.
pub const AGENTS_MAX: usize = 1_000;
/// Most tasks in a problem.
pub const TASKS_MAX: usize = 10_000;
/// Most agents in a problem that has a matrix or is coupled ([`Problem::is_coupled`]).
pub const DENSE_AGENTS_MAX: usize = 200;
/// Most tasks in such a problem.
pub const DENSE_TASKS_MAX: usize = 1_000;
/// Most capacity dimensions.
pub const DIMENSIONS_MAX: usize = 8;
/// Most windows of a task.
pub const WINDOWS_MAX: usize = 16;
/// Most levels of an objective, including the level of unserved tasks that is put in front if the
/// objective does not mention them. Each term is at one level at most.
pub const LEVELS_MAX: usize = 6;
/// Latest moment and longest duration that a problem may name: ten years of 365 days.
pub const TIME_MAX_US: Micros = 10 * 365 * 86_400 * MICRO;
/// Shift end that stands for no limit: twice [`TIME_MAX_US`].
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
    /// The agents.
    pub agents: Vec<Agent>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Travel times and costs; agents and tasks name locations by index.
    pub travel: Travel,
    /// The objective, most important level first. Empty: the default, mandatory tasks not done,
    /// then drop penalties plus travel cost.
    pub objective: Vec<Level>,
    /// The previous plan, which is being carried out.
    pub previous: Option<Previous>,
    /// The couplings of tasks, and the breaks of agents.
    pub couplings: Couplings,
    /// The current time: only tasks under way happen before. 0 to [`TIME_MAX_US`]; 0: the plan
    /// begins.
    pub now_us: Micros,
}

/// An agent: it does tasks one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Location at the start of its shift.
    pub start: usize,
    /// Location at the end of its route; `None`: that of its last task.
    pub end: Option<usize>,
    /// Earliest departure from its start, 0 to [`TIME_MAX_US`]. See [`Problem::leaves_us`].
    pub shift_start_us: Micros,
    /// Latest moment, inclusive, at which it has done its last task and reached its end. At most
    /// [`TIME_MAX_US`], or [`SHIFT_OPEN_US`] for no limit.
    pub shift_end_us: Micros,
    /// Capacities, one for each dimension; missing ones are 0.
    pub capacities: Vec<i64>,
    /// Skills, one bit for each.
    pub skills: u64,
    /// Its speed in millionths: travel takes duration * 10^6 / speed, rounded up.
    pub speed_micro: i64,
}

/// A task: it is done once, by one agent, without interruption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its location.
    pub location: usize,
    /// Service time, 0 to [`TIME_MAX_US`].
    pub service_us: Micros,
    /// Time windows of its start, rising, not overlapping nor touching. Empty: any time.
    pub windows: Vec<Window>,
    /// Demands, one for each dimension; missing ones are 0.
    pub demands: Vec<i64>,
    /// Skills that its agent requires, all of them.
    pub skills: u64,
    /// Penalty of leaving it out, in millionths; `None`: it is mandatory.
    pub drop_penalty_micro: Option<i64>,
    /// Largest lateness after its last window. `None` is 0. Without windows it has no effect.
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

impl Window {
    /// A window from one time to another.
    #[must_use]
    pub const fn new(open_us: Micros, close_us: Micros) -> Self {
        Self { open_us, close_us }
    }
}

/// A weighted sum of terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its terms, at least one.
    pub terms: Vec<(Term, i64)>,
}

/// Terms of the objective. See [`crate::plan::Terms`] for units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// Mandatory tasks not done.
    Unserved,
    /// Penalties of the optional tasks not done.
    DropPenalty,
    /// Travel cost of all agents.
    TravelCost,
    /// End of the last route.
    Makespan,
    /// Lateness of starts after the last windows.
    Lateness,
    /// Agents that have tasks.
    AgentsUsed,
    /// Costs of starts outside of preferred times.
    Preferences,
    /// Tasks moved from their agent in the previous plan.
    TasksMoved,
    /// Difference of travel and work between the busiest and the least busy agent, idle ones
    /// included.
    Balance,
}

/// The previous plan, which is being carried out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Previous {
    /// At most one for each agent.
    pub routes: Vec<PreviousRoute>,
    /// Largest number of tasks that move to another agent. Tasks that are new or no longer done do
    /// not count.
    pub changes_max: Option<usize>,
}

/// A route of the previous plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviousRoute {
    /// Index of the agent.
    pub agent: usize,
    /// Its tasks in order.
    pub tasks: Vec<usize>,
    /// Length of the committed prefix: the tasks, from the first, that are done or under way. They
    /// stay first, with this agent, in this order.
    pub committed: usize,
}

impl PreviousRoute {
    /// A route whose first tasks are committed.
    #[must_use]
    pub const fn new(agent: usize, tasks: Vec<usize>, committed: usize) -> Self {
        Self {
            agent,
            tasks,
            committed,
        }
    }
}

/// A checked problem: every index is in range, every sum of costs fits, the objective is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    levels: Vec<Level>,
    strict: bool,
    coupled: bool,
    dimensions: usize,
    /// By task.
    previous_agent: Vec<Option<usize>>,
    /// By agent, an index of the previous plan.
    previous_route: Vec<Option<usize>>,
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// Every fault, with its path in the contract's `AllocationProblem`: agents, tasks, travel,
    /// couplings, objective, previous plan, now.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if !faults.is_empty() {
            return Err(faults);
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
        let mut previous_route = vec![None; spec.agents.len()];
        let routes = spec.previous.iter().flat_map(|p| &p.routes);
        for (index, route) in routes.enumerate() {
            previous_route[route.agent] = Some(index);
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
            previous_route,
        }
    }

    /// The problem as given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The problem after a change that leaves every index and every sum in range, which is not
    /// checked.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Spec)) -> Self {
        let mut spec = self.spec.clone();
        change(&mut spec);
        Self::assemble(spec)
    }

    /// Sets the length of the committed prefix of each agent that has a previous route.
    pub(crate) fn set_committed(&mut self, committed: &[usize]) {
        let routes = self.spec.previous.iter_mut().flat_map(|p| &mut p.routes);
        routes.for_each(|route| route.committed = committed[route.agent]);
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

    /// Travel times and costs.
    #[must_use]
    pub fn travel(&self) -> &Travel {
        &self.spec.travel
    }

    /// The previous plan.
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

    /// Whether the problem is strict: the first level of the objective is the unserved tasks alone.
    /// A plan that leaves out mandatory tasks is partial then.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The couplings of tasks, and the breaks of agents.
    #[must_use]
    pub fn couplings(&self) -> &Couplings {
        &self.spec.couplings
    }

    /// Whether routes cannot be evaluated separately: there are couplings, or the objective counts
    /// preferred times, tasks moved or balance.
    #[must_use]
    pub fn is_coupled(&self) -> bool {
        self.coupled
    }

    /// The relaxation without couplings and without the demands of pickups: every valid plan of the
    /// problem, without its breaks, is a valid plan of the relaxation, and costs no more there.
    pub(crate) fn uncoupled(&self) -> Self {
        let mut free = self.clone();
        let couplings = std::mem::take(&mut free.spec.couplings);
        for pair in &couplings.pairs {
            free.spec.tasks[pair.pickup].demands.clear();
        }
        free.coupled = false;
        free
    }

    /// Whether there are more tasks than are compared in pairs: then it is not coupled, and proofs
    /// and bounds look at each task alone.
    pub(crate) fn is_large(&self) -> bool {
        self.spec.tasks.len() > DENSE_TASKS_MAX
    }

    /// Capacity dimensions in use.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The agent of a task in the previous plan.
    #[must_use]
    pub fn previous_agent(&self, task: usize) -> Option<usize> {
        self.previous_agent[task]
    }

    /// The committed prefix of an agent: its tasks under way. They stay first on its route, in this
    /// order.
    #[must_use]
    pub fn committed(&self, agent: usize) -> &[usize] {
        let route = self.previous_route.get(agent).copied().flatten();
        let previous = self.spec.previous.as_ref();
        match previous.zip(route).map(|(plan, route)| &plan.routes[route]) {
            Some(route) => &route.tasks[..route.committed],
            // Also for an agent that does not exist: plans of any content are checked.
            None => &[],
        }
    }

    /// The current time.
    #[must_use]
    pub fn now_us(&self) -> Micros {
        self.spec.now_us
    }

    /// Earliest departure of an agent from its start: the start of its shift, and without tasks
    /// under way not before now.
    #[must_use]
    pub fn leaves_us(&self, agent: usize) -> Micros {
        let shift_start_us = self.spec.agents[agent].shift_start_us;
        if self.committed(agent).is_empty() {
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
            // Fits: check::faults bounds each level by what the worst plan costs.
            *sum = level
                .terms
                .iter()
                .map(|&(term, weight)| weight * terms.get(term))
                .sum();
        }
        cost
    }
}
