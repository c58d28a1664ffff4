//! Earliest arrivals and latest starts: bounds on times that hold in every plan, for one task at a
//! time. They are shortest paths by Dijkstra's algorithm.

mod shortest_paths;
mod windows;

use crate::problem::{Agent, Micros, Problem, Task};
use shortest_paths::dijkstra;
pub(crate) use windows::{earliest_start, latest_close, latest_start};

/// Limit on the steps: groups of agents times pairs of tasks. Beyond it all agents are merged into
/// one group, which proves less.
const STEPS_MAX: usize = 4_000_000;

/// Earliest arrivals and latest starts, for groups of identical agents.
///
/// Arcs need not satisfy the triangle inequality, so the direct arc need not be the quickest. An
/// arrival is therefore a shortest path over all tasks that the group can do, each with its service
/// and its windows. A route is such a path, so no plan arrives earlier: leaving earlier never means
/// arriving later, neither by waiting for a window nor by travelling. Paths may pass a task that
/// another agent does, and tasks that do not fit together on one route: the bound becomes weaker,
/// not wrong. Latest starts are the same, backwards from the end of the shift.
///
/// In large problems ([`Problem::is_large`]) arcs are straight lines: no path is shorter than the
/// line less what rounding may take from each of its arcs. Where distances are rounded to decimals
/// or integers, that is usually nothing.
pub(crate) struct EarliestArrivals {
    groups: Vec<AgentGroup>,
    group_of: Vec<usize>,
}

/// Agents that are merged: bounds are those of one agent with the best values of all. All lists but
/// `sources` have one value for each task. No group is able to do tasks under way: they are fixed.
#[derive(Clone)]
pub(crate) struct AgentGroup {
    /// Sources of its agents: one, or several where agents differ.
    pub(crate) sources: Vec<Source>,
    /// Whether some agent of the group has the skills for a task, and room for it alone.
    pub(crate) able: Vec<bool>,
    /// Earliest arrival; `None`: there is no path, or the group is not able.
    pub(crate) arrivals_us: Vec<Option<Micros>>,
    /// Latest start, in a window, from which the shift can still end in time; `None`: there is
    /// none.
    pub(crate) latest_us: Vec<Option<Micros>>,
    /// Earliest start that is not after the latest; `None`: no agent of the group does the task in
    /// any plan.
    pub(crate) starts_us: Vec<Option<Micros>>,
    /// Speed of the fastest agent, in millionths.
    pub(crate) speed_micro: i64,
}

/// Source of an agent's paths: where and when it is free after its tasks under way, and not before
/// now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) location: usize,
    pub(crate) free_us: Micros,
    pub(crate) skills: u64,
    /// What is left of its capacities, one value for each dimension.
    pub(crate) room: Vec<i64>,
    pub(crate) speed_micro: i64,
    pub(crate) end: Option<usize>,
    pub(crate) shift_end_us: Micros,
}

impl EarliestArrivals {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self::with_step_limit(problem, STEPS_MAX)
    }

    /// The same; `None`: `go_on`, which is called now and then, returned false.
    pub(crate) fn new_while(problem: &Problem, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        Self::search(problem, STEPS_MAX, go_on)
    }

    /// Some agents merged into one group.
    pub(super) fn merged(problem: &Problem, agents: &[usize]) -> AgentGroup {
        let mut sources: Vec<Source> = Vec::new();
        for agent in agents {
            let own = Source::new(problem, *agent);
            if !sources.contains(&own) {
                sources.push(own);
            }
        }
        let group = AgentGroup::new(problem, &uncommitted(problem), sources, &mut || true);
        group.expect("nothing stops it")
    }

    /// [`new`](Self::new) with another limit on the steps.
    pub(super) fn with_step_limit(problem: &Problem, steps_max: usize) -> Self {
        Self::search(problem, steps_max, &mut || true).expect("nothing stops it")
    }

    fn search(
        problem: &Problem,
        steps_max: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let free = uncommitted(problem);
        let mut sources: Vec<Source> = Vec::new();
        let mut group_of = Vec::with_capacity(problem.agents().len());
        for agent in 0..problem.agents().len() {
            let own = Source::new(problem, agent);
            let same = sources.iter().position(|other| *other == own);
            group_of.push(same.unwrap_or(sources.len()));
            if same.is_none() {
                sources.push(own);
            }
        }
        let pairs = problem.tasks().len() * problem.tasks().len();
        let groups = if sources.len() * pairs > steps_max {
            group_of.fill(0);
            vec![AgentGroup::new(problem, &free, sources, go_on)?]
        } else {
            let mut one = |source| AgentGroup::new(problem, &free, vec![source], go_on);
            sources.into_iter().map(&mut one).collect::<Option<_>>()?
        };
        Some(Self { groups, group_of })
    }

    pub(crate) fn groups(&self) -> &[AgentGroup] {
        &self.groups
    }

    /// The group, if there is only one.
    pub(crate) fn single_group(&self) -> Option<&AgentGroup> {
        match &self.groups[..] {
            [whole] => Some(whole),
            _ => None,
        }
    }

    /// The group of an agent. Its bounds hold for the agent.
    pub(crate) fn group(&self, agent: usize) -> &AgentGroup {
        &self.groups[self.group_index(agent)]
    }

    /// The index of the group of an agent.
    pub(super) fn group_index(&self, agent: usize) -> usize {
        self.group_of[agent]
    }
}

/// Whether each task is not under way.
fn uncommitted(problem: &Problem) -> Vec<bool> {
    let mut free = vec![true; problem.tasks().len()];
    for agent in 0..problem.agents().len() {
        for &task in problem.committed(agent) {
            free[task] = false;
        }
    }
    free
}

impl Source {
    /// The source of an agent, after its tasks under way at the earliest. If these cannot be done
    /// the source is arbitrary: every statement about plans holds, as no plan is valid.
    pub(crate) fn new(problem: &Problem, agent: usize) -> Self {
        let Agent {
            start,
            end,
            shift_start_us: _,
            shift_end_us,
            skills,
            speed_micro,
            ref capacities,
        } = problem.agents()[agent];
        let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
        let mut source = Self {
            location: start,
            free_us: problem.leaves_us(agent),
            skills,
            room: (0..problem.dimensions())
                .map(|d| value(capacities, d))
                .collect(),
            speed_micro,
            end,
            shift_end_us,
        };
        for task in problem
            .committed(agent)
            .iter()
            .map(|&t| &problem.tasks()[t])
        {
            let travel_us = source.travel_us(problem, source.location, task.location);
            let arrival_us = source.free_us.saturating_add(travel_us.unwrap_or(0));
            let start_us = earliest_start(task, arrival_us).unwrap_or(arrival_us);
            source.location = task.location;
            source.free_us = start_us.saturating_add(task.service_us);
            for (d, room) in source.room.iter_mut().enumerate() {
                *room -= value(&task.demands, d);
            }
        }
        source.free_us = source.free_us.max(problem.now_us());
        source
    }

    pub(crate) fn travel_us(&self, problem: &Problem, from: usize, to: usize) -> Option<Micros> {
        problem.travel().duration_at_us(from, to, self.speed_micro)
    }

    /// Travel time of an arc; in a large problem at most that of any path.
    fn reach_us(&self, problem: &Problem, from: usize, to: usize) -> Option<Micros> {
        if problem.is_large() {
            let arcs = problem.tasks().len() + 1;
            return Some(problem.travel().path_us((from, to), arcs, self.speed_micro));
        }
        self.travel_us(problem, from, to)
    }

    /// Whether the agent has the skills for all these tasks, and room for the sum of their demands.
    pub(crate) fn fits(&self, tasks: &[&Task]) -> bool {
        let demand = |d: usize| -> i64 {
            let demands = tasks.iter().filter_map(|t| t.demands.get(d));
            demands.sum()
        };
        tasks.iter().all(|t| t.skills & !self.skills == 0)
            && self
                .room
                .iter()
                .enumerate()
                .all(|(d, room)| demand(d) <= *room)
    }
}

impl AgentGroup {
    /// `None`: `go_on`, which is called for each task, returned false.
    fn new(
        problem: &Problem,
        free: &[bool],
        sources: Vec<Source>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let tasks = problem.tasks();
        let fits = |task: &Task| sources.iter().any(|s| s.fits(&[task]));
        let able = tasks.iter().zip(free);
        let able = able.map(|(t, free)| go_on().then(|| *free && fits(t)));
        let able: Vec<bool> = able.collect::<Option<_>>()?;
        let speeds = sources.iter().map(|s| s.speed_micro);
        let speed_micro = speeds.max().unwrap_or(crate::problem::MICRO);
        let mut group = Self {
            arrivals_us: vec![None; tasks.len()],
            latest_us: vec![None; tasks.len()],
            starts_us: vec![None; tasks.len()],
            sources,
            able,
            speed_micro,
        };
        group.arrivals_us = group.arrivals(problem, go_on)?;
        group.latest_us = group.latest(problem, go_on)?;
        let start = |task: usize| {
            let start_us = earliest_start(&tasks[task], group.arrivals_us[task]?)?;
            (start_us <= group.latest_us[task]?).then_some(start_us)
        };
        group.starts_us = (0..tasks.len()).map(start).collect();
        Some(group)
    }

    fn arrivals(
        &self,
        problem: &Problem,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Option<Micros>>> {
        let tasks = problem.tasks();
        let direct = |to: usize| {
            let arrival = |source: &Source| {
                let travel_us = source.reach_us(problem, source.location, tasks[to].location)?;
                Some(source.free_us.saturating_add(travel_us))
            };
            self.able[to].then(|| self.sources.iter().filter_map(arrival).min())?
        };
        let labels = (0..tasks.len()).map(|task| go_on().then(|| direct(task)));
        let labels = labels.collect::<Option<_>>()?;
        if problem.is_large() {
            return Some(labels);
        }
        let departure_us = |from: usize, arrival_us| {
            let start_us = earliest_start(&tasks[from], arrival_us)?;
            Some(start_us.saturating_add(tasks[from].service_us))
        };
        let relax = |departure_us: Micros, from, to: usize, known_us| {
            if departure_us >= known_us || !self.able[to] {
                return None;
            }
            let travel_us = self.travel_us(problem, from, to)?;
            Some(departure_us.saturating_add(travel_us))
        };
        Some(dijkstra(labels, departure_us, relax))
    }

    fn latest(
        &self,
        problem: &Problem,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Option<Micros>>> {
        let tasks = problem.tasks();
        let last = |task: usize| {
            let start = |source: &Source| {
                let travel_us = match source.end {
                    Some(end) => source.reach_us(problem, tasks[task].location, end)?,
                    None => 0,
                };
                let by_us = source.shift_end_us.saturating_sub(travel_us);
                latest_start(&tasks[task], by_us.saturating_sub(tasks[task].service_us))
            };
            self.able[task].then(|| self.sources.iter().filter_map(start).max())?
        };
        let labels = (0..tasks.len()).map(|task| go_on().then(|| last(task)));
        let labels = labels.collect::<Option<Vec<_>>>()?;
        if problem.is_large() {
            return Some(labels);
        }
        // Backwards the latest label is final first: times change their sign.
        let negated = |labels: Vec<Option<Micros>>| {
            let labels = labels.into_iter().map(|label| label.map(|l| -l));
            labels.collect::<Vec<_>>()
        };
        let by_us = |_, label: Micros| Some(-label);
        let labels = dijkstra(negated(labels), by_us, |by_us, to, from, known| {
            let service_us = tasks[from].service_us;
            // Windows only make the start earlier.
            if !self.able[from] || service_us.saturating_sub(by_us) >= known {
                return None;
            }
            let travel_us = self.travel_us(problem, from, to)?;
            let by_us = by_us.saturating_sub(travel_us).saturating_sub(service_us);
            if -by_us >= known {
                return None;
            }
            Some(-latest_start(&tasks[from], by_us)?)
        });
        Some(negated(labels))
    }

    /// Earliest arrivals, up to `cutoff_us`, after a start of the task `from` at `start_us`. Later
    /// arrivals may be missing. `steps` is the number of steps left; `None`: there are too few.
    pub(super) fn arrivals_after(
        &self,
        problem: &Problem,
        from: usize,
        start_us: Micros,
        cutoff_us: Micros,
        steps: &mut usize,
    ) -> Option<Vec<Option<Micros>>> {
        let tasks = problem.tasks();
        let mut labels = vec![None; tasks.len()];
        let mut open: Vec<usize> = (0..tasks.len())
            .filter(|to| *to != from && self.able[*to])
            .collect();
        let (mut here, mut departure_us) = (from, start_us.saturating_add(tasks[from].service_us));
        loop {
            *steps = steps.checked_sub(2 * open.len() + 1)?;
            for &to in &open {
                let known_us = labels[to].unwrap_or(Micros::MAX);
                if departure_us >= known_us {
                    continue;
                }
                if let Some(travel_us) = self.travel_us(problem, here, to) {
                    let arrival_us = departure_us.saturating_add(travel_us).min(known_us);
                    labels[to] = Some(arrival_us).filter(|us| *us <= cutoff_us);
                }
            }
            // The next task that can start in a window.
            loop {
                let labelled = open.iter().enumerate();
                let least = labelled.filter_map(|(at, to)| Some((labels[*to]?, at)));
                let Some((arrival_us, at)) = least.min() else {
                    return Some(labels);
                };
                here = open.swap_remove(at);
                if let Some(start_us) = earliest_start(&tasks[here], arrival_us) {
                    departure_us = start_us.saturating_add(tasks[here].service_us);
                    break;
                }
            }
        }
    }

    /// Travel time from one task to another for the fastest agent.
    pub(super) fn travel_us(&self, problem: &Problem, from: usize, to: usize) -> Option<Micros> {
        let (from, to) = (problem.tasks()[from].location, problem.tasks()[to].location);
        problem.travel().duration_at_us(from, to, self.speed_micro)
    }
}
