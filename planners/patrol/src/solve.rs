//! How plans are found.

mod anneal;
mod beam;
mod bound;
mod endless;
mod launch;
mod params;
mod price;
mod proof;
mod round;
mod rounds;
mod tour;
mod tree;
mod warm;
mod watch;
mod ways;
mod wishes;

use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use crate::scene::Scene;
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
    let scene = Scene::new(problem).hears(control.fork());
    solve_in(&scene, params, control)
}

/// The same in a scene.
pub(crate) fn solve_in(
    scene: &Scene<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let problem = scene.problem;
    if wishes::are_impossible(scene) {
        return Ok(Conclusion::Infeasible);
    }
    let warm = params.warm.as_ref();
    let warm = warm.and_then(|previous| warm::resumed(scene, previous));
    if let Some((plan, cost)) = &warm {
        control.offer(plan, *cost, "warm start");
    }
    if params.strategy == Strategy::Auto {
        match wishes::allowed(scene, &wishes::first_tracks(scene)) {
            Some((plan, cost)) => _ = offer(control, &plan, (cost, "first tracks")),
            None if warm.is_some() => {}
            None => match wishes::granted(scene) {
                wishes::Granted::Never => return Ok(Conclusion::Infeasible),
                wishes::Granted::By(plan, cost) => _ = control.offer(&plan, cost, "all states"),
                wishes::Granted::Unknown => {}
            },
        }
        scene.steps.count(control);
    }
    let (least, method) = bound::bound(scene);
    control.prove(least, method);
    if params.strategy != Strategy::Auto {
        return Ok(tree::grow(scene, params, control));
    }
    let warm = warm.as_ref().map(|(plan, _)| plan);
    Ok(match problem.intruder().entry {
        Entry::Start => watch::watch(scene, warm, control),
        Entry::Mission(_) | Entry::Steady => rounds::rounds(scene, warm, control),
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
