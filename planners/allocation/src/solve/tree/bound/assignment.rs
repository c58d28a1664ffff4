//! The arrival bound, strengthened by an assignment relaxation where few tasks are left.

use super::{LEFT_MAX, LowerBound, add, cost_so_far, times};
use crate::plan::Cost;
use crate::solve::model::{NONE, UNREACHABLE};
use crate::solve::tree::domain::AllocationDomain;
use crate::solve::tree::state::State;

impl LowerBound {
    /// The assignment bound: each task has one arc to it and one arc from it. A dual solution of
    /// this assignment problem, by one reduction of rows and of columns.
    ///
    /// For any u(b) of arrivals and v(a) of departures with c(a, b) - u(b) - v(a) >= 0, the arcs of
    /// a plan cost at least the sum of u and v over its tasks. Here u(b) is first the cheapest arc
    /// to b (`arcs`; 0 for end places), v(a) the least reduced cost, and then u(b) grows by the
    /// least reduced cost that remains.
    pub(super) fn assignment_bound(
        &self,
        domain: &AllocationDomain<'_>,
        state: &State,
        agent: usize,
        arcs: &[i64; LEFT_MAX],
    ) -> Cost {
        let worker = &domain.context.model.workers[agent];
        let (turn, count) = (state.turn as usize, state.left.len());
        let mut sum = cost_so_far(&domain.context.model, state);
        let mut outgoing_micro = [0; LEFT_MAX];
        let mut slack_micro = [UNREACHABLE; LEFT_MAX];
        // An agent at its start is like those with a later turn: it may stay there.
        let starts = &self.starts[turn + usize::from(state.last != NONE)];
        for (at, &task) in state.left.iter().enumerate() {
            slack_micro[at] = starts[task as usize] - arcs[at];
        }
        let mut return_cost_micro = UNREACHABLE;
        // All tasks left, and the location of the agent.
        for from in 0..count + usize::from(state.last != NONE) {
            if from < count && arcs[from] >= UNREACHABLE {
                continue;
            }
            let task = state.left.get(from).copied();
            let mut row = [UNREACHABLE; LEFT_MAX];
            self.row(domain, state, agent, task, &mut row);
            let end_micro = match task {
                Some(task) => self.ends[turn][task as usize],
                None => domain.context.model.cost_micro(state.here, worker.end),
            };
            let open = || (0..count).filter(|to| arcs[*to] < UNREACHABLE);
            let least_micro = open()
                .map(|to| row[to] - arcs[to])
                .fold(end_micro, i64::min)
                .max(0);
            for to in open() {
                slack_micro[to] = slack_micro[to].min(row[to] - arcs[to] - least_micro);
            }
            return_cost_micro = return_cost_micro.min(end_micro - least_micro);
            if from < count {
                outgoing_micro[from] = least_micro;
            } else if least_micro < UNREACHABLE / 2 {
                add(&mut sum, &times(&self.travel, least_micro));
            }
        }
        for (at, &task) in state.left.iter().enumerate() {
            let more_micro = outgoing_micro[at] + slack_micro[at].max(0);
            add(
                &mut sum,
                &self.task_bound(task, (arcs[at] + more_micro).min(UNREACHABLE)),
            );
        }
        if state.last != NONE && return_cost_micro < UNREACHABLE / 2 {
            add(&mut sum, &times(&self.travel, return_cost_micro.max(0)));
        }
        sum
    }

    /// Costs of the arcs from a task that is left, or from the location of the agent, to the tasks
    /// left, in their order.
    fn row(
        &self,
        domain: &AllocationDomain<'_>,
        state: &State,
        agent: usize,
        from: Option<u32>,
        row: &mut [i64; LEFT_MAX],
    ) {
        let model = &domain.context.model;
        for (&task, cost_micro) in state.left.iter().zip(row) {
            *cost_micro = match from {
                Some(from) => self.outgoing[from as usize][task as usize],
                None if domain.start_us(state, agent, task).is_some() => {
                    model.cost_micro(state.here, model.jobs[task as usize].location)
                }
                None => UNREACHABLE,
            };
        }
    }
}
