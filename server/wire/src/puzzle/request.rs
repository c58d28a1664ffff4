//! Requests about puzzles, from the wire.

use super::board::{board, steps};
use super::info::ONLY_AUTO;
use super::objective::target;
use super::played::after;
use super::problem::problem;
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use ::puzzle::{Puzzle, Solver};
use anytime::Path;
use puzzle::solve::STRATEGIES;
use puzzle::{Game, Params, Problem, Step};
use std::fmt::Write as _;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A request for levels.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::GeneratePuzzleRequest,
) -> Result<Request<Puzzle, ()>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::GeneratePuzzleRequest { problem, options } = message;
    let how = How::new(options, STRATEGIES, &mut wrong);
    let params = Params {
        strategy: how.strategy.strategy,
        ..Params::default()
    };
    let at = Path::root("problem");
    let identity = problem
        .as_ref()
        .filter(|_| wrong.is_empty())
        .and_then(|given| identity("puzzle", given, &how.options, how.name()));
    let problem = problem.and_then(|given| self::problem(given, &at, &mut wrong));
    let target = target(how.target(2, &mut wrong));
    let Some(problem) = problem.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        bytes: bytes(&problem),
        problem: Arc::new(problem),
        names: Arc::new(()),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params,
        target,
        identity,
    })
}

/// A request to solve a board.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_solve(
    mut message: pb::SolvePuzzleRequest,
) -> Result<Request<Solver, ()>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::SolvePuzzleRequest {
        problem,
        options,
        played_moves,
    } = message;
    let how = How::new(options, ONLY_AUTO, &mut wrong);
    let at = Path::root("problem");
    let first = problem.and_then(|given| board(&given.rows, &at.field("rows"), &mut wrong));
    let played_at = Path::root("played_moves");
    let steps = steps(&played_moves, &played_at, &mut wrong);
    let game = first.and_then(|first| after(&first, &steps, &played_at, &mut wrong));
    let target = pushes(how.target(1, &mut wrong));
    let Some(game) = game.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    // However the player walked, and whatever characters stand for floor: pushes count, since one
    // of them may have lost the board.
    let message = pb::SolvePuzzleRequest {
        problem: Some(pb::PuzzleBoard {
            rows: game.board().rows(),
        }),
        options: None,
        played_moves: pushes_of(&game),
    };
    Ok(Request {
        identity: identity("solve puzzle", &message, &how.options, how.name()),
        bytes: 100 * game.board().tiles().len() + 16 * game.pushes().len(),
        problem: Arc::new(game),
        names: Arc::new(()),
        strategy: how.name(),
        options: how.options,
        width: 1,
        params: (),
        target,
    })
}

/// The pushes of a game, each with its cell.
fn pushes_of(game: &Game) -> String {
    let mut all = String::new();
    for push in game.pushes() {
        let (direction, pushes) = (push.direction, true);
        // Writing to a string does not fail.
        let _ = write!(all, "{}{}", push.cell, Step { direction, pushes }.lurd());
    }
    all
}

/// The pushes to stop at. Saturates: a target beyond all solutions is reached by every one.
fn pushes(levels: &[f64]) -> Option<u32> {
    let pushes = *levels.first()?;
    (pushes >= 0.0).then(|| pushes.floor() as u32)
}

/// Memory that a problem takes, near enough.
fn bytes(problem: &Problem) -> usize {
    let spec = problem.spec();
    let avoided: usize = spec.avoided.iter().map(|one| one.tiles().len()).sum();
    4 * spec.template.len() + 4 * avoided + 1_000
}
