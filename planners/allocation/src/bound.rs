//! Bounds that hold in every plan: a lower bound on the cost, and tasks that no plan does.
//!
//! # Lower bound
//! A cost is a vector of levels. Lexicographic order is compatible with addition: u >= v implies
//! u + w >= v + w. So if the cost of a plan is a sum of parts, and each part is at least some
//! vector in every plan, the cost is at least the sum of these vectors. The parts of a plan are
//!
//! * for each task that is left out, its penalty;
//! * for each task that is done, the arc into it: at least the cheapest arc from a place that some
//!   agent able to do both leaves in time; and its lateness: at least that at the earliest arrival
//!   (`earliest_arrival.rs`);
//! * for each agent with tasks, 1 and the arc to its end place: at least the cheapest from a task
//!   that it can do;
//! * the makespan.
//!
//! With more than [`DENSE_TASKS_MAX`](crate::problem::DENSE_TASKS_MAX) tasks the arc into a task
//! is the one from the nearest task, and tasks that no plan does together are not counted.
//!
//! A task is either left out or done: its part is at least the smaller of the two vectors. All
//! amounts are at least 0, so a vector that is smaller in every level is smaller. Minima may
//! therefore be taken for each amount separately.
//!
//! # Forced tasks
//! Tasks under way (committed prefixes of routes) are done in every plan. In a strict problem
//! ([`Problem::is_strict`]) level 0 counts the mandatory tasks left out and nothing else. The k
//! impossible ones among them are left out in every plan. A plan that leaves out one more costs
//! k + 1 at level 0 and is above any bound that has k there. So it is enough to bound the plans
//! that do all other mandatory tasks: these count as forced too, and with them the number of agents
//! that it takes to carry them.
//!
//! # Couplings
//! Relaxation: the problem without its couplings, where what is picked up and delivered weighs
//! nothing, has all plans of the problem and more, and none costs more. Its bound is a bound. In a
//! strict problem two more things are left out in every plan: the tasks that couplings make
//! impossible (`coupling.rs`), and the excess of sets of tasks that no plan does completely
//! (`certify.rs`).
//!
//! # Makespan
//! The makespan is at least the end of each task that is done. It is also at least the mean over
//! all agents of the work done: service and the arc in. The first gives one bound for each task:
//! only the "done" vector of this task grows. The second spreads over all tasks. Each bound is
//! valid, hence so is the largest.

mod certify;
#[cfg(feature = "milp")]
pub mod columns;
pub(crate) mod committed;
pub(crate) mod coupling;
pub(crate) mod earliest_arrival;
pub(crate) mod incompatibility;
mod parts;

pub use certify::{CERTIFICATES_MAX, certificates};

use crate::plan::{Cost, Terms};
use crate::problem::{MICRO, Problem};
use coupling::CouplingAnalysis;
use earliest_arrival::EarliestArrivals;
use incompatibility::Incompatibilities;
use parts::Parts;
use std::borrow::Cow;

/// Name of the method for reports.
pub const METHOD: &str = "arrival";

/// Lower bound on the cost of every valid plan.
///
/// O(agents * tasks^2) time, with a limit on the product beyond which it bounds less tightly
/// instead; O(agents * tasks) memory.
#[must_use]
pub fn lower_bound(problem: &Problem) -> Cost {
    lower_bound_with(problem, None, &mut || true).expect("nothing stops it")
}

/// [`lower_bound`], given the cost of the incumbent: whether tasks have to be left out is checked
/// only if the incumbent leaves some out. `None`: `go_on`, which is called now and then, returned
/// false.
pub(crate) fn lower_bound_with(
    problem: &Problem,
    incumbent: Option<Cost>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Cost> {
    let free = free(problem);
    let arrivals = EarliestArrivals::new_while(&free, go_on)?;
    let bound = Parts::new(&free, &arrivals, go_on)?.bound();
    if problem.is_large() || !problem.is_strict() || incumbent.is_some_and(|cost| cost.0[0] == 0) {
        return Some(bound);
    }
    if !go_on() {
        return None;
    }
    // At the first level are the mandatory tasks left out and nothing else.
    let incompatibilities = Incompatibilities::new(problem, &arrivals);
    let couplings = CouplingAnalysis::new(&incompatibilities);
    if !go_on() {
        return None;
    }
    let left_out = certify::proved(&free, &incompatibilities, &couplings, go_on).left_out;
    let proved = problem.cost(&Terms {
        unserved_micro: left_out as i64 * MICRO,
        ..Terms::default()
    });
    Some(bound.max(proved))
}

/// Tasks that no valid plan does, rising, as far as that is found by looking at each task alone.
/// Tasks under way are never among them: see [`infeasible_commitments`].
#[must_use]
pub fn impossible(problem: &Problem) -> Vec<usize> {
    impossible_while(problem, &mut || true).expect("nothing stops it")
}

/// [`impossible`]; `None`: `go_on`, which is called now and then, returned false.
pub(crate) fn impossible_while(
    problem: &Problem,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<usize>> {
    let free = free(problem);
    let arrivals = EarliestArrivals::new_while(&free, go_on)?;
    let incompatibilities = Incompatibilities::new(problem, &arrivals);
    let couplings = CouplingAnalysis::new(&incompatibilities);
    let tasks = 0..problem.tasks().len();
    go_on().then(|| {
        tasks
            .filter(|task| couplings.is_impossible(*task))
            .collect()
    })
}

/// Agents that cannot do the tasks that they have under way, rising. If there are any, no plan is
/// valid, not even a partial one.
#[must_use]
pub fn infeasible_commitments(problem: &Problem) -> Vec<usize> {
    let free = free(problem);
    let arrivals = EarliestArrivals::new(&free);
    let agents = 0..free.agents().len();
    agents
        .filter(|a| has_infeasible_commitment(&free, &arrivals, *a))
        .collect()
}

/// Whether the problem is proved infeasible: an agent cannot do its tasks under way, or the problem
/// is strict and every plan leaves out some mandatory tasks ([`certificates`]).
///
/// False proves nothing.
#[must_use]
pub fn is_infeasible(problem: &Problem) -> bool {
    let free = free(problem);
    let arrivals = EarliestArrivals::new(&free);
    if (0..free.agents().len()).any(|agent| has_infeasible_commitment(&free, &arrivals, agent)) {
        return true;
    }
    let incompatibilities = Incompatibilities::new(problem, &arrivals);
    problem.is_strict()
        && (overload(&free).is_some()
            || certify::proved(
                &free,
                &incompatibilities,
                &CouplingAnalysis::new(&incompatibilities),
                &mut || true,
            )
            .left_out
                > 0)
}

/// The problem without its couplings.
pub(crate) fn free(problem: &Problem) -> Cow<'_, Problem> {
    if problem.couplings().is_empty() {
        Cow::Borrowed(problem)
    } else {
        Cow::Owned(problem.uncoupled())
    }
}

fn committed_tasks(problem: &Problem) -> impl Iterator<Item = usize> {
    (0..problem.agents().len())
        .flat_map(|a| problem.committed(a))
        .copied()
}

fn has_infeasible_commitment(problem: &Problem, arrivals: &EarliestArrivals, agent: usize) -> bool {
    committed::obstacle(
        problem,
        &|agent| committed::continues(arrivals, agent),
        agent,
    )
    .is_some()
}

/// Excess load of the mandatory tasks and those under way over the capacities of all agents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overload {
    /// The dimension with the largest excess.
    pub(crate) dimension: usize,
    pub(crate) excess: i64,
}

/// Whether the mandatory tasks and those under way are more than all agents together can carry.
pub(crate) fn overload(problem: &Problem) -> Option<Overload> {
    let mut forced: Vec<bool> = problem
        .tasks()
        .iter()
        .map(|t| t.drop_penalty_micro.is_none())
        .collect();
    for task in committed_tasks(problem) {
        forced[task] = true;
    }
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let excess = |d: usize| {
        let tasks = problem.tasks().iter().zip(&forced);
        let load = tasks.filter(|(_, forced)| **forced);
        let load: i64 = load.map(|(task, _)| value(&task.demands, d)).sum();
        let room = problem.agents().iter().map(|a| value(&a.capacities, d));
        Overload {
            dimension: d,
            excess: load - room.sum::<i64>(),
        }
    };
    let all = (0..problem.dimensions()).map(excess);
    all.filter(|one| one.excess > 0)
        .max_by_key(|one| (one.excess, std::cmp::Reverse(one.dimension)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use proptest::prelude::*;

    fn possible(arrivals: &EarliestArrivals, task: usize) -> bool {
        let mut groups = arrivals.groups().iter();
        groups.any(|group| group.starts_us[task].is_some())
    }

    proptest! {
        /// Large problems, whose agents are merged, are bounded less tightly but not wrongly.
        #[test]
        fn merged_agents_bound_no_higher(
            seed: u64, tasks in 0_usize..9, agents in 1_usize..5,
        ) {
            let problem = generate(seed, &Shape::varied(tasks, agents));
            // Where no plan is valid any bound is.
            prop_assume!(infeasible_commitments(&problem).is_empty());
            let [merged, separate] =
                [0, usize::MAX].map(|max| EarliestArrivals::with_step_limit(&problem, max));
            let bound = |arrivals| {
                let parts = Parts::new(&problem, arrivals, &mut || true);
                parts.expect("nothing stops it").bound()
            };
            prop_assert!(bound(&merged) <= bound(&separate));
            for task in 0..tasks {
                prop_assert!(possible(&merged, task) || !possible(&separate, task));
            }
        }
    }
}
