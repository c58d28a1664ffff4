//! Regret-2 insertion next to neighbours, where a table of all tasks and paths would be too large.

use crate::solve::draft::{Draft, Place};
use crate::solve::insertion::{Insertion, cheapest_insertion, insertion_at};
use crate::solve::model::Model;
use crate::solve::neighbourhood::{Neighbourhood, Ranking};
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
/// changed: until then its regret may be too low. Returns the neighbourhoods, which are computed on
/// the way.
pub(crate) fn insert_near(
    model: &Model<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) -> Neighbourhood {
    let mut queue = Queue::new(model, draft);
    insert_queued(&mut queue, model, draft, control);
    queue.ranking.finish(|| control.go_on())
}

fn insert_queued(
    queue: &mut Queue<'_>,
    model: &Model<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) {
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
        let best = cheapest_insertion(model, draft, task);
        if best.added_cost < model.unserved_penalty(task) {
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

/// What is known of a task.
#[derive(Clone)]
struct Row {
    best: Insertion,
    /// The best on another path.
    second: Insertion,
    /// Number of insertions when the two were computed.
    clock: u32,
    /// Entries of the queue with another version are out of date.
    version: u32,
}

impl Row {
    const EMPTY: Self = Self {
        best: Insertion::NONE,
        second: Insertion::NONE,
        clock: 0,
        version: 0,
    };

    /// Keeps an insertion if it is one of the two best. Whether it is.
    fn consider(&mut self, insertion: Insertion) -> bool {
        let is_same_path = insertion.agent == self.best.agent;
        if insertion.added_cost < self.best.added_cost {
            if !is_same_path {
                self.second = self.best;
            }
            self.best = insertion;
            return true;
        }
        let is_second = !is_same_path && insertion.added_cost < self.second.added_cost;
        if is_second {
            self.second = insertion;
        }
        is_second
    }

    /// Whether a path of the two best insertions has changed since they were computed. `changed`
    /// says when, by agent.
    fn is_stale(&self, changed: &[u32]) -> bool {
        let is_changed = |one: &Insertion| changed.get(one.agent as usize) > Some(&self.clock);
        [self.best, self.second].iter().any(is_changed)
    }
}

/// Unassigned tasks by regret.
struct Queue<'a> {
    model: &'a Model<'a>,
    ranking: Ranking<'a>,
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
    fn new(model: &'a Model<'a>, draft: &Draft) -> Self {
        let mut idle = vec![Vec::new(); model.classes];
        for (agent, worker) in model.workers.iter().enumerate().rev() {
            if draft.paths[agent].visits.is_empty() {
                idle[worker.class as usize].push(agent as u32);
            }
        }
        Self {
            model,
            ranking: Ranking::of_all(model),
            entries: BinaryHeap::new(),
            rows: vec![Row::EMPTY; model.jobs.len()],
            classes: vec![Vec::new(); model.jobs.len()],
            idle,
            clock: 0,
            changed: vec![0; model.workers.len()],
        }
    }

    /// Computes the two best insertions of a task, and queues it if there is a best.
    fn evaluate(&mut self, draft: &Draft, task: u32) {
        let row = &mut self.rows[task as usize];
        let (clock, version) = (self.clock, row.version);
        *row = Row {
            clock,
            version,
            ..Row::EMPTY
        };
        // A neighbourhood is not needed before any task is assigned.
        let is_empty = draft.unassigned.len() == self.model.jobs.len();
        let near = (!is_empty).then(|| self.ranking.neighbours(task));
        for near in near.unwrap_or_default() {
            let place = draft.places[*near as usize];
            if draft.is_assigned(*near) {
                consider_next_to(self.model, draft, row, task, place);
            }
        }
        for class in &self.classes[task as usize] {
            if let Some(agent) = self.idle[*class as usize].last() {
                row.consider(insertion_at(self.model, draft, task, *agent as usize, 0));
            }
        }
        self.enqueue(task);
    }

    fn enqueue(&mut self, task: u32) {
        let row = &mut self.rows[task as usize];
        row.version += 1;
        let saved = self.model.unserved_penalty(task);
        let added_cost = row.best.added_cost;
        if added_cost < saved {
            self.entries.push(Entry {
                // What is lost if the best insertion becomes infeasible; without a second one, the
                // task.
                regret: row.second.added_cost.min(saved) - added_cost,
                added_cost,
                task,
                version: row.version,
            });
        }
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
        let best = self.rows[task as usize].best;
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
        for near in self.ranking.neighbours(task).to_vec() {
            if draft.is_assigned(near) {
                continue;
            }
            let row = &mut self.rows[near as usize];
            let was_stale = row.is_stale(&self.changed);
            if consider_next_to(self.model, draft, row, near, Place { agent, position }) {
                if !was_stale {
                    row.clock = self.clock;
                }
                self.enqueue(near);
            }
        }
        self.changed[agent as usize] = self.clock;
    }
}

/// Considers the insertions before and after a position on the path of an agent. Whether one is
/// kept.
fn consider_next_to(
    model: &Model<'_>,
    draft: &Draft,
    row: &mut Row,
    task: u32,
    neighbour: Place,
) -> bool {
    let (agent, position) = (neighbour.agent as usize, neighbour.position as usize);
    let mut is_kept = false;
    for place in position..=position + 1 {
        // Committed tasks stay together.
        if place >= model.workers[agent].committed.len() {
            is_kept |= row.consider(insertion_at(model, draft, task, agent, place));
        }
    }
    is_kept
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

    fn insert(model: &Model<'_>, draft: &mut Draft) {
        let mut ignore = |_: &Plan, _: Cost| {};
        let mut control = Control::new(Limits::iterations(1), 1, &mut ignore);
        let found = insert_near(model, draft, &mut control);
        let all = Neighbourhood::new(model, || true);
        for task in 0..model.jobs.len() as u32 {
            assert_eq!(found.neighbours(task), all.neighbours(task));
        }
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
            insert(&model, &mut draft);
            prop_assert_eq!(verify(&problem, &draft.plan()), Ok(draft.cost(&model)));
        }
    }

    /// On average plans cost a seventh more than those of the table of all insertions.
    #[test]
    fn plans_cost_little_more_than_those_of_the_table() {
        let mut sums = [0.0; 2];
        for seed in 0..40 {
            let problem = generate(seed, &Shape::depot(120, 60));
            let model = Model::new(&problem);
            let mut drafts = [(); 2].map(|()| Draft::new(&model));
            insert(&model, &mut drafts[0]);
            let mut ignore = |_: &Plan, _: Cost| {};
            let mut control = Control::new(Limits::iterations(1), 1, &mut ignore);
            super::super::regret_insertion(&model, &mut drafts[1], &mut control);
            for (sum, draft) in sums.iter_mut().zip(&drafts) {
                assert!(draft.unassigned.is_empty());
                *sum += draft.penalised_cost(&model);
            }
        }
        let ratio = sums[0] / sums[1];
        assert!(ratio < 1.15, "{ratio}");
    }
}
