//! How long the judge takes at its limit of work.

use super::used;
use anytime::{Control, Limits};
use puzzle::{Board, Solution, solve_board};

/// An open board with two rows of boxes above as many goals.
fn hall(side: usize, boxes: usize) -> Board {
    let tile = |row: usize, column: usize| {
        let is_border = row == 0 || column == 0 || row + 1 == side || column + 1 == side;
        let is_post = column.is_multiple_of(2) && column / 2 >= 1 && column / 2 <= boxes / 2;
        match row {
            _ if is_border => '#',
            1 if column == 1 => '@',
            3 | 5 if is_post => '$',
            8 | 11 if is_post => '.',
            _ => ' ',
        }
    };
    let rows: Vec<String> = (0..side)
        .map(|row| (0..side).map(|column| tile(row, column)).collect())
        .collect();
    Board::of_rows(&rows).expect("a board")
}

/// How long the judge takes at its limit of work.
pub(super) fn judge() {
    println!("\nThe judge's own search, up to its limit\n");
    println!("| board | boxes | positions at most | seconds |");
    println!("|---|---|---|---|");
    for (side, boxes) in [(14, 4), (16, 8), (26, 20), (40, 32), (64, 32)] {
        let board = hall(side, boxes);
        let mut last = None;
        let mut sink = |plan: &Solution, _: u32| last = Some(plan.clone());
        let mut control = Control::new(Limits::iterations(20_000), 0, &mut sink);
        solve_board(&board, &mut control).expect("supported");
        let solution = last.expect("a solution");
        let start = used();
        puzzle::verify::features(&board, &solution.steps, true).expect("it is one");
        println!(
            "| {side}x{side} | {boxes} | {} | {:.3} |",
            puzzle::plan::effort_max(side * side, boxes),
            used() - start,
        );
    }
}
