//! A change of paths, as a list of the pieces that the new paths are put together from.

use crate::plan::Terms;
use crate::problem::{MICRO, Micros};
use crate::solve::draft::Draft;
use crate::solve::model::{Load, Model, Worker, fits};
use std::ops::Range;

/// Most pieces of a new path: as many as an exchange on one path makes.
const PIECES_MAX: usize = 5;
/// An improvement is more than this; energies of the last level come in whole numbers.
const LEAST: f64 = 0.5;

/// Neighbouring tasks of an old path.
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
pub(super) struct Line {
    agent: usize,
    pieces: [Piece; PIECES_MAX],
    count: usize,
}

impl Line {
    /// Empty pieces are left out.
    pub(super) fn new<const N: usize>(agent: usize, pieces: [Piece; N]) -> Self {
        let mut line = Self {
            agent,
            ..Self::default()
        };
        for piece in pieces.into_iter().filter(|p| !p.span.is_empty()) {
            line.pieces[line.count] = piece;
            line.count += 1;
        }
        line
    }

    fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    fn tasks(&self, draft: &Draft) -> impl Iterator<Item = u32> {
        self.pieces().iter().flat_map(|piece| piece.tasks(draft))
    }

    /// Lateness and end of the new path; `None` where it breaks a rule. Where the objective does
    /// not count time both mean nothing.
    fn judge(&self, model: &Model<'_>, draft: &Draft) -> Option<(Micros, Micros)> {
        let worker = &model.workers[self.agent];
        let own = &draft.paths[self.agent];
        let mut pieces = self.pieces();
        let mut walk = Walk {
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
            // What the agent did before the change it does as before.
            (walk.here, walk.free_us) = own.before(worker, first.span.end);
            pieces = rest;
        }
        for (index, piece) in pieces.iter().enumerate() {
            let is_own_rest = piece.agent == self.agent
                && piece.span.end == own.visits.len()
                && index + 1 == pieces.len()
                && !piece.is_reversed;
            if is_own_rest && !model.counts_time {
                let next = &own.visits[piece.span.start];
                let arrival_us = walk.free_us + model.time_us(worker, walk.here, next.location);
                return (arrival_us <= next.latest_us).then_some((0, 0));
            }
            if !piece
                .tasks(draft)
                .all(|task| walk.visit(model, worker, task))
            {
                return None;
            }
        }
        if self.count == 0 {
            return Some((0, 0));
        }
        let tasks = self.pieces().iter().map(|piece| piece.span.len()).sum();
        let free_us = worker.homeward_us(tasks, walk.free_us);
        let end_us = free_us + model.time_us(worker, walk.here, worker.end);
        (end_us <= worker.shift_end_us).then_some((walk.lateness_us, end_us))
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

struct Walk {
    here: u32,
    free_us: Micros,
    lateness_us: Micros,
}

impl Walk {
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

/// A change of one or two paths.
#[derive(Debug, Clone)]
pub(super) struct Step {
    lines: [Line; 2],
    count: usize,
}

impl Step {
    /// The change, if it improves the draft and breaks no rule. `travel_micro` is what it adds to
    /// the travel cost.
    pub(super) fn one(
        draft: &Draft,
        model: &Model<'_>,
        line: Line,
        travel_micro: i64,
    ) -> Option<Self> {
        Self {
            lines: [line, Line::default()],
            count: 1,
        }
        .improving(model, draft, travel_micro)
    }

    /// The same for a change of two paths.
    pub(super) fn two(
        draft: &Draft,
        model: &Model<'_>,
        lines: [Line; 2],
        travel_micro: i64,
    ) -> Option<Self> {
        Self { lines, count: 2 }.improving(model, draft, travel_micro)
    }

    fn lines(&self) -> &[Line] {
        &self.lines[..self.count]
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = usize> + use<> {
        let [one, two] = [self.lines[0].agent, self.lines[1].agent];
        [one, two].into_iter().take(self.count)
    }

    fn improving(self, model: &Model<'_>, draft: &Draft, travel_micro: i64) -> Option<Self> {
        let mut terms = Terms {
            travel_cost_micro: travel_micro,
            ..Terms::default()
        };
        let busy = |is_busy: bool| if is_busy { MICRO } else { 0 };
        for line in self.lines() {
            let was_busy = !draft.paths[line.agent].visits.is_empty();
            terms.agents_used_micro += busy(line.count > 0) - busy(was_busy);
        }
        // The cheap test first.
        if !model.counts_time && model.scale.energy(&terms) >= -LEAST {
            return None;
        }
        let mut makespan_us = self.makespan_of_others_us(model, draft);
        for line in self.lines() {
            let (lateness_us, end_us) = line.judge(model, draft)?;
            terms.lateness_us += lateness_us - draft.paths[line.agent].sums.lateness_us;
            makespan_us = makespan_us.max(end_us);
        }
        if model.counts_makespan {
            terms.makespan_us = makespan_us - draft.makespan_us();
        }
        let improves = model.scale.energy(&terms) < -LEAST && self.is_allowed(model, draft);
        improves.then_some(self)
    }

    fn makespan_of_others_us(&self, model: &Model<'_>, draft: &Draft) -> Micros {
        if !model.counts_makespan {
            return 0;
        }
        let other = |agent: &usize| self.lines().iter().all(|line| line.agent != *agent);
        let ends = (0..draft.paths.len())
            .filter(other)
            .map(|a| draft.paths[a].sums.end_us);
        ends.max().unwrap_or(0)
    }

    /// Whether loads fit and not too much changes.
    fn is_allowed(&self, model: &Model<'_>, draft: &Draft) -> bool {
        let (mut before, mut after) = (0, 0);
        for line in self.lines() {
            let (load, changes) = line.count(model, draft);
            if !fits(&load, &Load::default(), &model.workers[line.agent].capacity) {
                return false;
            }
            after += changes;
            let visits = &draft.paths[line.agent].visits;
            before += visits
                .iter()
                .map(|v| model.change(v.task, line.agent))
                .sum::<usize>();
        }
        draft.changes - before + after <= model.changes_max
    }

    /// Makes the change.
    pub(super) fn take(self, model: &Model<'_>, draft: &mut Draft) {
        let orders: Vec<(usize, Vec<u32>)> = self
            .lines()
            .iter()
            .map(|line| (line.agent, line.tasks(draft).collect()))
            .collect();
        for (agent, _) in &orders {
            draft.clear(model, *agent);
        }
        for (agent, tasks) in &orders {
            let legal = draft.set(model, *agent, tasks);
            debug_assert!(legal, "steps are judged before");
        }
    }
}
