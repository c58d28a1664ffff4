//! Plays a solution as it is written.

use super::Violation;
use crate::board::{Board, Step};

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Played {
    /// For each box of the board, in its order, the cells where it was: first and last included.
    pub(super) trails: Vec<Vec<usize>>,
    /// For each push, in order, which box.
    pub(super) pushed: Vec<usize>,
    /// Steps made, pushes among them.
    pub(super) moves: usize,
}

/// Plays `solution` on `board`.
///
/// # Errors
/// The first step that cannot be made, or that not all goals have a box at the end; level 0.
pub(super) fn play(board: &Board, solution: &[Step]) -> Result<Played, Violation> {
    let mut trails: Vec<Vec<usize>> = board.boxes().iter().map(|&cell| vec![cell]).collect();
    let mut pushed = Vec::new();
    let mut player = board.player();
    for (step, made) in solution.iter().enumerate() {
        let bad = Violation::BadStep { level: 0, step };
        let there = board.beside(player, made.way).ok_or(bad.clone())?;
        let hit = box_at(&trails, there);
        if board.is_wall(there) || hit.is_some() != made.pushes {
            return Err(bad);
        }
        if let Some(hit) = hit {
            let beyond = board.beside(there, made.way).ok_or(bad.clone())?;
            if board.is_wall(beyond) || box_at(&trails, beyond).is_some() {
                return Err(bad);
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
        return Err(Violation::NotSolved { level: 0, left });
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
