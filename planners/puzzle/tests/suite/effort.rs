//! Effort: positions that every search has to open, whatever the order of ties.

use crate::searched::solved;
use puzzle::verify::features;
use puzzle::{Board, Solution, Tile};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn random_board(rng: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let side = rng.random_range(7..=8_usize);
    let mut tiles = vec![Tile::Wall; side * side];
    let inside = |at: usize| at > 0 && at + 1 < side;
    let inner: Vec<usize> = (0..tiles.len())
        .filter(|cell| inside(cell / side) && inside(cell % side))
        .collect();
    for &cell in &inner {
        if !rng.random_bool(0.2) {
            tiles[cell] = Tile::Floor;
        }
    }
    let pieces = [Tile::Box, Tile::Goal].repeat(3);
    for piece in pieces.into_iter().chain([Tile::Player]) {
        let cell = inner[rng.random_range(0..inner.len())];
        if tiles[cell] == Tile::Floor {
            tiles[cell] = piece;
        }
    }
    Board::new(side, tiles).ok()
}

/// Turned and mirrored, one of eight ways.
fn turned(board: &Board, turn: u8) -> Board {
    let side = board.width();
    let tile = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        let row = if turn & 1 == 0 { row } else { side - 1 - row };
        let column = if turn & 2 == 0 {
            column
        } else {
            side - 1 - column
        };
        let from = match turn & 4 {
            0 => row * side + column,
            _ => column * side + row,
        };
        board.tiles()[from]
    };
    Board::new(side, (0..side * side).map(tile).collect()).expect("a board")
}

fn solution(board: &Board) -> Option<Solution> {
    solved(board, 100_000).plan()
}

/// Pushes and effort.
fn counted(board: &Board) -> Option<(u32, u32)> {
    let found = features(board, &solution(board)?.steps, true).expect("it is solved");
    Some((found.pushes, found.effort)).filter(|(_, effort)| *effort > 0)
}

#[test]
fn a_board_that_is_turned_or_mirrored_takes_the_same_effort() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(26);
    let mut detours = 0;
    while detours < 20 {
        let Some(board) = random_board(&mut rng) else {
            continue;
        };
        let Some((pushes, effort)) = counted(&board) else {
            continue;
        };
        assert!(effort >= pushes, "{board}");
        detours += u32::from(effort > pushes);
        for turn in 1..8 {
            let turned = turned(&board, turn);
            assert_eq!(counted(&turned), Some((pushes, effort)), "{board}{turned}");
        }
    }
}

#[test]
fn where_the_bound_is_exact_the_effort_is_the_pushes() {
    // Two lone boxes, whose pushes can be made in any of 20 orders: none of them counts.
    let rows = [
        "########", "#@     #", "# $  . #", "#      #", "# $  . #", "#      #", "########",
    ];
    let board = Board::of_rows(&rows).expect("a board");
    assert_eq!(counted(&board), Some((6, 6)));
}
