//! Local search over feasible plans: relocate, swap, 2-opt* and 2-opt, in granular neighbourhoods.

mod moves;
mod pieces;

use super::SearchContext;
use super::draft::Draft;
use super::model::{Model, NONE};
use super::neighbourhood::Neighbourhood;
use moves::{exchange, relocate, to_idle, two_opt, two_opt_star};
use pieces::Move;

/// Local search, with its scratch space.
///
/// Moves: relocate one to three tasks, swap two tasks, 2-opt* (exchange of tails: Potvin, Rousseau,
/// "An exchange heuristic for routeing problems with time windows", Journal of the Operational
/// Research Society 46 (1995)), 2-opt (reversal). Each makes two tasks adjacent of which one is in
/// the granular neighbourhood of the other. First improvement; a task is evaluated again when its
/// path has changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct LocalSearch {
    queue: Vec<u32>,
    is_queued: Vec<bool>,
}

impl LocalSearch {
    /// Improves `draft` to a local optimum, or until `go_on`, which is called for each task,
    /// returns false.
    pub(crate) fn improve(
        &mut self,
        context: &SearchContext<'_>,
        draft: &mut Draft,
        mut go_on: impl FnMut() -> bool,
    ) {
        let SearchContext {
            model,
            neighbourhood,
        } = context;
        self.is_queued.clear();
        self.is_queued.resize(model.jobs.len(), false);
        self.queue.clear();
        for agent in (0..draft.paths.len()).rev() {
            self.enqueue(draft, agent);
        }
        while let Some(task) = self.queue.pop() {
            self.is_queued[task as usize] = false;
            while go_on()
                && let Some(found) = improving(model, neighbourhood, draft, task)
            {
                let agents = found.agents();
                found.apply(model, draft);
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

/// The first improving move that brings `task` next to a neighbour, or to an idle agent.
fn improving(
    model: &Model<'_>,
    neighbourhood: &Neighbourhood,
    draft: &Draft,
    task: u32,
) -> Option<Move> {
    if draft.places[task as usize].agent == NONE {
        return None;
    }
    let near = neighbourhood.neighbours(task).iter().take(NEAR_MAX);
    for &other in near.filter(|other| draft.is_assigned(**other)) {
        let pair = (draft.places[task as usize], draft.places[other as usize]);
        let found = relocate(model, draft, pair)
            .or_else(|| exchange(model, draft, pair))
            .or_else(|| two_opt_star(model, draft, pair))
            .or_else(|| two_opt(model, draft, pair));
        if found.is_some() {
            return found;
        }
    }
    to_idle(model, draft, draft.places[task as usize])
}

/// Size of a granular neighbourhood.
const NEAR_MAX: usize = 20;
