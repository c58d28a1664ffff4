//! Regret insertion: the first plan.

use super::draft::Draft;
use super::model::Model;
use super::slot::{Never, Slot, best_slot, best_slot_after};
use crate::{Cost, Plan};
use anytime::Control;

/// Puts absent tasks on paths where that lowers the energy, the task first that would lose most by waiting. Stops early when
/// `control` says so.
///
/// Regret-2 insertion: Potvin, Rousseau, "A parallel route building algorithm for the vehicle
/// routing and scheduling problem with time windows", European Journal of Operational Research 66
/// (1993). The best slot of each task on each path is kept, and computed anew only where the path
/// changed. Of the idle agents of a class the first stands for all.
pub(crate) fn insert_absent(
    model: &Model<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) {
    let mut board = Board::new(model, draft);
    for agent in 0..model.workers.len() {
        if !control.go_on() {
            return;
        }
        board.compute(model, draft, agent);
    }
    while let Some((row, slot)) = board.choose(model) {
        if !control.go_on() {
            return;
        }
        let (task, agent) = (board.rows[row].task, slot.agent as usize);
        let was_idle = draft.paths[agent].visits.is_empty();
        let before = draft.changes;
        draft.insert(model, task, (agent, slot.position as usize));
        board.rows.swap_remove(row);
        if was_idle && let Some(next) = first_idle(model, draft, model.workers[agent].class) {
            board.copy(agent, next);
        }
        board.update(model, draft, (agent, slot.position as usize));
        // Slots that would be a change more are gone as soon as there may be no more.
        let used_up = before < draft.changes && draft.changes >= model.changes_max;
        if model.limits_changes() && used_up {
            (0..model.workers.len()).for_each(|agent| board.compute(model, draft, agent));
        }
    }
}

/// The first agent of a class that has nothing to do.
fn first_idle(model: &Model<'_>, draft: &Draft, class: u32) -> Option<usize> {
    let idle = |agent: &usize| {
        model.workers[*agent].class == class && draft.paths[*agent].visits.is_empty()
    };
    (0..model.workers.len()).find(idle)
}

/// An absent task and its best slots.
struct Row {
    task: u32,
    /// One an agent.
    slots: Vec<Slot>,
    best: Slot,
    second: Slot,
}

struct Board {
    rows: Vec<Row>,
}

impl Board {
    fn new(model: &Model<'_>, draft: &Draft) -> Self {
        let row = |&task: &u32| Row {
            task,
            slots: vec![Slot::NOWHERE; model.workers.len()],
            best: Slot::NOWHERE,
            second: Slot::NOWHERE,
        };
        Self {
            rows: draft.absent.iter().map(row).collect(),
        }
    }

    /// Computes the slots on the path of `agent`, after it changed.
    fn compute(&mut self, model: &Model<'_>, draft: &Draft, agent: usize) {
        let idle = draft.paths[agent].visits.is_empty();
        let is_shown = !idle || first_idle(model, draft, model.workers[agent].class) == Some(agent);
        for row in &mut self.rows {
            let slot = if is_shown {
                best_slot(model, draft, (row.task, agent), &mut Never)
            } else {
                Slot::NOWHERE
            };
            row.set(agent, slot);
        }
    }

    /// The same after a task was inserted at a position.
    fn update(&mut self, model: &Model<'_>, draft: &Draft, place: (usize, usize)) {
        for row in &mut self.rows {
            let old = row.slots[place.0];
            row.set(
                place.0,
                best_slot_after(model, draft, (row.task, old), place),
            );
        }
    }

    /// What `agent` could do before it had anything to do, the next idle agent of its class can do
    /// now.
    fn copy(&mut self, agent: usize, next: usize) {
        for row in &mut self.rows {
            let slot = row.slots[agent];
            if slot.exists() {
                row.set(
                    next,
                    Slot {
                        agent: next as u32,
                        ..slot
                    },
                );
            }
        }
    }

    /// The task to insert next, and where.
    fn choose(&self, model: &Model<'_>) -> Option<(usize, Slot)> {
        let mut chosen = None;
        let mut most = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (index, row) in self.rows.iter().enumerate() {
            let saved = model
                .scale
                .loss(model.jobs[row.task as usize].penalty_micro);
            if !row.best.exists() || row.best.energy >= saved {
                continue;
            }
            // What it would cost to be late for the best slot; without a second one, the task
            // itself.
            let regret = row.second.energy.min(saved) - row.best.energy;
            // Among equals the remotest: it fits nowhere else.
            let rank = (regret, row.best.energy);
            if rank > most {
                (most, chosen) = (rank, Some((index, row.best)));
            }
        }
        chosen
    }
}

impl Row {
    /// Takes note of a new slot. Looks at all slots again only where one of the two best has become
    /// worse.
    fn set(&mut self, agent: usize, slot: Slot) {
        let old = std::mem::replace(&mut self.slots[agent], slot);
        if old == slot {
            return;
        }
        let is_of = |slot: Slot| slot.agent == agent as u32;
        if is_of(self.best) {
            if slot.energy <= self.second.energy && slot.exists() {
                self.best = slot;
            } else {
                self.rank();
            }
        } else if is_of(self.second) {
            if slot.energy <= self.best.energy {
                (self.second, self.best) = (self.best, slot);
            } else if slot.energy <= self.second.energy {
                self.second = slot;
            } else {
                self.rank();
            }
        } else if slot.energy < self.best.energy {
            (self.second, self.best) = (self.best, slot);
        } else if slot.energy < self.second.energy {
            self.second = slot;
        }
    }

    fn rank(&mut self) {
        (self.best, self.second) = (Slot::NOWHERE, Slot::NOWHERE);
        for &slot in &self.slots {
            if slot.energy < self.best.energy {
                (self.second, self.best) = (self.best, slot);
            } else if slot.energy < self.second.energy {
                self.second = slot;
            }
        }
    }
}
