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
mod tree;
mod watch;
mod ways;

use crate::evaluate;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use crate::scene::Scene;
use anytime::{Conclusion, Control, SolveError};

pub use params::{COMMIT_AFTER, HORIZON_MAX, Params, STRATEGIES, Strategy, StrategyInfo};

/// Looks for better and better plans.
///
/// # Errors
/// None so far.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let scene = Scene::new(problem);
    if params.strategy == Strategy::Auto {
        at_once(&scene, control);
    }
    let (least, method) = bound::bound(&scene);
    control.prove(least, method);
    if params.strategy != Strategy::Auto {
        return Ok(tree::grow(&scene, params, control));
    }
    Ok(match problem.intruder().entry {
        Entry::Start => watch::watch(&scene, control),
        Entry::Mission(_) | Entry::Steady => rounds::rounds(&scene, control),
    })
}

/// A plan at once: guards stay where they are, or go to and fro.
fn at_once(scene: &Scene<'_>, control: &mut Control<'_, Plan, Cost>) {
    let tracks = (0..scene.guards()).map(|guard| {
        let mut track = vec![scene.start(guard)];
        let mut moves = Vec::new();
        scene.moves(guard, track[0], &mut moves);
        // Where they may stay that is the first move; where they may not it leads away.
        track.extend(moves.first());
        track
    });
    let plan = endless::endless(scene, &tracks.collect::<Vec<_>>());
    if let Some((_, cost)) = evaluate::worth(scene, &plan) {
        control.offer(&plan, cost, "at once");
    }
}
