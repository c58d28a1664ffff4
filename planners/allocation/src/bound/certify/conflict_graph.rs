//! The conflict graph: its nodes are tasks, its edges join tasks that do not fit on one route. A
//! clique that is larger than the number of agents is a bound: some of its tasks are left out.
//!
//! Two tasks conflict if an agent that does one as early as possible is too late for the other, in
//! either order, or if no agent can carry both. Direct arcs are checked first: if a direct arc is
//! in time, there is no conflict. Conflicts by direct arcs alone are then checked over all other
//! paths, which may be quicker.

use super::{SkillClass, clique::Graph};
use crate::bound::incompatibility::demand;
use crate::certificate::{Certificate, Proof};
use crate::problem::{Micros, Problem};

/// Most cliques that are tried, each without the edges that were refuted before.
const ATTEMPTS_MAX: usize = 12;

pub(super) fn clique_bound(
    class: &SkillClass<'_>,
    free: &Problem,
    steps: &mut usize,
) -> Option<Certificate> {
    let over = class.agents.len();
    if class.tasks.len() <= over {
        return None;
    }
    let conflicts = Conflicts { class, free };
    let mut graph = conflicts.graph()?;
    for _ in 0..ATTEMPTS_MAX {
        let clique = graph.clique(over, steps)?;
        let refuted = conflicts.refuted(&clique, steps)?;
        if refuted.is_empty() {
            let tasks: Vec<usize> = clique.iter().map(|at| class.tasks[*at]).collect();
            let able = |agent: &usize| {
                tasks
                    .iter()
                    .any(|task| class.incompatibilities.can(*agent, *task))
            };
            let agents: Vec<usize> = class.agents.iter().copied().filter(able).collect();
            return Some(Certificate {
                left_out: tasks.len() - agents.len(),
                tasks,
                proof: Proof::Clique { agents },
            });
        }
        for (one, other) in refuted {
            graph.disconnect(one, other);
        }
    }
    None
}

struct Conflicts<'a> {
    class: &'a SkillClass<'a>,
    free: &'a Problem,
}

impl Conflicts<'_> {
    /// Conflicts by direct arcs; nodes are positions of tasks in the class.
    fn graph(&self) -> Option<Graph> {
        let tasks = &self.class.tasks;
        let mut graph = Graph::new(tasks.len());
        let times: Option<Vec<(Micros, Micros)>> = tasks.iter().map(|t| self.times(*t)).collect();
        let times = times?;
        let late = |one: usize, other: usize| {
            let (end_us, latest_us) = (times[one].0, times[other].1);
            end_us > latest_us
                || self
                    .class
                    .best
                    .travel_us(self.free, tasks[one], tasks[other])
                    .is_none_or(|travel_us| end_us.saturating_add(travel_us) > latest_us)
        };
        for one in 0..tasks.len() {
            for other in 0..one {
                if self.is_heavy(tasks[one], tasks[other]) || (late(one, other) && late(other, one))
                {
                    graph.connect(one, other);
                }
            }
        }
        Some(graph)
    }

    /// Earliest end, and latest start.
    fn times(&self, task: usize) -> Option<(Micros, Micros)> {
        let best = &self.class.best;
        let end_us = best.starts_us[task]?.saturating_add(self.free.tasks()[task].service_us);
        Some((end_us, best.latest_us[task]?))
    }

    /// Whether no agent can carry both.
    fn is_heavy(&self, one: usize, other: usize) -> bool {
        let best = &self.class.best;
        (0..self.free.dimensions()).any(|d| {
            let load = demand(self.free, one, d) + demand(self.free, other, d);
            best.sources.iter().all(|source| load > source.room[d])
        })
    }

    /// The edges of a clique that are no conflicts over other paths; `None`: no steps are left.
    fn refuted(&self, clique: &[usize], steps: &mut usize) -> Option<Vec<(usize, usize)>> {
        let (best, tasks) = (&self.class.best, &self.class.tasks);
        let latest = clique.iter().filter_map(|at| best.latest_us[tasks[*at]]);
        let cutoff_us = latest.max()?;
        let mut refuted = Vec::new();
        for &one in clique {
            let start_us = best.starts_us[tasks[one]]?;
            let after = best.arrivals_after(self.free, tasks[one], start_us, cutoff_us, steps)?;
            for &other in clique.iter().filter(|other| **other != one) {
                let arrival_us = after[tasks[other]];
                let in_time = arrival_us
                    .zip(best.latest_us[tasks[other]])
                    .is_some_and(|(arrival_us, latest_us)| arrival_us <= latest_us);
                if in_time && !self.is_heavy(tasks[one], tasks[other]) {
                    refuted.push((one, other));
                }
            }
        }
        Some(refuted)
    }
}
