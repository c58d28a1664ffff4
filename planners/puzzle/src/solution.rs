//! Solving given boards: with fewest pushes, or as few as can be found in time.

use crate::board::Board;
use crate::game::Game;
use crate::plan::Solution;
use crate::solver::{End, Rules, Search, Task, steps};
use crate::verify::verify_solution;
use anytime::{Conclusion, Control, SolveError, Stop};

/// One search after the other: the weight of the bound, in tenths, and most positions to open. Easy
/// boards are solved with proof immediately; others are solved greedily before the proof.
const SEARCHES: [(u32, u32); 4] = [(10, 3_000), (50, u32::MAX), (20, u32::MAX), (10, u32::MAX)];

/// Looks for solutions with fewer and fewer pushes. One iteration is a position opened.
///
/// Concludes `Optimal` or `Infeasible` (the board has no solution) with proof only.
///
/// # Errors
/// None so far.
pub fn solve_board(
    board: &Board,
    control: &mut Control<'_, Solution, u32>,
) -> Result<Conclusion, SolveError> {
    let (task, boxes, player) = Task::from_board(board);
    let mut search = Search::default();
    for (greed_tenths, most) in SEARCHES {
        let remaining = u32::try_from(control.remaining()).unwrap_or(u32::MAX);
        let rules = Rules {
            opened_max: remaining.min(most),
            kept_max: control.limits().nodes_max,
            greed_tenths,
            prunes: true,
        };
        let end = search.solve(&task, &boxes, player, rules, &mut || control.go_on());
        control.count(u64::from(search.opened()).min(control.remaining()));
        match end {
            End::Solved { pushes, .. } => {
                let solution = Solution {
                    steps: steps(&task.field, &boxes, player, &pushes),
                };
                let cost = pushes.len() as u32;
                if greed_tenths == 10 {
                    control.prove(cost, "a star");
                }
                control.offer(&solution, cost, "A*");
            }
            End::Unsolvable => return Ok(Conclusion::Infeasible),
            End::Unknown { pushes_min } => {
                if greed_tenths == 10 {
                    control.prove(pushes_min, "a star");
                }
                if let Some(stop) = control.stop() {
                    return Ok(Conclusion::Stopped(stop));
                }
                if control.remaining() == 0 {
                    return Ok(Conclusion::Stopped(Stop::Iterations));
                }
            }
        }
        if control.best() == control.bound() && control.best().is_some() {
            return Ok(Conclusion::Optimal);
        }
        if let Some(stop) = control.stop() {
            return Ok(Conclusion::Stopped(stop));
        }
    }
    Ok(Conclusion::Stopped(Stop::Exhausted))
}

anytime::planner! {
    /// The solver, as its runner sees it.
    pub struct Solver {
        problem: Game,
        params: (),
        plan: Solution,
        cost: u32,
        solve: |game: &Game, (): &(), control| solve_board(game.board(), control),
        verify: |game: &Game, plan| verify_solution(game.board(), plan),
    }
}
