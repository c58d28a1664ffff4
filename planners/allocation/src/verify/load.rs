//! What agents carry.

use super::Violation;
use crate::plan::Route;
use crate::problem::{Agent, Problem};

/// Checks the largest load of a route in each dimension: what is not delivered is carried all the
/// way, what is delivered from its pickup on.
pub(super) fn check(
    problem: &Problem,
    (route, given): (usize, &Route),
    agent: &Agent,
    broken: &mut Vec<Violation>,
) {
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
        let mut most = load;
        let mut aboard = vec![false; is_paired.len()];
        for task in known {
            if is_paired[task] {
                load = load.saturating_add(demand(task));
                aboard[task] = true;
            }
            // What was not picked up here is not put down here.
            if let Some(pickup) = picked_by[task].filter(|pickup| aboard[*pickup]) {
                load -= demand(pickup);
                aboard[pickup] = false;
            }
            most = most.max(load);
        }
        let capacity = value(&agent.capacities, dimension);
        if most > capacity {
            broken.push(Violation::CapacityExceeded {
                route,
                dimension,
                load: most,
                capacity,
            });
        }
    }
}
