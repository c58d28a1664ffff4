//! The hardest level of a given floor, with proof.

use super::{run, spec};
use puzzle::{Mask, Problem, Spec, Strategy, Tile, Weights};

/// Open halls, and halls with a post in the middle.
pub(super) fn hardest() {
    println!("\nThe hardest level of a given floor, one thread\n");
    println!("| board | boxes | goals | end | pushes | iterations | seconds |");
    println!("|---|---|---|---|---|---|---|");
    for (side, boxes, goals) in [
        (5, 2, 0),
        (6, 2, 0),
        (7, 2, 0),
        (8, 2, 0),
        (6, 3, 0),
        (8, 3, 3),
        (8, 4, 4),
    ] {
        let is_inside = |cell: usize| {
            let (row, column) = (cell / side, cell % side);
            row > 0 && column > 0 && row + 1 < side && column + 1 < side
        };
        let tile = |cell: usize| {
            let first = side + 1;
            match is_inside(cell) && cell != side * (side / 2) + side / 2 {
                true if cell >= first && cell < first + goals => Tile::Goal,
                true => Tile::Floor,
                false => Tile::Wall,
            }
        };
        let problem = Problem::new(Spec {
            template: (0..side * side).map(|cell| Mask::Is(tile(cell))).collect(),
            weights: Weights {
                pushes: 1_000_000,
                divisor: 1_000_000,
                ..Weights::default()
            },
            box_pushes_min: 1,
            ..spec(side, boxes)
        });
        let run = run(&problem.expect("a problem"), Strategy::Auto, 0, 60);
        let pushes = run.best.map_or(0, |(_, cost)| -cost.miss_micro / 1_000_000);
        println!(
            "| {side}x{side} | {boxes} | {} | {:?} | {pushes} | {} | {:.3} |",
            ["any", "given"][usize::from(goals > 0)],
            run.end,
            run.iterations,
            run.seconds,
        );
    }
}
