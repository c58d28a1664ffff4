//! The best of all plans that an oracle finds.

use allocation::{Cost, Plan, Problem, Terms};

/// What is called with each plan and its terms.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(&Plan, &Terms);

/// The best plan that `each_plan` finds, and its cost; `None` where it finds none.
pub(crate) fn least(problem: &Problem, each_plan: fn(&Problem, Visit<'_>)) -> Option<(Cost, Plan)> {
    let mut best: Option<(Cost, Plan)> = None;
    each_plan(problem, &mut |plan, terms| {
        let cost = problem.cost(terms);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, plan.clone()));
        }
    });
    best
}
