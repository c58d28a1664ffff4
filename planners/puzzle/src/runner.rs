//! The planners, as their runner sees them.

use crate::solve::impossible;
use crate::{Game, Loss, LossLimits, Plan, Problem, Puzzle, Solution, Solver, loss, verify_loss};
use anytime::{Pulse, Reason, Runnable};

// Without a plan, the impossible parts are reported. Missing levels cost; a plan with fewer levels
// still satisfies every rule.
impl Runnable for Puzzle {
    const NAME: &'static str = "puzzle";
    const NODE_BYTES: usize = 256;
    type Reasons = Reason;

    fn elements(problem: &Problem) -> usize {
        problem.spec().template.len()
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, _: &Pulse) -> Option<Reason> {
        match plan {
            Some(_) => None,
            None => impossible(problem),
        }
    }
}

// Without a solution: where the game was lost, if it is.
impl Runnable for Solver {
    const NAME: &'static str = "puzzle";
    // Of 128 boxes with two bytes each, in lists that double.
    const NODE_BYTES: usize = 640;
    type Reasons = Loss;

    fn elements(game: &Game) -> usize {
        game.board().tiles().len()
    }

    fn explain(game: &Game, plan: Option<&Solution>, wanted: &Pulse) -> Option<Loss> {
        if plan.is_some() {
            return None;
        }
        let limits = LossLimits::default();
        let found = loss(game, limits, &mut || wanted.beats())?;
        let is_checked = verify_loss(game, &found, wanted) == Ok(true);
        is_checked.then_some(found)
    }
}
