//! The relaxation whose routes are generated, in whole numbers.

use crate::problem::{MICRO, Micros, Term};
use crate::solve::{Model, UNREACHABLE};

/// Most tasks: the tasks that a route remembers are bits of a number.
const TASKS_MAX: usize = 128;
/// Most classes of identical agents, each of which is priced separately.
const CLASSES_MAX: usize = 24;
/// Largest cost of an arc, of a lateness, and largest dual value. Sums of millions of them fit.
pub(super) const AMOUNT_MAX: i64 = 1 << 40;
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
    /// agent of the class can do it.
    pub(super) earliest_us: Vec<Micros>,
    pub(super) latest_us: Vec<Micros>,
    pub(super) shift_end_us: Micros,
}

/// A problem in which routes may serve a task more than once.
#[derive(Debug)]
pub(super) struct Relaxation<'m, 'p> {
    model: &'m Model<'p>,
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

impl<'m, 'p> Relaxation<'m, 'p> {
    /// `None`: the problem is too large, or no cost of it is bounded in this way.
    pub(super) fn new(model: &'m Model<'p>) -> Option<Self> {
        let problem = model.problem;
        let level = usize::from(problem.is_strict());
        let terms = &problem.levels().get(level)?.terms;
        let weight = |term| {
            let mut own = terms.iter().filter(|one| one.0 == term);
            own.next().map_or(0, |one| one.1)
        };
        let is_free = model.workers.iter().all(|w| w.committed.is_empty());
        let tasks = model.jobs.len();
        if !is_free || tasks == 0 || tasks > TASKS_MAX || model.classes > CLASSES_MAX {
            return None;
        }
        let drop_cost = |penalty_micro: Option<i64>| match penalty_micro {
            None if problem.is_strict() => None,
            None => Some(weight(Term::Unserved) * MICRO),
            Some(penalty_micro) => Some(weight(Term::DropPenalty) * penalty_micro),
        };
        let late_cost = weight(Term::Lateness);
        let dimensions = tightest(model);
        let load = |all: &[i64]| dimensions.map(|d| d.map_or(0, |d| all[d]));
        let mut relaxation = Self {
            model,
            level,
            classes: Vec::new(),
            drop_costs: model
                .jobs
                .iter()
                .map(|j| drop_cost(j.penalty_micro))
                .collect(),
            step: 0,
            demands: model.jobs.iter().map(|job| load(&job.demand)).collect(),
            late_cost,
        };
        let late_max = |job: &crate::solve::Job| job.latest_us - job.close_us;
        let late_max = model.jobs.iter().map(late_max).max()?;
        late_cost
            .checked_mul(late_max)
            .filter(|cost| *cost <= AMOUNT_MAX)?;
        let costs = ArcCosts {
            travel: weight(Term::TravelCost),
            agent: weight(Term::AgentsUsed).checked_mul(MICRO)?,
        };
        for class in 0..model.classes {
            let class = relaxation.class(class, &costs, &load)?;
            relaxation.classes.push(class);
        }
        relaxation.step = relaxation.common_step(terms, &costs)?;
        Some(relaxation)
    }

    /// Number of tasks.
    pub(super) fn tasks(&self) -> usize {
        self.model.jobs.len()
    }

    /// Earliest start of a task for an arrival.
    pub(super) fn start_us(&self, task: usize, arrival_us: Micros) -> Micros {
        self.model.jobs[task].start_us(arrival_us)
    }

    /// Cost of the lateness of a start.
    pub(super) fn late_cost(&self, task: usize, start_us: Micros) -> i64 {
        self.late_cost * self.model.jobs[task].lateness_us(start_us)
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
            time_us = self.start_us(task, time_us + arc.time_us);
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
        index: usize,
        costs: &ArcCosts,
        load: &dyn Fn(&[i64]) -> Load,
    ) -> Option<Class> {
        let model = self.model;
        let workers = model.workers.iter().enumerate();
        let agents = workers.filter(|(_, worker)| worker.class as usize == index);
        let agents: Vec<usize> = agents.map(|(agent, _)| agent).collect();
        let worker = &model.workers[agents[0]];
        let jobs = &model.jobs;
        let is_able = |task: usize| {
            let job = &jobs[task];
            let fits = job.demand.iter().zip(&worker.capacity).all(|(d, c)| d <= c);
            fits && job.skills & !worker.skills == 0
        };
        let able: Vec<usize> = (0..jobs.len()).filter(|task| is_able(*task)).collect();
        let arc = |from: u32, to: u32, departs_us: Micros, task: usize| {
            let travel_us = model.time_us(worker, from, to);
            let arc_cost = (travel_us < UNREACHABLE).then(|| model.cost_micro(from, to))?;
            Some(Arc {
                to: task,
                time_us: departs_us + travel_us,
                cost: arc_cost.saturating_mul(costs.travel),
            })
        };
        let place = |task: usize| jobs[task].location;
        let first = able.iter().filter_map(|&task| {
            let arc = arc(worker.start, place(task), worker.leaves_us, task)?;
            let cost = arc.cost.saturating_add(costs.agent);
            Some(Arc { cost, ..arc })
        });
        let mut class = Class {
            agents,
            capacity: load(&worker.capacity),
            first: first.collect(),
            arcs: vec![Vec::new(); jobs.len()],
            last: vec![None; jobs.len()],
            earliest_us: vec![UNREACHABLE; jobs.len()],
            latest_us: vec![-1; jobs.len()],
            shift_end_us: worker.shift_end_us,
        };
        for &task in &able {
            let service_us = jobs[task].service_us;
            let others = able.iter().filter(|to| **to != task);
            let arcs = others.filter_map(|&to| arc(place(task), place(to), service_us, to));
            class.arcs[task] = arcs.collect();
            class.last[task] = arc(place(task), worker.end, service_us, task);
        }
        self.tighten(&mut class);
        class.is_within_limits().then_some(class)
    }

    /// Bounds on starts by paths over any tasks, and the arcs that are within them.
    fn tighten(&self, class: &mut Class) {
        for arc in &class.first {
            let start_us = self.start_us(arc.to, arc.time_us);
            class.earliest_us[arc.to] = class.earliest_us[arc.to].min(start_us);
        }
        let tasks = class.arcs.len();
        let mut is_open = true;
        while std::mem::take(&mut is_open) {
            for from in 0..tasks {
                let own_us = class.earliest_us[from];
                if own_us > self.model.jobs[from].latest_us || own_us > class.shift_end_us {
                    continue;
                }
                for arc in &class.arcs[from] {
                    let start_us = self.start_us(arc.to, own_us + arc.time_us);
                    if start_us < class.earliest_us[arc.to] {
                        class.earliest_us[arc.to] = start_us;
                        is_open = true;
                    }
                }
            }
        }
        is_open = true;
        while std::mem::take(&mut is_open) {
            for from in 0..tasks {
                let home_us = class.last[from].map(|arc| class.shift_end_us - arc.time_us);
                let onward = class.arcs[from].iter();
                let onward = onward.map(|arc| class.latest_us[arc.to] - arc.time_us);
                let latest_us = onward.chain(home_us).max().unwrap_or(-1);
                let latest_us = latest_us.min(self.model.jobs[from].latest_us);
                if latest_us > class.latest_us[from] {
                    class.latest_us[from] = latest_us;
                    is_open = true;
                }
            }
        }
        let (earliest_us, latest_us) = (&class.earliest_us, &class.latest_us);
        let in_time = |arc: &Arc, before_us: Micros| {
            self.start_us(arc.to, before_us + arc.time_us) <= latest_us[arc.to]
        };
        class.first.retain(|arc| in_time(arc, 0));
        for (from, arcs) in class.arcs.iter_mut().enumerate() {
            let is_possible = earliest_us[from] <= latest_us[from];
            arcs.retain(|arc| is_possible && in_time(arc, earliest_us[from]));
        }
    }

    /// The greatest common divisor of all parts of a cost at the level; `None`: it is always 0.
    fn common_step(&self, terms: &[(Term, i64)], costs: &ArcCosts) -> Option<i64> {
        let travel = self.model.problem.travel();
        let mut step = costs.agent;
        for (arc, duration_us) in travel.durations_us.iter().enumerate() {
            if *duration_us >= 0 {
                let cost = travel
                    .costs_micro
                    .as_ref()
                    .map_or(*duration_us, |all| all[arc]);
                step = greatest_common_divisor(step, cost.saturating_mul(costs.travel));
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
    /// Whether some agent of the class may do a task.
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

/// The dimensions in which the demands of all tasks are largest in proportion to the capacities.
fn tightest(model: &Model<'_>) -> [Option<usize>; LOADS] {
    let share = |d: usize| {
        let demand: i64 = model.jobs.iter().map(|job| job.demand[d]).sum();
        let capacity = model.workers.iter().map(|worker| worker.capacity[d]).min();
        let capacity = capacity.unwrap_or(0);
        (demand > capacity).then(|| demand as f64 / (capacity.max(1)) as f64)
    };
    let all = (0..model.problem.dimensions()).filter_map(|d| Some((d, share(d)?)));
    let mut all: Vec<(usize, f64)> = all.collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    std::array::from_fn(|rank| all.get(rank).map(|one| one.0))
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
