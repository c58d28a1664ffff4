//! Games: a board, and the pushes that led to it.

use crate::board::{Board, Direction, Step};

/// One push of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedPush {
    /// Cell of the box before the push.
    pub cell: usize,
    /// Direction of the push.
    pub direction: Direction,
}

/// A board as it stands, and the pushes made so far. How the player walked between them is not part
/// of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    board: Board,
    pushes: Vec<PlayedPush>,
}

impl From<Board> for Game {
    fn from(board: Board) -> Self {
        let pushes = Vec::new();
        Self { board, pushes }
    }
}

impl Game {
    /// The game after these steps.
    ///
    /// # Errors
    /// Index of the first step that cannot be made as it is written.
    ///
    /// # Panics
    /// Never: no step leaves the board.
    pub fn played(board: &Board, steps: &[Step]) -> Result<Self, usize> {
        let mut boxes = board.boxes().to_vec();
        let mut player = board.player();
        let mut pushes = Vec::new();
        for (index, &step) in steps.iter().enumerate() {
            player = made(board, &mut boxes, player, step).ok_or(index)?;
            if step.pushes {
                let (cell, direction) = (player, step.direction);
                pushes.push(PlayedPush { cell, direction });
            }
        }
        let board = stand(board, boxes, player);
        Ok(Self { board, pushes })
    }

    /// The board as it stands.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pushes made so far, first to last.
    #[must_use]
    pub fn pushes(&self) -> &[PlayedPush] {
        &self.pushes
    }

    /// The board after the first `count` pushes: all of them, or with the player ready for the next
    /// one.
    ///
    /// # Panics
    /// When there are fewer pushes.
    #[must_use]
    pub fn after(&self, count: usize) -> Board {
        let undone = &self.pushes[count..];
        let Some(next) = undone.first() else {
            return self.board.clone();
        };
        let neighbour = |cell, direction| {
            self.board
                .neighbour(cell, direction)
                .expect("it was pushed there")
        };
        let mut boxes = self.board.boxes().to_vec();
        for push in undone.iter().rev() {
            let pushed = neighbour(push.cell, push.direction);
            let at = boxes.iter().position(|&cell| cell == pushed);
            boxes[at.expect("it was pushed there")] = push.cell;
        }
        stand(
            &self.board,
            boxes,
            neighbour(next.cell, next.direction.back()),
        )
    }
}

/// The board with boxes and player where legal play has brought them.
fn stand(board: &Board, mut boxes: Vec<usize>, player: usize) -> Board {
    boxes.sort_unstable();
    let stands = board.with_pieces(&boxes, player);
    stands.expect("the player can walk back, and boxes stay within reach")
}

/// Makes a step; where the player is then, or `None` when it cannot be made.
fn made(board: &Board, boxes: &mut [usize], player: usize, step: Step) -> Option<usize> {
    let there = board.neighbour(player, step.direction)?;
    let hit = boxes.iter().position(|one| *one == there);
    if board.is_wall(there) || hit.is_some() != step.pushes {
        return None;
    }
    if let Some(hit) = hit {
        let beyond = board.neighbour(there, step.direction)?;
        if board.is_wall(beyond) || boxes.contains(&beyond) {
            return None;
        }
        boxes[hit] = beyond;
    }
    Some(there)
}
