//! Where an absent task fits best.

use super::draft::Draft;
use super::model::{Job, Model, NONE, Worker, fits};
use super::path::Path;
use crate::plan::Terms;
use crate::problem::{MICRO, Micros};

/// A place on a path, and what a task costs there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slot {
    /// What doing the task there adds to the energy, before what doing it saves.
    pub(crate) energy: f64,
    pub(crate) agent: u32,
    pub(crate) position: u32,
}

impl Slot {
    /// Nowhere.
    pub(crate) const NOWHERE: Self = Self {
        energy: f64::INFINITY,
        agent: NONE,
        position: 0,
    };

    pub(crate) fn exists(&self) -> bool {
        self.agent != NONE
    }

    /// The better of the two, the first of equals.
    pub(crate) fn or_better(self, other: Self) -> Self {
        if other.energy < self.energy {
            other
        } else {
            self
        }
    }
}

/// Asked for every place that is tried; true: it is passed over.
pub(crate) trait Blink {
    fn blink(&mut self) -> bool;
}

/// Passes nothing over.
pub(crate) struct Never;

impl Blink for Never {
    #[inline]
    fn blink(&mut self) -> bool {
        false
    }
}

/// A certain place for an absent task; [`Slot::NOWHERE`] if it does not fit there.
pub(crate) fn slot_at(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    (agent, position): (usize, usize),
) -> Slot {
    best_among(model, draft, (task, agent), ([position], &mut Never))
}

/// As [`best_slot`], where `old` was the best slot before another task was inserted at `position`:
/// of the places that were there before, only the best is looked at, as long as it still is one.
/// Where ways are longer than detours others could have become possible: those are overlooked.
pub(crate) fn best_slot_after(
    model: &Model<'_>,
    draft: &Draft,
    (task, old): (u32, Slot),
    (agent, position): (usize, usize),
) -> Slot {
    let split = old.exists() && old.position as usize == position;
    if model.counts_time || split {
        return best_slot(model, draft, (task, agent), &mut Never);
    }
    if !old.exists() {
        let fresh = [position, position + 1];
        return best_among(model, draft, (task, agent), (fresh, &mut Never));
    }
    let moved = old.position as usize + usize::from(old.position as usize > position);
    let mut places = [position, position + 1, moved];
    places.sort_unstable();
    let slot = best_among(model, draft, (task, agent), (places, &mut Never));
    if slot.energy <= old.energy {
        slot
    } else {
        best_slot(model, draft, (task, agent), &mut Never)
    }
}

/// The best place for an absent task on the path of `agent`; the first of equals.
pub(crate) fn best_slot(
    model: &Model<'_>,
    draft: &Draft,
    (task, agent): (u32, usize),
    blink: &mut impl Blink,
) -> Slot {
    let first = model.workers[agent].started.len();
    best_among(
        model,
        draft,
        (task, agent),
        (first..=draft.paths[agent].visits.len(), blink),
    )
}

#[inline]
fn best_among(
    model: &Model<'_>,
    draft: &Draft,
    (task, agent): (u32, usize),
    (places, blink): (impl IntoIterator<Item = usize>, &mut impl Blink),
) -> Slot {
    let (job, worker) = (&model.jobs[task as usize], &model.workers[agent]);
    let path = &draft.paths[agent];
    let able = job.skills & !worker.skills == 0 && fits(&path.load, &job.demand, &worker.capacity);
    if !able || draft.changes + model.change(task, agent) > model.changes_max {
        return Slot::NOWHERE;
    }
    let trial = Trial {
        model,
        job,
        worker,
        path,
    };
    let mut best = Slot::NOWHERE;
    // Compared as whole numbers where travel is all that differs between places.
    let mut least_micro = i64::MAX;
    for position in places {
        let (travel_micro, depart_us) = match trial.look(position) {
            Look::TooLate => break,
            Look::Blocked => continue,
            Look::Free {
                travel_micro,
                depart_us,
            } => (travel_micro, depart_us),
        };
        if (!model.counts_time && travel_micro >= least_micro) || blink.blink() {
            continue;
        }
        least_micro = travel_micro;
        let mut energy = model.scale.travel * travel_micro as f64;
        if model.counts_time {
            energy += trial.time_energy(position, depart_us, draft.makespan_us());
        }
        if energy < best.energy {
            best = Slot {
                energy,
                agent: agent as u32,
                position: position as u32,
            };
        }
    }
    if path.visits.is_empty() {
        best.energy += model.scale.agents * MICRO as f64;
    }
    best
}

/// What is seen at a place.
enum Look {
    /// It is too late there, and at all places after it.
    TooLate,
    /// The task or a later one would be late.
    Blocked,
    /// The task can be done there; it would be done at `depart_us`.
    Free {
        travel_micro: i64,
        depart_us: Micros,
    },
}

/// A task that is tried on a path.
struct Trial<'a> {
    model: &'a Model<'a>,
    job: &'a Job,
    worker: &'a Worker,
    path: &'a Path,
}

impl Trial<'_> {
    #[inline]
    fn look(&self, position: usize) -> Look {
        let Self {
            model,
            job,
            worker,
            path,
        } = self;
        let (here, free_us) = path.before(worker, position);
        if free_us > job.latest_us {
            return Look::TooLate;
        }
        let (next, due_us) = path.after(worker, position);
        if job.open_us + job.service_us > due_us {
            return Look::Blocked;
        }
        let arrival_us = free_us + model.time_us(worker, here, job.location);
        let depart_us = job.start_us(arrival_us) + job.service_us;
        if arrival_us > job.latest_us
            || depart_us + model.time_us(worker, job.location, next) > due_us
        {
            return Look::Blocked;
        }
        let ways = model.cost_micro(here, job.location) + model.cost_micro(job.location, next);
        Look::Free {
            travel_micro: ways - path.way_micro(position),
            depart_us,
        }
    }

    /// What makespan and lateness add to the energy.
    fn time_energy(&self, position: usize, depart_us: Micros, makespan_us: Micros) -> f64 {
        let Self {
            model,
            job,
            worker,
            path,
        } = self;
        let start_us = depart_us - job.service_us;
        let mut terms = Terms {
            lateness_us: job.lateness_us(start_us),
            ..Terms::default()
        };
        let (mut here, mut free_us) = (job.location, depart_us);
        for visit in &path.visits[position..] {
            let later = &model.jobs[visit.task as usize];
            let arrival_us = free_us + model.time_us(worker, here, visit.location);
            let start_us = later.start_us(arrival_us);
            if start_us == visit.start_us {
                // From here on nothing changes.
                return model.scale.energy(&terms);
            }
            terms.lateness_us += later.lateness_us(start_us) - later.lateness_us(visit.start_us);
            (here, free_us) = (visit.location, start_us + later.service_us);
        }
        let end_us = free_us + model.time_us(worker, here, worker.end);
        terms.makespan_us = (end_us - makespan_us).max(0);
        model.scale.energy(&terms)
    }
}
