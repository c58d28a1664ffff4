//! Search for plans.
//!
//! 1. A side constraint that some guard can never satisfy proves infeasibility
//!    (`side_constraints`).
//! 2. Warm start: the previous plan, continued from the present positions (`warm`).
//! 3. A first plan: guards stand or go to and fro; where that violates a side constraint, a search
//!    in the joint states of all guards (`side_constraints::joint_states`).
//! 4. A lower bound on the probability of escape (`lower_bound`).
//! 5. Improvement. Strategy `auto`, entry at tick 0: beam search over tracks, window by window, and
//!    branch and bound (`tracks`, `beam`, `branch_and_bound`). Entry at any time: teams of guards
//!    on cyclic rounds by set cover, 2-opt, Or-opt and simulated annealing (`rounds`, `tour`,
//!    `anneal`), with a Lagrangian bound (`lagrangian`). Other strategies: Monte Carlo tree search
//!    (`tree`).

mod anneal;
mod beam;
mod branch_and_bound;
mod close_cycle;
mod incumbent;
mod lagrangian;
mod lower_bound;
mod params;
mod round;
mod rounds;
mod shortest_paths;
mod side_constraints;
mod stagger;
mod tour;
mod tracks;
mod tree;
mod warm;

use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use anytime::{Conclusion, Control, SolveError};
use side_constraints::Satisfaction;

pub(crate) use incumbent::Incumbent;
pub use params::{COMMIT_AFTER, HORIZON_MAX, Params, STRATEGIES, Strategy};
pub(crate) use rounds::TOLERANCE;

/// Searches for plans of lower and lower cost.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let context = Context::new(problem).with_pulse(control.fork());
    solve_in(&context, params, control)
}

/// The cheapest continuation of a previous plan that was tried, and its cost. `None`: each breaks a
/// rule, or is too long.
pub(crate) fn continued_plan(problem: &Problem, previous: &Plan) -> Option<(Plan, Cost)> {
    warm::continued(&Context::new(problem), previous)
}

/// The same with a context, which may have more rules.
pub(crate) fn solve_in(
    context: &Context<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let problem = context.problem;
    if side_constraints::are_infeasible(context) {
        return Ok(Conclusion::Infeasible);
    }
    let warm = params.warm.as_ref();
    let warm = warm.and_then(|previous| warm::continued(context, previous));
    if let Some((plan, cost)) = &warm {
        control.offer(plan, *cost, "warm start");
    }
    if params.strategy == Strategy::Auto {
        let first = side_constraints::first_tracks(context);
        match side_constraints::cyclic_plan(context, &first) {
            Some((plan, cost)) => _ = offer(control, &plan, cost, "first tracks"),
            None if warm.is_some() => {}
            None => match side_constraints::satisfy(context) {
                Satisfaction::Infeasible => return Ok(Conclusion::Infeasible),
                Satisfaction::Plan(plan, cost) => _ = control.offer(&plan, cost, "all states"),
                Satisfaction::Unknown => {}
            },
        }
        context.work.report_iterations(control);
    }
    let (bound, method) = lower_bound::lower_bound(context);
    control.prove(bound, method);
    if params.strategy != Strategy::Auto {
        return Ok(tree::search(context, params, control));
    }
    let warm = warm.as_ref().map(|(plan, _)| plan);
    Ok(match problem.intruder().entry {
        Entry::Start => tracks::search(context, warm, control),
        Entry::Mission(_) | Entry::Steady => rounds::search(context, warm, control),
    })
}

/// Offers a plan if callers, which see costs as doubles, see an improvement; returns whether they
/// do.
fn offer(control: &mut Control<'_, Plan, Cost>, plan: &Plan, cost: Cost, found_by: &str) -> bool {
    let incumbent = control.best();
    let is_better = incumbent.is_none_or(|incumbent| cost.is_visibly_below(incumbent));
    is_better && control.offer(plan, cost, found_by)
}
