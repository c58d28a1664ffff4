//! The initial plan: the committed prefixes, and nothing else if that is feasible.

use super::draft::Draft;
use super::model::{Model, Worker, fits};
use super::path::Path;

/// Most tasks inserted after a committed prefix to reach the end place.
const DETOUR_MAX: usize = 4;
/// Most such detours tried.
const TRIALS_MAX: usize = 20_000;
/// Trials between two calls of `go_on`.
const TRIALS_CHECKED: usize = 64;

/// The plan of the committed prefixes. Where an agent cannot reach its end place in time from
/// there, it does a few more tasks if that helps. `None` where no such plan is found, or `go_on`,
/// which is called now and then, returned false.
pub(crate) fn initial_draft(model: &Model<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Draft> {
    let mut draft = Draft::new(model);
    for (agent, worker) in model.workers.iter().enumerate() {
        if worker.committed.is_empty() || draft.set(model, agent, &worker.committed) {
            continue;
        }
        let mut detour = Detour {
            model,
            agent,
            worker,
            trials_left: TRIALS_MAX,
            go_on,
        };
        let mut tasks = worker.committed.clone();
        if !detour.reaches_end(&mut draft, &mut tasks) {
            return None;
        }
    }
    Some(draft)
}

struct Detour<'a> {
    model: &'a Model<'a>,
    agent: usize,
    worker: &'a Worker,
    trials_left: usize,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Detour<'_> {
    /// Appends tasks to `tasks` until `draft` accepts them.
    fn reaches_end(&mut self, draft: &mut Draft, tasks: &mut Vec<u32>) -> bool {
        if tasks.len() >= self.worker.committed.len() + DETOUR_MAX {
            return false;
        }
        for task in 0..self.model.jobs.len() as u32 {
            let job = &self.model.jobs[task as usize];
            let is_free = !draft.is_assigned(task) && !job.is_committed && !tasks.contains(&task);
            if !is_free || job.skills & !self.worker.skills != 0 || self.trials_left == 0 {
                continue;
            }
            if self.trials_left.is_multiple_of(TRIALS_CHECKED) && !(self.go_on)() {
                self.trials_left = 0;
                return false;
            }
            self.trials_left -= 1;
            tasks.push(task);
            if self.is_possible(tasks)
                && (draft.set(self.model, self.agent, tasks) || self.reaches_end(draft, tasks))
            {
                return true;
            }
            tasks.pop();
        }
        false
    }

    /// Whether all tasks are in time, wherever the path ends.
    fn is_possible(&self, tasks: &[u32]) -> bool {
        let (mut here, mut free_us) = Path::default().before(self.worker, 0);
        let mut load = super::model::Load::default();
        tasks.iter().all(|&task| {
            let job = &self.model.jobs[task as usize];
            let arrival_us = free_us + self.model.time_us(self.worker, here, job.location);
            let fits = fits(&load, &job.demand, &self.worker.capacity);
            load.iter_mut()
                .zip(&job.demand)
                .for_each(|(sum, one)| *sum += one);
            (here, free_us) = (job.location, job.start_us(arrival_us) + job.service_us);
            arrival_us <= job.latest_us && fits
        })
    }
}
