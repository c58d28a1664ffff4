//! The plan to begin with: what is under way, and nothing else if that is possible.

use super::draft::Draft;
use super::model::{Model, Worker, fits};
use super::path::Path;

/// Most tasks that are put behind what is under way so that the agent gets home.
const DETOUR_MAX: usize = 4;
/// Most such detours that are tried.
const TRIALS_MAX: usize = 20_000;
/// Trials between two questions whether to go on.
const TRIALS_ASKED: usize = 64;

/// The plan in which only what is under way is done. Where no path leads home from there, or none
/// in time, an agent does a few more tasks if that leads home. `None` where no such plan is found,
/// or `go_on`, which is called now and then, returned false.
pub(crate) fn base(model: &Model<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Draft> {
    let mut draft = Draft::new(model);
    for (agent, worker) in model.workers.iter().enumerate() {
        if worker.started.is_empty() || draft.set(model, agent, &worker.started) {
            continue;
        }
        let mut detour = Detour {
            model,
            agent,
            worker,
            trials_left: TRIALS_MAX,
            go_on,
        };
        let mut tasks = worker.started.clone();
        if !detour.leads_home(&mut draft, &mut tasks) {
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
    /// Puts tasks behind `tasks` until `draft` takes them; nearest end first is not needed: any
    /// will do.
    fn leads_home(&mut self, draft: &mut Draft, tasks: &mut Vec<u32>) -> bool {
        if tasks.len() >= self.worker.started.len() + DETOUR_MAX {
            return false;
        }
        for task in 0..self.model.jobs.len() as u32 {
            let job = &self.model.jobs[task as usize];
            let is_free = !draft.is_done(task) && !job.is_started && !tasks.contains(&task);
            if !is_free || job.skills & !self.worker.skills != 0 || self.trials_left == 0 {
                continue;
            }
            if self.trials_left.is_multiple_of(TRIALS_ASKED) && !(self.go_on)() {
                self.trials_left = 0;
                return false;
            }
            self.trials_left -= 1;
            tasks.push(task);
            if self.is_possible(tasks)
                && (draft.set(self.model, self.agent, tasks) || self.leads_home(draft, tasks))
            {
                return true;
            }
            tasks.pop();
        }
        false
    }

    /// Whether all tasks can be done in time, wherever that ends.
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
