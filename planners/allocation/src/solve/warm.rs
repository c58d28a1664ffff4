//! Warm start from the previous plan.

use super::draft::Draft;
use super::insertion::insertion_at;
use super::model::Model;
use crate::verify::{schedule, verify};
use crate::{Cost, Plan, Problem};
use anytime::Control;

/// Offers the previous plan if it is valid unchanged, each task as early as possible. Needs no
/// preparation, so it works within any time limit.
pub(crate) fn offer_previous(problem: &Problem, control: &mut Control<'_, Plan, Cost>) {
    let Some(previous) = problem.previous() else {
        return;
    };
    let routes = previous.routes.iter();
    let mut orders: Vec<(usize, Vec<usize>)> = routes
        .filter(|route| !route.tasks.is_empty())
        .map(|route| (route.agent, route.tasks.clone()))
        .collect();
    if orders.is_empty() {
        return;
    }
    orders.sort_by_key(|(agent, _)| *agent);
    let plan = schedule(problem, &orders);
    if let Ok(cost) = verify(problem, &plan) {
        control.offer(&plan, cost, "previous");
    }
}

/// Restores the order of the previous plan. Tasks that do not fit any more stay unassigned.
pub(crate) fn restore(model: &Model<'_>, draft: &mut Draft) {
    for route in model.problem.previous().iter().flat_map(|p| &p.routes) {
        let agent = route.agent;
        let visits = &draft.paths[agent].visits;
        let base: Vec<u32> = visits.iter().map(|visit| visit.task).collect();
        let tasks = route.tasks.iter().map(|&task| task as u32);
        // Some are assigned already, to reach an end place.
        let is_own = |task: &u32| base.contains(task) || !draft.is_assigned(*task);
        let tasks: Vec<u32> = tasks.filter(is_own).collect();
        if tasks.is_empty() || draft.set(model, agent, &tasks) {
            continue;
        }
        let kept = draft.set(model, agent, &base);
        debug_assert!(kept, "what it did before is possible");
        for &task in &tasks[route.committed..] {
            if draft.is_assigned(task) {
                continue;
            }
            let insertion =
                insertion_at(model, draft, task, agent, draft.paths[agent].visits.len());
            if insertion.exists() {
                draft.insert_at(model, task, insertion);
            }
        }
    }
}
