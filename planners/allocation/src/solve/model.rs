//! A problem, in the shape in which the inner loops read it.

mod classes;
mod started;
use super::scale::Scale;
use crate::problem::{
    Agent, DIMENSIONS_MAX, MICRO, Micros, Problem, SHIFT_OPEN_US, Task, Term, Window,
};
use classes::classify;

/// In place of an index: none.
pub(crate) const NONE: u32 = u32::MAX;
/// A duration, or a cost, above everything: there is no way. Eight of them and a moment still fit.
pub(crate) const FAR: i64 = 1 << 59;
/// Most travel times kept in tables, those at speed 1 not counted. At further speeds ways are
/// divided on the spot.
const CELLS_MAX: usize = 1 << 20;

/// One value for each capacity dimension.
pub(crate) type Load = [i64; DIMENSIONS_MAX];

/// What a search knows about a task.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) location: u32,
    /// How long it takes; of the last task under way also how long its agent waits until now.
    pub(crate) service_us: Micros,
    /// Opening of the first window.
    pub(crate) open_us: Micros,
    /// End of the last window.
    pub(crate) close_us: Micros,
    /// The same and the lateness allowed: after that it cannot start.
    pub(crate) latest_us: Micros,
    pub(crate) skills: u64,
    pub(crate) demand: Load,
    /// What leaving it out costs; `None`: it is mandatory.
    pub(crate) penalty_micro: Option<i64>,
    /// Agent that the previous plan gave it to, or [`NONE`].
    pub(crate) before: u32,
    /// Whether it is under way: it stays where it is.
    pub(crate) is_started: bool,
    /// Windows, where there are several; else empty.
    windows: Vec<Window>,
}

/// What a search knows about an agent.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    pub(crate) start: u32,
    /// [`NONE`]: its route ends where its last task is.
    pub(crate) end: u32,
    /// When it leaves its start.
    pub(crate) leaves_us: Micros,
    pub(crate) shift_end_us: Micros,
    pub(crate) skills: u64,
    pub(crate) capacity: Load,
    /// Its tasks under way.
    pub(crate) started: Vec<u32>,
    /// How long it waits after these until now, if it goes on. It is part of the service time of
    /// the last of them, so that no inner loop needs a case for it.
    pub(crate) idle_us: Micros,
    /// Agents of the same class differ in nothing; classes are numbered in the order of their first
    /// agents.
    pub(crate) class: u32,
    speed_micro: i64,
    table: usize,
}

/// A problem, prepared.
#[derive(Debug, Clone)]
pub(crate) struct Model<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) jobs: Vec<Job>,
    pub(crate) workers: Vec<Worker>,
    pub(crate) classes: usize,
    pub(crate) changes_max: usize,
    /// Whether the objective counts makespan or lateness, so that moves cannot be judged by travel
    /// alone.
    pub(crate) counts_time: bool,
    pub(crate) counts_makespan: bool,
    pub(crate) scale: Scale,
    /// Travel cost of a microsecond on the way, on average.
    pub(crate) rate: f64,
    locations: usize,
    /// Whether all ways are as long and cost as much in both directions.
    is_symmetric: bool,
    /// Travel times, one table a speed; [`FAR`] where there is no way.
    tables: Vec<(i64, Vec<Micros>)>,
    /// Travel costs; `None`: the durations of the first table.
    costs: Option<Vec<i64>>,
}

impl<'p> Model<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        let mut tables = vec![(MICRO, table(problem, MICRO))];
        let mut workers = Vec::with_capacity(problem.agents().len());
        for (index, agent) in problem.agents().iter().enumerate() {
            let speed_micro = agent.speed_micro;
            let known = tables.iter().position(|(speed, _)| *speed == speed_micro);
            let table = known.unwrap_or_else(|| {
                if tables.len() * problem.travel().durations_us.len() <= CELLS_MAX {
                    tables.push((speed_micro, table(problem, speed_micro)));
                }
                // Of a speed without a table the number is out of range.
                tables
                    .iter()
                    .position(|(speed, _)| *speed == speed_micro)
                    .unwrap_or(usize::MAX)
            });
            let leaves_us = problem.leaves_us(index);
            workers.push(worker((agent, leaves_us), problem.committed(index), table));
        }
        let jobs = problem.tasks().iter().enumerate();
        let mut jobs: Vec<Job> = jobs
            .map(|(index, task)| job(task, problem.previous_agent(index)))
            .collect();
        for task in workers.iter().flat_map(|w: &Worker| &w.started) {
            jobs[*task as usize].is_started = true;
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
            rate: rate(problem),
            locations: problem.travel().locations,
            is_symmetric: is_symmetric(problem),
            tables,
            costs: costs(problem),
        };
        model.waiting()
    }

    /// Travel time of `worker`; [`FAR`] where there is no way, 0 to the end place of whoever has
    /// none.
    #[inline]
    pub(crate) fn time_us(&self, worker: &Worker, from: u32, to: u32) -> Micros {
        if to == NONE {
            return 0;
        }
        match self.tables.get(worker.table) {
            Some((_, table)) => table[from as usize * self.locations + to as usize],
            None => self.divided_us(worker, from, to),
        }
    }

    /// Travel time at a speed without a table. Apart, so that looking one up stays short enough to
    /// be inlined: the first plan asks millions of times.
    #[cold]
    #[inline(never)]
    fn divided_us(&self, worker: &Worker, from: u32, to: u32) -> Micros {
        let index = from as usize * self.locations + to as usize;
        let way_us = self.problem.travel().durations_us[index];
        at_speed(way_us, worker.speed_micro)
    }

    /// [`Model::time_us`] and [`Model::cost_micro`] of an arc. If arcs are symmetric they are read
    /// in the row of `near`, one of the ends: repeated calls with the same `near` stay in the same
    /// cache lines, and tables of 1,000 tasks are larger than most caches.
    #[inline(always)]
    pub(crate) fn way(&self, worker: &Worker, (from, to): (u32, u32), near: u32) -> (Micros, i64) {
        let turned = self.is_symmetric && near == to && to != NONE;
        let (from, to) = if turned { (to, from) } else { (from, to) };
        (self.time_us(worker, from, to), self.cost_micro(from, to))
    }

    /// An agent that is at least as fast as any other.
    pub(crate) fn fastest(&self) -> &Worker {
        let fastest = self.workers.iter().max_by_key(|worker| worker.speed_micro);
        fastest.expect("a problem has agents")
    }

    /// Travel time at speed 1; [`FAR`] where there is no way.
    pub(crate) fn way_us(&self, from: u32, to: u32) -> Micros {
        self.tables[0].1[from as usize * self.locations + to as usize]
    }

    /// Travel cost in millionths, 0 to the end place of whoever has none; [`FAR`] where there is no
    /// way.
    #[inline]
    pub(crate) fn cost_micro(&self, from: u32, to: u32) -> i64 {
        if to == NONE {
            return 0;
        }
        let costs = self.costs.as_ref().unwrap_or(&self.tables[0].1);
        costs[from as usize * self.locations + to as usize]
    }

    /// 1 if `agent` doing `task` is a change of the previous plan, else 0.
    #[inline]
    pub(crate) fn change(&self, task: u32, agent: usize) -> usize {
        let before = self.jobs[task as usize].before;
        usize::from(before != NONE && before as usize != agent)
    }

    /// Whether leaving `task` out leaves a mandatory task out.
    pub(crate) fn is_mandatory(&self, task: u32) -> bool {
        self.jobs[task as usize].penalty_micro.is_none()
    }

    /// Whether somebody can only do some tasks because of the rule on changes.
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
    /// Its windows, where there are several; else none.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Earliest start of whoever comes at `arrival_us`. May be after [`Job::latest_us`]: then it is
    /// too late.
    #[inline]
    pub(crate) fn start_us(&self, arrival_us: Micros) -> Micros {
        if self.windows.is_empty() {
            return arrival_us.max(self.open_us);
        }
        let open = self.windows.iter().find(|w| arrival_us <= w.close_us);
        open.map_or(arrival_us, |w| arrival_us.max(w.open_us))
    }

    /// Latest arrival with which the task starts at `start_us` or before; below 0 if none.
    pub(crate) fn arrival_us(&self, start_us: Micros) -> Micros {
        if start_us < self.open_us {
            return -1;
        }
        // The last window that opens in time; later than its end helps only after the last of all.
        match self.windows.iter().rposition(|w| w.open_us <= start_us) {
            Some(window) if window + 1 < self.windows.len() => {
                start_us.min(self.windows[window].close_us)
            }
            _ => start_us.min(self.latest_us),
        }
    }

    /// How much later than the last window `start_us` is.
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

fn job(task: &Task, before: Option<usize>) -> Job {
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
        before: before.map_or(NONE, narrow),
        is_started: false,
        windows: if several {
            task.windows.clone()
        } else {
            Vec::new()
        },
    }
}

fn worker((agent, leaves_us): (&Agent, Micros), started: &[usize], table: usize) -> Worker {
    Worker {
        start: narrow(agent.start),
        end: agent.end.map_or(NONE, narrow),
        leaves_us,
        shift_end_us: agent.shift_end_us,
        skills: agent.skills,
        capacity: load(&agent.capacities),
        started: started.iter().map(|&task| narrow(task)).collect(),
        idle_us: 0,
        class: 0,
        speed_micro: agent.speed_micro,
        table,
    }
}

/// Travel times at a speed, [`FAR`] where there is no way.
fn table(problem: &Problem, speed_micro: i64) -> Vec<Micros> {
    let travel = problem.travel();
    if speed_micro == MICRO {
        let known = |&way_us: &Micros| if way_us < 0 { FAR } else { way_us };
        return travel.durations_us.iter().map(known).collect();
    }
    let ways = travel.durations_us.iter();
    ways.map(|way_us| at_speed(*way_us, speed_micro)).collect()
}

/// A travel time at a speed, rounded up; [`FAR`] where there is no way.
#[inline]
fn at_speed(way_us: Micros, speed_micro: i64) -> Micros {
    /// Below this a duration in millionths, and a speed, fit 64 bits.
    const SHORT_US: Micros = i64::MAX / MICRO - MICRO;
    if way_us < 0 {
        FAR
    } else if way_us < SHORT_US {
        (way_us * MICRO + (speed_micro - 1)) / speed_micro
    } else {
        // The quotient is at most a thousand times ten years.
        let scaled = i128::from(way_us) * i128::from(MICRO) + i128::from(speed_micro - 1);
        (scaled / i128::from(speed_micro)) as i64
    }
}

/// Whether all ways are as long and cost as much in both directions.
fn is_symmetric(problem: &Problem) -> bool {
    let travel = problem.travel();
    let mirrors = |table: &[i64]| {
        let count = travel.locations;
        let row =
            |from: usize| (0..from).all(|to| table[from * count + to] == table[to * count + from]);
        (0..count).all(row)
    };
    mirrors(&travel.durations_us) && travel.costs_micro.as_deref().is_none_or(mirrors)
}

/// Travel costs, if they are not the durations.
fn costs(problem: &Problem) -> Option<Vec<i64>> {
    let travel = problem.travel();
    let ways = travel.durations_us.iter().zip(travel.costs_micro.as_ref()?);
    Some(
        ways.map(|(way_us, cost)| if *way_us < 0 { FAR } else { *cost })
            .collect(),
    )
}

/// Travel cost of a microsecond on the way, from a sample of ways. For proximity only.
fn rate(problem: &Problem) -> f64 {
    let travel = problem.travel();
    let (mut cost, mut time_us) = (0.0, 0.0);
    for index in (0..travel.durations_us.len()).step_by(travel.locations + 7) {
        let (from, to) = (index / travel.locations, index % travel.locations);
        if let Some(way_us) = travel.duration_us(from, to) {
            cost += travel.cost_micro(from, to) as f64;
            time_us += way_us as f64;
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
