//! Bounds on the times of agents: shortest paths by Dijkstra's algorithm.
//!
//! A path passes a task only if the agent can do it, at a start that its windows allow. Every route
//! is such a path, so no plan is earlier, or later from the end backwards. A later arrival never
//! starts earlier, and no time is negative: the least label is final.

use crate::problem::{Micros, Problem, Task};
use anytime::Pulse;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bounds on times of some merged agents, each value for one task; `None`: there is no path.
pub(super) struct Times {
    pub(super) arrivals_us: Vec<Option<Micros>>,
    /// Earliest starts, in windows.
    pub(super) starts_us: Vec<Option<Micros>>,
    /// Latest starts, in windows, from which the shift can end in time.
    pub(super) latest_us: Vec<Option<Micros>>,
    /// Whether some of the agents has the skills and the capacity for the task.
    pub(super) able: Vec<bool>,
    /// Speed of the fastest agent.
    pub(super) speed_micro: i64,
}

pub(super) struct Bounds<'p> {
    problem: &'p Problem,
    pub(super) committed_to: Vec<Option<usize>>,
    is_picked_up: Vec<bool>,
    known: BTreeMap<Vec<usize>, Rc<Times>>,
    wanted: &'p Pulse,
    is_stopped: Cell<bool>,
}

impl<'p> Bounds<'p> {
    pub(super) fn new(problem: &'p Problem, wanted: &'p Pulse) -> Self {
        let mut bounds = Self {
            problem,
            committed_to: vec![None; problem.tasks().len()],
            is_picked_up: vec![false; problem.tasks().len()],
            known: BTreeMap::new(),
            wanted,
            is_stopped: Cell::new(false),
        };
        for agent in 0..problem.agents().len() {
            for &task in problem.committed(agent) {
                bounds.committed_to[task] = Some(agent);
            }
        }
        for pair in &problem.couplings().pairs {
            bounds.is_picked_up[pair.pickup] = true;
        }
        bounds
    }

    /// Whether the check was stopped: later results are wrong.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }

    fn continues(&self) -> bool {
        let continues = !self.is_stopped.get() && self.wanted.beats();
        self.is_stopped.set(!continues);
        continues
    }

    /// Sum of the demands of these tasks that count on a whole route: those of pickups do not.
    pub(super) fn carried(&self, tasks: &[usize], dimension: usize) -> i64 {
        let whole = tasks.iter().filter(|task| !self.is_picked_up[**task]);
        whole.map(|task| self.demand(*task, dimension)).sum()
    }

    pub(super) fn demand(&self, task: usize, dimension: usize) -> i64 {
        let demands = &self.problem.tasks()[task].demands;
        demands.get(dimension).copied().unwrap_or(0)
    }

    /// Lower bound on the load of an agent with a task, and its capacity.
    pub(super) fn loads(&self, agent: usize, task: usize, dimension: usize) -> (i64, i64) {
        let committed = self.carried(self.problem.committed(agent), dimension);
        let capacities = &self.problem.agents()[agent].capacities;
        (
            committed + self.demand(task, dimension),
            capacities.get(dimension).copied().unwrap_or(0),
        )
    }

    /// Location of an agent after some tasks, and the earliest time. Missing arcs and missed
    /// windows are ignored.
    pub(super) fn departure_after(&self, agent: usize, tasks: &[usize]) -> (usize, Micros) {
        let own = &self.problem.agents()[agent];
        let (mut here, mut free_us) = (own.start, own.shift_start_us);
        for task in tasks.iter().map(|task| &self.problem.tasks()[*task]) {
            let travel = self.problem.travel();
            let travel_us = travel.duration_at_us(here, task.location, own.speed_micro);
            let there_us = free_us.saturating_add(travel_us.unwrap_or(0));
            let start_us = next_start(task, there_us).unwrap_or(there_us);
            (here, free_us) = (task.location, start_us.saturating_add(task.service_us));
        }
        (here, free_us)
    }

    /// Location of an agent after its tasks under way, and the earliest time at which it leaves.
    pub(super) fn departure(&self, agent: usize) -> (usize, Micros) {
        let (here, free_us) = self.departure_after(agent, self.problem.committed(agent));
        (here, free_us.max(self.problem.now_us()))
    }

    fn is_able(&self, agent: usize, task: usize) -> bool {
        let own = &self.problem.agents()[agent];
        let skills = self.problem.tasks()[task].skills;
        let fits = |dimension| {
            let (load, capacity) = self.loads(agent, task, dimension);
            load <= capacity
        };
        self.committed_to[task].is_none()
            && skills & own.skills == skills
            && (0..self.problem.dimensions()).all(fits)
    }

    /// Whether it is not proved that an agent cannot do a task.
    pub(super) fn can(&mut self, agent: usize, task: usize) -> bool {
        if let Some(owner) = self.committed_to[task] {
            return owner == agent;
        }
        if !self.is_able(agent, task) {
            return false;
        }
        // Identical agents without tasks under way have the same times.
        let problem = self.problem;
        let is_idle = |agent: usize| problem.committed(agent).is_empty();
        let alike = (0..agent).find(|other| {
            is_idle(*other) && is_idle(agent) && problem.agents()[*other] == problem.agents()[agent]
        });
        let times = self.merged(&[alike.unwrap_or(agent)]);
        let start = times.starts_us[task].zip(times.latest_us[task]);
        start.is_some_and(|(start_us, latest_us)| start_us <= latest_us)
    }

    /// Bounds of one agent that has the best values of all these.
    pub(super) fn merged(&mut self, agents: &[usize]) -> Rc<Times> {
        if let Some(times) = self.known.get(agents) {
            return Rc::clone(times);
        }
        let times = Rc::new(self.times(agents));
        self.known.insert(agents.to_vec(), Rc::clone(&times));
        times
    }

    /// Bounds of one agent that has the best values of all agents.
    pub(super) fn all_merged(&mut self) -> Rc<Times> {
        let all: Vec<usize> = (0..self.problem.agents().len()).collect();
        self.merged(&all)
    }

    fn times(&self, agents: &[usize]) -> Times {
        let (problem, tasks) = (self.problem, self.problem.tasks());
        let able = |task| agents.iter().any(|agent| self.is_able(*agent, task));
        let able: Vec<bool> = (0..tasks.len()).map(able).collect();
        let speeds = agents
            .iter()
            .map(|agent| problem.agents()[*agent].speed_micro);
        let speed_micro = speeds.max().unwrap_or(1);
        let mut begins: Vec<(usize, Micros, i64)> = Vec::new();
        let mut ends: Vec<(Option<usize>, Micros, i64)> = Vec::new();
        for &agent in agents {
            let own = &problem.agents()[agent];
            let (here, free_us) = self.departure(agent);
            begins.push((here, free_us, own.speed_micro));
            ends.push((own.end, own.shift_end_us, own.speed_micro));
        }
        begins.sort_unstable();
        begins.dedup();
        ends.sort_unstable();
        ends.dedup();
        let travel_us = |from, to, speed| problem.travel().duration_at_us(from, to, speed);
        let first = |task: usize| {
            let there = |&(here, free_us, speed): &(usize, Micros, i64)| {
                Some(travel_us(here, tasks[task].location, speed)?.saturating_add(free_us))
            };
            able[task].then(|| begins.iter().filter_map(there).min())?
        };
        let last = |task: usize| {
            let by = |&(end, shift_end_us, speed): &(Option<usize>, Micros, i64)| {
                let home_us = match end {
                    Some(end) => travel_us(tasks[task].location, end, speed)?,
                    None => 0,
                };
                last_start(
                    &tasks[task],
                    shift_end_us - home_us - tasks[task].service_us,
                )
            };
            able[task].then(|| ends.iter().filter_map(by).max())?
        };
        let mut times = Times {
            arrivals_us: (0..tasks.len()).map(first).collect(),
            starts_us: Vec::new(),
            latest_us: (0..tasks.len()).map(last).collect(),
            able,
            speed_micro,
        };
        let first_us = times.arrivals_us.clone();
        times.arrivals_us = self.forward(&times, first_us, Micros::MAX, None);
        let starts = tasks.iter().zip(&times.arrivals_us);
        let starts = starts.map(|(task, there_us)| next_start(task, (*there_us)?));
        times.starts_us = starts.collect();
        times.latest_us = self.backward(&times);
        times
    }

    /// Arrivals over other tasks, if these are earlier. Arrivals after `until_us` are not extended;
    /// the search ends at `target`.
    fn forward(
        &self,
        times: &Times,
        mut arrivals_us: Vec<Option<Micros>>,
        until_us: Micros,
        target: Option<usize>,
    ) -> Vec<Option<Micros>> {
        let tasks = self.problem.tasks();
        let mut open: Vec<usize> = (0..tasks.len()).filter(|task| times.able[*task]).collect();
        while self.continues() {
            let reached = open.iter().enumerate();
            let reached = reached.filter_map(|(at, task)| Some((arrivals_us[*task]?, at)));
            let Some((there_us, at)) = reached.min() else {
                break;
            };
            let from = open.swap_remove(at);
            if target == Some(from) || there_us > until_us {
                break;
            }
            let Some(start_us) = next_start(&tasks[from], there_us) else {
                continue;
            };
            let free_us = start_us.saturating_add(tasks[from].service_us);
            if free_us > until_us {
                continue;
            }
            for &to in &open {
                if arrivals_us[to].is_some_and(|us| us <= free_us) {
                    continue;
                }
                let Some(travel_us) = self.travel_us(times, from, to) else {
                    continue;
                };
                let there_us = free_us.saturating_add(travel_us);
                if arrivals_us[to].is_none_or(|us| there_us < us) {
                    arrivals_us[to] = Some(there_us);
                }
            }
        }
        arrivals_us
    }

    fn backward(&self, times: &Times) -> Vec<Option<Micros>> {
        let tasks = self.problem.tasks();
        let mut latest_us = times.latest_us.clone();
        let mut open: Vec<usize> = (0..tasks.len()).filter(|task| times.able[*task]).collect();
        while self.continues() {
            let left = open.iter().enumerate();
            let left = left.filter_map(|(at, task)| Some((latest_us[*task]?, at)));
            let Some((by_us, at)) = left.max() else {
                break;
            };
            let to = open.swap_remove(at);
            for &from in &open {
                if latest_us[from].is_some_and(|us| us >= by_us) {
                    continue;
                }
                let Some(travel_us) = self.travel_us(times, from, to) else {
                    continue;
                };
                let own_us = last_start(&tasks[from], by_us - travel_us - tasks[from].service_us);
                latest_us[from] = latest_us[from].max(own_us);
            }
        }
        latest_us
    }

    fn travel_us(&self, times: &Times, from: usize, to: usize) -> Option<Micros> {
        let [from, to] = [from, to].map(|task| self.problem.tasks()[task].location);
        let travel = self.problem.travel();
        travel.duration_at_us(from, to, times.speed_micro)
    }

    /// Earliest arrivals after a start of the task `from` at `start_us`. Those after `until_us` may
    /// be too late.
    pub(super) fn arrivals_after(
        &self,
        times: &Times,
        from: usize,
        start_us: Micros,
        until_us: Micros,
    ) -> Vec<Option<Micros>> {
        let first_us = self.direct(times, from, start_us);
        self.forward(times, first_us, until_us, None)
    }

    /// Earliest arrival at the task `to` after a start of the task `from` at `start_us`.
    pub(super) fn arrival_after(
        &self,
        times: &Times,
        from: usize,
        start_us: Micros,
        to: usize,
    ) -> Option<Micros> {
        let first_us = self.direct(times, from, start_us);
        self.forward(times, first_us, Micros::MAX, Some(to))[to]
    }

    /// Arrivals by the direct arcs from a task.
    fn direct(&self, times: &Times, from: usize, start_us: Micros) -> Vec<Option<Micros>> {
        let free_us = start_us.saturating_add(self.problem.tasks()[from].service_us);
        let first = |to: usize| {
            let travel_us = self.travel_us(times, from, to)?;
            (times.able[to] && to != from).then(|| free_us.saturating_add(travel_us))
        };
        (0..self.problem.tasks().len()).map(first).collect()
    }
}

/// Latest start that the windows and the lateness allow; `None`: there are no windows.
pub(super) fn latest_us(task: &Task) -> Option<Micros> {
    let last_us = task.windows.last()?.close_us;
    Some(last_us + task.lateness_max_us.unwrap_or(0))
}

/// Earliest start at or after a moment that the windows allow.
pub(in crate::verify) fn next_start(task: &Task, from_us: Micros) -> Option<Micros> {
    let Some(latest_us) = latest_us(task) else {
        return Some(from_us);
    };
    let open = task.windows.iter().find(|w| from_us <= w.close_us);
    match open {
        Some(window) => Some(from_us.max(window.open_us)),
        None => (from_us <= latest_us).then_some(from_us),
    }
}

/// Latest start at or before a moment that the windows allow.
pub(super) fn last_start(task: &Task, by_us: Micros) -> Option<Micros> {
    let (Some(last), Some(latest_us)) = (task.windows.last(), latest_us(task)) else {
        return (by_us >= 0).then_some(by_us);
    };
    if by_us > last.close_us {
        return Some(by_us.min(latest_us));
    }
    let open = task.windows.iter().rev().find(|w| w.open_us <= by_us)?;
    Some(by_us.min(open.close_us))
}
