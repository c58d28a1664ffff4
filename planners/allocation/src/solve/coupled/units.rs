//! Units: tasks that are done together or not at all.

use crate::problem::Problem;
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Reversed, Walker};

/// Tasks that are done together or not at all.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// Its tasks in an order that respects precedences.
    pub(super) tasks: Vec<u32>,
    /// All units that this one needs, directly or not.
    pub(super) needs: Vec<u32>,
    /// All units that need this one.
    pub(super) needed_by: Vec<u32>,
}

/// All units, and the unit of each task.
///
/// A task needs the first task of each order in which it is the second, the other task of its pair
/// and the others of its group. Units are the strongly connected components of this relation.
pub(super) fn units(problem: &Problem) -> (Vec<Unit>, Vec<u32>) {
    let needs = needs(problem);
    let rank = ranks(problem);
    let unit = |tasks: Vec<NodeIndex>| {
        let mut tasks: Vec<u32> = tasks.iter().map(|task| task.index() as u32).collect();
        tasks.sort_unstable_by_key(|task| (rank[*task as usize], *task));
        Unit {
            tasks,
            ..Unit::default()
        }
    };
    let mut units: Vec<Unit> = kosaraju_scc(&needs).into_iter().map(unit).collect();
    units.sort_unstable_by_key(|unit| unit.tasks.iter().min().copied());
    let mut unit_of = vec![0; needs.node_count()];
    for (unit, one) in units.iter().enumerate() {
        for task in &one.tasks {
            unit_of[*task as usize] = unit as u32;
        }
    }
    for unit in 0..units.len() {
        let reached = Dfs::new(&needs, units[unit].tasks[0].into()).iter(&needs);
        let of = reached.map(|task| unit_of[task.index()]);
        let mut needs: Vec<u32> = of.filter(|other| *other != unit as u32).collect();
        needs.sort_unstable();
        needs.dedup();
        for need in &needs {
            units[*need as usize].needed_by.push(unit as u32);
        }
        units[unit].needs = needs;
    }
    (units, unit_of)
}

/// An edge from each task to each that it needs directly.
fn needs(problem: &Problem) -> DiGraph<(), ()> {
    let couplings = problem.couplings();
    let mut needs = DiGraph::new();
    for _ in problem.tasks() {
        needs.add_node(());
    }
    let mut need =
        |task: usize, other: usize| needs.add_edge((task as u32).into(), (other as u32).into(), ());
    for order in &couplings.orders {
        need(order.second, order.first);
    }
    for pair in &couplings.pairs {
        need(pair.pickup, pair.delivery);
        need(pair.delivery, pair.pickup);
    }
    for group in &couplings.groups {
        for (member, &task) in group.tasks.iter().enumerate() {
            // In a ring each needs all others.
            need(task, group.tasks[(member + 1) % group.tasks.len()]);
        }
    }
    needs
}

/// Topological ranks: a task has a higher rank than those that it waits for. Couplings are acyclic.
fn ranks(problem: &Problem) -> Vec<u32> {
    let tasks = problem.tasks().len();
    let (name, waits) = problem.couplings().waits(tasks);
    let order = toposort(Reversed(&waits), None).expect("couplings are acyclic");
    let mut rank = vec![0; tasks];
    for task in order {
        let before = waits.neighbors(task).map(|first| rank[first] + 1);
        rank[task] = before.max().unwrap_or(0);
    }
    name.into_iter().map(|name| rank[name]).collect()
}
