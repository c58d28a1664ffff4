//! What routes remember.

use super::pricing::Column;
use super::relaxation::Relaxation;

/// How much routes remember.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Number of tasks that make a task remembered, itself among them, in the beginning.
    pub first: usize,
    /// The same at most.
    pub most: usize,
}

impl Default for Memory {
    /// 8 and 16.
    fn default() -> Self {
        Self { first: 8, most: 16 }
    }
}

/// By task, the tasks that a route still remembers when it serves the task: its neighbours.
pub(super) struct Neighbours {
    /// By task, a bit for each neighbour, itself among them.
    pub(super) of_task: Vec<u128>,
    most: usize,
}

impl Neighbours {
    /// The tasks that are cheapest to reach from a task, or to come from.
    pub(super) fn new(relaxation: &Relaxation<'_>, memory: Memory) -> Self {
        let tasks = relaxation.tasks();
        let mut costs = vec![i64::MAX; tasks * tasks];
        for class in &relaxation.classes {
            for (from, arcs) in class.arcs.iter().enumerate() {
                for arc in arcs {
                    for place in [from * tasks + arc.to, arc.to * tasks + from] {
                        costs[place] = costs[place].min(arc.cost);
                    }
                }
            }
        }
        let near = |task: usize| {
            let row = &costs[task * tasks..(task + 1) * tasks];
            let others = (0..tasks).filter(|other| *other != task && row[*other] < i64::MAX);
            let mut others: Vec<usize> = others.collect();
            others.sort_by_key(|other| (row[*other], *other));
            let nearest = others.iter().take(memory.first.saturating_sub(1));
            nearest.fold(1 << task, |all, other| all | 1 << other)
        };
        Self {
            of_task: (0..tasks).map(near).collect(),
            most: memory.most,
        }
    }

    /// Excludes cycles of these routes; false: there is none, or routes remember enough.
    pub(super) fn grow(&mut self, routes: &[Column]) -> bool {
        let mut grows = false;
        for tasks in routes.iter().map(|column| &column.tasks) {
            for (end, task) in tasks.iter().enumerate() {
                let Some(begin) = tasks[..end].iter().rposition(|other| other == task) else {
                    continue;
                };
                let inner = &tasks[begin + 1..end];
                let has_room = |inner: &usize| {
                    let own = self.of_task[*inner];
                    own >> task & 1 == 1 || (own.count_ones() as usize) < self.most
                };
                if inner.iter().all(has_room) {
                    inner
                        .iter()
                        .for_each(|inner| self.of_task[*inner] |= 1 << task);
                    grows = true;
                }
            }
        }
        grows
    }

    /// Whether a route serves no task that it remembers.
    pub(super) fn allow(&self, route: &Column) -> bool {
        let mut memory = 0_u128;
        route.tasks.iter().all(|&task| {
            let is_known = memory >> task & 1 == 1;
            memory = memory & self.of_task[task] | 1 << task;
            !is_known
        })
    }

    /// By task, its neighbours, rising.
    pub(super) fn lists(&self) -> Vec<Vec<usize>> {
        let tasks = self.of_task.len();
        let list = |own: &u128| (0..tasks).filter(|task| own >> task & 1 == 1).collect();
        self.of_task.iter().map(list).collect()
    }
}
