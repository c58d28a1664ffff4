//! The initial plan: the committed prefixes, and nothing else if that is feasible.

use super::draft::Draft;
use super::model::{Model, Worker, fits};
use super::path::Path;
use anytime::{Pulse, Stop, Ticker};
use std::cell::Cell;

/// Most tasks inserted after a committed prefix to reach the end place.
const DETOUR_MAX: usize = 4;
/// Most such detours tried.
const TRIALS_MAX: u64 = 20_000;
/// Trials between two looks at the stop signal.
const PERIOD: u64 = 64;
/// Trials of all agents before the first look: a search that is cancelled already has a plan, too,
/// where few trials find it.
const FREE: u64 = 1_000;

/// The plan of the committed prefixes. Where an agent cannot reach its end place in time from
/// there, it does a few more tasks if that helps. `None` where no such plan is found in time.
pub(crate) fn initial_draft(model: &Model<'_>, pulse: &Pulse) -> Option<Draft> {
    let mut draft = Draft::new(model);
    let free = Cell::new(FREE);
    for (agent, worker) in model.workers.iter().enumerate() {
        if worker.committed.is_empty() || draft.set(model, agent, &worker.committed) {
            continue;
        }
        let detour = Detour {
            model,
            agent,
            worker,
            free: &free,
            ticker: Ticker::new(pulse.clone(), PERIOD).with_limit(TRIALS_MAX),
        };
        let mut tasks = worker.committed.clone();
        if detour.reaches_end(&mut draft, &mut tasks) != Ok(true) {
            return None;
        }
    }
    Some(draft)
}

struct Detour<'a> {
    model: &'a Model<'a>,
    agent: usize,
    worker: &'a Worker,
    /// Trials until the first look.
    free: &'a Cell<u64>,
    ticker: Ticker,
}

impl Detour<'_> {
    /// Appends tasks to `tasks` until `draft` accepts them.
    fn reaches_end(&self, draft: &mut Draft, tasks: &mut Vec<u32>) -> Result<bool, Stop> {
        if tasks.len() >= self.worker.committed.len() + DETOUR_MAX {
            return Ok(false);
        }
        for task in 0..self.model.jobs.len() as u32 {
            let job = &self.model.jobs[task as usize];
            let is_free = !draft.is_assigned(task) && !job.is_committed && !tasks.contains(&task);
            if !is_free || job.skills & !self.worker.skills != 0 {
                continue;
            }
            match self.free.get().checked_sub(1) {
                Some(free) => self.free.set(free),
                None => self.ticker.step(1)?,
            }
            tasks.push(task);
            if self.is_possible(tasks)
                && (draft.set(self.model, self.agent, tasks) || self.reaches_end(draft, tasks)?)
            {
                return Ok(true);
            }
            tasks.pop();
        }
        Ok(false)
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
