//! Solving boards that somebody else made: with fewest pushes, or as few as can be found in time.

use crate::board::{Board, Step};
use crate::solver::{End, Rules, Search, Task, steps};
use crate::verify::{Violation, replay};
use anytime::{Conclusion, Control, SolveError, Stop};

/// How a board is solved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Solution {
    /// What the player does.
    pub steps: Vec<Step>,
}

impl Solution {
    /// In the LURD notation.
    #[must_use]
    pub fn lurd(&self) -> String {
        self.steps.iter().map(|step| step.lurd()).collect()
    }

    /// Pushes: what is minimised.
    #[must_use]
    pub fn pushes(&self) -> u32 {
        self.steps.iter().filter(|step| step.pushes).count() as u32
    }
}

/// How to solve. The default has its own choices for everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolutionParams {}

/// How greedy the first searches are: how many times the bound counts, in tenths. The last one proves.
const GREED_TENTHS: [u32; 3] = [50, 20, 10];

/// Looks for solutions with fewer and fewer pushes. One iteration is a position opened.
///
/// Concludes `Optimal` or `Infeasible` (the board has no solution) with proof only.
///
/// # Errors
/// None so far.
pub fn solve_board(
    board: &Board,
    _params: &SolutionParams,
    control: &mut Control<'_, Solution, u32>,
) -> Result<Conclusion, SolveError> {
    let (task, boxes, player) = Task::of(board);
    let mut search = Search::default();
    for greed_tenths in GREED_TENTHS {
        let rules = Rules {
            opened_max: u32::try_from(control.remaining()).unwrap_or(u32::MAX),
            kept_max: control.limits().nodes_max,
            greed_tenths,
            prunes: true,
        };
        let end = search.solve(&task, (&boxes, player), (rules, &mut || control.go_on()));
        control.count(u64::from(search.opened()).min(control.remaining()));
        match end {
            End::Solved { pushes, .. } => {
                let solution = Solution {
                    steps: steps(&task.field, &boxes, player, &pushes),
                };
                let cost = pushes.len() as u32;
                if greed_tenths == 10 {
                    control.prove(cost, "A*");
                }
                control.offer(&solution, cost, "A*");
            }
            End::Unsolvable => return Ok(Conclusion::Infeasible),
            End::Unknown { pushes_min } => {
                if greed_tenths == 10 {
                    control.prove(pushes_min, "A*");
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

/// The pushes of a solution, counted by playing it.
///
/// # Errors
/// The first step that cannot be made, or that goals are left without a box.
pub fn verify_solution(board: &Board, solution: &Solution) -> Result<u32, Vec<Violation>> {
    match replay::play(board, &solution.steps) {
        Ok(played) => Ok(played.pushed.len() as u32),
        Err(violation) => Err(vec![violation]),
    }
}

/// The solver, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Solver;

impl anytime::Planner for Solver {
    type Problem = Board;
    type Params = SolutionParams;
    type Plan = Solution;
    type Cost = u32;
    type Violation = Violation;

    fn solve(
        problem: &Board,
        params: &SolutionParams,
        control: &mut Control<'_, Solution, u32>,
    ) -> Result<Conclusion, SolveError> {
        solve_board(problem, params, control)
    }

    fn verify(problem: &Board, plan: &Solution) -> Result<u32, Vec<Violation>> {
        verify_solution(problem, plan)
    }
}
