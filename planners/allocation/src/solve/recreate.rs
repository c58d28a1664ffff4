//! Puts absent tasks back, greedily, in some order.

use super::draft::Draft;
use super::model::Model;
use super::slot::{Blink, Slot, best_slot};
use anytime::Pulse;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// How often a place is passed over.
const BLINK_SHARE: f64 = 0.01;
/// Most tasks that are tried of those that were absent before.
const OLD_MAX: usize = 20;

/// Scratch space.
#[derive(Debug, Clone)]
pub(crate) struct Recreate {
    pulse: Pulse,
    tasks: Vec<u32>,
    /// How many tasks were absent before the ruin.
    old: usize,
    /// By class, the task for which an idle agent was tried last.
    tried: Vec<u32>,
}

/// Passes places over now and then.
struct Seldom<'r>(&'r mut Rng);

impl Blink for Seldom<'_> {
    #[inline]
    fn blink(&mut self) -> bool {
        self.0.random::<f64>() < BLINK_SHARE
    }
}

impl Recreate {
    /// `pulse` is asked for each task.
    pub(crate) fn new(pulse: Pulse) -> Self {
        Self {
            pulse,
            tasks: Vec::new(),
            old: 0,
            tried: Vec::new(),
        }
    }

    /// To be called instead of [`Recreate::note`] where all absent tasks are to be tried.
    pub(crate) fn note_none(&mut self) {
        self.old = 0;
    }

    /// To be called before the ruin.
    pub(crate) fn note(&mut self, draft: &Draft) {
        self.old = draft.absent.len();
    }

    /// Puts absent tasks on paths, each where it costs least, if that lowers the energy. Of those
    /// that were absent before the ruin only some are tried if they are many.
    ///
    /// Greedy insertion with blinks of SISR (see [`super::ruin`]), algorithm 3, with its orders.
    pub(crate) fn recreate(&mut self, model: &Model<'_>, draft: &mut Draft, rng: &mut Rng) {
        let old = self.old;
        self.tasks.clear();
        self.tasks.extend_from_slice(&draft.absent);
        if old > OLD_MAX {
            let (few, _) = self.tasks[..old].partial_shuffle(rng, OLD_MAX);
            let count = few.len();
            // The shuffled ones are at one end, which one is not promised: take them by value.
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
            let slot = self.best(model, draft, (task, rng));
            let saved = model.scale.loss(model.jobs[task as usize].penalty_micro);
            if slot.exists() && slot.energy < saved {
                let place = (slot.agent as usize, slot.position as usize);
                draft.insert(model, task, place);
            }
        }
    }

    fn best(&mut self, model: &Model<'_>, draft: &Draft, (task, rng): (u32, &mut Rng)) -> Slot {
        let mut best = Slot::NOWHERE;
        for (agent, worker) in model.workers.iter().enumerate() {
            if draft.paths[agent].visits.is_empty() {
                // Idle agents of a class are alike.
                let tried = &mut self.tried[worker.class as usize];
                if std::mem::replace(tried, task) == task {
                    continue;
                }
            }
            best = best.or_better(best_slot(model, draft, (task, agent), &mut Seldom(rng)));
        }
        best
    }

    /// Orders of SISR and their weights: random 4, demand 4, far 2, close 1, and, for windows,
    /// width 2, opening 2, closing 2.
    fn sort(&mut self, model: &Model<'_>, rng: &mut Rng) {
        self.tasks.shuffle(rng);
        let luck = rng.random_range(0..17);
        if luck < 4 {
            return;
        }
        let home = model.workers[0].start;
        let key = |task: u32| {
            let job = &model.jobs[task as usize];
            match luck {
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
