//! What holds in every plan: a lower bound on costs, and tasks that nobody can do.
//!
//! # The bound
//! A cost is a vector of levels. Lexicographic order is compatible with addition: from u >= v
//! follows u + w >= v + w. So when the cost of a plan is a sum of parts, and each part is at least
//! some vector whatever the plan, then the cost is at least the sum of these vectors. The parts of
//! a plan are
//!
//! * for each task that is left out, what that costs;
//! * for each task that is done, the way to it, at least the cheapest way in from anywhere that
//!   some agent able to do both can come from in time, and its lateness, at least that at the
//!   earliest arrival (`reach.rs`);
//! * for each agent with tasks, 1, and its way to its end place, at least the cheapest from a task
//!   that it can do;
//! * the makespan.
//!
//! A task is either left out or done: its part is at least the smaller of the two vectors. All
//! amounts are at least 0, so a vector that is smaller in every level is smaller, and minima may be
//! taken for each amount apart.
//!
//! # Forced tasks
//! Tasks under way are done in every plan. Where mandatory means mandatory ([`Problem::is_strict`])
//! level 0 counts the mandatory tasks that are left out and nothing else. Of these the impossible
//! ones, k of them, are left out in any plan. A plan that leaves out one more costs k + 1 at level
//! 0 and is above any bound that has k there. So it is enough to bound the plans that do all
//! mandatory tasks but the impossible: these count as forced too, and with them the number of
//! agents that it takes to carry them.
//!
//! # Couplings
//! Without its couplings, and where what is picked up and delivered weighs nothing, a problem has
//! all its plans and more, and none costs more: its bound is a bound. Where mandatory means
//! mandatory, tasks that couplings make impossible (`ties.rs`) are left out in every plan as well,
//! and of sets of which no plan does all (`certify.rs`) as many as are too many.
//!
//! # The makespan
//! It is at least the end of each task that is done, and on average over all agents the work done:
//! service and the way in. The first gives one bound for each task (its vector for "done" grows, no
//! other's does), the second spreads over all tasks. Each is valid, hence so is the largest.

pub(crate) mod bars;
mod certify;
mod parts;
pub(crate) mod reach;
pub(crate) mod ties;
pub(crate) mod under_way;

pub use certify::{CERTIFICATES_MAX, certificates};

use crate::plan::{Cost, Terms};
use crate::problem::{MICRO, Problem};
use bars::Bars;
use parts::Parts;
use reach::Reach;
use std::borrow::Cow;
use ties::Ties;

/// Name of the method for reports.
pub const METHOD: &str = "arrival";

/// Every valid plan costs at least this.
///
/// O(agents * tasks^2) time, with a limit on the product beyond which it bounds less tightly
/// instead; O(agents * tasks) memory.
#[must_use]
pub fn lower_bound(problem: &Problem) -> Cost {
    beside(problem, None, &mut || true).expect("nothing stops it")
}

/// [`lower_bound`], given a plan of this cost: whether tasks have to be left out is checked only if
/// the plan leaves some out. `None`: `go_on` returned false. It is called now and then.
pub(crate) fn beside(
    problem: &Problem,
    best: Option<Cost>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Cost> {
    let free = free(problem);
    let reach = Reach::new_while(&free, go_on)?;
    let bound = Parts::new(&free, &reach).bound();
    if !problem.is_strict() || best.is_some_and(|cost| cost.0[0] == 0) {
        return Some(bound);
    }
    if !go_on() {
        return None;
    }
    // At the first level are the mandatory tasks left out and nothing else.
    let bars = Bars::new(problem, &reach);
    let ties = Ties::new(&bars);
    if !go_on() {
        return None;
    }
    let left_out = certify::proved(&free, &bars, &ties, go_on).left_out;
    let proved = problem.cost(&Terms {
        unserved_micro: left_out as i64 * MICRO,
        ..Terms::default()
    });
    Some(bound.max(proved))
}

/// The tasks that no valid plan does, rising. Tasks under way are never among them: see [`stuck`].
///
/// Not all such tasks are found: each is looked at alone.
#[must_use]
pub fn impossible(problem: &Problem) -> Vec<usize> {
    impossible_while(problem, &mut || true).expect("nothing stops it")
}

/// [`impossible`]; `None`: stopped, as `go_on`, which is asked now and then, said no.
pub(crate) fn impossible_while(
    problem: &Problem,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<usize>> {
    let free = free(problem);
    let reach = Reach::new_while(&free, go_on)?;
    let bars = Bars::new(problem, &reach);
    let ties = Ties::new(&bars);
    let tasks = 0..problem.tasks().len();
    go_on().then(|| tasks.filter(|task| ties.is_impossible(*task)).collect())
}

/// The agents that cannot do what they have under way, rising. If there are any, no plan is valid,
/// not even a partial one.
#[must_use]
pub fn stuck(problem: &Problem) -> Vec<usize> {
    let free = free(problem);
    let reach = Reach::new(&free);
    let agents = 0..free.agents().len();
    agents.filter(|a| is_stuck(&free, &reach, *a)).collect()
}

/// Whether it is proved that no valid plan does all that must be done: an agent is stuck, or
/// mandatory means mandatory and some mandatory tasks are left out in every plan
/// ([`certificates`]).
///
/// False proves nothing.
#[must_use]
pub fn is_infeasible(problem: &Problem) -> bool {
    let free = free(problem);
    let reach = Reach::new(&free);
    if (0..free.agents().len()).any(|agent| is_stuck(&free, &reach, agent)) {
        return true;
    }
    let bars = Bars::new(problem, &reach);
    problem.is_strict()
        && (overload(&free).is_some()
            || certify::proved(&free, &bars, &Ties::new(&bars), &mut || true).left_out > 0)
}

/// The problem without its couplings.
pub(crate) fn free(problem: &Problem) -> Cow<'_, Problem> {
    if problem.couplings().is_empty() {
        Cow::Borrowed(problem)
    } else {
        Cow::Owned(problem.uncoupled())
    }
}

fn started(problem: &Problem) -> impl Iterator<Item = usize> {
    (0..problem.agents().len())
        .flat_map(|a| problem.started(a))
        .copied()
}

fn is_stuck(problem: &Problem, reach: &Reach, agent: usize) -> bool {
    under_way::obstacle(problem, &|agent| under_way::goes_on(reach, agent), agent).is_some()
}

/// Where the mandatory tasks and those under way are more than all agents together can carry: the
/// dimension in which most is too much, and by how much.
pub(crate) fn overload(problem: &Problem) -> Option<(usize, i64)> {
    let mut forced: Vec<bool> = problem
        .tasks()
        .iter()
        .map(|t| t.drop_penalty_micro.is_none())
        .collect();
    for task in started(problem) {
        forced[task] = true;
    }
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let excess = |d: usize| {
        let tasks = problem.tasks().iter().zip(&forced);
        let load = tasks.filter(|(_, forced)| **forced);
        let load: i64 = load.map(|(task, _)| value(&task.demands, d)).sum();
        let room = problem.agents().iter().map(|a| value(&a.capacities, d));
        (d, load - room.sum::<i64>())
    };
    let all = (0..problem.dimensions()).map(excess);
    all.filter(|(_, excess)| *excess > 0)
        .max_by_key(|&(d, excess)| (excess, std::cmp::Reverse(d)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use proptest::prelude::*;

    fn possible(reach: &Reach, task: usize) -> bool {
        let mut groups = reach.groups().iter();
        groups.any(|group| group.starts_us[task].is_some())
    }

    proptest! {
        /// Large problems, whose agents are taken together, are bounded less tightly but not
        /// wrongly.
        #[test]
        fn agents_taken_together_bound_no_higher(
            seed: u64, tasks in 0_usize..9, agents in 1_usize..5,
        ) {
            let problem = generate(seed, &Shape::varied(tasks, agents));
            // Where no plan is valid any bound is.
            prop_assume!(stuck(&problem).is_empty());
            let [together, apart] = [0, usize::MAX].map(|max| Reach::within(&problem, max));
            let bound = |reach| Parts::new(&problem, reach).bound();
            prop_assert!(bound(&together) <= bound(&apart));
            for task in 0..tasks {
                prop_assert!(possible(&together, task) || !possible(&apart, task));
            }
        }
    }
}
