//! Incompatibilities of agents and tasks that hold in every plan.

use super::earliest_arrival::{EarliestArrivals, earliest_start, latest_close};
use crate::certificate::{Incompatibility, Row};
use crate::problem::Problem;

/// Which agents cannot do which tasks, as far as each task is looked at alone.
pub(crate) struct Incompatibilities<'p> {
    /// The problem with its couplings.
    pub(crate) problem: &'p Problem,
    /// Earliest arrivals in the problem without couplings.
    pub(crate) arrivals: &'p EarliestArrivals,
    /// The agent that has a task under way.
    pub(crate) committed_to: Vec<Option<usize>>,
    is_paired: Vec<bool>,
    /// Load of each agent's tasks under way, one value for each dimension.
    carried: Vec<Vec<i64>>,
}

impl<'p> Incompatibilities<'p> {
    pub(crate) fn new(problem: &'p Problem, arrivals: &'p EarliestArrivals) -> Self {
        let mut committed_to = vec![None; problem.tasks().len()];
        let mut is_paired = vec![false; problem.tasks().len()];
        for pair in &problem.couplings().pairs {
            is_paired[pair.pickup] = true;
        }
        let mut carried = vec![vec![0; problem.dimensions()]; problem.agents().len()];
        for (agent, carried) in carried.iter_mut().enumerate() {
            for &task in problem.committed(agent) {
                committed_to[task] = Some(agent);
                for (d, sum) in carried.iter_mut().enumerate() {
                    let demand = demand(problem, task, d);
                    *sum += if is_paired[task] { 0 } else { demand };
                }
            }
        }
        Self {
            problem,
            arrivals,
            committed_to,
            is_paired,
            carried,
        }
    }

    /// Whether the demand of a task counts on its whole route.
    pub(crate) fn loads_whole_route(&self, task: usize) -> bool {
        !self.is_paired[task]
    }

    /// Why an agent does not do a task in any plan, if that is known.
    pub(crate) fn incompatibility(&self, agent: usize, task: usize) -> Option<Incompatibility> {
        let problem = self.problem;
        if let Some(by) = self.committed_to[task] {
            return (by != agent).then_some(Incompatibility::Elsewhere);
        }
        let missing = problem.tasks()[task].skills & !problem.agents()[agent].skills;
        if missing != 0 {
            return Some(Incompatibility::Skills { missing });
        }
        self.capacity(agent, task)
            .or_else(|| self.times(agent, task))
    }

    pub(crate) fn can(&self, agent: usize, task: usize) -> bool {
        self.incompatibility(agent, task).is_none()
    }

    /// Whether no agent can do a task.
    pub(crate) fn has_no_agent(&self, task: usize) -> bool {
        !(0..self.problem.agents().len()).any(|agent| self.can(agent, task))
    }

    /// For each agent one of these tasks that it cannot do, equal rows merged; `None`: some agent
    /// can do them all.
    pub(crate) fn rows(&self, tasks: &[usize]) -> Option<Vec<Row>> {
        let mut rows: Vec<Row> = Vec::new();
        for agent in 0..self.problem.agents().len() {
            let mut incompatible = tasks.iter().copied();
            let (task, incompatibility) =
                incompatible.find_map(|task| Some((task, self.incompatibility(agent, task)?)))?;
            let same = rows
                .iter_mut()
                .find(|row| (row.task, row.incompatibility) == (task, incompatibility));
            match same {
                Some(row) => row.agents.push(agent),
                None => rows.push(Row {
                    agents: vec![agent],
                    task,
                    incompatibility,
                }),
            }
        }
        Some(rows)
    }

    /// The dimension with the largest excess; of equal ones the first.
    fn capacity(&self, agent: usize, task: usize) -> Option<Incompatibility> {
        let all = (0..self.problem.dimensions()).map(|dimension| {
            let load = self.carried[agent][dimension] + demand(self.problem, task, dimension);
            let capacity = &self.problem.agents()[agent].capacities;
            let capacity = capacity.get(dimension).copied().unwrap_or(0);
            (dimension, load, capacity)
        });
        let over = all.filter(|(_, load, capacity)| load > capacity);
        let worst = over.max_by_key(|(d, load, capacity)| (load - capacity, std::cmp::Reverse(*d)));
        worst.map(|(dimension, load, capacity)| Incompatibility::Capacity {
            dimension,
            load,
            capacity,
        })
    }

    fn times(&self, agent: usize, task: usize) -> Option<Incompatibility> {
        let (group, one) = (self.arrivals.group(agent), &self.problem.tasks()[task]);
        if group.starts_us[task].is_some() {
            return None;
        }
        let Some(arrival_us) = group.arrivals_us[task] else {
            return Some(Incompatibility::Unreachable);
        };
        Some(match earliest_start(one, arrival_us) {
            None => Incompatibility::Window {
                arrival_us,
                latest_us: latest_close(one),
            },
            Some(earliest_us) => Incompatibility::Shift {
                earliest_us,
                latest_us: group.latest_us[task],
            },
        })
    }
}

/// Demand of a task in one dimension.
pub(crate) fn demand(problem: &Problem, task: usize, dimension: usize) -> i64 {
    let demands = &problem.tasks()[task].demands;
    demands.get(dimension).copied().unwrap_or(0)
}
