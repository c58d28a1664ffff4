//! Search for the tasks that a task replaces on a path.

use super::EJECTIONS_MAX;
use crate::problem::{DIMENSIONS_MAX, Micros};
use crate::solve::draft::Draft;
use crate::solve::model::{Job, Model, Worker};
use crate::solve::path::Path;

/// A task in place of others of a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ejection {
    /// Sum of the counters of the ejected tasks.
    pub(super) failures: u64,
    /// Change of the travel cost.
    pub(super) travel_micro: i64,
    pub(super) agent: usize,
    /// Positions of the ejected tasks, ascending.
    ejected: [usize; EJECTIONS_MAX],
    count: usize,
    /// Position of the task after the ejection.
    pub(super) position: usize,
}

impl Ejection {
    /// Positions of the ejected tasks, ascending.
    pub(super) fn ejected(&self) -> &[usize] {
        &self.ejected[..self.count]
    }

    fn rank(&self) -> (u64, i64) {
        (self.failures, self.travel_micro)
    }
}

/// Depth-first search over the ejections that make room for a task on a path, and its positions.
///
/// The tasks before the first change leave as early as on the path, and those after the last may
/// be reached as late as on it, so that each step takes constant time. Ejections that cannot
/// become better than the best so far are cut.
pub(super) struct Search<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) draft: &'a Draft,
    pub(super) task: u32,
    /// By task: how often no position was found for it.
    pub(super) failures: &'a [u32],
    pub(super) best: Option<Ejection>,
    /// Steps until the search ends.
    pub(super) steps_left: u64,
}

/// A path up to a position, with changes.
#[derive(Clone, Copy)]
struct Prefix {
    /// The first position that is undecided.
    at: usize,
    location: u32,
    depart_us: Micros,
    /// Travel cost of the new arcs, less that of the old ones.
    travel_micro: i64,
    failures: u64,
    ejected: [usize; EJECTIONS_MAX],
    count: usize,
    /// Position of the task, once it is inserted.
    position: Option<usize>,
}

/// A path and what is constant while it is searched.
struct Target<'a> {
    job: &'a Job,
    worker: &'a Worker,
    path: &'a Path,
    agent: usize,
    ejections_max: usize,
    /// Whether the path has room for the load of the task as it is.
    has_room: bool,
}

impl Search<'_> {
    /// Considers ejections of at most `ejections_max` tasks from the path of an agent.
    pub(super) fn consider(&mut self, agent: usize, ejections_max: usize) {
        let job = &self.model.jobs[self.task as usize];
        let (worker, path) = (&self.model.workers[agent], &self.draft.paths[agent]);
        let has_room = |d: usize| path.load[d] + job.demand[d] <= worker.capacity[d];
        let target = Target {
            job,
            worker,
            path,
            agent,
            ejections_max,
            has_room: (0..DIMENSIONS_MAX).all(has_room),
        };
        let missing = target.job.skills & !target.worker.skills;
        if missing != 0 || target.path.visits.is_empty() {
            return;
        }
        for at in target.worker.committed.len()..=target.path.visits.len() {
            let (location, depart_us) = target.path.before(target.worker, at);
            if depart_us > target.job.latest_us || self.steps_left == 0 {
                return;
            }
            let prefix = Prefix {
                at,
                location,
                depart_us,
                travel_micro: 0,
                failures: 0,
                ejected: [0; EJECTIONS_MAX],
                count: 0,
                position: None,
            };
            self.insert(&target, prefix);
            self.eject(&target, prefix);
        }
    }

    /// Continues a prefix that has changes.
    fn extend(&mut self, target: &Target<'_>, mut prefix: Prefix) {
        let (path, model) = (target.path, self.model);
        loop {
            self.steps_left = self.steps_left.saturating_sub(1);
            let late = prefix.position.is_none() && prefix.depart_us > target.job.latest_us;
            if self.steps_left == 0 || late || self.record(target, &prefix) {
                return;
            }
            // Nothing can change behind the last decision, and the latest departures are exact.
            if prefix.position.is_some() && prefix.count == target.ejections_max {
                return;
            }
            let Some(visit) = path.visits.get(prefix.at) else {
                if prefix.position.is_none() {
                    self.insert(target, prefix);
                }
                return;
            };
            if prefix.position.is_none() {
                // Ejections before are in vain where the path goes on as it was and had room.
                let was = target
                    .has_room
                    .then(|| path.before(target.worker, prefix.at));
                if was == Some((prefix.location, prefix.depart_us)) {
                    return;
                }
                self.insert(target, prefix);
            }
            self.eject(target, prefix);
            let job = &model.jobs[visit.task as usize];
            let arrival_us =
                prefix.depart_us + model.time_us(target.worker, prefix.location, visit.location);
            if arrival_us > job.latest_us {
                return;
            }
            prefix.travel_micro +=
                model.cost_micro(prefix.location, visit.location) - visit.arc_cost_micro;
            prefix.location = visit.location;
            prefix.depart_us = job.start_us(arrival_us) + job.service_us;
            prefix.at += 1;
        }
    }

    /// Inserts the task at the end of a prefix, if it is in time there.
    fn insert(&mut self, target: &Target<'_>, mut prefix: Prefix) {
        let (model, job) = (self.model, target.job);
        let arrival_us =
            prefix.depart_us + model.time_us(target.worker, prefix.location, job.location);
        if arrival_us > job.latest_us {
            return;
        }
        prefix.travel_micro += model.cost_micro(prefix.location, job.location);
        prefix.location = job.location;
        prefix.depart_us = job.start_us(arrival_us) + job.service_us;
        prefix.position = Some(prefix.at - prefix.count);
        self.extend(target, prefix);
    }

    /// Ejects the next task of a prefix, if that may be better than the best ejection.
    fn eject(&mut self, target: &Target<'_>, mut prefix: Prefix) {
        let Some(visit) = target.path.visits.get(prefix.at) else {
            return;
        };
        prefix.failures += u64::from(self.failures[visit.task as usize]);
        let limit = self.best.map_or(u64::MAX, |best| best.failures);
        if prefix.count == target.ejections_max || prefix.failures > limit {
            return;
        }
        prefix.ejected[prefix.count] = prefix.at;
        prefix.count += 1;
        if prefix.count == target.ejections_max && !self.fits(target, &prefix) {
            return;
        }
        prefix.travel_micro -= visit.arc_cost_micro;
        prefix.at += 1;
        self.extend(target, prefix);
    }

    /// Whether the load of a path with the task and without the ejected ones is within the
    /// capacity.
    fn fits(&self, target: &Target<'_>, prefix: &Prefix) -> bool {
        let visits = &target.path.visits;
        (0..DIMENSIONS_MAX).all(|d| {
            let demand = |at: &usize| self.model.jobs[visits[*at].task as usize].demand[d];
            let ejected: i64 = prefix.ejected[..prefix.count].iter().map(demand).sum();
            target.path.load[d] - ejected + target.job.demand[d] <= target.worker.capacity[d]
        })
    }

    /// Whether the path may go on as it was: then the ejection is noted if it is the best so far.
    fn record(&mut self, target: &Target<'_>, prefix: &Prefix) -> bool {
        let Some(position) = prefix.position.filter(|_| prefix.count > 0) else {
            return false;
        };
        let (path, model, worker) = (target.path, self.model, target.worker);
        let (next, due_us) = path.after(worker, prefix.at);
        let arrival_us = prefix.depart_us + model.time_us(worker, prefix.location, next);
        if arrival_us > due_us || !self.fits(target, prefix) {
            return false;
        }
        let old_micro = path.arc_cost_micro(prefix.at);
        let new_micro = model.cost_micro(prefix.location, next);
        let ejection = Ejection {
            failures: prefix.failures,
            travel_micro: prefix.travel_micro + new_micro - old_micro,
            agent: target.agent,
            ejected: prefix.ejected,
            count: prefix.count,
            position,
        };
        if self.best.is_none_or(|best| ejection.rank() < best.rank()) {
            self.best = Some(ejection);
        }
        true
    }
}
