//! The judge: whether levels keep every rule, and what they cost. Knows nothing of how levels are
//! made or solved.
//!
//! # Effort
//! The effort of a board is the number of positions that every A* search with the bound below has
//! to open before it knows the fewest pushes, plus one for each of these pushes. It has to open all
//! positions, found by pushes from the first one, whose sum of pushes so far and bound is less than
//! the fewest pushes. Positions with an equal sum do not count: the order of ties decides which of
//! them are opened. The pushes count because where the bound is exact from the start nothing else
//! is left, and a level without detours is as hard as it is long. So the effort is the same however
//! the board is turned or mirrored.
//!
//! * A position is where the boxes are and the part of the board in which the player can walk. From
//!   a position lead the pushes of one box by one cell.
//! * The bound of a position is the least sum over a matching of boxes with goals, of the pushes
//!   that bring a box from its cell to the goal with no other box on the board and the player
//!   anywhere. A cell from which no goal can be reached like this is dead.
//! * A position without such a matching is dropped. So is one with a frozen box that is on no goal.
//!   Frozen are the boxes of the largest set of which each is blocked along rows and along columns:
//!   by a wall or a box of the set on one side, or by dead cells or walls on both.
//! * Levels are rated that this search solves within [`plan::effort_max`](crate::plan::effort_max)
//!   positions: opened next is the position of the least sum of pushes so far and bound; of those,
//!   the one with most pushes so far; of those, the one that was found last. The pushes of a
//!   position are tried box by box in the order of cells, and up, right, down, left for each.
//!
//! # Walls
//! An inner wall is needless if the board without it, and without its mirror images, still takes as
//! many pushes, and an effort within [`NEEDLESS_PERCENT`](crate::plan::NEEDLESS_PERCENT) of that of
//! the board. Inner walls are next to floor, off the border, and free in the template. None may be
//! needless where the problem asks for [`Walls::Needed`].

mod count;
mod plain;
mod replay;
mod violation;
mod walls;

use crate::board::{Board, Step, Tile};
use crate::plan::{Cost, Crop, Features, Level, Plan, STEPS_MAX, Solution, effort_max_tried};
use crate::problem::{Goal, Mask, Problem, Walls};
use anytime::Pulse;
pub use violation::Violation;

/// Checks every rule and computes the cost from scratch.
///
/// # Errors
/// All broken rules, level by level.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    verify_until(problem, (plan, None), &Pulse::unbounded()).expect("nothing stops it")
}

/// A check was stopped by its pulse, so that nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The same. A level of a plan that passed is not judged again.
///
/// # Errors
/// The pulse stopped the check.
pub(crate) fn verify_until(
    problem: &Problem,
    (plan, passed): (&Plan, Option<&Plan>),
    pulse: &Pulse,
) -> Result<Result<Cost, Vec<Violation>>, Stopped> {
    let mut violations = Vec::new();
    if plan.levels.len() > problem.spec().levels {
        violations.push(Violation::TooManyLevels {
            given: plan.levels.len(),
            wanted: problem.spec().levels,
        });
    }
    for (index, level) in plan.levels.iter().enumerate() {
        let mut passed = passed.iter().flat_map(|passed| &passed.levels);
        if level.rung >= problem.spec().levels {
            let rung = level.rung;
            violations.push(Violation::UnknownRung { level: index, rung });
        }
        // All that is judged of a level by itself is the same on each rung.
        if passed.any(|known| is_same(known, level)) {
            continue;
        }
        let broken = judge(problem, level, pulse)?;
        violations.extend(broken.into_iter().map(|rule| rule.at(index)));
    }
    if violations.is_empty() {
        together(problem, plan, &mut violations);
    }
    if !violations.is_empty() {
        return Ok(Err(violations));
    }
    let values: Vec<(usize, i64)> = plan
        .levels
        .iter()
        .map(|level| (level.rung, level.value_micro))
        .collect();
    Ok(Ok(Cost::of(problem, &values)))
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

/// Whether the plain search finds a solution of a board among the first `opened_max` positions that
/// it opens.
///
/// # Errors
/// Stopped: nothing is known.
pub(crate) fn solvable(board: &Board, opened_max: u32, pulse: &Pulse) -> Result<bool, Stopped> {
    plain::search(board, opened_max, pulse).map(|found| found.is_some())
}

/// What a board with a solution is like, counted plainly; with the effort of the board, if it is
/// asked for and at most [`crate::plan::effort_max`] (else 0).
///
/// # Errors
/// The first step that cannot be made, or that goals are left without a box; level 0.
pub fn features(
    board: &Board,
    solution: &[Step],
    with_effort: bool,
) -> Result<Features, Violation> {
    let played = replay::play(board, solution)?;
    let mut found = count::features(board, &played);
    if with_effort
        && let Ok(Some((_, effort))) = plain::search(board, most(board, 0), &Pulse::unbounded())
    {
        found.effort = effort;
    }
    Ok(found)
}

/// Most positions, where the board is solved once more without each of so many walls.
fn most(board: &Board, walls: usize) -> u32 {
    effort_max_tried(board.tiles().len(), board.boxes().len(), walls)
}

/// Whether two levels are the same, each on its rung.
fn is_same(one: &Level, other: &Level) -> bool {
    let Level {
        rung: _,
        board,
        solution,
        effort,
        value_micro,
    } = one;
    let claims = (&other.effort, &other.value_micro);
    *board == other.board && *solution == other.solution && (effort, value_micro) == claims
}

/// Which rules one level breaks by itself.
fn judge(problem: &Problem, level: &Level, pulse: &Pulse) -> Result<Vec<Violation>, Stopped> {
    let mut broken = shape(problem, &level.board);
    if level.solution.len() > STEPS_MAX {
        let steps = level.solution.len();
        broken.push(Violation::SolutionTooLong { level: 0, steps });
        return Ok(broken);
    }
    let played = match replay::play(&level.board, &level.solution) {
        Ok(played) => played,
        Err(rule) => {
            broken.push(rule);
            return Ok(broken);
        }
    };
    let mut found = count::features(&level.board, &played);
    let least = problem.spec().box_pushes_min;
    if found.box_pushes_min < least {
        broken.push(Violation::LazyBox {
            level: 0,
            pushes: found.box_pushes_min,
            least,
        });
    }
    broken.extend(worth(problem, level, &mut found, pulse)?);
    Ok(broken)
}

/// Solves the level again where that counts, and values it; returns the rules that it breaks.
fn worth(
    problem: &Problem,
    level: &Level,
    found: &mut Features,
    pulse: &Pulse,
) -> Result<Vec<Violation>, Stopped> {
    let mut broken = Vec::new();
    if problem.spec().weights.needs_solving() {
        let inner = match problem.spec().walls {
            Walls::Full | Walls::Outline => Vec::new(),
            Walls::Needed => problem.inner_walls(&|cell| level.board.is_wall(cell)),
        };
        let opened_max = most(&level.board, inner.len());
        match plain::search(&level.board, opened_max, pulse)? {
            None => broken.push(Violation::TooHard { level: 0 }),
            Some((pushes, effort)) => {
                found.effort = effort;
                let solved = ((pushes, effort), opened_max);
                broken.extend(walls::needless(&level.board, &inner, solved, pulse)?);
                if found.pushes != pushes {
                    let given = found.pushes;
                    broken.push(Violation::NotShortest {
                        level: 0,
                        given,
                        pushes,
                    });
                }
            }
        }
    }
    let effort = problem
        .spec()
        .weights
        .needs_solving()
        .then_some(found.effort);
    if effort != level.effort {
        broken.push(Violation::WrongEffort {
            level: 0,
            given: level.effort.unwrap_or(0),
            found: found.effort,
        });
    }
    let value_micro = found.value_micro(&problem.spec().weights);
    if value_micro != level.value_micro {
        broken.push(Violation::WrongValue {
            level: 0,
            given_micro: level.value_micro,
            found_micro: value_micro,
        });
    }
    Ok(broken)
}

/// Sides, template, symmetry and the number of boxes.
fn shape(problem: &Problem, board: &Board) -> Vec<Violation> {
    let spec = problem.spec();
    let mut broken = Vec::new();
    if (board.width(), board.height()) != (spec.width, spec.height) {
        broken.push(Violation::Size {
            level: 0,
            width: board.width(),
            height: board.height(),
        });
        return broken;
    }
    let boxes = board.boxes().len();
    if !(spec.boxes_min..=spec.boxes_max).contains(&boxes) {
        broken.push(Violation::Boxes { level: 0, boxes });
    }
    for (cell, &mask) in spec.template.iter().enumerate() {
        let (row, column) = board.place(cell);
        if !fits(board, cell, mask) {
            broken.push(Violation::Template {
                level: 0,
                row,
                column,
            });
        }
        let images = problem.images(cell);
        if images
            .iter()
            .any(|&image| board.is_wall(image) != board.is_wall(cell))
        {
            broken.push(Violation::Symmetry {
                level: 0,
                row,
                column,
            });
        }
    }
    broken
}

fn fits(board: &Board, cell: usize, mask: Mask) -> bool {
    let is_goal = board.goals().contains(&cell);
    let is_box = board.boxes().contains(&cell);
    let is_player = board.player() == cell;
    match mask {
        Mask::Free => true,
        Mask::Is(Tile::Wall) => board.is_wall(cell),
        Mask::Is(Tile::Floor) => !board.is_wall(cell),
        Mask::Is(Tile::Goal) => is_goal,
        Mask::Is(Tile::Box) => is_box,
        Mask::Is(Tile::BoxOnGoal) => is_box && is_goal,
        Mask::Is(Tile::Player) => is_player,
        Mask::Is(Tile::PlayerOnGoal) => is_player && is_goal,
    }
}

/// Rungs, rising values and variety.
fn together(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    let spec = problem.spec();
    let is_ladder = matches!(spec.goal, Goal::Hit { easiest_micro, hardest_micro, .. } if easiest_micro < hardest_micro);
    for (index, pair) in plan.levels.windows(2).enumerate() {
        let level = index + 1;
        if pair[0].rung >= pair[1].rung {
            violations.push(Violation::RungOrder { level });
        }
        let rises = if is_ladder {
            pair[0].value_micro < pair[1].value_micro
        } else {
            pair[0].value_micro <= pair[1].value_micro || spec.goal != Goal::Most
        };
        if !rises {
            violations.push(Violation::NotRising { level });
        }
    }
    if spec.difference_min_percent == 0 {
        return;
    }
    let avoided: Vec<Crop> = spec.avoided.iter().map(Crop::of).collect();
    let levels = plan.levels.iter().map(|level| Crop::of(&level.board));
    let levels: Vec<Crop> = levels.collect();
    for (index, one) in levels.iter().enumerate() {
        for other in levels[..index].iter().chain(&avoided) {
            let percent = one.least_difference(other);
            if percent < spec.difference_min_percent {
                violations.push(Violation::TooSimilar {
                    level: index,
                    percent,
                });
                break;
            }
        }
    }
}
