//! Where an absent task fits best.

use super::draft::Draft;
use super::model::{Job, Model, NONE, Worker, fits};
use super::path::{Path, Visit};
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

/// Set in positions that are guesses.
const VAGUE: u32 = 1 << 31;

impl Slot {
    /// Nowhere.
    pub(crate) const NOWHERE: Self = Self {
        energy: f64::INFINITY,
        agent: NONE,
        position: 0,
    };

    /// The same cost as a lower bound, if not at this position then elsewhere on the path.
    fn vague(self, position: usize) -> Self {
        Self {
            position: position as u32 | VAGUE,
            ..self
        }
    }

    /// The same cost as a lower bound, at a position that is not known.
    fn split(self) -> Self {
        Self {
            position: NONE,
            ..self
        }
    }

    /// Whether this is a place, not only what one costs at least.
    pub(crate) fn is_known(&self) -> bool {
        self.position & VAGUE == 0
    }

    /// The position, or where it may be.
    fn guess(&self) -> Option<usize> {
        (self.position != NONE).then_some((self.position & !VAGUE) as usize)
    }

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
    Trial::new(model, draft, (task, agent)).map_or(Slot::NOWHERE, |trial| {
        trial.best::<false>([position], &mut Never)
    })
}

/// A task that was put on a path, and what that changed there.
pub(crate) struct Inserted {
    agent: usize,
    position: usize,
    /// Positions before the task from this one on have an earlier latest arrival.
    hurried: usize,
    /// Positions behind the task up to this one, itself not, are done later.
    delayed: usize,
}

impl Inserted {
    /// What differs on the path of `agent` from the visits `before` a task came to `position`.
    pub(crate) fn new(draft: &Draft, before: &[Visit], (agent, position): (usize, usize)) -> Self {
        let now = &draft.paths[agent].visits;
        let pairs = before[..position].iter().zip(now);
        let hurried = pairs.take_while(|(old, new)| old.latest_us == new.latest_us);
        let behind = before[position..].iter().zip(&now[position + 1..]);
        let delayed = behind.take_while(|(old, new)| old.depart_us != new.depart_us);
        Self {
            agent,
            position,
            hurried: hurried.count(),
            delayed: position + 1 + delayed.count(),
        }
    }

    /// Whether everything is as it was at a place on the path: who comes from there and when, and
    /// until when. Not at the two places beside the task.
    fn spares(&self, place: usize) -> bool {
        if place < self.position {
            place < self.hurried
        } else {
            place > self.delayed
        }
    }
}

/// As [`best_slot`], where `old` was the best slot before another task was inserted: the two places
/// next to that task are new. Where they are not better and the best of the others may have become
/// impossible, the result is `old` as a lower bound ([`settled`] makes it exact). Where arcs are
/// longer than detours, other places could have become possible: those are overlooked.
pub(crate) fn best_slot_after(
    model: &Model<'_>,
    draft: &Draft,
    (task, old): (u32, Slot),
    inserted: &Inserted,
) -> Slot {
    let (agent, position) = (inserted.agent, inserted.position);
    if model.counts_time {
        return best_slot(model, draft, (task, agent), &mut Never);
    }
    let Some(trial) = Trial::new(model, draft, (task, agent)) else {
        return Slot::NOWHERE;
    };
    let beside = trial.best::<true>([position, position + 1], &mut Never);
    if !old.exists() {
        return beside;
    }
    let moved = |place: usize| place + usize::from(place > position);
    let kept = match old.guess() {
        Some(place) if place != position => {
            let place = moved(place);
            if old.is_known() && inserted.spares(place) {
                Slot {
                    position: place as u32,
                    ..old
                }
            } else {
                old.vague(place)
            }
        }
        _ => old.split(),
    };
    if old.guess().is_some_and(|place| place < position) {
        kept.or_better(beside)
    } else {
        beside.or_better(kept)
    }
}

/// The best slot, where `vague` is what it costs at least.
pub(crate) fn settled(model: &Model<'_>, draft: &Draft, (task, vague): (u32, Slot)) -> Slot {
    let agent = vague.agent as usize;
    let Some(trial) = Trial::new(model, draft, (task, agent)) else {
        return Slot::NOWHERE;
    };
    if let Some(place) = vague.guess() {
        let slot = trial.best::<false>([place], &mut Never);
        if slot.energy <= vague.energy {
            return slot;
        }
    }
    let first = trial.worker.started.len();
    trial.best::<false>(first..=trial.path.visits.len(), &mut Never)
}

/// The best place for an absent task on the path of `agent`; the first of equals.
pub(crate) fn best_slot(
    model: &Model<'_>,
    draft: &Draft,
    (task, agent): (u32, usize),
    blink: &mut impl Blink,
) -> Slot {
    let first = model.workers[agent].started.len();
    Trial::new(model, draft, (task, agent)).map_or(Slot::NOWHERE, |trial| {
        trial.best::<false>(first..=draft.paths[agent].visits.len(), blink)
    })
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
    agent: usize,
    makespan_us: Micros,
}

impl<'a> Trial<'a> {
    /// `None` where rules that are not about times forbid the task to the agent.
    #[inline(always)]
    fn new(model: &'a Model<'a>, draft: &'a Draft, (task, agent): (u32, usize)) -> Option<Self> {
        let (job, worker) = (&model.jobs[task as usize], &model.workers[agent]);
        let path = &draft.paths[agent];
        let able = job.skills & !worker.skills == 0
            && fits(&path.load, &job.demand, &worker.capacity)
            && draft.changes + model.change(task, agent) <= model.changes_max;
        able.then(|| Self {
            model,
            job,
            worker,
            path,
            agent,
            makespan_us: draft.makespan_us(),
        })
    }

    /// The best of these places, which rise; the first of equals. `BY_PLACE`: many tasks are tried
    /// at the same places, rather than one at many.
    #[inline(always)]
    fn best<const BY_PLACE: bool>(
        &self,
        places: impl IntoIterator<Item = usize>,
        blink: &mut impl Blink,
    ) -> Slot {
        let model = self.model;
        let mut best = Slot::NOWHERE;
        // Compared as whole numbers where travel is all that differs between places.
        let mut least_micro = i64::MAX;
        for position in places {
            let (travel_micro, depart_us) = match self.look::<BY_PLACE>(position) {
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
                energy += self.time_energy(position, depart_us);
            }
            if energy < best.energy {
                best = Slot {
                    energy,
                    agent: self.agent as u32,
                    position: position as u32,
                };
            }
        }
        if self.path.visits.is_empty() {
            best.energy += model.scale.agents * MICRO as f64;
        }
        best
    }

    #[inline(always)]
    fn look<const BY_PLACE: bool>(&self, position: usize) -> Look {
        let Self {
            model,
            job,
            worker,
            path,
            ..
        } = self;
        let (here, free_us) = path.before(worker, position);
        if free_us > job.latest_us {
            return Look::TooLate;
        }
        let (next, due_us) = path.after(worker, position);
        if job.open_us + job.service_us > due_us {
            return Look::Blocked;
        }
        let there = job.location;
        let near = |end| if BY_PLACE { end } else { there };
        let (in_us, in_micro) = model.way(worker, (here, there), near(here));
        let arrival_us = free_us + in_us;
        if arrival_us > job.latest_us {
            return Look::Blocked;
        }
        let depart_us = job.start_us(arrival_us) + job.service_us;
        let (out_us, out_micro) = model.way(worker, (there, next), near(next));
        if depart_us + out_us > due_us {
            return Look::Blocked;
        }
        Look::Free {
            travel_micro: in_micro + out_micro - path.way_micro(position),
            depart_us,
        }
    }

    /// What makespan and lateness add to the energy.
    fn time_energy(&self, position: usize, depart_us: Micros) -> f64 {
        let Self {
            model,
            job,
            worker,
            path,
            ..
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
        terms.makespan_us = (end_us - self.makespan_us).max(0);
        model.scale.energy(&terms)
    }
}
