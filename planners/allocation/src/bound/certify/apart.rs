//! Tasks of which no two fit on one route, more than there are agents.
//!
//! Two tasks are apart when an agent that does one as early as possible is too late for the other,
//! in either order, or when no agent can carry both. Direct arcs are checked first: if the direct
//! arc is in time, the tasks are not apart. Pairs that are apart by direct arcs alone are then
//! proved over all other paths, which may be quicker.

use super::{Class, graph::Graph};
use crate::bound::bars::demand;
use crate::certificate::{Certificate, Proof};
use crate::problem::{Micros, Problem};

/// How often a clique is looked for again without the pairs that are not apart after all.
const ATTEMPTS_MAX: usize = 12;

pub(super) fn crowd(class: &Class<'_>, free: &Problem, steps: &mut usize) -> Option<Certificate> {
    let over = class.agents.len();
    if class.tasks.len() <= over {
        return None;
    }
    let apart = Apart { class, free };
    let mut graph = apart.graph()?;
    for _ in 0..ATTEMPTS_MAX {
        let clique = graph.clique(over, steps)?;
        let wrong = apart.wrong(&clique, steps)?;
        if wrong.is_empty() {
            let tasks: Vec<usize> = clique.iter().map(|at| class.tasks[*at]).collect();
            let able = |agent: &usize| tasks.iter().any(|task| class.bars.can(*agent, *task));
            let agents: Vec<usize> = class.agents.iter().copied().filter(able).collect();
            return Some(Certificate {
                left_out: tasks.len() - agents.len(),
                tasks,
                proof: Proof::Clique { agents },
            });
        }
        for (one, other) in wrong {
            graph.part(one, other);
        }
    }
    None
}

struct Apart<'a> {
    class: &'a Class<'a>,
    free: &'a Problem,
}

impl Apart<'_> {
    /// Tasks that are apart as far as direct ways go, by their places in the class.
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
                    .between_us(self.free, tasks[one], tasks[other])
                    .is_none_or(|way_us| end_us.saturating_add(way_us) > latest_us)
        };
        for one in 0..tasks.len() {
            for other in 0..one {
                if self.is_heavy(tasks[one], tasks[other]) || (late(one, other) && late(other, one))
                {
                    graph.join(one, other);
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

    /// The pairs of a clique that are not apart after all; `None`: no steps are left.
    fn wrong(&self, clique: &[usize], steps: &mut usize) -> Option<Vec<(usize, usize)>> {
        let (best, tasks) = (&self.class.best, &self.class.tasks);
        let latest = clique.iter().filter_map(|at| best.latest_us[tasks[*at]]);
        let cutoff_us = latest.max()?;
        let mut wrong = Vec::new();
        for &one in clique {
            let start_us = best.starts_us[tasks[one]]?;
            let from = (tasks[one], start_us, cutoff_us);
            let after = best.after(self.free, from, steps)?;
            for &other in clique.iter().filter(|other| **other != one) {
                let arrival_us = after[tasks[other]];
                let in_time = arrival_us
                    .zip(best.latest_us[tasks[other]])
                    .is_some_and(|(arrival_us, latest_us)| arrival_us <= latest_us);
                if in_time && !self.is_heavy(tasks[one], tasks[other]) {
                    wrong.push((one, other));
                }
            }
        }
        Some(wrong)
    }
}
