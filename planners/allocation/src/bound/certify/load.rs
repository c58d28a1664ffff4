//! Sums of demands against sums of capacities.

use crate::bound::incompatibility::{Incompatibilities, demand};
use crate::certificate::{Certificate, Proof};

/// A certificate for each dimension in which these tasks, with those that the agents have under
/// way, are more than the agents can carry.
pub(super) fn overloads(
    incompatibilities: &Incompatibilities<'_>,
    open: &[usize],
    agents: &[usize],
) -> Vec<Certificate> {
    let problem = incompatibilities.problem;
    let overload = |dimension: usize| {
        let capacity = |agent: &usize| {
            let capacities = &problem.agents()[*agent].capacities;
            capacities.get(dimension).copied().unwrap_or(0)
        };
        let capacity: i64 = agents.iter().map(capacity).sum();
        let weighs = |task: &usize| {
            let demand = demand(problem, *task, dimension);
            incompatibilities.loads_whole_route(*task) && demand > 0
        };
        let committed = agents.iter().flat_map(|agent| problem.committed(*agent));
        let committed = committed.copied().filter(weighs);
        let mut loads: Vec<i64> = Vec::new();
        let mut tasks: Vec<usize> = open.iter().copied().filter(weighs).collect();
        loads.extend(tasks.iter().map(|task| demand(problem, *task, dimension)));
        tasks.extend(committed);
        tasks.sort_unstable();
        let load: i64 = tasks.iter().map(|t| demand(problem, *t, dimension)).sum();
        // The largest first; tasks under way are done in every plan.
        loads.sort_unstable_by_key(|load| std::cmp::Reverse(*load));
        let mut over = load - capacity;
        let left_out = loads.iter().take_while(|load| {
            let is_over = over > 0;
            over -= **load;
            is_over
        });
        let left_out = left_out.count();
        (left_out > 0).then(|| Certificate {
            tasks,
            left_out,
            proof: Proof::Load {
                agents: agents.to_vec(),
                dimension,
                load,
                capacity,
            },
        })
    };
    (0..problem.dimensions()).filter_map(overload).collect()
}
