//! Bounds on arcs.

use super::super::earliest_arrival::{AgentGroup, EarliestArrivals};
use super::Done;
use crate::problem::{Micros, Problem};
use crate::travel::{Strip, at_speed};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers the bounds to the arcs from one task to all others, where an agent of the group can do
/// both in time.
pub(super) fn arcs_from(problem: &Problem, group: &AgentGroup, from: usize, all: &mut [Done]) {
    let Some(start_us) = group.starts_us[from] else {
        return;
    };
    let (one, travel) = (&problem.tasks()[from], problem.travel());
    let departure_us = start_us.saturating_add(one.service_us);
    for (to, done) in all.iter_mut().enumerate().filter(|(to, _)| *to != from) {
        let other = &problem.tasks()[to];
        let cost_micro = travel.cost_micro(one.location, other.location);
        let travel_us = travel.duration_at_us(one.location, other.location, group.speed_micro);
        let Some(travel_us) =
            travel_us.filter(|us| cost_micro < done.arc_micro || *us < done.work_us)
        else {
            continue;
        };
        // One of many merged agents may have room for both: checking that would take too long.
        let fits = || group.sources.len() > 1 || group.sources[0].fits(&[one, other]);
        if in_time(group, to, departure_us.saturating_add(travel_us)) && fits() {
            done.arc_micro = done.arc_micro.min(cost_micro);
            done.work_us = done.work_us.min(travel_us);
        }
    }
}

/// Lowers the bounds to the arcs from the nearest task, whether an agent can do both or not.
/// `None`: `go_on`, which is called for each task, returned false.
pub(super) fn nearest_arcs(
    problem: &Problem,
    group: &AgentGroup,
    all: &mut [Done],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<()> {
    let tasks = problem.tasks();
    let all_tasks: Vec<u32> = (0..tasks.len() as u32).collect();
    let strip = Strip::of_tasks(problem, &all_tasks);
    let known = (0..).zip(all).zip(&group.starts_us);
    for ((task, done), _) in known.filter(|(_, start_us)| start_us.is_some()) {
        if !go_on() {
            return None;
        }
        let to = tasks[task as usize].location;
        let mut least_micro = i64::MAX;
        strip.scan(task, |other| {
            let from = tasks[other as usize].location;
            least_micro = least_micro.min(problem.travel().cost_micro(from, to));
            least_micro as f64
        });
        done.arc_micro = done.arc_micro.min(least_micro);
        done.work_us = done.work_us.min(at_speed(least_micro, group.speed_micro));
    }
    Some(())
}

/// Whether a task can start in time after this arrival. Closed windows do not matter: the latest
/// start is in a window.
pub(super) fn in_time(group: &AgentGroup, task: usize, arrival_us: Micros) -> bool {
    group.latest_us[task].is_some_and(|latest_us| arrival_us <= latest_us)
}

/// Arcs to end places.
pub(super) struct ReturnArcs<'p> {
    problem: &'p Problem,
    arrivals: &'p EarliestArrivals,
    /// Of a group and an end place, the cheapest arc from a task that can be the last.
    least_micro: BTreeMap<(usize, usize), i64>,
}

impl<'p> ReturnArcs<'p> {
    pub(super) fn new(problem: &'p Problem, arrivals: &'p EarliestArrivals) -> Self {
        Self {
            problem,
            arrivals,
            least_micro: BTreeMap::new(),
        }
    }

    /// The cheapest arc to the end place of an agent from a task that can be its last; 0 without an
    /// end place.
    pub(super) fn least_micro(&mut self, agent: usize) -> i64 {
        let problem = self.problem;
        let Some(end) = problem.agents()[agent].end else {
            return 0;
        };
        let arc_micro = |task: usize| {
            let (travel, from) = (problem.travel(), problem.tasks()[task].location);
            let is_arc = travel.duration_us(from, end).is_some();
            is_arc.then(|| travel.cost_micro(from, end))
        };
        let key = (self.arrivals.group_index(agent), end);
        let free_micro = *self.least_micro.entry(key).or_insert_with(|| {
            let lasts = lasts(problem, self.arrivals.group(agent));
            lasts.filter_map(arc_micro).min().unwrap_or(i64::MAX)
        });
        let begun = problem.committed(agent).last();
        let begun_micro = begun.and_then(|task| arc_micro(*task));
        match begun_micro.unwrap_or(i64::MAX).min(free_micro) {
            i64::MAX => 0,
            least_micro => least_micro,
        }
    }
}

/// The tasks that can be the last of an agent of a group.
fn lasts(problem: &Problem, group: &AgentGroup) -> impl Iterator<Item = usize> {
    (0..problem.tasks().len()).filter(|task| group.starts_us[*task].is_some())
}

/// The quickest arc to an end place from a task that can be the last; 0 where an agent of the group
/// has no end place. `None`: `go_on`, which is called for each end place, returned false.
pub(super) fn home_us(
    problem: &Problem,
    group: &AgentGroup,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Micros> {
    let ends: BTreeSet<Option<usize>> = group.sources.iter().map(|source| source.end).collect();
    let mut least_us = None;
    for end in ends {
        if !go_on() {
            return None;
        }
        let Some(end) = end else {
            return Some(0);
        };
        let arcs = lasts(problem, group).filter_map(|task| {
            let from = problem.tasks()[task].location;
            let travel = problem.travel();
            travel.duration_at_us(from, end, group.speed_micro)
        });
        least_us = least_us.into_iter().chain(arcs).min();
    }
    Some(least_us.unwrap_or(0))
}
