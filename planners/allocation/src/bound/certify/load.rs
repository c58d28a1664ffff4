//! More to carry than there is room for.

use crate::bound::bars::{Bars, demand};
use crate::certificate::{Certificate, Proof};

/// For each dimension in which these tasks, and what these agents have under way, are more than
/// these agents can carry: that some are left out.
pub(super) fn overloads(bars: &Bars<'_>, open: &[usize], agents: &[usize]) -> Vec<Certificate> {
    let problem = bars.problem;
    let overload = |dimension: usize| {
        let capacity = |agent: &usize| {
            let capacities = &problem.agents()[*agent].capacities;
            capacities.get(dimension).copied().unwrap_or(0)
        };
        let capacity: i64 = agents.iter().map(capacity).sum();
        let weighs = |task: &usize| bars.weighs(*task) && demand(problem, *task, dimension) > 0;
        let started = agents.iter().flat_map(|agent| problem.started(*agent));
        let started = started.copied().filter(weighs);
        let mut loads: Vec<i64> = Vec::new();
        let mut tasks: Vec<usize> = open.iter().copied().filter(weighs).collect();
        loads.extend(tasks.iter().map(|task| demand(problem, *task, dimension)));
        tasks.extend(started);
        tasks.sort_unstable();
        let load: i64 = tasks.iter().map(|t| demand(problem, *t, dimension)).sum();
        // The largest first; what is under way is done in any case.
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
