//! The same problem with other tasks under way.

use super::{Model, classify, narrow};
use crate::problem::Problem;

impl Model<'_> {
    /// The model of a problem that differs in what is under way only. Tables of ways stay as they are: they
    /// are nearly all of the work of [`Model::new`].
    pub(crate) fn with_started(self, problem: &Problem) -> Model<'_> {
        let Self {
            problem: _,
            mut jobs,
            mut workers,
            classes: _,
            changes_max,
            counts_time,
            counts_makespan,
            scale,
            rate,
            locations,
            is_symmetric,
            tables,
            costs,
        } = self;
        for (agent, worker) in workers.iter_mut().enumerate() {
            let before = std::mem::take(&mut worker.started);
            for task in before {
                jobs[task as usize].is_started = false;
            }
            let started = problem.started(agent).iter();
            worker.started = started.map(|task| narrow(*task)).collect();
        }
        for task in workers.iter().flat_map(|worker| &worker.started) {
            jobs[*task as usize].is_started = true;
        }
        let classes = classify(problem, &mut workers);
        Model {
            problem,
            jobs,
            workers,
            classes,
            changes_max,
            counts_time,
            counts_makespan,
            scale,
            rate,
            locations,
            is_symmetric,
            tables,
            costs,
        }
    }
}
