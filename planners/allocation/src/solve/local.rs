//! Local search: small changes of one or two paths, as long as one of them lowers the energy.

mod moves;
mod pieces;

use super::Scene;
use super::draft::Draft;
use super::model::{Model, NONE};
use super::nearest::Nearest;
use moves::{exchange, relocate, reverse, tails, to_idle};
use pieces::Step;

/// Local search, with its scratch space.
///
/// Moves: relocate one to three tasks, exchange two tasks, exchange tails (2-opt*: Potvin,
/// Rousseau, "An exchange heuristic for routeing problems with time windows", Journal of the
/// Operational Research Society 46 (1995)), reverse a stretch (2-opt). Each brings two tasks side
/// by side of which one is among the nearest of the other. First improvement; a task is looked at
/// again when its path has changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct LocalSearch {
    queue: Vec<u32>,
    is_queued: Vec<bool>,
}

impl LocalSearch {
    /// Improves `draft` until no move does, or until `go_on` says no. It is asked before each task.
    pub(crate) fn improve(
        &mut self,
        scene: &Scene<'_>,
        draft: &mut Draft,
        mut go_on: impl FnMut() -> bool,
    ) {
        let Scene { model, nearest } = scene;
        self.is_queued.clear();
        self.is_queued.resize(model.jobs.len(), false);
        self.queue.clear();
        for agent in (0..draft.paths.len()).rev() {
            self.enqueue(draft, agent);
        }
        while let Some(task) = self.queue.pop() {
            self.is_queued[task as usize] = false;
            while go_on()
                && let Some(step) = improving(model, nearest, draft, task)
            {
                let agents = step.agents();
                step.take(model, draft);
                agents.for_each(|agent| self.enqueue(draft, agent));
            }
        }
    }

    fn enqueue(&mut self, draft: &Draft, agent: usize) {
        for visit in &draft.paths[agent].visits {
            if !std::mem::replace(&mut self.is_queued[visit.task as usize], true) {
                self.queue.push(visit.task);
            }
        }
    }
}

/// The first improving move that brings `task` next to a near one, or to an idle agent.
fn improving(model: &Model<'_>, nearest: &Nearest, draft: &Draft, task: u32) -> Option<Step> {
    if draft.places[task as usize].agent == NONE {
        return None;
    }
    let near = nearest.of(task).iter().take(NEAR_MAX);
    for &other in near.filter(|other| draft.is_done(**other)) {
        let pair = (draft.places[task as usize], draft.places[other as usize]);
        let step = relocate(model, draft, pair)
            .or_else(|| exchange(model, draft, pair))
            .or_else(|| tails(model, draft, pair))
            .or_else(|| reverse(model, draft, pair));
        if step.is_some() {
            return step;
        }
    }
    to_idle(model, draft, draft.places[task as usize])
}

/// How many of the nearest tasks are tried as neighbours.
const NEAR_MAX: usize = 20;
