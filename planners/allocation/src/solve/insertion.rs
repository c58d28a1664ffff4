//! The cheapest insertion of an unassigned task into a path.

use super::draft::Draft;
use super::model::{Job, Model, NONE, Worker, fits};
use super::path::{Path, Visit};
use crate::plan::Terms;
use crate::problem::{MICRO, Micros};

/// A position on a path, and the cost of inserting a task there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Insertion {
    /// What the insertion adds to the penalised cost, without the unserved penalty that it saves.
    pub(crate) added_cost: f64,
    pub(crate) agent: u32,
    pub(crate) position: u32,
}

/// Flag of positions that are guesses.
const GUESS: u32 = 1 << 31;

impl Insertion {
    /// No insertion.
    pub(crate) const NONE: Self = Self {
        added_cost: f64::INFINITY,
        agent: NONE,
        position: 0,
    };

    /// The same cost as a lower bound, attained at this position or elsewhere on the path.
    fn as_bound(self, position: usize) -> Self {
        Self {
            position: position as u32 | GUESS,
            ..self
        }
    }

    /// The same cost as a lower bound, at an unknown position.
    fn without_position(self) -> Self {
        Self {
            position: NONE,
            ..self
        }
    }

    /// Whether the position is known, so that the cost is not only a lower bound.
    pub(crate) fn is_exact(&self) -> bool {
        self.position & GUESS == 0
    }

    /// The position, or a guess of it.
    fn guess(&self) -> Option<usize> {
        (self.position != NONE).then_some((self.position & !GUESS) as usize)
    }

    pub(crate) fn exists(&self) -> bool {
        self.agent != NONE
    }

    /// The cheaper of the two, the first of equals.
    pub(crate) fn or_better(self, other: Self) -> Self {
        if other.added_cost < self.added_cost {
            other
        } else {
            self
        }
    }
}

/// Blinks: random omissions of positions. Called for each position; true: it is skipped.
pub(crate) trait Blink {
    fn blink(&mut self) -> bool;
}

/// Skips no position.
pub(crate) struct Never;

impl Blink for Never {
    #[inline]
    fn blink(&mut self) -> bool {
        false
    }
}

/// The insertion at a given position; [`Insertion::NONE`] if the task does not fit there.
pub(crate) fn insertion_at(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    agent: usize,
    position: usize,
) -> Insertion {
    Trial::new(model, draft, task, agent).map_or(Insertion::NONE, |trial| {
        trial.best::<false>([position], &mut Never)
    })
}

/// Effect of an insertion on the times of a path.
pub(crate) struct Inserted {
    agent: usize,
    position: usize,
    /// Positions before the task from this one on have an earlier latest arrival.
    earlier_from: usize,
    /// Positions behind the task up to this one, exclusive, have a later departure.
    later_to: usize,
}

impl Inserted {
    /// Compares the path of `agent` with its visits `before` a task was inserted at `position`.
    pub(crate) fn new(draft: &Draft, before: &[Visit], agent: usize, position: usize) -> Self {
        let now = &draft.paths[agent].visits;
        let pairs = before[..position].iter().zip(now);
        let earlier_from = pairs.take_while(|(old, new)| old.latest_us == new.latest_us);
        let behind = before[position..].iter().zip(&now[position + 1..]);
        let later_to = behind.take_while(|(old, new)| old.depart_us != new.depart_us);
        Self {
            agent,
            position,
            earlier_from: earlier_from.count(),
            later_to: position + 1 + later_to.count(),
        }
    }

    /// Whether arrival and latest arrival at a position are unchanged. Not for the two positions
    /// adjacent to the task.
    fn is_unchanged_at(&self, place: usize) -> bool {
        if place < self.position {
            place < self.earlier_from
        } else {
            place > self.later_to
        }
    }
}

/// As [`best_insertion`], where `old` was the best insertion before another task was inserted: the
/// two positions next to that task are new. Where they are not better and the best of the others
/// may have become infeasible, the result is `old` as a lower bound ([`exact_insertion`] makes it
/// exact). Where arcs violate the triangle inequality, other positions may have become feasible:
/// those are overlooked.
pub(crate) fn update_best_insertion(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    old: Insertion,
    inserted: &Inserted,
) -> Insertion {
    let (agent, position) = (inserted.agent, inserted.position);
    if model.counts_time {
        return best_insertion(model, draft, task, agent, &mut Never);
    }
    let Some(trial) = Trial::new(model, draft, task, agent) else {
        return Insertion::NONE;
    };
    let adjacent = trial.best::<true>([position, position + 1], &mut Never);
    if !old.exists() {
        return adjacent;
    }
    let moved = |place: usize| place + usize::from(place > position);
    let moved_old = match old.guess() {
        Some(place) if place != position => {
            let place = moved(place);
            if old.is_exact() && inserted.is_unchanged_at(place) {
                Insertion {
                    position: place as u32,
                    ..old
                }
            } else {
                old.as_bound(place)
            }
        }
        _ => old.without_position(),
    };
    if old.guess().is_some_and(|place| place < position) {
        moved_old.or_better(adjacent)
    } else {
        adjacent.or_better(moved_old)
    }
}

/// The best insertion, where `bound` is a lower bound of its cost.
pub(crate) fn exact_insertion(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    bound: Insertion,
) -> Insertion {
    let agent = bound.agent as usize;
    let Some(trial) = Trial::new(model, draft, task, agent) else {
        return Insertion::NONE;
    };
    if let Some(place) = bound.guess() {
        let insertion = trial.best::<false>([place], &mut Never);
        if insertion.added_cost <= bound.added_cost {
            return insertion;
        }
    }
    let first = trial.worker.committed.len();
    trial.best::<false>(first..=trial.path.visits.len(), &mut Never)
}

/// The best insertion into the path of `agent`; the first of equals.
pub(crate) fn best_insertion(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    agent: usize,
    blink: &mut impl Blink,
) -> Insertion {
    let first = model.workers[agent].committed.len();
    Trial::new(model, draft, task, agent).map_or(Insertion::NONE, |trial| {
        trial.best::<false>(first..=draft.paths[agent].visits.len(), blink)
    })
}

/// The cheapest insertion of a task on all paths.
pub(crate) fn cheapest_insertion(model: &Model<'_>, draft: &Draft, task: u32) -> Insertion {
    let agents = 0..model.workers.len();
    agents.fold(Insertion::NONE, |best, agent| {
        best.or_better(best_insertion(model, draft, task, agent, &mut Never))
    })
}

/// Evaluation of a position.
enum Evaluation {
    /// Too late here and at all later positions.
    TooLate,
    /// The task or a later one would be late.
    Infeasible,
    /// Feasible; service would end at `depart_us`.
    Feasible {
        travel_micro: i64,
        depart_us: Micros,
    },
}

/// A task and a path into which it may be inserted.
struct Trial<'a> {
    model: &'a Model<'a>,
    job: &'a Job,
    worker: &'a Worker,
    path: &'a Path,
    agent: usize,
    makespan_us: Micros,
}

impl<'a> Trial<'a> {
    /// `None` where skills, capacity or the limit of changes forbid the task.
    #[inline(always)]
    fn new(model: &'a Model<'a>, draft: &'a Draft, task: u32, agent: usize) -> Option<Self> {
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

    /// The best of these positions, which ascend; the first of equals. `BY_PLACE`: many tasks are
    /// tried at the same positions, rather than one at many.
    #[inline(always)]
    fn best<const BY_PLACE: bool>(
        &self,
        places: impl IntoIterator<Item = usize>,
        blink: &mut impl Blink,
    ) -> Insertion {
        let model = self.model;
        let mut best = Insertion::NONE;
        // Compared as whole numbers where positions differ in travel only.
        let mut least_micro = i64::MAX;
        for position in places {
            let (travel_micro, depart_us) = match self.evaluate::<BY_PLACE>(position) {
                Evaluation::TooLate => break,
                Evaluation::Infeasible => continue,
                Evaluation::Feasible {
                    travel_micro,
                    depart_us,
                } => (travel_micro, depart_us),
            };
            if (!model.counts_time && travel_micro >= least_micro) || blink.blink() {
                continue;
            }
            least_micro = travel_micro;
            let mut added_cost = model.scale.travel * travel_micro as f64;
            if model.counts_time {
                added_cost += self.time_cost(position, depart_us);
            }
            if added_cost < best.added_cost {
                best = Insertion {
                    added_cost,
                    agent: self.agent as u32,
                    position: position as u32,
                };
            }
        }
        if self.path.visits.is_empty() {
            best.added_cost += model.scale.agents * MICRO as f64;
        }
        best
    }

    #[inline(always)]
    fn evaluate<const BY_PLACE: bool>(&self, position: usize) -> Evaluation {
        let Self {
            model,
            job,
            worker,
            path,
            ..
        } = self;
        let (here, free_us) = path.before(worker, position);
        if free_us > job.latest_us {
            return Evaluation::TooLate;
        }
        let (next, due_us) = path.after(worker, position);
        if job.open_us + job.service_us > due_us {
            return Evaluation::Infeasible;
        }
        let there = job.location;
        let near = |end| if BY_PLACE { end } else { there };
        let (in_us, in_micro) = model.arc(worker, here, there, near(here));
        let arrival_us = free_us + in_us;
        if arrival_us > job.latest_us {
            return Evaluation::Infeasible;
        }
        let depart_us = job.start_us(arrival_us) + job.service_us;
        let (out_us, out_micro) = model.arc(worker, there, next, near(next));
        if depart_us + out_us > due_us {
            return Evaluation::Infeasible;
        }
        Evaluation::Feasible {
            travel_micro: in_micro + out_micro - path.arc_cost_micro(position),
            depart_us,
        }
    }

    /// What makespan and lateness add to the cost.
    fn time_cost(&self, position: usize, depart_us: Micros) -> f64 {
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
                // Later times do not change.
                return model.scale.penalised_cost(&terms);
            }
            terms.lateness_us += later.lateness_us(start_us) - later.lateness_us(visit.start_us);
            (here, free_us) = (visit.location, start_us + later.service_us);
        }
        let end_us = free_us + model.time_us(worker, here, worker.end);
        terms.makespan_us = (end_us - self.makespan_us).max(0);
        model.scale.penalised_cost(&terms)
    }
}
