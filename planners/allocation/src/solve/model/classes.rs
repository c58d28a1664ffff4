//! Agents that differ in nothing.

use super::{Worker, narrow};
use crate::problem::Problem;

/// Numbers the classes of `workers` and returns how many there are.
pub(super) fn classify(problem: &Problem, workers: &mut [Worker]) -> usize {
    let agents = problem.agents();
    let limited = problem.previous().is_some_and(|p| p.changes_max.is_some());
    let had_tasks: Vec<bool> = {
        let tasks = 0..problem.tasks().len();
        let mut had = vec![false; agents.len()];
        tasks
            .filter_map(|task| problem.previous_agent(task))
            .for_each(|agent| had[agent] = true);
        had
    };
    let alone =
        |agent: usize| !problem.committed(agent).is_empty() || (limited && had_tasks[agent]);
    let mut firsts: Vec<usize> = Vec::new();
    for agent in 0..agents.len() {
        let same = |first: &usize| agents[*first] == agents[agent] && !alone(*first);
        let class = firsts.iter().position(same).filter(|_| !alone(agent));
        workers[agent].class = narrow(class.unwrap_or(firsts.len()));
        if class.is_none() {
            firsts.push(agent);
        }
    }
    firsts.len()
}
