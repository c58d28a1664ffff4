//! Terms of the cost of a valid plan.

use super::schedule::timeline;
use crate::plan::{Plan, Terms};
use crate::problem::{MICRO, Problem};

/// Whether each task is in a route. Stops at unknown tasks are passed over.
pub(super) fn done(problem: &Problem, plan: &Plan) -> Vec<bool> {
    let mut done = vec![false; problem.tasks().len()];
    for stop in plan.routes.iter().flat_map(|r| &r.stops) {
        if let Some(done) = done.get_mut(stop.task) {
            *done = true;
        }
    }
    done
}

/// Terms of a valid plan. No sum overflows: every level is checked to fit when its
/// weights are applied, and times are within shifts.
pub(super) fn terms(problem: &Problem, plan: &Plan) -> Terms {
    let mut terms = Terms::default();
    for (task, done) in problem.tasks().iter().zip(done(problem, plan)) {
        match task.drop_penalty_micro {
            _ if done => {}
            None => terms.unserved_micro += MICRO,
            Some(penalty_micro) => terms.drop_penalty_micro += penalty_micro,
        }
    }
    let preferences = &problem.couplings().preferences;
    let mut preferred = vec![None; problem.tasks().len()];
    for one in preferences {
        preferred[one.task] = Some(one);
    }
    for stop in plan.routes.iter().flat_map(|r| &r.stops) {
        if let Some(one) = preferred[stop.task] {
            let cost_micro = one.cost_micro(stop.start_us);
            terms.preferences_micro = terms.preferences_micro.saturating_add(cost_micro);
        }
        if let Some(last) = problem.tasks()[stop.task].windows.last() {
            terms.lateness_us += (stop.start_us - last.close_us).max(0);
        }
    }
    let mut busy_us = vec![0; problem.agents().len()];
    for (times, route) in timeline(problem, plan).iter().zip(&plan.routes) {
        busy_us[route.agent] = times.busy_us;
        terms.travel_cost_micro += times.travel_cost_micro;
        terms.makespan_us = terms.makespan_us.max(times.end_us);
        terms.agents_used_micro += MICRO;
    }
    terms.tasks_moved_micro = changes(problem, plan) as i64 * MICRO;
    let busiest_us = busy_us.iter().max().copied().unwrap_or(0);
    terms.balance_us = busiest_us - busy_us.iter().min().copied().unwrap_or(0);
    terms
}

/// Number of tasks that move from their agent in the previous plan. Stops at unknown tasks are
/// passed over.
pub(crate) fn changes(problem: &Problem, plan: &Plan) -> usize {
    let moved = |route: &crate::Route| {
        let tasks = route.stops.iter().map(|stop| stop.task);
        let known = tasks.filter(|task| *task < problem.tasks().len());
        let before = known.filter_map(|task| problem.previous_agent(task));
        before.filter(|agent| *agent != route.agent).count()
    };
    plan.routes.iter().map(moved).sum()
}
