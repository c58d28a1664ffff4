//! The plan that is being carried out, as far as it still can be.

use super::draft::Draft;
use super::model::Model;
use super::slot::slot_at;
use crate::verify::{schedule, verify};
use crate::{Cost, Plan, Problem};
use anytime::Control;

/// Offers the previous plan if it is valid as it is, each task as early as its agent can. Nothing
/// is prepared for that, so it is there whatever time is left.
pub(crate) fn offer_as_it_was(problem: &Problem, control: &mut Control<'_, Plan, Cost>) {
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

/// Puts the tasks of the previous plan where they were, in the order in which they were. Those that
/// do not fit any more stay absent.
pub(crate) fn restore(model: &Model<'_>, draft: &mut Draft) {
    for route in model.problem.previous().iter().flat_map(|p| &p.routes) {
        let agent = route.agent;
        let visits = &draft.paths[agent].visits;
        let base: Vec<u32> = visits.iter().map(|visit| visit.task).collect();
        let tasks = route.tasks.iter().map(|&task| task as u32);
        // Where somebody needed one to get home it is done already.
        let is_own = |task: &u32| base.contains(task) || !draft.is_done(*task);
        let tasks: Vec<u32> = tasks.filter(is_own).collect();
        if tasks.is_empty() || draft.set(model, agent, &tasks) {
            continue;
        }
        let kept = draft.set(model, agent, &base);
        debug_assert!(kept, "what it did before is possible");
        for &task in &tasks[route.committed..] {
            if draft.is_done(task) {
                continue;
            }
            let slot = slot_at(model, draft, task, (agent, draft.paths[agent].visits.len()));
            if slot.exists() {
                draft.insert(model, task, (agent, slot.position as usize));
            }
        }
    }
}
