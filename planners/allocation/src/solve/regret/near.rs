//! Regret-2 insertion next to neighbours, where a table of all tasks and paths would be too large.

use crate::solve::draft::Draft;
use crate::solve::insertion::{Insertion, Never, best_insertion, insertion_at};
use crate::solve::model::Model;
use crate::solve::neighbourhood::Neighbourhood;
use crate::solve::offer;
use crate::{Cost, Plan};
use anytime::Control;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Insertions between two offers of partial plans.
const OFFER_PERIOD: u32 = 1_000;
/// Classes of agents whose idle agents are considered for a task: those that serve it alone at the
/// least cost.
const CLASSES_MAX: usize = 4;

/// Inserts unassigned tasks where that lowers the penalised cost: next to a neighbour or on an
/// empty path, the task with the largest regret first; then where it is cheapest of all. Offers
/// partial plans on the way, as the time may not suffice for a complete one. Stops early when
/// `control` stops.
///
/// A task's best insertions are computed again when it is its turn and one of their paths has
/// changed: until then its regret may be too low.
pub(crate) fn insert_near(
    model: &Model<'_>,
    draft: &mut Draft,
    neighbourhood: &Neighbourhood,
    control: &mut Control<'_, Plan, Cost>,
) {
    let mut queue = Queue::new(model, draft, neighbourhood);
    for task in draft.unassigned.clone() {
        if !control.go_on() {
            return;
        }
        queue.classes[task as usize] = cheapest_classes(model, draft, &queue.idle, task);
        queue.evaluate(draft, task);
    }
    while let Some(task) = queue.pop(draft) {
        if !control.go_on() {
            return;
        }
        if queue.rows[task as usize].is_stale(&queue.changed) {
            queue.evaluate(draft, task);
        } else {
            queue.insert(draft, task);
            if queue.clock.is_multiple_of(OFFER_PERIOD) {
                offer(model, draft, control, "insertion");
            }
        }
    }
    for task in draft.unassigned.clone() {
        if !control.go_on() {
            return;
        }
        let agents = 0..model.workers.len();
        let best = agents.fold(Insertion::NONE, |best, agent| {
            best.or_better(best_insertion(model, draft, task, agent, &mut Never))
        });
        if best.added_cost < saved(model, task) {
            draft.insert_at(model, task, best);
        }
    }
}

/// The classes whose idle agents serve a task alone at the least cost.
fn cheapest_classes(model: &Model<'_>, draft: &Draft, idle: &[Vec<u32>], task: u32) -> Vec<u32> {
    let cost = |class: u32| {
        let agent = *idle[class as usize].last()?;
        let insertion = insertion_at(model, draft, task, agent as usize, 0);
        insertion.exists().then_some((insertion.added_cost, class))
    };
    let mut costs: Vec<(f64, u32)> = (0..idle.len() as u32).filter_map(cost).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    costs.truncate(CLASSES_MAX);
    costs.into_iter().map(|(_, class)| class).collect()
}

/// Penalty that serving a task saves.
fn saved(model: &Model<'_>, task: u32) -> f64 {
    let penalty_micro = model.jobs[task as usize].penalty_micro;
    model.scale.unserved_penalty(penalty_micro)
}

/// What is known of a task.
#[derive(Clone, Default)]
struct Row {
    best: Option<Insertion>,
    /// The best on another path.
    second: Option<Insertion>,
    /// Number of insertions when the two were computed.
    clock: u32,
    /// Entries of the queue with another version are out of date.
    version: u32,
}

impl Row {
    /// Keeps an insertion if it is one of the two best. Whether it is.
    fn consider(&mut self, insertion: Insertion) -> bool {
        let is_better = |than: Option<Insertion>| {
            insertion.exists() && than.is_none_or(|than| insertion.added_cost < than.added_cost)
        };
        let is_on_path_of =
            |one: Option<Insertion>| one.is_some_and(|one| one.agent == insertion.agent);
        if is_better(self.best) {
            if !is_on_path_of(self.best) {
                self.second = self.best;
            }
            self.best = Some(insertion);
            return true;
        }
        let is_second = !is_on_path_of(self.best) && is_better(self.second);
        if is_second {
            self.second = Some(insertion);
        }
        is_second
    }

    /// Whether a path of the two best insertions has changed since they were computed. `changed`
    /// says when, by agent.
    fn is_stale(&self, changed: &[u32]) -> bool {
        let mut insertions = self.best.iter().chain(&self.second);
        insertions.any(|one| changed[one.agent as usize] > self.clock)
    }
}

/// Unassigned tasks by regret.
struct Queue<'a> {
    model: &'a Model<'a>,
    neighbourhood: &'a Neighbourhood,
    entries: BinaryHeap<Entry>,
    rows: Vec<Row>,
    /// By task, the classes whose idle agents are considered.
    classes: Vec<Vec<u32>>,
    /// By class, its idle agents; the last is used next.
    idle: Vec<Vec<u32>>,
    /// Number of insertions so far, and by agent when its path changed last.
    clock: u32,
    changed: Vec<u32>,
}

impl<'a> Queue<'a> {
    fn new(model: &'a Model<'a>, draft: &Draft, neighbourhood: &'a Neighbourhood) -> Self {
        let mut idle = vec![Vec::new(); model.classes];
        for (agent, worker) in model.workers.iter().enumerate().rev() {
            if draft.paths[agent].visits.is_empty() {
                idle[worker.class as usize].push(agent as u32);
            }
        }
        Self {
            model,
            neighbourhood,
            entries: BinaryHeap::new(),
            rows: vec![Row::default(); model.jobs.len()],
            classes: vec![Vec::new(); model.jobs.len()],
            idle,
            clock: 0,
            changed: vec![0; model.workers.len()],
        }
    }

    /// Computes the two best insertions of a task, and queues it if there is a best.
    fn evaluate(&mut self, draft: &Draft, task: u32) {
        let row = &mut self.rows[task as usize];
        (row.best, row.second, row.clock) = (None, None, self.clock);
        for near in self.neighbourhood.neighbours(task) {
            let place = draft.places[*near as usize];
            if draft.is_assigned(*near) {
                row.consider(feasible_insertion(
                    self.model,
                    draft,
                    task,
                    place.agent,
                    place.position,
                ));
                row.consider(feasible_insertion(
                    self.model,
                    draft,
                    task,
                    place.agent,
                    place.position + 1,
                ));
            }
        }
        for class in &self.classes[task as usize] {
            if let Some(agent) = self.idle[*class as usize].last() {
                row.consider(feasible_insertion(self.model, draft, task, *agent, 0));
            }
        }
        self.enqueue(task);
    }

    fn enqueue(&mut self, task: u32) {
        let row = &mut self.rows[task as usize];
        row.version += 1;
        let saved = saved(self.model, task);
        let Some(best) = row.best.filter(|best| best.added_cost < saved) else {
            return;
        };
        // What is lost if the best insertion becomes infeasible; without a second one, the task.
        let second = row
            .second
            .map_or(saved, |second| second.added_cost.min(saved));
        self.entries.push(Entry {
            regret: second - best.added_cost,
            added_cost: best.added_cost,
            task,
            version: row.version,
        });
    }

    /// The task with the largest regret.
    fn pop(&mut self, draft: &Draft) -> Option<u32> {
        loop {
            let Entry { task, version, .. } = self.entries.pop()?;
            if !draft.is_assigned(task) && self.rows[task as usize].version == version {
                return Some(task);
            }
        }
    }

    /// Inserts a task at its best position, and considers the positions next to it for its
    /// neighbours.
    fn insert(&mut self, draft: &mut Draft, task: u32) {
        let best = self.rows[task as usize].best.expect("it was queued");
        let Insertion {
            agent, position, ..
        } = best;
        let still = insertion_at(self.model, draft, task, agent as usize, position as usize);
        if !still.exists() {
            // One of the changes that are allowed was made elsewhere.
            return;
        }
        if draft.paths[agent as usize].visits.is_empty() {
            let class = self.model.workers[agent as usize].class;
            self.idle[class as usize].pop();
        }
        draft.insert_at(self.model, task, best);
        self.clock += 1;
        for &near in self.neighbourhood.neighbours(task) {
            if draft.is_assigned(near) {
                continue;
            }
            let row = &mut self.rows[near as usize];
            let was_stale = row.is_stale(&self.changed);
            let before = row.consider(feasible_insertion(self.model, draft, near, agent, position));
            let after = row.consider(feasible_insertion(
                self.model,
                draft,
                near,
                agent,
                position + 1,
            ));
            if before || after {
                if !was_stale {
                    row.clock = self.clock;
                }
                self.enqueue(near);
            }
        }
        self.changed[agent as usize] = self.clock;
    }
}

/// The insertion at a position, which is none among the committed tasks of an agent.
fn feasible_insertion(
    model: &Model<'_>,
    draft: &Draft,
    task: u32,
    agent: u32,
    position: u32,
) -> Insertion {
    if (position as usize) < model.workers[agent as usize].committed.len() {
        return Insertion::NONE;
    }
    insertion_at(model, draft, task, agent as usize, position as usize)
}

/// A task in the queue.
struct Entry {
    regret: f64,
    added_cost: f64,
    task: u32,
    version: u32,
}

impl Ord for Entry {
    /// Among equals the remotest is first: it fits nowhere else.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.regret.total_cmp(&other.regret);
        let order = order.then(self.added_cost.total_cmp(&other.added_cost));
        order.then(other.task.cmp(&self.task))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use crate::solve::committed::initial_draft;
    use crate::verify;
    use anytime::{Limits, Pulse};
    use proptest::prelude::*;

    fn insert(model: &Model<'_>, draft: &mut Draft, neighbourhood: &Neighbourhood) {
        let mut ignore = |_: &Plan, _: Cost| {};
        let mut control = Control::new(Limits::iterations(1), 1, &mut ignore);
        insert_near(model, draft, neighbourhood, &mut control);
    }

    proptest! {
        /// Plans are valid.
        #[test]
        fn plans_are_valid(seed: u64, tasks in 1_usize..40, agents in 1_usize..6) {
            let problem = generate(seed, &Shape::varied(tasks, agents));
            let model = Model::new(&problem);
            let Some(mut draft) = initial_draft(&model, &Pulse::unbounded()) else {
                return Err(TestCaseError::reject("committed tasks leave no plan"));
            };
            let neighbourhood = Neighbourhood::new(&model, || true);
            insert(&model, &mut draft, &neighbourhood);
            prop_assert_eq!(verify(&problem, &draft.plan()), Ok(draft.cost(&model)));
        }

        /// It is about as good as the table of all insertions.
        #[test]
        fn few_plans_leave_out_more_than_those_of_the_table(seed in 0_u64..40) {
            let problem = generate(seed, &Shape::depot(120, 14));
            let model = Model::new(&problem);
            let neighbourhood = Neighbourhood::new(&model, || true);
            let mut near = Draft::new(&model);
            insert(&model, &mut near, &neighbourhood);
            let mut ignore = |_: &Plan, _: Cost| {};
            let mut control = Control::new(Limits::iterations(1), 1, &mut ignore);
            let mut table = Draft::new(&model);
            super::super::regret_insertion(&model, &mut table, &mut control);
            prop_assert!(near.unassigned.len() <= table.unassigned.len() + 12);
            if near.unassigned.is_empty() && table.unassigned.is_empty() {
                let [near, table] = [near, table].map(|draft| draft.penalised_cost(&model));
                prop_assert!(near <= 1.4 * table, "{near} against {table}");
            }
        }
    }
}
