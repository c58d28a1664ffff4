//! Moves of the local search, as paths composed of pieces of old paths.

use crate::plan::Terms;
use crate::problem::{MICRO, Micros};
use crate::solve::draft::Draft;
use crate::solve::model::{Load, Model, Worker, fits};
use std::ops::Range;

/// Most pieces of a new path: as many as a swap within a path has.
const PIECES_MAX: usize = 5;
/// An improvement is larger than this; costs of the last level are whole numbers.
const IMPROVEMENT_MIN: f64 = 0.5;

/// Consecutive tasks of an old path.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    agent: usize,
    span: Range<usize>,
    is_reversed: bool,
}

impl Piece {
    pub(super) fn new(agent: usize, span: Range<usize>) -> Self {
        Self {
            agent,
            span,
            is_reversed: false,
        }
    }

    pub(super) fn reversed(agent: usize, span: Range<usize>) -> Self {
        Self {
            agent,
            span,
            is_reversed: true,
        }
    }

    /// Its tasks in their new order.
    fn tasks(&self, draft: &Draft) -> impl Iterator<Item = u32> {
        let Self {
            agent,
            span,
            is_reversed,
        } = self.clone();
        let count = span.len();
        (0..count).map(move |index| {
            let index = if is_reversed {
                span.end - 1 - index
            } else {
                span.start + index
            };
            draft.paths[agent].visits[index].task
        })
    }
}

/// The new path of an agent.
#[derive(Debug, Clone, Default)]
pub(super) struct NewPath {
    agent: usize,
    pieces: [Piece; PIECES_MAX],
    count: usize,
}

impl NewPath {
    /// Omits empty pieces.
    pub(super) fn new<const N: usize>(agent: usize, pieces: [Piece; N]) -> Self {
        let mut path = Self {
            agent,
            ..Self::default()
        };
        for piece in pieces.into_iter().filter(|p| !p.span.is_empty()) {
            path.pieces[path.count] = piece;
            path.count += 1;
        }
        path
    }

    fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    fn tasks(&self, draft: &Draft) -> impl Iterator<Item = u32> {
        self.pieces().iter().flat_map(|piece| piece.tasks(draft))
    }

    /// Lateness and end of the new path; `None` where it breaks a rule. Both are invalid where
    /// the objective does not count time.
    fn times(&self, model: &Model<'_>, draft: &Draft) -> Option<(Micros, Micros)> {
        let worker = &model.workers[self.agent];
        let own = &draft.paths[self.agent];
        let mut pieces = self.pieces();
        let mut simulation = Simulation {
            here: worker.start,
            free_us: worker.leaves_us,
            lateness_us: 0,
        };
        if !model.counts_time
            && let Some((first, rest)) = pieces.split_first()
            && first.agent == self.agent
            && first.span.start == 0
            && !first.is_reversed
        {
            // The prefix of the own path is unchanged.
            (simulation.here, simulation.free_us) = own.before(worker, first.span.end);
            pieces = rest;
        }
        for (index, piece) in pieces.iter().enumerate() {
            let is_own_rest = piece.agent == self.agent
                && piece.span.end == own.visits.len()
                && index + 1 == pieces.len()
                && !piece.is_reversed;
            if is_own_rest && !model.counts_time {
                let next = &own.visits[piece.span.start];
                let arrival_us =
                    simulation.free_us + model.time_us(worker, simulation.here, next.location);
                return (arrival_us <= next.latest_us).then_some((0, 0));
            }
            if !piece
                .tasks(draft)
                .all(|task| simulation.visit(model, worker, task))
            {
                return None;
            }
        }
        if self.count == 0 {
            return Some((0, 0));
        }
        let tasks = self.pieces().iter().map(|piece| piece.span.len()).sum();
        let free_us = worker.homeward_us(tasks, simulation.free_us);
        let end_us = free_us + model.time_us(worker, simulation.here, worker.end);
        (end_us <= worker.shift_end_us).then_some((simulation.lateness_us, end_us))
    }

    /// Load and number of changes of the new path.
    fn count(&self, model: &Model<'_>, draft: &Draft) -> (Load, usize) {
        let (mut load, mut changes) = (Load::default(), 0);
        for task in self.tasks(draft) {
            let demand = &model.jobs[task as usize].demand;
            load.iter_mut()
                .zip(demand)
                .for_each(|(sum, one)| *sum += one);
            changes += model.change(task, self.agent);
        }
        (load, changes)
    }
}

struct Simulation {
    here: u32,
    free_us: Micros,
    lateness_us: Micros,
}

impl Simulation {
    #[inline]
    fn visit(&mut self, model: &Model<'_>, worker: &Worker, task: u32) -> bool {
        let job = &model.jobs[task as usize];
        let arrival_us = self.free_us + model.time_us(worker, self.here, job.location);
        let start_us = job.start_us(arrival_us);
        self.lateness_us += job.lateness_us(start_us);
        (self.here, self.free_us) = (job.location, start_us + job.service_us);
        arrival_us <= job.latest_us && job.skills & !worker.skills == 0
    }
}

/// A move that replaces one or two paths.
#[derive(Debug, Clone)]
pub(super) struct Move {
    paths: [NewPath; 2],
    count: usize,
}

impl Move {
    /// The move, if it is feasible and improves the draft. `travel_micro` is the change of the
    /// travel cost.
    pub(super) fn of_path(
        draft: &Draft,
        model: &Model<'_>,
        path: NewPath,
        travel_micro: i64,
    ) -> Option<Self> {
        Self {
            paths: [path, NewPath::default()],
            count: 1,
        }
        .improving(model, draft, travel_micro)
    }

    /// A move of two paths; as [`Move::of_path`].
    pub(super) fn of_paths(
        draft: &Draft,
        model: &Model<'_>,
        paths: [NewPath; 2],
        travel_micro: i64,
    ) -> Option<Self> {
        Self { paths, count: 2 }.improving(model, draft, travel_micro)
    }

    fn paths(&self) -> &[NewPath] {
        &self.paths[..self.count]
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = usize> + use<> {
        let [one, two] = [self.paths[0].agent, self.paths[1].agent];
        [one, two].into_iter().take(self.count)
    }

    fn improving(self, model: &Model<'_>, draft: &Draft, travel_micro: i64) -> Option<Self> {
        let mut terms = Terms {
            travel_cost_micro: travel_micro,
            ..Terms::default()
        };
        let busy = |is_busy: bool| if is_busy { MICRO } else { 0 };
        for path in self.paths() {
            let was_busy = !draft.paths[path.agent].visits.is_empty();
            terms.agents_used_micro += busy(path.count > 0) - busy(was_busy);
        }
        // The cheap test first.
        if !model.counts_time && model.scale.penalised_cost(&terms) >= -IMPROVEMENT_MIN {
            return None;
        }
        let mut makespan_us = self.makespan_of_others_us(model, draft);
        for path in self.paths() {
            let (lateness_us, end_us) = path.times(model, draft)?;
            terms.lateness_us += lateness_us - draft.paths[path.agent].sums.lateness_us;
            makespan_us = makespan_us.max(end_us);
        }
        if model.counts_makespan {
            terms.makespan_us = makespan_us - draft.makespan_us();
        }
        let improves =
            model.scale.penalised_cost(&terms) < -IMPROVEMENT_MIN && self.is_allowed(model, draft);
        improves.then_some(self)
    }

    fn makespan_of_others_us(&self, model: &Model<'_>, draft: &Draft) -> Micros {
        if !model.counts_makespan {
            return 0;
        }
        let other = |agent: &usize| self.paths().iter().all(|path| path.agent != *agent);
        let ends = (0..draft.paths.len())
            .filter(other)
            .map(|a| draft.paths[a].sums.end_us);
        ends.max().unwrap_or(0)
    }

    /// Whether loads fit and the limit of changes holds.
    fn is_allowed(&self, model: &Model<'_>, draft: &Draft) -> bool {
        let (mut before, mut after) = (0, 0);
        for path in self.paths() {
            let (load, changes) = path.count(model, draft);
            if !fits(&load, &Load::default(), &model.workers[path.agent].capacity) {
                return false;
            }
            after += changes;
            let visits = &draft.paths[path.agent].visits;
            before += visits
                .iter()
                .map(|v| model.change(v.task, path.agent))
                .sum::<usize>();
        }
        draft.changes - before + after <= model.changes_max
    }

    /// Applies the move.
    pub(super) fn apply(self, model: &Model<'_>, draft: &mut Draft) {
        let orders: Vec<(usize, Vec<u32>)> = self
            .paths()
            .iter()
            .map(|path| (path.agent, path.tasks(draft).collect()))
            .collect();
        for (agent, _) in &orders {
            draft.clear(model, *agent);
        }
        for (agent, tasks) in &orders {
            let is_feasible = draft.set(model, *agent, tasks);
            debug_assert!(is_feasible, "moves are evaluated before");
        }
    }
}
