//! Rules about loads.

use super::Violation;
use crate::plan::Plan;
use crate::problem::{Agent, Problem};

/// Checks the largest load of a route in each dimension. The demand of a pickup is carried to its
/// delivery, any other demand on the whole route.
pub(super) fn check(
    problem: &Problem,
    plan: &Plan,
    route: usize,
    agent: &Agent,
    broken: &mut Vec<Violation>,
) {
    let given = &plan.routes[route];
    let mut picked_by = vec![None; problem.tasks().len()];
    let mut is_paired = vec![false; problem.tasks().len()];
    for pair in &problem.couplings().pairs {
        picked_by[pair.delivery] = Some(pair.pickup);
        is_paired[pair.pickup] = true;
    }
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    for dimension in 0..problem.dimensions() {
        let demand = |task: usize| value(&problem.tasks()[task].demands, dimension);
        let known = given.stops.iter().map(|stop| stop.task);
        let known = known.filter(|task| *task < problem.tasks().len());
        let whole = known.clone().filter(|task| !is_paired[*task]);
        let mut load = whole.fold(0_i64, |sum, task| sum.saturating_add(demand(task)));
        let mut max = load;
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
            max = max.max(load);
        }
        let capacity = value(&agent.capacities, dimension);
        if max > capacity {
            broken.push(Violation::CapacityExceeded {
                route,
                dimension,
                load: max,
                capacity,
            });
        }
    }
}
