//! Rules about loads.

use crate::plan::Route;
use crate::problem::Problem;
use anytime::{Fault, Path, fault};

/// The largest load of a route in one dimension, and the capacity of its agent.
pub(crate) struct Load {
    pub(crate) dimension: usize,
    pub(crate) largest: i64,
    pub(crate) capacity: i64,
}

/// Checks the loads of a route.
pub(super) fn check(problem: &Problem, route: &Route, at: &Path<'_>, faults: &mut Vec<Fault>) {
    faults.extend(overloads(problem, route).map(|load| {
        fault!(
            "CAPACITY_EXCEEDED",
            at,
            "has load {} in dimension {}, the capacity is {}",
            load.largest,
            load.dimension,
            load.capacity
        )
    }));
}

/// The loads of a route that exceed the capacities of its agent.
///
/// The demand of a pickup is carried to its delivery, any other demand on the whole route.
pub(crate) fn overloads(problem: &Problem, route: &Route) -> impl Iterator<Item = Load> {
    let mut picked_by = vec![None; problem.tasks().len()];
    let mut is_paired = vec![false; problem.tasks().len()];
    for pair in &problem.couplings().pairs {
        picked_by[pair.delivery] = Some(pair.pickup);
        is_paired[pair.pickup] = true;
    }
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let load = move |dimension: usize| {
        let demand = |task: usize| value(&problem.tasks()[task].demands, dimension);
        let known = route.stops.iter().map(|stop| stop.task);
        let known = known.filter(|task| *task < problem.tasks().len());
        let whole = known.clone().filter(|task| !is_paired[*task]);
        let mut load = whole.fold(0_i64, |sum, task| sum.saturating_add(demand(task)));
        let mut largest = load;
        let mut aboard = vec![false; is_paired.len()];
        for task in known {
            if is_paired[task] {
                load = load.saturating_add(demand(task));
                aboard[task] = true;
            }
            // Only what was picked up on this route is put down on it.
            if let Some(pickup) = picked_by[task].filter(|pickup| aboard[*pickup]) {
                load -= demand(pickup);
                aboard[pickup] = false;
            }
            largest = largest.max(load);
        }
        Load {
            dimension,
            largest,
            capacity: value(&problem.agents()[route.agent].capacities, dimension),
        }
    };
    let loads = (0..problem.dimensions()).map(load);
    loads.filter(|load| load.largest > load.capacity)
}
