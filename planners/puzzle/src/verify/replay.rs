//! Plays a solution as it is written.

use crate::board::{Board, Step};
use anytime::{Fault, Path, fault};

/// A solution that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Played {
    /// For each box of the board, in its order, the cells where it was: first and last included.
    pub(super) trails: Vec<Vec<usize>>,
    /// For each push, in order, which box.
    pub(super) pushed: Vec<usize>,
    /// Steps made, pushes among them.
    pub(super) moves: usize,
}

/// Plays `solution`, which is at this path, on `board`.
///
/// # Errors
/// The first step that cannot be made, or that not all goals have a box at the end.
pub(super) fn play(board: &Board, solution: &[Step], at: &Path<'_>) -> Result<Played, Fault> {
    let mut trails: Vec<Vec<usize>> = board.boxes().iter().map(|&cell| vec![cell]).collect();
    let mut pushed = Vec::new();
    let mut player = board.player();
    for (step, made) in solution.iter().enumerate() {
        let bad = || {
            fault!(
                "STEP_IMPOSSIBLE",
                at,
                "has '{}' as letter {}, which cannot be done there",
                made.lurd().to_string(),
                step
            )
        };
        let there = board.neighbour(player, made.direction).ok_or_else(bad)?;
        let hit = box_at(&trails, there);
        if board.is_wall(there) || hit.is_some() != made.pushes {
            return Err(bad());
        }
        if let Some(hit) = hit {
            let beyond = board.neighbour(there, made.direction).ok_or_else(bad)?;
            if board.is_wall(beyond) || box_at(&trails, beyond).is_some() {
                return Err(bad());
            }
            trails[hit].push(beyond);
            pushed.push(hit);
        }
        player = there;
    }
    let goals = board.goals().iter();
    let left = goals
        .filter(|&&goal| box_at(&trails, goal).is_none())
        .count();
    if left > 0 {
        return Err(fault!(
            "NOT_SOLVED",
            at,
            "leaves {} goals without a box",
            left
        ));
    }
    Ok(Played {
        trails,
        pushed,
        moves: solution.len(),
    })
}

fn box_at(trails: &[Vec<usize>], cell: usize) -> Option<usize> {
    trails.iter().position(|trail| trail.last() == Some(&cell))
}
