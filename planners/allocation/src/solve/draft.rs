//! A feasible plan under construction.

use super::insertion::Insertion;
use super::model::{Model, NONE};
use super::path::{Path, Visit};
use crate::plan::{Cost, Plan, Route, Stop, Terms};
use crate::problem::{MICRO, Micros};
use std::ops::Range;

/// Position of a task: on the path of an agent, or, with [`NONE`] in place of the agent, in the
/// list of unassigned tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) agent: u32,
    pub(crate) position: u32,
}

/// A plan under construction: one path for each agent, and the unassigned tasks. Every path is
/// feasible at any time.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) paths: Vec<Path>,
    pub(crate) unassigned: Vec<u32>,
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
    /// A draft in which all tasks are unassigned, committed ones too.
    pub(crate) fn new(model: &Model<'_>) -> Self {
        let agents = model.workers.len();
        let mut draft = Self {
            paths: vec![Path::default(); agents],
            unassigned: Vec::with_capacity(model.jobs.len()),
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
            draft.places[task as usize].position = draft.unassigned.len() as u32;
            draft.unassigned.push(task);
            draft.count_unassigned(job.penalty_micro, 1);
        }
        draft
    }

    /// Copies everything.
    pub(crate) fn copy(&mut self, from: &Self) {
        self.paths.clone_from(&from.paths);
        self.unassigned.clone_from(&from.unassigned);
        self.places.clone_from(&from.places);
        (self.changes, self.terms) = (from.changes, from.terms);
        self.forget_touched();
    }

    /// Copies the differences: `touched` has all agents whose paths may differ.
    fn copy_paths(&mut self, from: &Self, touched: &[u32]) {
        for &agent in touched {
            self.paths[agent as usize].clone_from(&from.paths[agent as usize]);
        }
        self.unassigned.clone_from(&from.unassigned);
        (self.changes, self.terms) = (from.changes, from.terms);
        for (position, &task) in (0..).zip(&self.unassigned) {
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

    /// Takes over what changed in `changed` since both were equal. Both are equal again.
    pub(crate) fn apply_changes(&mut self, changed: &mut Self) {
        self.copy_paths(changed, &changed.touched);
        changed.forget_touched();
    }

    /// Undoes what changed since this draft and `original` were equal.
    pub(crate) fn revert(&mut self, original: &Self) {
        let touched = std::mem::take(&mut self.touched);
        self.copy_paths(original, &touched);
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

    /// Inserts an unassigned task. The caller has checked that it fits.
    pub(crate) fn insert(&mut self, model: &Model<'_>, task: u32, agent: usize, position: usize) {
        self.begin_change(agent);
        self.mark_assigned(model, task);
        self.changes += model.change(task, agent);
        self.paths[agent].insert(model, task, position);
        let is_feasible = self.paths[agent].refresh(model, agent, position);
        debug_assert!(is_feasible, "insertions are checked before");
        self.end_change(model, agent, position);
    }

    /// Inserts an unassigned task where it was found to fit.
    pub(crate) fn insert_at(&mut self, model: &Model<'_>, task: u32, insertion: Insertion) {
        let (agent, position) = (insertion.agent as usize, insertion.position as usize);
        self.insert(model, task, agent, position);
    }

    /// Removes the tasks of `span` from the path of `agent`. Returns false, and does nothing, where
    /// that would break a rule: possible where arcs are missing or violate the triangle inequality.
    pub(crate) fn remove(&mut self, model: &Model<'_>, agent: usize, span: Range<usize>) -> bool {
        let worker = &model.workers[agent];
        if !self.paths[agent].joins(model, worker, (span.start, span.end)) {
            return false;
        }
        self.begin_change(agent);
        for index in span.clone() {
            let task = self.paths[agent].visits[index].task;
            self.changes -= model.change(task, agent);
            self.mark_unassigned(model, task);
        }
        self.paths[agent].visits.drain(span.clone());
        let is_feasible = self.paths[agent].refresh(model, agent, span.start);
        debug_assert!(is_feasible, "removals are checked before");
        self.end_change(model, agent, span.start);
        true
    }

    /// Makes an agent do these tasks, which are unassigned or its own; its other tasks become
    /// unassigned. Returns false where that breaks a rule: then all its tasks are unassigned,
    /// committed ones too.
    pub(crate) fn set(&mut self, model: &Model<'_>, agent: usize, tasks: &[u32]) -> bool {
        self.clear(model, agent);
        self.begin_change(agent);
        let changes: usize = tasks.iter().map(|&task| model.change(task, agent)).sum();
        let is_feasible = self.changes + changes <= model.changes_max
            && self.paths[agent].set(model, agent, tasks);
        if is_feasible {
            self.changes += changes;
            tasks
                .iter()
                .for_each(|&task| self.mark_assigned(model, task));
        } else {
            self.paths[agent].set(model, agent, &[]);
        }
        self.end_change(model, agent, 0);
        is_feasible
    }

    /// Makes all tasks of an agent unassigned, committed ones too.
    pub(crate) fn clear(&mut self, model: &Model<'_>, agent: usize) {
        self.begin_change(agent);
        for index in 0..self.paths[agent].visits.len() {
            let task = self.paths[agent].visits[index].task;
            self.changes -= model.change(task, agent);
            self.mark_unassigned(model, task);
        }
        self.paths[agent].set(model, agent, &[]);
        self.end_change(model, agent, 0);
    }

    /// Subtracts the terms of a path that is going to change.
    fn begin_change(&mut self, agent: usize) {
        self.touch(agent);
        let path = &self.paths[agent];
        self.terms.travel_cost_micro -= path.sums.travel_micro;
        self.terms.lateness_us -= path.sums.lateness_us;
        self.terms.agents_used_micro -= if path.visits.is_empty() { 0 } else { MICRO };
    }

    /// Adds the terms of a path that changed from `position` on.
    fn end_change(&mut self, model: &Model<'_>, agent: usize, position: usize) {
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

    fn mark_unassigned(&mut self, model: &Model<'_>, task: u32) {
        let position = self.unassigned.len() as u32;
        self.places[task as usize] = Place {
            agent: NONE,
            position,
        };
        self.unassigned.push(task);
        self.count_unassigned(model.jobs[task as usize].penalty_micro, 1);
    }

    fn mark_assigned(&mut self, model: &Model<'_>, task: u32) {
        let position = self.places[task as usize].position as usize;
        self.unassigned.swap_remove(position);
        if let Some(&moved) = self.unassigned.get(position) {
            self.places[moved as usize].position = position as u32;
        }
        self.count_unassigned(model.jobs[task as usize].penalty_micro, -1);
    }

    fn count_unassigned(&mut self, penalty_micro: Option<i64>, sign: i64) {
        match penalty_micro {
            None => self.terms.unserved_micro += sign * MICRO,
            Some(penalty_micro) => self.terms.drop_penalty_micro += sign * penalty_micro,
        }
    }

    /// Whether a task is on a path.
    pub(crate) fn is_assigned(&self, task: u32) -> bool {
        self.places[task as usize].agent != NONE
    }

    /// Number of unassigned mandatory tasks.
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

    pub(crate) fn penalised_cost(&self, model: &Model<'_>) -> f64 {
        model.scale.penalised_cost(&self.terms)
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
                .map(|(agent, path)| Route::new(agent, stops(path)))
                .collect(),
        }
    }
}
