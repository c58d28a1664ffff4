//! Small boards, solved by trying everything.

use puzzle::{Board, Tile};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, VecDeque};

/// Fewest pushes by breadth-first search over boxes and player, cell by cell, which knows no
/// deadlocks and no bounds.
pub(crate) fn brute(board: &Board) -> Option<u32> {
    type State = (Vec<usize>, usize);
    let start: State = (board.boxes().to_vec(), board.player());
    let mut done = BTreeSet::new();
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((state, pushes)) = queue.pop_front() {
        if state.0 == board.goals() {
            return Some(pushes);
        }
        if !done.insert(state.clone()) {
            continue;
        }
        let (boxes, player) = state;
        for direction in puzzle::Direction::ALL {
            let Some(to) = board
                .neighbour(player, direction)
                .filter(|&to| !board.is_wall(to))
            else {
                continue;
            };
            let Some(hit) = boxes.iter().position(|&cell| cell == to) else {
                // Walks cost nothing: they come first.
                queue.push_front(((boxes.clone(), to), pushes));
                continue;
            };
            let Some(beyond) = board.neighbour(to, direction) else {
                continue;
            };
            if !board.is_wall(beyond) && !boxes.contains(&beyond) {
                let mut after = boxes.clone();
                after[hit] = beyond;
                after.sort_unstable();
                queue.push_back(((after, to), pushes + 1));
            }
        }
    }
    None
}

/// A small board, or none where what was drawn is no board.
pub(crate) fn random_board(rng: &mut Xoshiro256PlusPlus, boxes: usize) -> Option<Board> {
    let (width, height) = (rng.random_range(5..=7), rng.random_range(5..=7));
    let mut tiles = vec![Tile::Wall; width * height];
    let share = rng.random_range(0.0..0.35);
    let inside: Vec<usize> = (0..tiles.len())
        .filter(|cell| {
            let (row, column) = (cell / width, cell % width);
            row > 0 && column > 0 && row + 1 < height && column + 1 < width
        })
        .collect();
    for &cell in &inside {
        if !rng.random_bool(share) {
            tiles[cell] = Tile::Floor;
        }
    }
    let mut put = |from: Tile, to: Tile| {
        for _ in 0..50 {
            let cell = inside[rng.random_range(0..inside.len())];
            if tiles[cell] == from {
                tiles[cell] = to;
                return;
            }
        }
    };
    for _ in 0..boxes {
        put(Tile::Floor, Tile::Box);
        put(Tile::Floor, Tile::Goal);
    }
    put(Tile::Floor, Tile::Player);
    Board::new(width, tiles).ok()
}
