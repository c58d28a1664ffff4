//! The relaxation whose routes are generated, in whole numbers.

use super::super::earliest_arrival::{EarliestArrivals, earliest_start};
use crate::problem::{MICRO, Micros, Problem, Task, Term};

/// Most tasks: the tasks that a route remembers are bits of a number.
const TASKS_MAX: usize = 128;
/// Most classes of identical agents, each of which is priced separately.
const CLASSES_MAX: usize = 24;
/// Largest cost of an arc, of a lateness, and largest dual value. Sums of millions of them fit.
pub(super) const AMOUNT_MAX: i64 = 1 << 40;
/// A moment after all others. Sums of some of them fit.
const NEVER_US: Micros = 1 << 59;
/// Capacity dimensions that routes respect; further ones are relaxed.
const LOADS: usize = 2;

/// A load, in the dimensions that routes respect.
pub(super) type Load = [i64; LOADS];

/// An arc of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    /// The task that it leads to; of the arc to the end place that which it leaves.
    pub(super) to: usize,
    /// Time from the start of the task before to the arrival; of a first arc, the arrival.
    pub(super) time_us: Micros,
    pub(super) cost: i64,
}

/// Identical agents.
#[derive(Debug)]
pub(super) struct Class {
    /// Their indices, rising.
    pub(super) agents: Vec<usize>,
    pub(super) capacity: Load,
    /// Arcs from the start place.
    pub(super) first: Vec<Arc>,
    /// By task, the arcs from it.
    pub(super) arcs: Vec<Vec<Arc>>,
    /// By task, the arc to the end place.
    pub(super) last: Vec<Option<Arc>>,
    /// By task, bounds on its start in any plan; the earliest is later than the latest where no
    /// agent of the class does it in any plan.
    pub(super) earliest_us: Vec<Micros>,
    pub(super) latest_us: Vec<Micros>,
    pub(super) shift_end_us: Micros,
}

/// A problem in which routes may serve a task more than once.
#[derive(Debug)]
pub(super) struct Relaxation<'p> {
    problem: &'p Problem,
    /// The level of the cost that is bounded: the first, after that of the unserved tasks in a
    /// strict problem.
    pub(super) level: usize,
    pub(super) classes: Vec<Class>,
    /// By task, the cost of leaving it out; `None`: it is done in every plan that counts.
    pub(super) drop_costs: Vec<Option<i64>>,
    /// Every plan costs a multiple of this.
    pub(super) step: i64,
    pub(super) demands: Vec<Load>,
    /// Cost of a microsecond of lateness.
    late_cost: i64,
}

impl<'p> Relaxation<'p> {
    /// `None`: the problem is too large, or no cost of it is bounded in this way.
    pub(super) fn new(problem: &'p Problem) -> Option<Self> {
        let level = usize::from(problem.is_strict());
        let terms = &problem.levels().get(level)?.terms;
        let weight = |term| {
            let mut own = terms.iter().filter(|one| one.0 == term);
            own.next().map_or(0, |one| one.1)
        };
        let (tasks, classes) = (problem.tasks(), classes(problem));
        let mut agents = 0..problem.agents().len();
        let is_free = agents.all(|agent| problem.committed(agent).is_empty());
        let is_small = tasks.len() <= TASKS_MAX && classes.len() <= CLASSES_MAX;
        if !is_free || tasks.is_empty() || !is_small {
            return None;
        }
        let drop_cost = |task: &Task| match task.drop_penalty_micro {
            None if problem.is_strict() => None,
            None => Some(weight(Term::Unserved) * MICRO),
            Some(penalty_micro) => Some(weight(Term::DropPenalty) * penalty_micro),
        };
        let late_cost = weight(Term::Lateness);
        let latest = tasks.iter().filter_map(|task| task.lateness_max_us).max();
        late_cost
            .checked_mul(latest.unwrap_or(0))
            .filter(|cost| *cost <= AMOUNT_MAX)?;
        let dimensions = tightest(problem);
        let mut relaxation = Self {
            problem,
            level,
            classes: Vec::new(),
            drop_costs: tasks.iter().map(drop_cost).collect(),
            step: 0,
            demands: tasks
                .iter()
                .map(|task| load(&task.demands, &dimensions))
                .collect(),
            late_cost,
        };
        let costs = ArcCosts {
            travel: weight(Term::TravelCost),
            agent: weight(Term::AgentsUsed).checked_mul(MICRO)?,
        };
        for agents in classes {
            let class = relaxation.class(agents, &costs, &dimensions)?;
            relaxation.classes.push(class);
        }
        relaxation.step = relaxation.common_step(terms, &costs)?;
        Some(relaxation)
    }

    /// Number of tasks.
    pub(super) fn tasks(&self) -> usize {
        self.problem.tasks().len()
    }

    /// Earliest start of a task for an arrival; `None`: that is too late.
    #[inline]
    pub(super) fn start_us(&self, task: usize, arrival_us: Micros) -> Option<Micros> {
        earliest_start(&self.problem.tasks()[task], arrival_us)
    }

    /// Cost of the lateness of a start.
    pub(super) fn late_cost(&self, task: usize, start_us: Micros) -> i64 {
        let last = self.problem.tasks()[task].windows.last();
        let late_us = last.map_or(0, |window| start_us - window.close_us);
        self.late_cost * late_us.max(0)
    }

    /// The largest dual value of a task.
    pub(super) fn dual_max(&self, task: usize) -> i64 {
        self.drop_costs[task].map_or(AMOUNT_MAX, |cost| cost.min(AMOUNT_MAX))
    }

    /// The cost of a route of a class; `None`: it breaks a rule.
    pub(super) fn route_cost(&self, class: usize, tasks: &[usize]) -> Option<i64> {
        let class = &self.classes[class];
        let (mut cost, mut time_us, mut from) = (0, 0, None);
        for &task in tasks {
            let arcs = from.map_or(&class.first, |from: usize| &class.arcs[from]);
            let arc = arcs.iter().find(|arc| arc.to == task)?;
            time_us = self.start_us(task, time_us + arc.time_us)?;
            if time_us > class.latest_us[task] {
                return None;
            }
            cost += arc.cost + self.late_cost(task, time_us);
            from = Some(task);
        }
        let last = class.last[from?]?;
        (time_us + last.time_us <= class.shift_end_us).then_some(cost + last.cost)
    }

    fn class(
        &self,
        agents: Vec<usize>,
        costs: &ArcCosts,
        dimensions: &Dimensions,
    ) -> Option<Class> {
        let (problem, tasks) = (self.problem, self.problem.tasks());
        let agent = &problem.agents()[agents[0]];
        let leaves_us = problem.leaves_us(agents[0]);
        let group = EarliestArrivals::merged(problem, &agents);
        let able = (0..tasks.len()).filter(|task| group.starts_us[*task].is_some());
        let able: Vec<usize> = able.collect();
        let arc = |from: usize, to: usize, departs_us: Micros, task: usize| {
            let travel_us = problem
                .travel()
                .duration_at_us(from, to, agent.speed_micro)?;
            let cost = problem.travel().cost_micro(from, to);
            Some(Arc {
                to: task,
                time_us: departs_us + travel_us,
                cost: cost.saturating_mul(costs.travel),
            })
        };
        let place = |task: usize| tasks[task].location;
        let first = able.iter().filter_map(|&task| {
            let arc = arc(agent.start, place(task), leaves_us, task)?;
            let cost = arc.cost.saturating_add(costs.agent);
            Some(Arc { cost, ..arc })
        });
        let mut class = Class {
            capacity: load(&agent.capacities, dimensions),
            first: first.collect(),
            arcs: vec![Vec::new(); tasks.len()],
            last: vec![None; tasks.len()],
            earliest_us: bounds(&group.starts_us, NEVER_US),
            latest_us: bounds(&group.latest_us, -1),
            shift_end_us: agent.shift_end_us,
            agents,
        };
        for &task in &able {
            let service_us = tasks[task].service_us;
            let others = able.iter().filter(|to| **to != task);
            let arcs = others.filter_map(|&to| arc(place(task), place(to), service_us, to));
            class.arcs[task] = arcs.collect();
            class.last[task] = match agent.end {
                Some(end) => arc(place(task), end, service_us, task),
                None => Some(Arc {
                    to: task,
                    time_us: service_us,
                    cost: 0,
                }),
            };
        }
        self.drop_late_arcs(&mut class);
        class.is_within_limits().then_some(class)
    }

    /// Drops arcs that come too late.
    fn drop_late_arcs(&self, class: &mut Class) {
        let (earliest_us, latest_us) = (&class.earliest_us, &class.latest_us);
        let in_time = |arc: &Arc, before_us: Micros| {
            let start_us = self.start_us(arc.to, before_us + arc.time_us);
            start_us.is_some_and(|start_us| start_us <= latest_us[arc.to])
        };
        class.first.retain(|arc| in_time(arc, 0));
        for (from, arcs) in class.arcs.iter_mut().enumerate() {
            arcs.retain(|arc| in_time(arc, earliest_us[from]));
        }
    }

    /// The greatest common divisor of all parts of a cost at the level; `None`: it is always 0.
    fn common_step(&self, terms: &[(Term, i64)], costs: &ArcCosts) -> Option<i64> {
        let travel = self.problem.travel();
        let mut step = costs.agent;
        for arc in 0..travel.locations * travel.locations {
            let (from, to) = (arc / travel.locations, arc % travel.locations);
            if travel.duration_us(from, to).is_some() {
                let cost = travel.cost_micro(from, to);
                step = greatest_common_divisor(step, cost.checked_mul(costs.travel).unwrap_or(1));
            }
        }
        for cost in self.drop_costs.iter().flatten() {
            step = greatest_common_divisor(step, *cost);
        }
        for &(term, weight) in terms {
            let is_priced = matches!(
                term,
                Term::Unserved | Term::DropPenalty | Term::TravelCost | Term::AgentsUsed
            );
            // Any number of microseconds, or of terms that are not bounded.
            if !is_priced {
                step = greatest_common_divisor(step, weight);
            }
        }
        (step > 0).then_some(step)
    }
}

/// Weights of the parts of an arc's cost.
struct ArcCosts {
    travel: i64,
    agent: i64,
}

impl Class {
    /// Whether an agent of the class does a task in some plan.
    pub(super) fn is_able(&self, task: usize) -> bool {
        self.earliest_us[task] <= self.latest_us[task]
    }

    fn is_within_limits(&self) -> bool {
        let inner = self.arcs.iter().flatten();
        let mut arcs = self
            .first
            .iter()
            .chain(inner)
            .chain(self.last.iter().flatten());
        arcs.all(|arc| arc.cost <= AMOUNT_MAX)
    }
}

/// Bounds on the starts of all tasks, with another value for tasks without one.
fn bounds(starts_us: &[Option<Micros>], otherwise_us: Micros) -> Vec<Micros> {
    let starts = starts_us.iter();
    starts.map(|start| start.unwrap_or(otherwise_us)).collect()
}

/// The dimensions that routes respect.
type Dimensions = [Option<usize>; LOADS];

/// The dimensions in which the demands of all tasks are largest in proportion to the capacities.
fn tightest(problem: &Problem) -> Dimensions {
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let share = |d: usize| {
        let demands = problem.tasks().iter().map(|task| value(&task.demands, d));
        let demand: i64 = demands.sum();
        let capacities = problem.agents().iter().map(|a| value(&a.capacities, d));
        let capacity = capacities.min().unwrap_or(0);
        (demand > capacity).then(|| demand as f64 / (capacity.max(1)) as f64)
    };
    let all = (0..problem.dimensions()).filter_map(|d| Some((d, share(d)?)));
    let mut all: Vec<(usize, f64)> = all.collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    std::array::from_fn(|rank| all.get(rank).map(|one| one.0))
}

fn load(values: &[i64], dimensions: &Dimensions) -> Load {
    let value = |d: usize| values.get(d).copied().unwrap_or(0);
    dimensions.map(|d| d.map_or(0, value))
}

/// The agents, those that are identical together.
fn classes(problem: &Problem) -> Vec<Vec<usize>> {
    let agents = problem.agents();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for agent in 0..agents.len() {
        let mut own = classes.iter_mut();
        match own.find(|class| agents[class[0]] == agents[agent]) {
            Some(class) => class.push(agent),
            None => classes.push(vec![agent]),
        }
    }
    classes
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
