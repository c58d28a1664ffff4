//! Tasks told to the search as rules.

use super::model::{Model, View, edges};
use super::theory::Rules;
use super::{Lag, Point, Task, Tasks};
use crate::solve::cdcl::Solver;
use std::collections::BTreeMap;

/// Most pairs of tasks that get a Boolean for their order.
const PAIRS_MAX: usize = 5_000;

/// Tells a search all rules; false when one cannot be kept.
pub(super) fn state(tasks: &Tasks, model: &Model, solver: &mut Solver<Rules>) -> bool {
    for (task, start) in model.starts.iter().enumerate() {
        solver.theory.add_var(*start);
        if model.ends[task].var != *start {
            solver.theory.add_var(model.ends[task].var);
        }
    }
    solver.theory.add_var(model.makespan);
    for (from, to, least) in edges(tasks, model) {
        solver.theory.add_edge(from, to, (least, None));
    }
    for capacity in &tasks.capacities {
        solver.theory.table.add_resource(*capacity);
    }
    for (index, task) in tasks.tasks.iter().enumerate() {
        let start = View {
            var: model.starts[index],
            plus: 0,
        };
        for demand in task.demands.iter().filter(|demand| demand.amount > 0) {
            if demand.amount > tasks.capacities[demand.resource] {
                if demand.consumed || task.shortest > 0 {
                    return false;
                }
                solver.theory.add_edge(model.ends[index], start, (0, None));
            } else if demand.consumed || task.longest > 0 {
                let span = (model.starts[index], model.until(index, demand));
                solver
                    .theory
                    .table
                    .add_use(demand.resource, span, demand.amount);
            }
        }
    }
    let alike = alike(tasks);
    for (one, other) in alike
        .iter()
        .enumerate()
        .filter_map(|(at, next)| Some((at, (*next)?)))
    {
        let first = if exclusive(tasks, &tasks.tasks[one], &tasks.tasks[other]) {
            model.ends[one]
        } else {
            View {
                var: model.starts[one],
                plus: 0,
            }
        };
        let second = View {
            var: model.starts[other],
            plus: 0,
        };
        solver.theory.add_edge(first, second, (0, None));
    }
    exclude(tasks, model, solver, &alike);
    true
}

/// For each task the next one that differs from it in nothing but its index: swapping both makes no
/// difference, so that the first may be asked to start first.
fn alike(tasks: &Tasks) -> Vec<Option<usize>> {
    let mut lags: Vec<Vec<(bool, bool, Point, i64)>> = vec![Vec::new(); tasks.tasks.len()];
    for Lag { from, to, least } in &tasks.lags {
        let (Point::Start(one) | Point::End(one), Point::Start(other) | Point::End(other)) =
            (from, to);
        lags[*one].push((true, matches!(from, Point::End(_)), *to, *least));
        lags[*other].push((false, matches!(to, Point::End(_)), *from, *least));
    }
    let mut last = BTreeMap::new();
    let mut next = vec![None; tasks.tasks.len()];
    for (at, (task, mut lags)) in tasks.tasks.iter().zip(lags).enumerate() {
        lags.sort_unstable();
        let Task {
            shortest,
            longest,
            release,
            deadline,
            demands,
        } = task;
        let mut demands = demands.clone();
        demands.sort_unstable();
        let key = ((*shortest, *longest, *release, *deadline), demands, lags);
        if let Some(before) = last.insert(key, at) {
            next[before] = Some(at);
        }
    }
    next
}

/// Orders pairs of tasks that exclude each other by Booleans.
fn exclude(tasks: &Tasks, model: &Model, solver: &mut Solver<Rules>, alike: &[Option<usize>]) {
    let mut pairs = 0;
    let count = tasks.tasks.len();
    for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (other, one))) {
        let free = alike[one] != Some(other) && pairs < PAIRS_MAX;
        if free && exclusive(tasks, &tasks.tasks[one], &tasks.tasks[other]) {
            pairs += 1;
            // No Boolean of its own account: starts decide it, until conflicts are about it.
            let first = solver.new_int(0, 1);
            let start = |task: usize| View {
                var: model.starts[task],
                plus: 0,
            };
            let rules = &mut solver.theory;
            rules.add_edge(model.ends[one], start(other), (0, Some(first.yes())));
            rules.add_edge(model.ends[other], start(one), (0, Some(first.no())));
        }
    }
}

/// Whether two tasks can never run at once.
fn exclusive(tasks: &Tasks, one: &Task, other: &Task) -> bool {
    let back =
        |task: &Task| task.shortest > 0 && !task.demands.iter().any(|demand| demand.consumed);
    back(one)
        && back(other)
        && one.demands.iter().any(|a| {
            let mut same = other.demands.iter().filter(|b| b.resource == a.resource);
            same.any(|b| a.amount + b.amount > tasks.capacities[a.resource])
        })
}
