//! The solver against the plain search of the judge and against brute force.

use crate::brute::{brute, random_board};
use crate::searched::solved;
use anytime::Conclusion;
use puzzle::{Board, verify_solution};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn solutions_of_small_boards_are_as_short_as_brute_force_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let (mut with, mut without) = (0, 0);
    // 500 boards that count, half of them without a solution.
    while with < 250 || without < 250 {
        let boxes = rng.random_range(1..=3);
        let Some(board) = random_board(&mut rng, boxes) else {
            continue;
        };
        let expected = brute(&board);
        let mut found = solved(&board, 1_000_000);
        let (end, last) = (found.conclusion, found.offers.pop());
        match expected {
            Some(pushes) => {
                with += 1;
                let (solution, cost) = last.expect("a solution");
                assert_eq!((end, cost), (Conclusion::Optimal, pushes), "{board}");
                assert_eq!(verify_solution(&board, &solution), Ok(pushes), "{board}");
            }
            None => {
                without += 1;
                assert_eq!((end, last), (Conclusion::Infeasible, None), "{board}");
            }
        }
    }
}

#[test]
fn large_boards_are_answered_honestly_within_their_limits() {
    let mut rows = vec!["#".repeat(64); 64];
    for (row, text) in rows.iter_mut().enumerate().take(63).skip(1) {
        let cells: Vec<char> = (0..64)
            .map(|column| match (row, column) {
                (_, 0 | 63) => '#',
                (1, 1) => '@',
                (20 | 22, column) if column % 2 == 0 && column < 34 => '$',
                (24 | 27, column) if column % 2 == 0 && column < 34 => '.',
                _ => ' ',
            })
            .collect();
        *text = cells.into_iter().collect();
    }
    let board = Board::of_rows(&rows).expect("a board");
    assert_eq!(board.boxes().len(), 32);
    let mut found = solved(&board, 400);
    assert!(found.iterations <= 400);
    let last = found.offers.pop();
    let (solution, cost) = last.expect("the greedy search reaches a solution");
    assert_eq!(verify_solution(&board, &solution), Ok(cost));
    let bound = found.bound();
    assert!(bound.is_none_or(|bound| bound <= cost));
    if found.conclusion == Conclusion::Optimal {
        assert_eq!(bound, Some(cost));
    }
}
