//! When whom can be where, at best: what holds in every plan about one task alone.

mod windows;

use crate::problem::{Agent, Micros, Problem, Task};
pub(crate) use windows::{earliest_start, latest_close, latest_start};

/// Most steps spent on arrivals: groups of agents times pairs of tasks. With more than that all
/// agents are taken together, which proves less.
const STEPS_MAX: usize = 4_000_000;

/// Earliest arrivals and latest starts, for groups of agents that are alike.
///
/// Ways need not keep the triangle inequality, so going directly need not be earliest. An arrival
/// is therefore a shortest path over all tasks that the group could pass, each with its service and
/// its windows. A route is such a path, so no plan arrives earlier: going on earlier never means
/// arriving later, neither by waiting for a window nor by travelling. Paths may do a task that
/// another agent does, and take tasks that do not fit together in one route: that makes the bound
/// weaker, not wrong. Latest starts are the same, backwards from the end of the shift.
pub(crate) struct Reach {
    groups: Vec<Group>,
    group_of: Vec<usize>,
}

/// Agents that are taken together. All lists but `sources` have one value for each task; tasks
/// under way are beyond choice, nobody is able.
#[derive(Clone)]
pub(crate) struct Group {
    /// The sources of its agents: one, or many when there are too many groups.
    pub(crate) sources: Vec<Source>,
    /// Whether some agent of the group has the skills for a task, and room for it alone.
    pub(crate) able: Vec<bool>,
    /// Earliest arrival; `None` where there is none or nobody is able.
    pub(crate) arrivals_us: Vec<Option<Micros>>,
    /// Latest start, in a window, from which the shift can still end in time; `None` where there is
    /// none.
    pub(crate) latest_us: Vec<Option<Micros>>,
    /// Earliest start that can still end well; `None` when nobody in the group can do the task in
    /// any plan.
    pub(crate) starts_us: Vec<Option<Micros>>,
    /// Speed of the fastest, in millionths.
    pub(crate) speed_micro: i64,
}

/// What an agent starts with once its tasks under way are done, and not before now.
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

impl Reach {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self::within(problem, STEPS_MAX)
    }

    /// The same; `None`: stopped, as `go_on`, which is asked now and then, said no.
    pub(crate) fn new_while(problem: &Problem, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        Self::within_while(problem, STEPS_MAX, go_on)
    }

    /// Some agents taken together, as if one of them had the best of all.
    pub(super) fn together(problem: &Problem, agents: &[usize]) -> Group {
        let mut sources: Vec<Source> = Vec::new();
        for agent in agents {
            let own = Source::of(problem, *agent);
            if !sources.contains(&own) {
                sources.push(own);
            }
        }
        Group::new(problem, &free(problem), sources)
    }

    /// The same with a limit of its own on the steps.
    pub(super) fn within(problem: &Problem, steps_max: usize) -> Self {
        Self::within_while(problem, steps_max, &mut || true).expect("nothing stops it")
    }

    fn within_while(
        problem: &Problem,
        steps_max: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let free = free(problem);
        let mut sources: Vec<Source> = Vec::new();
        let mut group_of = Vec::with_capacity(problem.agents().len());
        for agent in 0..problem.agents().len() {
            let own = Source::of(problem, agent);
            let same = sources.iter().position(|other| *other == own);
            group_of.push(same.unwrap_or(sources.len()));
            if same.is_none() {
                sources.push(own);
            }
        }
        let pairs = problem.tasks().len() * problem.tasks().len();
        let groups = if sources.len() * pairs > steps_max {
            group_of.fill(0);
            vec![Group::new(problem, &free, sources)]
        } else {
            let one = |source| go_on().then(|| Group::new(problem, &free, vec![source]));
            sources.into_iter().map(one).collect::<Option<_>>()?
        };
        Some(Self { groups, group_of })
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The only group, if there is one.
    pub(crate) fn whole(&self) -> Option<&Group> {
        match &self.groups[..] {
            [whole] => Some(whole),
            _ => None,
        }
    }

    /// The group of an agent. What holds for it holds for the agent.
    pub(crate) fn group(&self, agent: usize) -> &Group {
        &self.groups[self.group_of[agent]]
    }
}

/// Which tasks are not under way.
fn free(problem: &Problem) -> Vec<bool> {
    let mut free = vec![true; problem.tasks().len()];
    for agent in 0..problem.agents().len() {
        for &task in problem.started(agent) {
            free[task] = false;
        }
    }
    free
}

impl Source {
    /// The source of an agent: after its tasks under way at the earliest. When these cannot be
    /// done, some source: then there is no plan to say anything wrong about.
    pub(crate) fn of(problem: &Problem, agent: usize) -> Self {
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
        for task in problem.started(agent).iter().map(|&t| &problem.tasks()[t]) {
            let way_us = source.way_us(problem, source.location, task.location);
            let arrival_us = source.free_us.saturating_add(way_us.unwrap_or(0));
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

    pub(crate) fn way_us(&self, problem: &Problem, from: usize, to: usize) -> Option<Micros> {
        problem.travel().duration_at_us(from, to, self.speed_micro)
    }

    /// Whether it has the skills for all these tasks, and room for them together.
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

impl Group {
    fn new(problem: &Problem, free: &[bool], sources: Vec<Source>) -> Self {
        let tasks = problem.tasks();
        let fits = |task: &Task| sources.iter().any(|s| s.fits(&[task]));
        let able: Vec<bool> = tasks
            .iter()
            .zip(free)
            .map(|(t, free)| *free && fits(t))
            .collect();
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
        group.arrivals_us = group.arrivals(problem);
        group.latest_us = group.latest(problem);
        let start = |(task, arrival_us): (&Task, &Option<Micros>)| {
            arrival_us.and_then(|arrival_us| earliest_start(task, arrival_us))
        };
        let starts = tasks.iter().zip(&group.arrivals_us).map(start);
        let in_time = |(start_us, latest_us): (Option<Micros>, &Option<Micros>)| {
            start_us.filter(|start_us| latest_us.is_some_and(|latest_us| *start_us <= latest_us))
        };
        group.starts_us = starts.zip(&group.latest_us).map(in_time).collect();
        group
    }

    fn arrivals(&self, problem: &Problem) -> Vec<Option<Micros>> {
        let tasks = problem.tasks();
        let direct = |to: usize| {
            let arrival = |source: &Source| {
                let way_us = source.way_us(problem, source.location, tasks[to].location)?;
                Some(source.free_us.saturating_add(way_us))
            };
            self.able[to].then(|| self.sources.iter().filter_map(arrival).min())?
        };
        let labels = (0..tasks.len()).map(direct).collect();
        let departure_us = |from: usize, arrival_us| {
            let start_us = earliest_start(&tasks[from], arrival_us)?;
            Some(start_us.saturating_add(tasks[from].service_us))
        };
        settle(
            labels,
            departure_us,
            |departure_us, from, (to, known_us)| {
                if departure_us >= known_us || !self.able[to] {
                    return None;
                }
                let way_us = self.between_us(problem, from, to)?;
                Some(departure_us.saturating_add(way_us))
            },
        )
    }

    fn latest(&self, problem: &Problem) -> Vec<Option<Micros>> {
        let tasks = problem.tasks();
        let last = |task: usize| {
            let start = |source: &Source| {
                let way_us = match source.end {
                    Some(end) => source.way_us(problem, tasks[task].location, end)?,
                    None => 0,
                };
                let by_us = source.shift_end_us.saturating_sub(way_us);
                latest_start(&tasks[task], by_us.saturating_sub(tasks[task].service_us))
            };
            self.able[task].then(|| self.sources.iter().filter_map(start).max())?
        };
        // Backwards the latest is settled first: times change their sign.
        let labels = (0..tasks.len())
            .map(|task| last(task).map(|l| -l))
            .collect();
        let by_us = |_, label: Micros| Some(-label);
        let labels = settle(labels, by_us, |by_us, to, (from, known)| {
            let service_us = tasks[from].service_us;
            // It starts no later than this, whatever its windows.
            if !self.able[from] || service_us.saturating_sub(by_us) >= known {
                return None;
            }
            let way_us = self.between_us(problem, from, to)?;
            let by_us = by_us.saturating_sub(way_us).saturating_sub(service_us);
            if -by_us >= known {
                return None;
            }
            Some(-latest_start(&tasks[from], by_us)?)
        });
        labels.into_iter().map(|label| label.map(|l| -l)).collect()
    }

    /// Earliest arrivals, up to `cutoff_us`, of an agent that starts one task at `start_us`; later
    /// ones may be missing. `steps` is the number of steps left.
    pub(super) fn after(
        &self,
        problem: &Problem,
        (from, start_us, cutoff_us): (usize, Micros, Micros),
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
                if let Some(way_us) = self.between_us(problem, here, to) {
                    let arrival_us = departure_us.saturating_add(way_us).min(known_us);
                    labels[to] = Some(arrival_us).filter(|us| *us <= cutoff_us);
                }
            }
            // The next from which anything can start at all.
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

    /// Time from one task to another for the fastest.
    pub(super) fn between_us(&self, problem: &Problem, from: usize, to: usize) -> Option<Micros> {
        let (from, to) = (problem.tasks()[from].location, problem.tasks()[to].location);
        problem.travel().duration_at_us(from, to, self.speed_micro)
    }
}

/// Least labels that steps lead to: Dijkstra's algorithm without a queue, since every pair is an
/// edge. `leave(i, label)` is when i is left, if it is at all; `step(that, i, (j, known))` what
/// this gives to j, if that is less than `known`: never less than `label`, and never less for a
/// larger one.
fn settle(
    mut labels: Vec<Option<Micros>>,
    leave: impl Fn(usize, Micros) -> Option<Micros>,
    step: impl Fn(Micros, usize, (usize, Micros)) -> Option<Micros>,
) -> Vec<Option<Micros>> {
    let mut open: Vec<usize> = (0..labels.len()).collect();
    let labelled = open.iter().enumerate();
    let least = labelled.filter_map(|(at, &i)| Some((labels[i]?, at))).min();
    let mut next = least;
    while let Some((label, at)) = next {
        let from = open.swap_remove(at);
        let left = leave(from, label);
        next = None;
        // One round corrects the labels and finds the least of them.
        for (at, &to) in open.iter().enumerate() {
            if let Some(left) = left {
                let known = labels[to].unwrap_or(Micros::MAX);
                if let Some(new) = step(left, from, (to, known)) {
                    labels[to] = Some(known.min(new));
                }
            }
            if let Some(label) = labels[to]
                && next.is_none_or(|least| (label, at) < least)
            {
                next = Some((label, at));
            }
        }
    }
    labels
}
