//! The plan that is being carried out, as far as it still can be.

use super::draft::Draft;
use super::model::Model;
use super::slot::slot_at;

/// Puts the tasks of the previous plan where they were, in the order in which they were. Those that do not fit any more stay absent.
pub(crate) fn restore(model: &Model<'_>, draft: &mut Draft) {
    for route in model.problem.previous().iter().flat_map(|p| &p.routes) {
        let tasks: Vec<u32> = route.tasks.iter().map(|&task| task as u32).collect();
        let agent = route.agent;
        if tasks.is_empty() || draft.set(model, agent, &tasks) {
            continue;
        }
        let started = draft.set(model, agent, &model.workers[agent].started);
        debug_assert!(started, "what is under way was possible before");
        for &task in &tasks[route.started..] {
            let slot = slot_at(model, draft, task, (agent, draft.paths[agent].visits.len()));
            if slot.exists() {
                draft.insert(model, task, (agent, slot.position as usize));
            }
        }
    }
}
