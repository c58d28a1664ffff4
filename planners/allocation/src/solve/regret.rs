//! Regret-2 insertion: the first plan.

mod near;

pub(crate) use near::insert_near;

use super::draft::Draft;
use super::insertion::{
    Inserted, Insertion, Never, best_insertion, exact_insertion, update_best_insertion,
};
use super::model::Model;
use super::path::Visit;
use crate::{Cost, Plan};
use anytime::Control;

/// Most pairs of a task and an agent in a table.
const PAIRS_MAX: usize = 200_000;

/// Whether the insertions of each task into each path are too many for a table.
pub(crate) fn exceeds_table(model: &Model<'_>) -> bool {
    model.jobs.len() * model.workers.len() > PAIRS_MAX
}

/// Inserts unassigned tasks where that lowers the penalised cost, the task with the largest regret
/// first. Stops early when `control` stops.
///
/// Regret-2 insertion: Potvin, Rousseau, "A parallel route building algorithm for the vehicle
/// routing and scheduling problem with time windows", European Journal of Operational Research 66
/// (1993). Best insertions of each task into each path are cached, and computed again only where
/// the path changed. Of the idle agents of a class the first stands for all.
pub(crate) fn regret_insertion(
    model: &Model<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) {
    let mut table = InsertionTable::new(model, draft);
    for agent in 0..model.workers.len() {
        if !control.go_on() {
            return;
        }
        table.compute(model, draft, agent);
    }
    let mut visits: Vec<Visit> = Vec::new();
    while let Some((row, insertion)) = table.choose(model) {
        if !control.go_on() {
            return;
        }
        let (task, agent) = (table.rows[row].task, insertion.agent as usize);
        let was_idle = draft.paths[agent].visits.is_empty();
        let (before, position) = (draft.changes, insertion.position as usize);
        visits.clone_from(&draft.paths[agent].visits);
        draft.insert_at(model, task, insertion);
        // In order, so that insertions and arcs are read sequentially.
        table.rows.remove(row);
        if was_idle && let Some(next) = first_idle(model, draft, model.workers[agent].class) {
            table.copy(agent, next);
        }
        let inserted = Inserted::new(draft, &visits, agent, position);
        table.update(model, draft, agent, &inserted);
        // Insertions that would be a change too many become infeasible.
        let used_up = before < draft.changes && draft.changes >= model.changes_max;
        if model.limits_changes() && used_up {
            (0..model.workers.len()).for_each(|agent| table.compute(model, draft, agent));
        }
    }
}

/// The first idle agent of a class.
fn first_idle(model: &Model<'_>, draft: &Draft, class: u32) -> Option<usize> {
    let idle = |agent: &usize| {
        model.workers[*agent].class == class && draft.paths[*agent].visits.is_empty()
    };
    (0..model.workers.len()).find(idle)
}

/// An unassigned task and its two best insertions.
struct Row {
    task: u32,
    best: Insertion,
    second: Insertion,
}

struct InsertionTable {
    rows: Vec<Row>,
    insertions: Insertions,
}

/// The best insertion of each task into each path. For most a lower bound of its cost suffices.
struct Insertions {
    /// By agent and task: an insertion reads those of one agent.
    cells: Vec<Insertion>,
    /// Their costs by task and agent: a choice between agents reads those of one task.
    added_costs: Vec<f64>,
    tasks: usize,
    agents: usize,
}

impl Insertions {
    fn insertion(&self, task: u32, agent: usize) -> Insertion {
        self.cells[agent * self.tasks + task as usize]
    }

    /// Returns the previous insertion.
    fn replace(&mut self, task: u32, agent: usize, insertion: Insertion) -> Insertion {
        let cell = &mut self.cells[agent * self.tasks + task as usize];
        let old = std::mem::replace(cell, insertion);
        if old.added_cost != insertion.added_cost {
            self.added_costs[task as usize * self.agents + agent] = insertion.added_cost;
        }
        old
    }

    /// The two best insertions of a task, the first of equals.
    fn two_best(&self, task: u32) -> [Insertion; 2] {
        let row = task as usize * self.agents;
        let (mut least, mut second) = (f64::INFINITY, f64::INFINITY);
        let (mut first, mut next) = (None, None);
        for (agent, &added_cost) in self.added_costs[row..row + self.agents].iter().enumerate() {
            if added_cost < least {
                (second, next) = (least, first);
                (least, first) = (added_cost, Some(agent));
            } else if added_cost < second {
                (second, next) = (added_cost, Some(agent));
            }
        }
        [first, next]
            .map(|agent| agent.map_or(Insertion::NONE, |agent| self.insertion(task, agent)))
    }
}

impl InsertionTable {
    fn new(model: &Model<'_>, draft: &Draft) -> Self {
        let row = |&task: &u32| Row {
            task,
            best: Insertion::NONE,
            second: Insertion::NONE,
        };
        let (agents, tasks) = (model.workers.len(), model.jobs.len());
        Self {
            rows: draft.unassigned.iter().map(row).collect(),
            insertions: Insertions {
                cells: vec![Insertion::NONE; agents * tasks],
                added_costs: vec![f64::INFINITY; agents * tasks],
                tasks,
                agents,
            },
        }
    }

    /// Computes the insertions into the path of `agent`, after it changed.
    fn compute(&mut self, model: &Model<'_>, draft: &Draft, agent: usize) {
        let idle = draft.paths[agent].visits.is_empty();
        let is_shown = !idle || first_idle(model, draft, model.workers[agent].class) == Some(agent);
        for row in &mut self.rows {
            let insertion = if is_shown {
                best_insertion(model, draft, row.task, agent, &mut Never)
            } else {
                Insertion::NONE
            };
            row.set(&mut self.insertions, agent, insertion);
            row.make_exact(&mut self.insertions, model, draft);
        }
    }

    /// As [`InsertionTable::compute`], after one task was inserted.
    fn update(&mut self, model: &Model<'_>, draft: &Draft, agent: usize, new: &Inserted) {
        for row in &mut self.rows {
            let old = self.insertions.insertion(row.task, agent);
            let insertion = update_best_insertion(model, draft, row.task, old, new);
            row.set(&mut self.insertions, agent, insertion);
            row.make_exact(&mut self.insertions, model, draft);
        }
    }

    /// Copies the insertions of `agent`, which was idle, to the next idle agent of its class.
    fn copy(&mut self, agent: usize, next: usize) {
        for row in &mut self.rows {
            let insertion = self.insertions.insertion(row.task, agent);
            if insertion.exists() {
                let agent = next as u32;
                row.set(&mut self.insertions, next, Insertion { agent, ..insertion });
            }
        }
    }

    /// The row to insert next, and where.
    fn choose(&self, model: &Model<'_>) -> Option<(usize, Insertion)> {
        let mut chosen = None;
        let mut most = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (index, row) in self.rows.iter().enumerate() {
            let saved = model.unserved_penalty(row.task);
            if !row.best.exists() || row.best.added_cost >= saved {
                continue;
            }
            // What is lost if the best insertion becomes infeasible; without a second one, the
            // task.
            let regret = row.second.added_cost.min(saved) - row.best.added_cost;
            // Among equals the remotest: it fits nowhere else.
            let rank = (regret, row.best.added_cost);
            if rank > most {
                (most, chosen) = (rank, Some((index, row.best)));
            }
        }
        chosen
    }
}

impl Row {
    /// Stores an insertion. Scans all insertions only where one of the two best has become worse.
    fn set(&mut self, insertions: &mut Insertions, agent: usize, insertion: Insertion) {
        let old = insertions.replace(self.task, agent, insertion);
        if old == insertion {
            return;
        }
        let is_of = |insertion: Insertion| insertion.agent == agent as u32;
        if is_of(self.best) {
            if insertion.added_cost <= self.second.added_cost && insertion.exists() {
                self.best = insertion;
            } else {
                [self.best, self.second] = insertions.two_best(self.task);
            }
        } else if is_of(self.second) {
            if insertion.added_cost <= self.best.added_cost {
                (self.second, self.best) = (self.best, insertion);
            } else if insertion.added_cost <= self.second.added_cost {
                self.second = insertion;
            } else {
                [self.best, self.second] = insertions.two_best(self.task);
            }
        } else if insertion.added_cost < self.best.added_cost {
            (self.second, self.best) = (self.best, insertion);
        } else if insertion.added_cost < self.second.added_cost {
            self.second = insertion;
        }
    }

    /// Makes the two best insertions exact.
    fn make_exact(&mut self, insertions: &mut Insertions, model: &Model<'_>, draft: &Draft) {
        let is_vague = |insertion: &Insertion| insertion.exists() && !insertion.is_exact();
        while let Some(vague) = [self.best, self.second].into_iter().find(is_vague) {
            let agent = vague.agent as usize;
            let insertion = exact_insertion(model, draft, self.task, vague);
            self.set(insertions, agent, insertion);
        }
    }
}
