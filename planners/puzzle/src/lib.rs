//! Puzzle: Sokoban levels of a wanted difficulty, and their solutions.
//!
//! # Problem
//! A board is a grid of walls and floor with boxes, as many goals, and a player. The player walks
//! along rows and columns and pushes one box at a time, never pulls. The board is solved when every
//! goal has a box.
//!
//! Wanted are boards of given sides: cells may have to be wall, floor, goal, box or start
//! ([`Mask`]), walls may have to be symmetric. The value of a board is the weighted sum of its
//! [`Features`] (equation 6.3 of the thesis with more features). The goal is the highest value, or
//! a value within a tolerance, or a ladder of levels from one value to another, any two of which
//! differ enough ([`plan::difference`]). Each level comes with a solution; where weights count
//! features of the solution, with a shortest one.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search: it plays the solution, counts
//! the features, and solves the board again by a plain search, which also defines *effort*.
//!
//! [`solve_board`] finds a push-optimal solution of a given board. Where a game has no solution any
//! more, [`loss`](fn@loss) finds the push that lost it.
//!
//! # Method
//! [`Strategy::Auto`] first offers an easy level, each box on a straight path from its goal. Then
//! it draws random walls and goals and plays backwards at random. It takes a stage of that play
//! that is not too easy and changes it bit by bit (walls, boxes, goals, start) by simulated
//! annealing, with a solution after each change. On a small board with all walls given by the
//! template, where only the most pushes are wanted, it searches all positions backwards from all
//! sets of goals (retrograde analysis): the level is optimal, with proof. Where the value of a
//! level does not depend on its solution, it uses the method of the thesis, [`Strategy::Mcts`], as
//! far as that goes. The solver is A* over positions of boxes.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same plans, under an iteration limit.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * Every level can be solved, by the solution that it has.
//! * Optimal and infeasible are concluded with proof only.
//!
//! # Units
//! Values, weights and features in millionths, whole. Cells row by row from 0. Effort in positions.
//!
//! # Limits
//! Constants of [`board`], [`problem`] and [`plan`]. Levels that a plain search does not solve
//! within [`plan::EFFORT_MAX`] positions are not made, where the weights count what a solution is
//! like.
//!
//! # Source
//! Kartal, "Stochastic tree search for planning in games", dissertation, University of Minnesota,
//! 2016, chapter 6; Kartal, Sohre, Guy, "Data-driven Sokoban puzzle generation with Monte Carlo
//! tree search", AIIDE 2016. Jarušek and Pelánek, "Difficulty rating of Sokoban puzzle", 2010, for
//! what players feel.

pub mod board;
pub mod deadlock;
pub mod explain;
pub mod game;
pub mod loss;
pub mod plan;
pub mod problem;
pub mod rating;
mod runner;
pub mod solution;
pub mod solve;
mod solver;
pub mod verify;

pub use board::{Board, Direction, Step, Tile};
pub use deadlock::deadlock;
pub use game::{Game, PlayedPush};
pub use loss::{Loss, LossLimits, loss, verify_loss};
pub use plan::{Cost, Features, Level, Plan, Solution};
pub use problem::{Goal, Mask, Problem, Spec, Symmetry, Theme, Walls, Weights};
pub use rating::{Answer, Harder, RatingParams, Ratings, rate};
pub use solution::{Solver, solve_board};
pub use solve::{Params, Strategy, solve};
pub use verify::{verify, verify_solution};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Puzzle;

impl anytime::Planner for Puzzle {
    type Problem = Problem;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;

    fn solve(
        problem: &Problem,
        params: &Params,
        control: &mut anytime::Control<'_, Plan, Cost>,
    ) -> Result<anytime::Conclusion, anytime::SolveError> {
        solve(problem, params, control)
    }

    fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<anytime::Fault>> {
        verify(problem, plan)
    }

    fn verify_until(
        problem: &Problem,
        plan: &Plan,
        pulse: &anytime::Pulse,
    ) -> Option<Result<Cost, Vec<anytime::Fault>>> {
        verify::verify_until(problem, plan, None, pulse).ok()
    }

    fn verify_next(
        problem: &Problem,
        plan: &Plan,
        passed: Option<&Plan>,
        pulse: &anytime::Pulse,
    ) -> Option<Result<Cost, Vec<anytime::Fault>>> {
        verify::verify_until(problem, plan, passed, pulse).ok()
    }
}
