//! Lower bound of every plan below a state, for branch and bound.

mod assignment;

use super::domain::AllocationDomain;
use super::state::State;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, MICRO};
use crate::solve::model::{Job, Model, NONE, UNREACHABLE};
use mcts::Bound;

/// Most tasks left for which the assignment bound is computed: it takes quadratic time.
const LEFT_MAX: usize = 24;
/// Most tasks of problems for which the assignment bound is prepared: it takes quadratic memory.
const OUTGOING_MAX: usize = 128;
/// Most cheapest arcs stored for each task.
const FROM_MAX: usize = 200;

/// The arrival bound of every state.
///
/// A cost is a vector of levels, and lexicographic order is compatible with addition: a sum of
/// parts is at least the sum of lower bounds of the parts. All parts are at least 0.
pub(crate) struct LowerBound {
    is_sound: bool,
    /// A lower bound of every plan.
    least: Cost,
    /// By task: the cheapest arcs from other tasks, in ascending order, at most [`FROM_MAX`].
    from: Vec<Vec<(i64, u32)>>,
    /// By number of finished turns, then task: the cheapest arc from the start of an agent with a
    /// later turn, or [`UNREACHABLE`].
    starts: Vec<Vec<i64>>,
    /// By number of finished turns, then task: the cheapest arc to the end place of an agent with
    /// this or a later turn; 0 if one of them may end anywhere.
    ends: Vec<Vec<i64>>,
    /// By task: costs of the feasible arcs to each other task, else [`UNREACHABLE`]. Empty for many
    /// tasks.
    outgoing: Vec<Vec<i64>>,
    /// By task: cost of leaving it unserved.
    unserved_costs: Vec<Cost>,
    /// Cost of a millionth of travel.
    travel: Cost,
}

impl LowerBound {
    /// `least` is a lower bound of every plan. `go_on` is called for each task; `None` if it
    /// returns false.
    pub(crate) fn new(
        domain: &AllocationDomain<'_>,
        least: Cost,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Self> {
        let model = &domain.context.model;
        let cost = |terms: Terms| model.problem.cost(&terms);
        let unserved_cost = |penalty_micro: Option<i64>| match penalty_micro {
            None => cost(Terms {
                unserved_micro: MICRO,
                ..Terms::default()
            }),
            Some(drop_penalty_micro) => cost(Terms {
                drop_penalty_micro,
                ..Terms::default()
            }),
        };
        let mut bound = Self {
            is_sound: domain.is_complete,
            least,
            from: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            outgoing: Vec::new(),
            unserved_costs: model
                .jobs
                .iter()
                .map(|job| unserved_cost(job.penalty_micro))
                .collect(),
            travel: cost(Terms {
                travel_cost_micro: 1,
                ..Terms::default()
            }),
        };
        for task in 0..model.jobs.len() as u32 {
            if !go_on() {
                return None;
            }
            bound.from.push(cheapest_from(model, task));
        }
        if model.jobs.len() <= OUTGOING_MAX {
            bound.outgoing = outgoing(model, &bound.from);
        }
        bound.compute_starts_and_ends(domain);
        Some(bound)
    }

    /// Computes the cheapest arcs from starts and to ends of agents with later turns.
    fn compute_starts_and_ends(&mut self, domain: &AllocationDomain<'_>) {
        let model = &domain.context.model;
        let mut starts = vec![UNREACHABLE; model.jobs.len()];
        let mut ends = vec![UNREACHABLE; model.jobs.len()];
        let mut class = NONE;
        self.starts.push(starts.clone());
        self.ends.push(ends.clone());
        for &agent in domain.order.iter().rev() {
            let worker = &model.workers[agent as usize];
            // After its committed prefix, if it has one.
            let last = worker.committed.last();
            let here = last.map_or(worker.start, |last| model.jobs[*last as usize].location);
            if worker.class != class {
                class = worker.class;
                for (task, job) in (0_u32..).zip(&model.jobs) {
                    let (start, end) = (&mut starts[task as usize], &mut ends[task as usize]);
                    if domain.may_do(worker, task) {
                        *end = model.cost_micro(job.location, worker.end).min(*end);
                        if domain.may_start_with(worker, task) {
                            *start = model.cost_micro(here, job.location).min(*start);
                        }
                    }
                }
            }
            self.starts.push(starts.clone());
            self.ends.push(ends.clone());
        }
        self.starts.reverse();
        self.ends.reverse();
    }

    /// The arrival bound: for each task left, the lesser of its unserved penalty and of the
    /// cheapest arc to it that is left, from a task that is left, from the location of the agent if
    /// that is feasible, or from the start of an agent with a later turn. Plus the cheapest arc to
    /// the end place of an agent on its route.
    ///
    /// Each served task has one arc to it, and no two tasks share one.
    fn arrival_bound(&self, domain: &AllocationDomain<'_>, state: &State, agent: usize) -> Cost {
        let model = &domain.context.model;
        let mut sum = cost_so_far(model, state);
        let worker = &model.workers[agent];
        let mut return_cost_micro = model.cost_micro(state.here, worker.end);
        let is_short = state.left.len() <= LEFT_MAX && !self.outgoing.is_empty();
        let mut arcs = [UNREACHABLE; LEFT_MAX];
        for (at, &task) in state.left.iter().enumerate() {
            let location = model.jobs[task as usize].location;
            return_cost_micro = return_cost_micro.min(model.cost_micro(location, worker.end));
            let arc_cost_micro = self.arc_cost_micro(domain, state, agent, task);
            if is_short {
                arcs[at] = arc_cost_micro;
            }
            add(&mut sum, &self.task_bound(task, arc_cost_micro));
        }
        if state.last != NONE && return_cost_micro < UNREACHABLE {
            add(&mut sum, &times(&self.travel, return_cost_micro));
        }
        if is_short {
            sum.max(self.assignment_bound(domain, state, agent, &arcs))
        } else {
            sum
        }
    }

    /// Lower bound of the cost of a task, served at `arc_cost_micro` or unserved.
    fn task_bound(&self, task: u32, arc_cost_micro: i64) -> Cost {
        let unserved_cost = self.unserved_costs[task as usize];
        if arc_cost_micro >= UNREACHABLE {
            unserved_cost
        } else {
            times(&self.travel, arc_cost_micro).min(unserved_cost)
        }
    }

    /// Cost of the cheapest arc to a task that is left, or [`UNREACHABLE`].
    fn arc_cost_micro(
        &self,
        domain: &AllocationDomain<'_>,
        state: &State,
        agent: usize,
        task: u32,
    ) -> i64 {
        let model = &domain.context.model;
        let mut arc_cost_micro = self.starts[state.turn as usize + 1][task as usize];
        if domain.start_us(state, agent, task).is_some() {
            let location = model.jobs[task as usize].location;
            arc_cost_micro = arc_cost_micro.min(model.cost_micro(state.here, location));
        }
        let from = &self.from[task as usize];
        let known = from.iter().find(|(_, other)| state.is_left(*other));
        // Arcs that are not stored cost at least as much as the last.
        let beyond = from.last().filter(|_| from.len() == FROM_MAX);
        arc_cost_micro.min(
            known
                .or(beyond)
                .map_or(UNREACHABLE, |(arc_cost_micro, _)| *arc_cost_micro),
        )
    }
}

impl Bound<AllocationDomain<'_>> for LowerBound {
    fn lower(&self, domain: &AllocationDomain<'_>, state: &State) -> Option<Cost> {
        let model = &domain.context.model;
        let Some(agent) = domain.agent(state) else {
            return Some(model.problem.cost(&state.terms));
        };
        Some(self.arrival_bound(domain, state, agent).max(self.least))
    }

    fn is_sound(&self) -> bool {
        self.is_sound
    }
}

/// The cost so far.
fn cost_so_far(model: &Model<'_>, state: &State) -> Cost {
    model.problem.cost(&Terms {
        unserved_micro: 0,
        drop_penalty_micro: 0,
        ..state.terms
    })
}

fn cheapest_from(model: &Model<'_>, task: u32) -> Vec<(i64, u32)> {
    let job = &model.jobs[task as usize];
    let fastest = model.fastest();
    let arc = |from: u32, other: &Job| {
        let travel_us = model.time_us(fastest, other.location, job.location);
        let in_time = other.open_us + other.service_us + travel_us <= job.latest_us;
        let cost_micro = model.cost_micro(other.location, job.location);
        (from != task && in_time).then_some((cost_micro, from))
    };
    let mut from: Vec<(i64, u32)> = (0..)
        .zip(&model.jobs)
        .filter_map(|(from, other)| arc(from, other))
        .collect();
    if from.len() > FROM_MAX {
        from.select_nth_unstable(FROM_MAX - 1);
        from.truncate(FROM_MAX);
    }
    from.sort_unstable();
    from
}

/// The arcs of `from` by their first task.
fn outgoing(model: &Model<'_>, from: &[Vec<(i64, u32)>]) -> Vec<Vec<i64>> {
    let tasks = model.jobs.len();
    let mut outgoing = vec![vec![UNREACHABLE; tasks]; tasks];
    for (to, arcs) in from.iter().enumerate() {
        for &(cost_micro, task) in arcs {
            outgoing[task as usize][to] = cost_micro;
        }
    }
    outgoing
}

fn add(sum: &mut Cost, part: &Cost) {
    for level in 0..LEVELS_MAX {
        sum.0[level] = sum.0[level].saturating_add(part.0[level]);
    }
}

fn times(cost: &Cost, factor: i64) -> Cost {
    Cost(cost.0.map(|level| level.saturating_mul(factor)))
}
