//! What came of a search for solutions, for the wire.

use super::explanation::unsolved;
use super::plan::{count, lurd};
use crate::contract::SolvePuzzle;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::puzzle::Solver;
use anytime::Conclusion;
use anytime::{Found, Outcome};
use puzzle::{Board, Direction, Game, Loss, Solution, Step};
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn solution_answer(
    asked: &Asked<SolvePuzzle>,
    outcome: &Outcome<Solver>,
) -> pb::SolvePuzzleResponse {
    let best = outcome.best.as_deref();
    let game = &*asked.request.problem;
    // Where limits ended the search, the report claims nothing.
    let is_lost = best.is_none() && outcome.conclusion == Conclusion::Infeasible;
    let lost = outcome.reasons.as_deref().filter(|_| is_lost);
    let pushes_min = outcome.bound.map(|(pushes, _)| pushes);
    pb::SolvePuzzleResponse {
        event: None,
        plan: best.map(|best| solution(&best.plan)),
        report: Some(pb::SolveReport {
            explanation: best
                .is_none()
                .then(|| unsolved(outcome.conclusion, game, pushes_min, lost)),
            ..common(asked, outcome)
        }),
        hint: best.and_then(|best| hint(game.board(), &best.plan)),
        loss: lost.and_then(|lost| loss(game, lost)),
    }
}

/// The answer so far.
pub(crate) fn solution_step(
    asked: &Asked<SolvePuzzle>,
    best: &Found<Solver>,
) -> Option<pb::SolvePuzzleResponse> {
    Some(pb::SolvePuzzleResponse {
        plan: Some(solution(&best.plan)),
        hint: hint(asked.request.problem.board(), &best.plan),
        ..pb::SolvePuzzleResponse::default()
    })
}

fn solution(given: &Solution) -> pb::PuzzleSolution {
    pb::PuzzleSolution {
        lurd: given.lurd(),
        push_count: count(given.pushes()),
        move_count: count(given.steps.len()),
    }
}

pub(super) fn solution_objective(given: &Solution) -> pb::Objective {
    let pushes = f64::from(given.pushes());
    pb::Objective {
        levels: vec![pushes],
        terms: vec![
            solve::cost("pushes", pushes, "pushes"),
            solve::cost("moves", given.steps.len() as f64, "steps"),
        ],
    }
}

/// The walk to the first push of a solution, and that push; `None` when it has none.
fn hint(board: &Board, solution: &Solution) -> Option<pb::PuzzleHint> {
    let last = solution.steps.iter().position(|step| step.pushes)?;
    let steps = &solution.steps[..=last];
    let after = |cell: Option<usize>, step: &Step| board.neighbour(cell?, step.direction);
    // The player ends where the box was.
    let cell = steps.iter().fold(Some(board.player()), after)?;
    let (row, column) = board.place(cell);
    Some(pb::PuzzleHint {
        lurd: lurd(steps),
        row: count(row),
        column: count(column),
        direction: direction(steps[last].direction).into(),
    })
}

/// The push that lost a game; `None` where the board had no solution from the start.
fn loss(game: &Game, loss: &Loss) -> Option<pb::PuzzleLoss> {
    let index = loss.lost_after.checked_sub(1)?;
    let push = game.pushes()[index];
    let (row, column) = game.board().place(push.cell);
    let solved = loss.solved_after.as_ref();
    Some(pb::PuzzleLoss {
        push_index: count(index),
        row: count(row),
        column: count(column),
        direction: direction(push.direction).into(),
        solvable_push_count: solved.map(|(pushes, _)| count(*pushes)),
        solution_before: solved.map(|(_, given)| solution(given)),
    })
}

fn direction(given: Direction) -> pb::PuzzleDirection {
    match given {
        Direction::Up => pb::PuzzleDirection::Up,
        Direction::Right => pb::PuzzleDirection::Right,
        Direction::Down => pb::PuzzleDirection::Down,
        Direction::Left => pb::PuzzleDirection::Left,
    }
}

#[cfg(test)]
mod tests {
    use super::hint;
    use puzzle::{Board, Solution, Step};
    use stratagem_proto::v1 as pb;

    #[test]
    fn a_hint_is_the_way_to_the_first_push_and_the_box_that_it_moves() {
        let board = Board::of_rows(&["#######", "#@ $ .#", "#######"]).unwrap();
        let solution = |lurd: &str| Solution {
            steps: lurd.chars().filter_map(Step::of_lurd).collect(),
        };
        let found = hint(&board, &solution("rRR")).unwrap();
        let wanted = pb::PuzzleHint {
            lurd: "rR".into(),
            row: 1,
            column: 3,
            direction: pb::PuzzleDirection::Right.into(),
        };
        assert_eq!(found, wanted);
        assert_eq!(hint(&board, &solution("")), None);
    }
}
