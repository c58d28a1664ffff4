//! The problem in the representation of the search.

mod classes;
mod committed;
use super::scale::Scale;
use crate::problem::{
    Agent, DIMENSIONS_MAX, MICRO, Micros, Problem, SHIFT_OPEN_US, Task, Term, Window,
};
use crate::travel::at_speed;
use classes::classify;
pub(crate) use committed::{Progress, Start};

/// No index.
pub(crate) const NONE: u32 = u32::MAX;
/// A duration or a cost above all others: the arc does not exist. The sum of eight of them and a
/// time does not overflow.
pub(crate) const UNREACHABLE: i64 = 1 << 59;
/// Most travel times in tables, those at speed 1 not counted. Times at further speeds are computed
/// on demand.
const CELLS_MAX: usize = 1 << 20;

/// One value for each capacity dimension.
pub(crate) type Load = [i64; DIMENSIONS_MAX];

/// Data of a task.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) location: u32,
    /// Service time; of the last committed task with the wait of its agent until now.
    pub(crate) service_us: Micros,
    /// Opening of the first window.
    pub(crate) open_us: Micros,
    /// End of the last window.
    pub(crate) close_us: Micros,
    /// End of the last window plus the lateness allowed: the latest start.
    pub(crate) latest_us: Micros,
    pub(crate) skills: u64,
    pub(crate) demand: Load,
    /// Penalty of leaving it unserved; `None`: it is mandatory.
    pub(crate) penalty_micro: Option<i64>,
    /// Agent of the previous plan, or [`NONE`].
    pub(crate) previous_agent: u32,
    /// Whether it is in a committed prefix.
    pub(crate) is_committed: bool,
    /// Windows, if there are several; else empty.
    windows: Vec<Window>,
}

/// Data of an agent.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    pub(crate) start: u32,
    /// End place; [`NONE`]: the route ends at its last task.
    pub(crate) end: u32,
    /// Departure from its start.
    pub(crate) leaves_us: Micros,
    pub(crate) shift_end_us: Micros,
    pub(crate) skills: u64,
    pub(crate) capacity: Load,
    /// Its committed prefix.
    pub(crate) committed: Vec<u32>,
    /// How long it waits after its committed prefix until now, if it goes on. Part of the service
    /// time of the last committed task, so that inner loops need no case for it.
    pub(crate) idle_us: Micros,
    /// Agents of a class are identical; classes are numbered in the order of their first agents.
    pub(crate) class: u32,
    speed_micro: i64,
    table: usize,
}

/// The problem in the representation of the search.
#[derive(Debug, Clone)]
pub(crate) struct Model<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) jobs: Vec<Job>,
    pub(crate) workers: Vec<Worker>,
    pub(crate) classes: usize,
    pub(crate) changes_max: usize,
    /// Whether the objective counts makespan or lateness, so that moves cannot be evaluated by
    /// travel alone.
    pub(crate) counts_time: bool,
    pub(crate) counts_makespan: bool,
    pub(crate) scale: Scale,
    /// Average travel cost of a microsecond of travel.
    pub(crate) cost_per_us: f64,
    locations: usize,
    /// Whether all arcs are symmetric in duration and cost.
    pub(crate) is_symmetric: bool,
    /// Travel times, one table for each speed; [`UNREACHABLE`] where there is no arc. Empty
    /// without a matrix.
    tables: Vec<(i64, Vec<Micros>)>,
    /// Travel costs; `None`: the durations of the first table.
    costs: Option<Vec<i64>>,
}

impl<'p> Model<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        let has_matrix = problem.travel().has_matrix();
        let mut tables = Vec::new();
        if has_matrix {
            tables.push((MICRO, table(problem, MICRO)));
        }
        let mut workers = Vec::with_capacity(problem.agents().len());
        for (index, agent) in problem.agents().iter().enumerate() {
            let speed_micro = agent.speed_micro;
            let known = tables.iter().position(|(speed, _)| *speed == speed_micro);
            let table = known.unwrap_or_else(|| {
                let cells = tables.len() * problem.travel().durations_us.len();
                if has_matrix && cells <= CELLS_MAX {
                    tables.push((speed_micro, table(problem, speed_micro)));
                }
                // A speed without a table gets an index out of range.
                tables
                    .iter()
                    .position(|(speed, _)| *speed == speed_micro)
                    .unwrap_or(usize::MAX)
            });
            let leaves_us = problem.leaves_us(index);
            workers.push(worker(agent, leaves_us, problem.committed(index), table));
        }
        let jobs = problem.tasks().iter().enumerate();
        let mut jobs: Vec<Job> = jobs
            .map(|(index, task)| job(task, problem.previous_agent(index)))
            .collect();
        for task in workers.iter().flat_map(|w: &Worker| &w.committed) {
            jobs[*task as usize].is_committed = true;
        }
        let counts = |term| {
            problem
                .levels()
                .iter()
                .flat_map(|l| &l.terms)
                .any(|t| t.0 == term)
        };
        let late = jobs.iter().any(|job| job.latest_us > job.close_us);
        let changes_max = problem.previous().and_then(|p| p.changes_max);
        let classes = classify(problem, &mut workers);
        let model = Self {
            problem,
            jobs,
            workers,
            classes,
            changes_max: changes_max.unwrap_or(usize::MAX),
            counts_time: counts(Term::Makespan) || (late && counts(Term::Lateness)),
            counts_makespan: counts(Term::Makespan),
            scale: Scale::new(problem),
            cost_per_us: cost_per_us(problem),
            locations: problem.travel().locations,
            is_symmetric: is_symmetric(problem),
            tables,
            costs: costs(problem),
        };
        model.with_waits()
    }

    /// Travel time of `worker`: [`UNREACHABLE`] where there is no arc, 0 to the end place of an
    /// agent without one.
    #[inline]
    pub(crate) fn time_us(&self, worker: &Worker, from: u32, to: u32) -> Micros {
        if to == NONE {
            return 0;
        }
        match self.tables.get(worker.table) {
            Some((_, table)) => table[from as usize * self.locations + to as usize],
            None => self.scaled_us(worker, from, to),
        }
    }

    /// Travel time at a speed without a table. Not inlined, so that table look-ups are: regret
    /// insertion needs millions of them.
    #[cold]
    #[inline(never)]
    fn scaled_us(&self, worker: &Worker, from: u32, to: u32) -> Micros {
        let travel = self.problem.travel();
        let travel_us = travel.duration_at_us(from as usize, to as usize, worker.speed_micro);
        travel_us.unwrap_or(UNREACHABLE)
    }

    /// Cost of an arc without a matrix.
    #[inline(never)]
    fn line_cost_micro(&self, from: u32, to: u32) -> i64 {
        let travel = self.problem.travel();
        travel.cost_micro(from as usize, to as usize)
    }

    /// [`Model::time_us`] and [`Model::cost_micro`] of an arc. If arcs are symmetric they are read
    /// in the row of `near`, one of the ends: repeated calls with the same `near` stay in the same
    /// cache lines, and tables of 1,000 tasks exceed most caches.
    #[inline(always)]
    pub(crate) fn arc(&self, worker: &Worker, from: u32, to: u32, near: u32) -> (Micros, i64) {
        let turned = self.is_symmetric && near == to && to != NONE;
        let (from, to) = if turned { (to, from) } else { (from, to) };
        (self.time_us(worker, from, to), self.cost_micro(from, to))
    }

    /// An agent that is at least as fast as any other.
    pub(crate) fn fastest(&self) -> &Worker {
        let fastest = self.workers.iter().max_by_key(|worker| worker.speed_micro);
        fastest.expect("a problem has agents")
    }

    /// Travel time at speed 1 and travel cost; [`UNREACHABLE`] where there is no arc.
    pub(crate) fn arc_at_unit_speed(&self, from: u32, to: u32) -> (Micros, i64) {
        let Some((_, table)) = self.tables.first() else {
            // Along straight lines both are the distance.
            let distance_micro = self.line_cost_micro(from, to);
            return (distance_micro, distance_micro);
        };
        let time_us = table[from as usize * self.locations + to as usize];
        (time_us, self.cost_micro(from, to))
    }

    /// Travel cost in millionths: [`UNREACHABLE`] where there is no arc, 0 to the end place of an
    /// agent without one.
    #[inline]
    pub(crate) fn cost_micro(&self, from: u32, to: u32) -> i64 {
        if to == NONE {
            return 0;
        }
        let durations = || self.tables.first().map(|(_, table)| table);
        match self.costs.as_ref().or_else(durations) {
            Some(costs) => costs[from as usize * self.locations + to as usize],
            None => self.line_cost_micro(from, to),
        }
    }

    /// 1 if `agent` doing `task` is a change of the previous plan, else 0.
    #[inline]
    pub(crate) fn change(&self, task: u32, agent: usize) -> usize {
        let previous = self.jobs[task as usize].previous_agent;
        usize::from(previous != NONE && previous as usize != agent)
    }

    /// What a task costs as long as it is unassigned, as a penalised cost.
    pub(crate) fn unserved_penalty(&self, task: u32) -> f64 {
        let penalty_micro = self.jobs[task as usize].penalty_micro;
        self.scale.unserved_penalty(penalty_micro)
    }

    /// Whether `task` is mandatory.
    pub(crate) fn is_mandatory(&self, task: u32) -> bool {
        self.jobs[task as usize].penalty_micro.is_none()
    }

    /// Whether the number of changes is limited.
    pub(crate) fn limits_changes(&self) -> bool {
        self.changes_max != usize::MAX
    }
}

impl Worker {
    /// Its speed in millionths.
    pub(crate) fn speed_micro(&self) -> i64 {
        self.speed_micro
    }
}

impl Job {
    /// Its windows, if there are several; else none.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Earliest start for an arrival at `arrival_us`. After [`Job::latest_us`] it is infeasible.
    #[inline]
    pub(crate) fn start_us(&self, arrival_us: Micros) -> Micros {
        if self.windows.is_empty() {
            return arrival_us.max(self.open_us);
        }
        let open = self.windows.iter().find(|w| arrival_us <= w.close_us);
        open.map_or(arrival_us, |w| arrival_us.max(w.open_us))
    }

    /// Latest arrival for a start at or before `start_us`; below 0 if there is none.
    pub(crate) fn arrival_us(&self, start_us: Micros) -> Micros {
        if start_us < self.open_us {
            return -1;
        }
        // The last window that opens in time. Its end matters unless it is the last of all.
        match self.windows.iter().rposition(|w| w.open_us <= start_us) {
            Some(window) if window + 1 < self.windows.len() => {
                start_us.min(self.windows[window].close_us)
            }
            _ => start_us.min(self.latest_us),
        }
    }

    /// Lateness of a start: time after the end of the last window.
    #[inline]
    pub(crate) fn lateness_us(&self, start_us: Micros) -> Micros {
        (start_us - self.close_us).max(0)
    }
}

/// Whether `load` and `more` are within `capacity`.
#[inline]
pub(crate) fn fits(load: &Load, more: &Load, capacity: &Load) -> bool {
    (0..DIMENSIONS_MAX).all(|d| load[d] + more[d] <= capacity[d])
}

fn job(task: &Task, previous_agent: Option<usize>) -> Job {
    let last = task.windows.last();
    let close_us = last.map_or(SHIFT_OPEN_US, |w| w.close_us);
    let lateness_us = last.and(task.lateness_max_us).unwrap_or(0);
    let several = task.windows.len() > 1;
    Job {
        location: narrow(task.location),
        service_us: task.service_us,
        open_us: task.windows.first().map_or(0, |w| w.open_us),
        close_us,
        latest_us: close_us + lateness_us,
        skills: task.skills,
        demand: load(&task.demands),
        penalty_micro: task.drop_penalty_micro,
        previous_agent: previous_agent.map_or(NONE, narrow),
        is_committed: false,
        windows: if several {
            task.windows.clone()
        } else {
            Vec::new()
        },
    }
}

fn worker(agent: &Agent, leaves_us: Micros, committed: &[usize], table: usize) -> Worker {
    Worker {
        start: narrow(agent.start),
        end: agent.end.map_or(NONE, narrow),
        leaves_us,
        shift_end_us: agent.shift_end_us,
        skills: agent.skills,
        capacity: load(&agent.capacities),
        committed: committed.iter().map(|&task| narrow(task)).collect(),
        idle_us: 0,
        class: 0,
        speed_micro: agent.speed_micro,
        table,
    }
}

/// Travel times at a speed; [`UNREACHABLE`] where there is no arc.
fn table(problem: &Problem, speed_micro: i64) -> Vec<Micros> {
    let arcs = problem.travel().durations_us.iter();
    let time_us = |travel_us: &Micros| match *travel_us {
        ..0 => UNREACHABLE,
        travel_us => at_speed(travel_us, speed_micro),
    };
    arcs.map(time_us).collect()
}

/// Whether all arcs are symmetric in duration and cost.
fn is_symmetric(problem: &Problem) -> bool {
    let travel = problem.travel();
    if !travel.has_matrix() {
        return true;
    }
    let mirrors = |table: &[i64]| {
        let count = travel.locations;
        let row =
            |from: usize| (0..from).all(|to| table[from * count + to] == table[to * count + from]);
        (0..count).all(row)
    };
    mirrors(&travel.durations_us) && travel.costs_micro.as_deref().is_none_or(mirrors)
}

/// Travel costs, if they differ from the durations.
fn costs(problem: &Problem) -> Option<Vec<i64>> {
    let travel = problem.travel();
    let arcs = travel.durations_us.iter().zip(travel.costs_micro.as_ref()?);
    Some(
        arcs.map(|(travel_us, cost)| if *travel_us < 0 { UNREACHABLE } else { *cost })
            .collect(),
    )
}

/// Average travel cost of a microsecond of travel, from a sample of arcs. For proximity only.
fn cost_per_us(problem: &Problem) -> f64 {
    let travel = problem.travel();
    let (mut cost, mut time_us) = (0.0, 0.0);
    for index in (0..travel.locations * travel.locations).step_by(travel.locations + 7) {
        let (from, to) = (index / travel.locations, index % travel.locations);
        if let Some(travel_us) = travel.duration_us(from, to) {
            cost += travel.cost_micro(from, to) as f64;
            time_us += travel_us as f64;
        }
    }
    if time_us > 0.0 { cost / time_us } else { 1.0 }
}

fn load(values: &[i64]) -> Load {
    let mut load = Load::default();
    load.iter_mut()
        .zip(values)
        .for_each(|(to, from)| *to = *from);
    load
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).expect("tasks, agents and locations are limited far below 2^32")
}
