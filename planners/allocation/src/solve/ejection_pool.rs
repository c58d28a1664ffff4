//! Ejection pool: feasible positions for tasks that fit on no path, by ejecting others.

mod search;

use super::SearchContext;
use super::draft::Draft;
use super::insertion::{Never, best_insertion, cheapest_insertion};
use super::model::{Model, NONE};
use mcts::Rng;
use rand::RngExt;
use search::{Ejection, Search};

/// Most tasks ejected for one task.
const EJECTIONS_MAX: usize = 3;
/// Most steps of a search for an ejection: some milliseconds, between two looks at the stop signal.
const SEARCH_STEPS: u64 = 100_000;
/// Steps before the search gives up, for each task.
const STEPS_PER_TASK: u64 = 5;
/// Random relocations after each ejection.
const PERTURBATIONS: usize = 20;
/// Neighbours of the task that are relocated, and to whose paths.
const NEAR: usize = 20;

/// Ejection pool search: an unassigned task that fits on no path replaces up to three tasks of one.
/// Penalty counters count how often no position was found for a task; the ejected tasks have the
/// least sum of counters, and among those the least change of travel cost.
///
/// Nagata, Bräysy, "A powerful route minimization heuristic for the vehicle routing problem with
/// time windows", Operations Research Letters 37 (2009), without its squeezing, for a heterogeneous
/// fleet.
#[derive(Debug, Clone)]
pub(crate) struct EjectionPool {
    draft: Draft,
    best: Draft,
    /// The ejection pool: unassigned mandatory tasks; the last is inserted next.
    pool: Vec<u32>,
    failures: Vec<u32>,
    steps_left: u64,
}

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EjectionStep {
    /// All mandatory tasks are assigned.
    Complete,
    /// The search can continue.
    Continue,
    /// The step limit is reached.
    GaveUp,
}

impl EjectionPool {
    pub(crate) fn new(model: &Model<'_>, start: &Draft) -> Self {
        let unassigned = start.unassigned.iter().copied();
        Self {
            draft: start.clone(),
            best: start.clone(),
            pool: unassigned
                .filter(|task| model.is_mandatory(*task))
                .collect(),
            failures: vec![1; start.places.len()],
            steps_left: STEPS_PER_TASK * start.places.len() as u64,
        }
    }

    /// The best draft so far.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// Inserts one task, with ejections if necessary.
    pub(crate) fn step(&mut self, context: &SearchContext<'_>, rng: &mut Rng) -> EjectionStep {
        let model = &context.model;
        let Some(task) = self.pool.pop() else {
            return EjectionStep::Complete;
        };
        let insertion = cheapest_insertion(model, &self.draft, task);
        if insertion.exists() {
            self.draft.insert_at(model, task, insertion);
        } else {
            self.failures[task as usize] = self.failures[task as usize].saturating_add(1);
            match self.best_ejection(context, task) {
                Some(ejection) => self.apply(model, task, &ejection),
                // Try another task first.
                None => self.pool.insert(0, task),
            }
        }
        if self.draft.cost(model) < self.best.cost(model) {
            self.best.copy(&self.draft);
        }
        if self.pool.is_empty() {
            return EjectionStep::Complete;
        }
        if !insertion.exists() {
            self.perturb(context, task, rng);
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        match self.steps_left {
            0 => EjectionStep::GaveUp,
            _ => EjectionStep::Continue,
        }
    }

    /// The best ejection for a task: of one task of any path, else of more, near paths first.
    fn best_ejection(&self, context: &SearchContext<'_>, task: u32) -> Option<Ejection> {
        let count = context.model.workers.len();
        let mut is_listed = vec![false; count];
        let near = context.neighbourhood.neighbours(task).iter();
        let near = near.map(|near| self.draft.places[*near as usize].agent);
        let agents: Vec<usize> = near
            .filter(|agent| *agent != NONE)
            .map(|agent| agent as usize)
            .chain(0..count)
            .filter(|agent| !std::mem::replace(&mut is_listed[*agent], true))
            .collect();
        let mut search = Search {
            model: &context.model,
            draft: &self.draft,
            task,
            failures: &self.failures,
            best: None,
            steps_left: SEARCH_STEPS,
        };
        for ejections_max in [1, EJECTIONS_MAX] {
            agents
                .iter()
                .for_each(|agent| search.consider(*agent, ejections_max));
        }
        search.best
    }

    fn apply(&mut self, model: &Model<'_>, task: u32, ejection: &Ejection) {
        let path = &self.draft.paths[ejection.agent];
        let before: Vec<u32> = path.visits.iter().map(|visit| visit.task).collect();
        let mut tasks = before.clone();
        let ejected = ejection.ejected().iter().rev();
        let ejected: Vec<u32> = ejected.map(|at| tasks.remove(*at)).collect();
        tasks.insert(ejection.position, task);
        if self.draft.set(model, ejection.agent, &tasks) {
            let mandatory = ejected.into_iter().filter(|task| model.is_mandatory(*task));
            self.pool.extend(mandatory);
        } else {
            // Too many changes of a previous plan.
            let restored = self.draft.set(model, ejection.agent, &before);
            debug_assert!(restored, "it was so before");
            self.pool.insert(0, task);
        }
    }

    /// Relocates random tasks near one, so that the next step finds other paths. No relocation
    /// costs more than an average task.
    fn perturb(&mut self, context: &SearchContext<'_>, task: u32, rng: &mut Rng) {
        let near = context.neighbourhood.neighbours(task);
        let near = &near[..near.len().min(NEAR)];
        if near.is_empty() {
            return;
        }
        let assigned = self.draft.places.len() - self.draft.unassigned.len();
        let scale = &context.model.scale;
        let limit = scale.temperature_base(self.draft.terms()) / assigned.max(1) as f64;
        for _ in 0..PERTURBATIONS {
            let [task, other] = [(); 2].map(|()| near[rng.random_range(0..near.len())]);
            self.relocate(&context.model, task, other, limit);
        }
    }

    /// Moves a task to its best position on the path of another one, if that costs little.
    fn relocate(&mut self, model: &Model<'_>, task: u32, other: u32, limit: f64) {
        let [place, other] = [task, other].map(|task| self.draft.places[task as usize]);
        if place.agent == NONE || other.agent == NONE || model.jobs[task as usize].is_committed {
            return;
        }
        let (agent, position) = (place.agent as usize, place.position as usize);
        let before = self.draft.penalised_cost(model);
        if !self.draft.remove(model, agent, position..position + 1) {
            return;
        }
        let added_max =
            before + limit - self.draft.penalised_cost(model) + model.unserved_penalty(task);
        let insertion = best_insertion(model, &self.draft, task, other.agent as usize, &mut Never);
        if insertion.exists() && insertion.added_cost <= added_max {
            self.draft.insert_at(model, task, insertion);
        } else {
            self.draft.insert(model, task, agent, position);
        }
    }
}

#[cfg(test)]
mod tests;
