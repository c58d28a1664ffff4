//! Recreate: greedy insertion with blinks.

use super::draft::Draft;
use super::insertion::{Blink, Insertion, best_insertion};
use super::model::Model;
use anytime::Pulse;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Probability that a position is skipped.
const BLINK_SHARE: f64 = 0.01;
/// Most of the tasks tried that were unassigned before the ruin.
const OLD_MAX: usize = 20;

/// Scratch space of the recreate step.
#[derive(Debug, Clone)]
pub(crate) struct Recreate {
    pulse: Pulse,
    tasks: Vec<u32>,
    /// Number of tasks that were unassigned before the ruin.
    old: usize,
    /// By class, the task for which an idle agent was tried last.
    tried: Vec<u32>,
}

/// Skips few positions.
struct RareBlinks<'r>(&'r mut Rng);

impl Blink for RareBlinks<'_> {
    #[inline]
    fn blink(&mut self) -> bool {
        self.0.random::<f64>() < BLINK_SHARE
    }
}

impl Recreate {
    /// `pulse` is checked for each task.
    pub(crate) fn new(pulse: Pulse) -> Self {
        Self {
            pulse,
            tasks: Vec::new(),
            old: 0,
            tried: Vec::new(),
        }
    }

    /// Call this before the ruin; without it all unassigned tasks are tried.
    pub(crate) fn before_ruin(&mut self, draft: &Draft) {
        self.old = draft.unassigned.len();
    }

    /// Inserts unassigned tasks at their best positions, if that lowers the penalised cost. Of
    /// those that were unassigned before the ruin only some are tried if they are many.
    ///
    /// Greedy insertion with blinks of SISR (see [`super::ruin`]), algorithm 3, with its orders.
    pub(crate) fn recreate(&mut self, model: &Model<'_>, draft: &mut Draft, rng: &mut Rng) {
        let old = self.old;
        self.tasks.clear();
        self.tasks.extend_from_slice(&draft.unassigned);
        if old > OLD_MAX {
            let (few, _) = self.tasks[..old].partial_shuffle(rng, OLD_MAX);
            let count = few.len();
            // Which end is shuffled is unspecified: copy the shuffled tasks by value.
            let few: [u32; OLD_MAX] = std::array::from_fn(|i| few[i.min(count - 1)]);
            let fresh = self.tasks.len() - old;
            self.tasks.copy_within(old.., 0);
            self.tasks.truncate(fresh);
            self.tasks.extend_from_slice(&few);
        }
        self.sort(model, rng);
        self.tried.clear();
        self.tried.resize(model.classes, u32::MAX);
        for index in 0..self.tasks.len() {
            if !self.pulse.beats() {
                return;
            }
            let task = self.tasks[index];
            let insertion = self.best_insertion(model, draft, task, rng);
            if insertion.exists() && insertion.added_cost < model.unserved_penalty(task) {
                draft.insert_at(model, task, insertion);
            }
        }
    }

    /// The best insertion of a task on all paths.
    fn best_insertion(
        &mut self,
        model: &Model<'_>,
        draft: &Draft,
        task: u32,
        rng: &mut Rng,
    ) -> Insertion {
        let mut best = Insertion::NONE;
        for (agent, worker) in model.workers.iter().enumerate() {
            if draft.paths[agent].visits.is_empty() {
                // Idle agents of a class are identical.
                let tried = &mut self.tried[worker.class as usize];
                if std::mem::replace(tried, task) == task {
                    continue;
                }
            }
            let blinks = &mut RareBlinks(rng);
            best = best.or_better(best_insertion(model, draft, task, agent, blinks));
        }
        best
    }

    /// Orders of SISR and their weights: random 4, demand 4, far 2, close 1, and, for windows,
    /// width 2, opening 2, closing 2.
    fn sort(&mut self, model: &Model<'_>, rng: &mut Rng) {
        self.tasks.shuffle(rng);
        let draw = rng.random_range(0..17);
        if draw < 4 {
            return;
        }
        let home = model.workers[0].start;
        let key = |task: u32| {
            let job = &model.jobs[task as usize];
            match draw {
                4..8 => -job.demand.iter().sum::<i64>(),
                8..10 => -model.cost_micro(home, job.location),
                10 => model.cost_micro(home, job.location),
                11..13 => job.close_us - job.open_us,
                13..15 => job.open_us,
                _ => -job.close_us,
            }
        };
        self.tasks.sort_by_cached_key(|task| key(*task));
    }
}
