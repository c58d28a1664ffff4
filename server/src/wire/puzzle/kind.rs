//! The planners, as the runner sees them.

use crate::run::Kind;
use ::puzzle::{Game, Loss, Puzzle, Solution, Solver};
use anytime::{Pulse, Reason};

// Without a plan, the impossible parts are reported. Missing levels cost; a plan with fewer levels
// still satisfies every rule.
impl Kind for Puzzle {
    const NAME: &'static str = "puzzle";
    const NODE_BYTES: usize = 256;
    type Reasons = Reason;

    fn elements(problem: &::puzzle::Problem) -> usize {
        problem.spec().template.len()
    }

    fn explain(
        problem: &::puzzle::Problem,
        plan: Option<&::puzzle::Plan>,
        _: &Pulse,
    ) -> Option<Reason> {
        match plan {
            Some(_) => None,
            None => ::puzzle::solve::impossible(problem),
        }
    }
}

// Without a solution: where the game was lost, if it is.
impl Kind for Solver {
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
        let limits = ::puzzle::LossLimits::default();
        let loss = ::puzzle::loss(game, limits, &mut || wanted.beats())?;
        let is_checked = ::puzzle::verify_loss(game, &loss, wanted) == Ok(true);
        is_checked.then_some(loss)
    }
}
