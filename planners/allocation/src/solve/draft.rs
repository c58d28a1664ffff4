//! A plan in the making.

use super::model::{Model, NONE};
use super::path::{Path, Visit};
use crate::plan::{Cost, Plan, Route, Stop, Terms};
use crate::problem::{MICRO, Micros};
use std::ops::Range;

/// Where a task is: on the path of an agent at a position, or, with [`NONE`] in place of the agent,
/// at a position among the absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) agent: u32,
    pub(crate) position: u32,
}

/// A plan in the making: one path an agent, and the tasks that are absent. Every path keeps the
/// rules of the problem at any time.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) paths: Vec<Path>,
    pub(crate) absent: Vec<u32>,
    pub(crate) places: Vec<Place>,
    /// Tasks with another agent than in the previous plan.
    pub(crate) changes: usize,
    /// Terms of the cost; the makespan only where the objective counts it.
    terms: Terms,
    /// Agents whose paths differ from those of the draft that this one was copied from.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Draft {
    /// Nothing is done, not even what is under way.
    pub(crate) fn new(model: &Model<'_>) -> Self {
        let agents = model.workers.len();
        let mut draft = Self {
            paths: vec![Path::default(); agents],
            absent: Vec::with_capacity(model.jobs.len()),
            places: vec![
                Place {
                    agent: NONE,
                    position: 0
                };
                model.jobs.len()
            ],
            changes: 0,
            terms: Terms::default(),
            touched: Vec::with_capacity(agents),
            is_touched: vec![false; agents],
        };
        for (task, job) in (0..).zip(&model.jobs) {
            draft.places[task as usize].position = draft.absent.len() as u32;
            draft.absent.push(task);
            draft.count_absent(job.penalty_micro, 1);
        }
        draft
    }

    /// Copies everything.
    pub(crate) fn copy(&mut self, from: &Self) {
        self.paths.clone_from(&from.paths);
        self.absent.clone_from(&from.absent);
        self.places.clone_from(&from.places);
        (self.changes, self.terms) = (from.changes, from.terms);
        self.forget_touched();
    }

    /// Copies what differs: `touched` are all agents whose paths may.
    fn copy_paths(&mut self, from: &Self, touched: &[u32]) {
        for &agent in touched {
            self.paths[agent as usize].clone_from(&from.paths[agent as usize]);
        }
        self.absent.clone_from(&from.absent);
        (self.changes, self.terms) = (from.changes, from.terms);
        for (position, &task) in (0..).zip(&self.absent) {
            self.places[task as usize] = Place {
                agent: NONE,
                position,
            };
        }
        for &agent in touched {
            for (position, visit) in (0..).zip(&self.paths[agent as usize].visits) {
                self.places[visit.task as usize] = Place { agent, position };
            }
        }
    }

    /// Takes over from `changed` what changed since the two were equal. They are equal again.
    pub(crate) fn follow(&mut self, changed: &mut Self) {
        self.copy_paths(changed, &changed.touched);
        changed.forget_touched();
    }

    /// Undoes what changed since this draft and `kept` were equal.
    pub(crate) fn revert(&mut self, kept: &Self) {
        let touched = std::mem::take(&mut self.touched);
        self.copy_paths(kept, &touched);
        self.touched = touched;
        self.forget_touched();
    }

    fn forget_touched(&mut self) {
        for &agent in &self.touched {
            self.is_touched[agent as usize] = false;
        }
        self.touched.clear();
    }

    fn touch(&mut self, agent: usize) {
        if !std::mem::replace(&mut self.is_touched[agent], true) {
            self.touched.push(agent as u32);
        }
    }

    /// Puts an absent task on a path. The caller has made sure that no rule breaks.
    pub(crate) fn insert(
        &mut self,
        model: &Model<'_>,
        task: u32,
        (agent, position): (usize, usize),
    ) {
        self.begin(agent);
        self.leave_absent(model, task);
        self.changes += model.change(task, agent);
        self.paths[agent].insert(model, task, position);
        let legal = self.paths[agent].refresh(model, agent, position);
        debug_assert!(legal, "insertions are checked before");
        self.end(model, agent, position);
    }

    /// Takes the tasks of `span` off the path of `agent`. False, and nothing done, where what is
    /// left would break a rule: where ways are missing or not the shortest it may.
    pub(crate) fn remove(&mut self, model: &Model<'_>, agent: usize, span: Range<usize>) -> bool {
        let worker = &model.workers[agent];
        if !self.paths[agent].joins(model, worker, (span.start, span.end)) {
            return false;
        }
        self.begin(agent);
        for index in span.clone() {
            let task = self.paths[agent].visits[index].task;
            self.changes -= model.change(task, agent);
            self.join_absent(model, task);
        }
        self.paths[agent].visits.drain(span.clone());
        let legal = self.paths[agent].refresh(model, agent, span.start);
        debug_assert!(legal, "removals are checked before");
        self.end(model, agent, span.start);
        true
    }

    /// Makes an agent do these tasks, which are absent or its own; what it did besides becomes
    /// absent. False where that breaks a rule: then the agent does nothing, not even what is under
    /// way.
    pub(crate) fn set(&mut self, model: &Model<'_>, agent: usize, tasks: &[u32]) -> bool {
        self.clear(model, agent);
        self.begin(agent);
        let changes: usize = tasks.iter().map(|&task| model.change(task, agent)).sum();
        let legal = self.changes + changes <= model.changes_max
            && self.paths[agent].set(model, agent, tasks);
        if legal {
            self.changes += changes;
            tasks
                .iter()
                .for_each(|&task| self.leave_absent(model, task));
        } else {
            self.paths[agent].set(model, agent, &[]);
        }
        self.end(model, agent, 0);
        legal
    }

    /// Makes all tasks of an agent absent, those under way too.
    pub(crate) fn clear(&mut self, model: &Model<'_>, agent: usize) {
        self.begin(agent);
        for index in 0..self.paths[agent].visits.len() {
            let task = self.paths[agent].visits[index].task;
            self.changes -= model.change(task, agent);
            self.join_absent(model, task);
        }
        self.paths[agent].set(model, agent, &[]);
        self.end(model, agent, 0);
    }

    /// Before a path changes: its part of the terms goes.
    fn begin(&mut self, agent: usize) {
        self.touch(agent);
        let path = &self.paths[agent];
        self.terms.travel_cost_micro -= path.sums.travel_micro;
        self.terms.lateness_us -= path.sums.lateness_us;
        self.terms.agents_used_micro -= if path.visits.is_empty() { 0 } else { MICRO };
    }

    /// After a path changed from `position` on.
    fn end(&mut self, model: &Model<'_>, agent: usize, position: usize) {
        let path = &self.paths[agent];
        self.terms.travel_cost_micro += path.sums.travel_micro;
        self.terms.lateness_us += path.sums.lateness_us;
        self.terms.agents_used_micro += if path.visits.is_empty() { 0 } else { MICRO };
        for (index, visit) in path.visits.iter().enumerate().skip(position) {
            let place = Place {
                agent: agent as u32,
                position: index as u32,
            };
            self.places[visit.task as usize] = place;
        }
        if model.counts_makespan {
            self.terms.makespan_us = self.paths.iter().map(|p| p.sums.end_us).max().unwrap_or(0);
        }
    }

    fn join_absent(&mut self, model: &Model<'_>, task: u32) {
        let position = self.absent.len() as u32;
        self.places[task as usize] = Place {
            agent: NONE,
            position,
        };
        self.absent.push(task);
        self.count_absent(model.jobs[task as usize].penalty_micro, 1);
    }

    fn leave_absent(&mut self, model: &Model<'_>, task: u32) {
        let position = self.places[task as usize].position as usize;
        self.absent.swap_remove(position);
        if let Some(&moved) = self.absent.get(position) {
            self.places[moved as usize].position = position as u32;
        }
        self.count_absent(model.jobs[task as usize].penalty_micro, -1);
    }

    fn count_absent(&mut self, penalty_micro: Option<i64>, sign: i64) {
        match penalty_micro {
            None => self.terms.unserved_micro += sign * MICRO,
            Some(penalty_micro) => self.terms.drop_penalty_micro += sign * penalty_micro,
        }
    }

    /// Whether a task is on a path.
    pub(crate) fn is_done(&self, task: u32) -> bool {
        self.places[task as usize].agent != NONE
    }

    /// Mandatory tasks that are absent.
    pub(crate) fn unserved(&self) -> i64 {
        self.terms.unserved_micro / MICRO
    }

    /// The makespan, where the objective counts it; else 0.
    pub(crate) fn makespan_us(&self) -> Micros {
        self.terms.makespan_us
    }

    /// The terms of the cost; the makespan only where the objective counts it.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(crate) fn cost(&self, model: &Model<'_>) -> Cost {
        model.problem.cost(&self.terms)
    }

    pub(crate) fn energy(&self, model: &Model<'_>) -> f64 {
        model.scale.energy(&self.terms)
    }

    pub(crate) fn plan(&self) -> Plan {
        let stops = |path: &Path| {
            let stop = |v: &Visit| Stop {
                task: v.task as usize,
                start_us: v.start_us,
            };
            path.visits.iter().map(stop).collect()
        };
        let busy = self
            .paths
            .iter()
            .enumerate()
            .filter(|(_, path)| !path.visits.is_empty());
        Plan {
            routes: busy
                .map(|(agent, path)| Route {
                    agent,
                    stops: stops(path),
                    rests: Vec::new(),
                })
                .collect(),
        }
    }
}
