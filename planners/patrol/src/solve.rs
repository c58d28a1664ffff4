//! How plans are found.

mod anneal;
mod beam;
mod branch_and_bound;
mod close_cycle;
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

pub use params::{COMMIT_AFTER, HORIZON_MAX, Params, STRATEGIES, Strategy, StrategyInfo};
pub(crate) use rounds::TOLERANCE;

/// Looks for better and better plans.
///
/// # Errors
/// None so far.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let context = Context::new(problem).with_pulse(control.fork());
    solve_in(&context, params, control)
}

/// The same in a scene.
pub(crate) fn solve_in(
    context: &Context<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let problem = context.problem;
    if side_constraints::are_impossible(context) {
        return Ok(Conclusion::Infeasible);
    }
    let warm = params.warm.as_ref();
    let warm = warm.and_then(|previous| warm::resumed(context, previous));
    if let Some((plan, cost)) = &warm {
        control.offer(plan, *cost, "warm start");
    }
    if params.strategy == Strategy::Auto {
        match side_constraints::allowed(context, &side_constraints::first_tracks(context)) {
            Some((plan, cost)) => _ = offer(control, &plan, (cost, "first tracks")),
            None if warm.is_some() => {}
            None => match side_constraints::granted(context) {
                side_constraints::Granted::Never => return Ok(Conclusion::Infeasible),
                side_constraints::Granted::By(plan, cost) => {
                    _ = control.offer(&plan, cost, "all states")
                }
                side_constraints::Granted::Unknown => {}
            },
        }
        context.work.report_iterations(control);
    }
    let (least, method) = lower_bound::lower_bound(context);
    control.prove(least, method);
    if params.strategy != Strategy::Auto {
        return Ok(tree::grow(context, params, control));
    }
    let warm = warm.as_ref().map(|(plan, _)| plan);
    Ok(match problem.intruder().entry {
        Entry::Start => tracks::watch(context, warm, control),
        Entry::Mission(_) | Entry::Steady => rounds::rounds(context, warm, control),
    })
}

/// Offers a plan if it is better than all before in doubles, as callers see costs; returns whether
/// it was.
fn offer(control: &mut Control<'_, Plan, Cost>, plan: &Plan, (cost, by): (Cost, &str)) -> bool {
    let is_better = control
        .best()
        .is_none_or(|best| cost.is_visibly_below(best));
    is_better && control.offer(plan, cost, by)
}
