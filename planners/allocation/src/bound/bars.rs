//! What keeps agents from tasks in every plan.

use super::reach::{Reach, earliest_start, latest_close};
use crate::certificate::{Bar, Row};
use crate::problem::Problem;

/// Who cannot do what, as far as each task is looked at alone.
pub(crate) struct Bars<'p> {
    /// With its couplings.
    pub(crate) problem: &'p Problem,
    /// Of the problem without them.
    pub(crate) reach: &'p Reach,
    /// The agent that has a task under way.
    pub(crate) started_by: Vec<Option<usize>>,
    is_paired: Vec<bool>,
    /// What each agent carries in any case, one value for each dimension.
    carried: Vec<Vec<i64>>,
}

impl<'p> Bars<'p> {
    pub(crate) fn new(problem: &'p Problem, reach: &'p Reach) -> Self {
        let mut started_by = vec![None; problem.tasks().len()];
        let mut is_paired = vec![false; problem.tasks().len()];
        for pair in &problem.couplings().pairs {
            is_paired[pair.pickup] = true;
        }
        let mut carried = vec![vec![0; problem.dimensions()]; problem.agents().len()];
        for (agent, carried) in carried.iter_mut().enumerate() {
            for &task in problem.started(agent) {
                started_by[task] = Some(agent);
                for (d, sum) in carried.iter_mut().enumerate() {
                    let demand = demand(problem, task, d);
                    *sum += if is_paired[task] { 0 } else { demand };
                }
            }
        }
        Self {
            problem,
            reach,
            started_by,
            is_paired,
            carried,
        }
    }

    /// Whether a task weighs on its whole route.
    pub(crate) fn weighs(&self, task: usize) -> bool {
        !self.is_paired[task]
    }

    /// What keeps an agent from a task in every plan, if that is known.
    pub(crate) fn bar(&self, agent: usize, task: usize) -> Option<Bar> {
        let problem = self.problem;
        if let Some(by) = self.started_by[task] {
            return (by != agent).then_some(Bar::Elsewhere);
        }
        let missing = problem.tasks()[task].skills & !problem.agents()[agent].skills;
        if missing != 0 {
            return Some(Bar::Skills { missing });
        }
        self.capacity(agent, task)
            .or_else(|| self.times(agent, task))
    }

    pub(crate) fn can(&self, agent: usize, task: usize) -> bool {
        self.bar(agent, task).is_none()
    }

    /// Whether nobody can do a task.
    pub(crate) fn is_hopeless(&self, task: usize) -> bool {
        !(0..self.problem.agents().len()).any(|agent| self.can(agent, task))
    }

    /// What keeps each agent from one of these tasks, equal rows merged; `None` when some agent can
    /// do them all.
    pub(crate) fn rows(&self, tasks: &[usize]) -> Option<Vec<Row>> {
        let mut rows: Vec<Row> = Vec::new();
        for agent in 0..self.problem.agents().len() {
            let mut barred = tasks.iter().copied();
            let (task, bar) = barred.find_map(|task| Some((task, self.bar(agent, task)?)))?;
            let same = rows
                .iter_mut()
                .find(|row| (row.task, row.bar) == (task, bar));
            match same {
                Some(row) => row.agents.push(agent),
                None => rows.push(Row {
                    agents: vec![agent],
                    task,
                    bar,
                }),
            }
        }
        Some(rows)
    }

    /// The dimension in which most is too much; of equal ones the first.
    fn capacity(&self, agent: usize, task: usize) -> Option<Bar> {
        let all = (0..self.problem.dimensions()).map(|dimension| {
            let load = self.carried[agent][dimension] + demand(self.problem, task, dimension);
            let capacity = &self.problem.agents()[agent].capacities;
            let capacity = capacity.get(dimension).copied().unwrap_or(0);
            (dimension, load, capacity)
        });
        let over = all.filter(|(_, load, capacity)| load > capacity);
        let worst = over.max_by_key(|(d, load, capacity)| (load - capacity, std::cmp::Reverse(*d)));
        worst.map(|(dimension, load, capacity)| Bar::Capacity {
            dimension,
            load,
            capacity,
        })
    }

    fn times(&self, agent: usize, task: usize) -> Option<Bar> {
        let (group, one) = (self.reach.group(agent), &self.problem.tasks()[task]);
        if group.starts_us[task].is_some() {
            return None;
        }
        let Some(arrival_us) = group.arrivals_us[task] else {
            return Some(Bar::Unreachable);
        };
        Some(match earliest_start(one, arrival_us) {
            None => Bar::Window {
                arrival_us,
                latest_us: latest_close(one),
            },
            Some(earliest_us) => Bar::Shift {
                earliest_us,
                latest_us: group.latest_us[task],
            },
        })
    }
}

/// What a task takes of a capacity.
pub(crate) fn demand(problem: &Problem, task: usize, dimension: usize) -> i64 {
    let demands = &problem.tasks()[task].demands;
    demands.get(dimension).copied().unwrap_or(0)
}
