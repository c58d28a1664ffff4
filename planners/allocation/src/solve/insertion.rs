//! Regret insertion: the first plan.

use super::draft::Draft;
use super::model::Model;
use super::path::Visit;
use super::slot::{Inserted, Never, Slot, best_slot, best_slot_after, settled};
use crate::{Cost, Plan};
use anytime::Control;

/// Inserts absent tasks into paths where that lowers the energy; first the task that would lose
/// most by waiting. Stops early when `control` stops.
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
    let mut visits: Vec<Visit> = Vec::new();
    while let Some((row, slot)) = board.choose(model) {
        if !control.go_on() {
            return;
        }
        let (task, agent) = (board.rows[row].task, slot.agent as usize);
        let was_idle = draft.paths[agent].visits.is_empty();
        let (before, place) = (draft.changes, (agent, slot.position as usize));
        visits.clone_from(&draft.paths[agent].visits);
        draft.insert(model, task, place);
        // In order, so that slots and ways are read one after the other.
        board.rows.remove(row);
        if was_idle && let Some(next) = first_idle(model, draft, model.workers[agent].class) {
            board.copy(agent, next);
        }
        board.update(model, draft, (agent, &Inserted::new(draft, &visits, place)));
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
    best: Slot,
    second: Slot,
}

struct Board {
    rows: Vec<Row>,
    slots: Slots,
}

/// The best slot of each task on each path. Of most it is enough to know what they cost at least.
struct Slots {
    /// By agent and task: an insertion asks for those of one agent.
    cells: Vec<Slot>,
    /// Their energies by task and agent: a choice between agents asks for those of one task.
    energies: Vec<f64>,
    tasks: usize,
    agents: usize,
}

impl Slots {
    fn of(&self, task: u32, agent: usize) -> Slot {
        self.cells[agent * self.tasks + task as usize]
    }

    /// The slot that was there before.
    fn replace(&mut self, task: u32, (agent, slot): (usize, Slot)) -> Slot {
        let cell = &mut self.cells[agent * self.tasks + task as usize];
        let old = std::mem::replace(cell, slot);
        if old.energy != slot.energy {
            self.energies[task as usize * self.agents + agent] = slot.energy;
        }
        old
    }

    /// The two best slots of a task, the first of equals.
    fn two_best(&self, task: u32) -> [Slot; 2] {
        let row = task as usize * self.agents;
        let (mut least, mut second) = (f64::INFINITY, f64::INFINITY);
        let (mut first, mut next) = (None, None);
        for (agent, &energy) in self.energies[row..row + self.agents].iter().enumerate() {
            if energy < least {
                (second, next) = (least, first);
                (least, first) = (energy, Some(agent));
            } else if energy < second {
                (second, next) = (energy, Some(agent));
            }
        }
        [first, next].map(|agent| agent.map_or(Slot::NOWHERE, |agent| self.of(task, agent)))
    }
}

impl Board {
    fn new(model: &Model<'_>, draft: &Draft) -> Self {
        let row = |&task: &u32| Row {
            task,
            best: Slot::NOWHERE,
            second: Slot::NOWHERE,
        };
        let (agents, tasks) = (model.workers.len(), model.jobs.len());
        Self {
            rows: draft.absent.iter().map(row).collect(),
            slots: Slots {
                cells: vec![Slot::NOWHERE; agents * tasks],
                energies: vec![f64::INFINITY; agents * tasks],
                tasks,
                agents,
            },
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
            row.set(&mut self.slots, (agent, slot));
            row.settle(&mut self.slots, (model, draft));
        }
    }

    /// The same after a task was inserted.
    fn update(&mut self, model: &Model<'_>, draft: &Draft, (agent, new): (usize, &Inserted)) {
        for row in &mut self.rows {
            let old = self.slots.of(row.task, agent);
            let slot = best_slot_after(model, draft, (row.task, old), new);
            row.set(&mut self.slots, (agent, slot));
            row.settle(&mut self.slots, (model, draft));
        }
    }

    /// What `agent` could do before it had anything to do, the next idle agent of its class can do
    /// now.
    fn copy(&mut self, agent: usize, next: usize) {
        for row in &mut self.rows {
            let slot = self.slots.of(row.task, agent);
            if slot.exists() {
                let agent = next as u32;
                row.set(&mut self.slots, (next, Slot { agent, ..slot }));
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
    fn set(&mut self, slots: &mut Slots, (agent, slot): (usize, Slot)) {
        let old = slots.replace(self.task, (agent, slot));
        if old == slot {
            return;
        }
        let is_of = |slot: Slot| slot.agent == agent as u32;
        if is_of(self.best) {
            if slot.energy <= self.second.energy && slot.exists() {
                self.best = slot;
            } else {
                [self.best, self.second] = slots.two_best(self.task);
            }
        } else if is_of(self.second) {
            if slot.energy <= self.best.energy {
                (self.second, self.best) = (self.best, slot);
            } else if slot.energy <= self.second.energy {
                self.second = slot;
            } else {
                [self.best, self.second] = slots.two_best(self.task);
            }
        } else if slot.energy < self.best.energy {
            (self.second, self.best) = (self.best, slot);
        } else if slot.energy < self.second.energy {
            self.second = slot;
        }
    }

    /// Looks for the places of the two best slots, if all that is known is what they cost at least.
    fn settle(&mut self, slots: &mut Slots, (model, draft): (&Model<'_>, &Draft)) {
        let is_vague = |slot: &Slot| slot.exists() && !slot.is_known();
        while let Some(vague) = [self.best, self.second].into_iter().find(is_vague) {
            let agent = vague.agent as usize;
            let slot = settled(model, draft, (self.task, vague));
            self.set(slots, (agent, slot));
        }
    }
}
