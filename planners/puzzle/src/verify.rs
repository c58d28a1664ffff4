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
mod shape;
mod walls;

use crate::board::{Board, Step};
use crate::plan::{Cost, Crop, Features, Level, Plan, STEPS_MAX, Solution, effort_max_tried};
use crate::problem::{Goal, Problem, Walls};
use anytime::{Fault, Path, Pulse, Stop, fault, millionths};

/// Checks every rule and computes the cost from scratch.
///
/// # Errors
/// All broken rules, level by level, with their fields in the contract's `PuzzlePlan`.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    verify_until(problem, plan, None, &Pulse::unbounded()).expect("nothing stops it")
}

/// The same. A level of a plan that passed is not judged again.
///
/// # Errors
/// The pulse stopped the check.
pub(crate) fn verify_until(
    problem: &Problem,
    plan: &Plan,
    passed: Option<&Plan>,
    pulse: &Pulse,
) -> Result<Result<Cost, Vec<Fault>>, Stop> {
    let mut faults = Vec::new();
    let at = Path::root("levels");
    let (given, wanted) = (plan.levels.len(), problem.spec().levels);
    if given > wanted {
        faults.push(fault!(
            "TOO_MANY_LEVELS",
            Path::WHOLE,
            "has {} levels, at most {} are wanted",
            given,
            wanted
        ));
    }
    for (index, level) in plan.levels.iter().enumerate() {
        let at = at.index(index);
        if level.rung >= wanted {
            faults.push(fault!(
                "RUNG_UNKNOWN",
                at.field("rung"),
                "is {}, but only {} levels are wanted (0 is the first)",
                level.rung,
                wanted
            ));
        }
        let mut passed = passed.iter().flat_map(|passed| &passed.levels);
        // All that is judged of a level by itself is the same on each rung.
        if !passed.any(|known| is_same(known, level)) {
            judge(problem, level, &at, &mut faults, pulse)?;
        }
    }
    if faults.is_empty() {
        order(problem, plan, &mut faults);
        variety(problem, plan, &mut faults);
    }
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    let values: Vec<(usize, i64)> = plan
        .levels
        .iter()
        .map(|level| (level.rung, level.value_micro))
        .collect();
    Ok(Ok(Cost::from_values(problem, &values)))
}

/// The pushes of a solution, counted by playing it.
///
/// # Errors
/// The first step that cannot be made, or that goals are left without a box, with its field in the
/// contract's `PuzzleSolution`.
pub fn verify_solution(board: &Board, solution: &Solution) -> Result<u32, Vec<Fault>> {
    let played = replay::play(board, &solution.steps, &Path::root("lurd"));
    let pushes = played.map(|played| played.pushed.len() as u32);
    pushes.map_err(|fault| vec![fault])
}

/// Whether the plain search finds a solution of a board among the first `opened_max` positions that
/// it opens.
///
/// # Errors
/// Stopped: nothing is known.
pub(crate) fn solvable(board: &Board, opened_max: u32, pulse: &Pulse) -> Result<bool, Stop> {
    plain::search(board, opened_max, pulse).map(|found| found.is_some())
}

/// Features of a board with a solution, counted plainly; with the effort of the board, if it is
/// asked for and at most [`crate::plan::effort_max`] (else 0).
///
/// # Errors
/// The first step that cannot be made, or that goals are left without a box, without a field.
pub fn features(board: &Board, solution: &[Step], with_effort: bool) -> Result<Features, Fault> {
    let played = replay::play(board, solution, &Path::WHOLE)?;
    let mut found = count::features(board, &played);
    if with_effort
        && let Ok(Some((_, effort))) =
            plain::search(board, opened_max(board, 0), &Pulse::unbounded())
    {
        found.effort = effort;
    }
    Ok(found)
}

/// Most positions to open, where the board is solved again without each of this number of walls.
fn opened_max(board: &Board, walls: usize) -> u32 {
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

/// Checks the rules of a level by itself.
fn judge(
    problem: &Problem,
    level: &Level,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
    pulse: &Pulse,
) -> Result<(), Stop> {
    shape::check(problem, &level.board, &at.field("rows"), faults);
    let solution_at = at.field("solution");
    let steps = level.solution.len();
    if steps > STEPS_MAX {
        faults.push(fault!(
            "SOLUTION_TOO_LONG",
            solution_at,
            "has {} steps, at most {} are supported",
            steps,
            STEPS_MAX
        ));
        return Ok(());
    }
    let played = match replay::play(&level.board, &level.solution, &solution_at) {
        Ok(played) => played,
        Err(fault) => {
            faults.push(fault);
            return Ok(());
        }
    };
    let mut found = count::features(&level.board, &played);
    let wanted = problem.spec().box_pushes_min;
    if found.box_pushes_min < wanted {
        faults.push(fault!(
            "BOX_PUSHES_FEW",
            solution_at,
            "pushes a box {} times, at least {} are wanted",
            found.box_pushes_min,
            wanted
        ));
    }
    if problem.spec().weights.needs_solving() {
        solve_again(problem, level, &mut found, at, faults, pulse)?;
    }
    claims(problem, level, &found, at, faults);
    Ok(())
}

/// Solves the board of a level, completes its features, and checks what follows from that.
fn solve_again(
    problem: &Problem,
    level: &Level,
    found: &mut Features,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
    pulse: &Pulse,
) -> Result<(), Stop> {
    let board = &level.board;
    let inner = match problem.spec().walls {
        Walls::Full | Walls::Outline => Vec::new(),
        Walls::Needed => problem.inner_walls(&|cell| board.is_wall(cell)),
    };
    let opened_max = opened_max(board, inner.len());
    let Some((pushes, effort)) = plain::search(board, opened_max, pulse)? else {
        faults.push(fault!(
            "TOO_HARD",
            at,
            "is too hard for a plain search to rate it"
        ));
        return Ok(());
    };
    found.effort = effort;
    let solved = walls::Solved {
        pushes,
        effort,
        opened_max,
    };
    if let Some(wall) = walls::needless(board, &inner, &solved, pulse)? {
        let (row, column) = board.place(wall);
        faults.push(fault!(
            "WALL_NEEDLESS",
            at.field("rows").index(row),
            "has a wall at column {} that does not matter",
            column
        ));
    }
    if found.pushes != pushes {
        faults.push(fault!(
            "NOT_SHORTEST",
            at.field("solution"),
            "has {} pushes, {} suffice",
            found.pushes,
            pushes
        ));
    }
    Ok(())
}

/// Checks the effort and the value that a level claims.
fn claims(
    problem: &Problem,
    level: &Level,
    found: &Features,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let weights = &problem.spec().weights;
    let effort = weights.needs_solving().then_some(found.effort);
    if effort != level.effort {
        faults.push(fault!(
            "EFFORT_WRONG",
            at.field("features").field("effort"),
            "is {} instead of {}",
            level.effort.unwrap_or(0),
            found.effort
        ));
    }
    let value_micro = found.value_micro(weights);
    if value_micro != level.value_micro {
        faults.push(fault!(
            "VALUE_WRONG",
            at.field("value"),
            "is {} instead of {}",
            millionths(level.value_micro),
            millionths(value_micro)
        ));
    }
}

/// Checks that rungs and values rise.
fn order(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let goal = problem.spec().goal;
    let is_ladder = matches!(
        goal,
        Goal::Hit { easiest_micro, hardest_micro, .. } if easiest_micro < hardest_micro
    );
    let levels_at = Path::root("levels");
    for (index, pair) in plan.levels.windows(2).enumerate() {
        let at = levels_at.index(index + 1);
        if pair[0].rung >= pair[1].rung {
            faults.push(fault!(
                "RUNG_ORDER",
                at.field("rung"),
                "is not later than that of the level before"
            ));
        }
        let rises = if is_ladder {
            pair[0].value_micro < pair[1].value_micro
        } else {
            pair[0].value_micro <= pair[1].value_micro || goal != Goal::Most
        };
        if !rises {
            faults.push(fault!(
                "NOT_RISING",
                at.field("value"),
                "is no more than that of the level before"
            ));
        }
    }
}

/// Checks that levels differ from each other and from those to avoid.
fn variety(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let spec = problem.spec();
    let wanted = spec.difference_min_percent;
    if wanted == 0 {
        return;
    }
    let avoided: Vec<Crop> = spec.avoided.iter().map(Crop::new).collect();
    let levels = plan.levels.iter().map(|level| Crop::new(&level.board));
    let levels: Vec<Crop> = levels.collect();
    let at = Path::root("levels");
    for (index, one) in levels.iter().enumerate() {
        let mut others = levels[..index].iter().chain(&avoided);
        let similar = others.find_map(|other| {
            let percent = one.least_difference(other);
            (percent < wanted).then_some(percent)
        });
        if let Some(percent) = similar {
            faults.push(fault!(
                "TOO_SIMILAR",
                at.index(index),
                "differs from another in {} % of the cells, at least {} % are wanted",
                percent,
                wanted
            ));
        }
    }
}
