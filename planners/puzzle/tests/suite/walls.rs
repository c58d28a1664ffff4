//! Needless walls, and walls that are not written.

use crate::searched::{searched, solved};
use anytime::{Conclusion, Fault};
use puzzle::{
    Board, Cost, Goal, Level, Mask, Params, Plan, Problem, Spec, Symmetry, Tile, Walls, Weights,
    verify,
};

fn spec(width: usize, height: usize) -> Spec {
    Spec {
        boxes_max: 2,
        walls: Walls::Needed,
        weights: Weights::DIFFICULTY,
        ..Spec::thesis(width - 2, height - 2)
    }
}

/// A level with its solution, as the judge wants it.
fn level(problem: &Problem, rows: &[&str], lurd: &str) -> Level {
    let board = Board::of_rows(rows).expect("a board");
    let steps = lurd.chars().filter_map(puzzle::Step::of_lurd);
    let solution: Vec<_> = steps.collect();
    let features = verify::features(&board, &solution, true).expect("a solution");
    Level {
        rung: 0,
        board,
        solution,
        effort: Some(features.effort),
        value_micro: features.value_micro(&problem.spec().weights),
    }
}

fn judged(spec: &Spec, rows: &[&str], lurd: &str) -> Result<Cost, Vec<Fault>> {
    let problem = Problem::new(spec.clone()).expect("a problem");
    let level = level(&problem, rows, lurd);
    verify(
        &problem,
        &Plan {
            levels: vec![level],
        },
    )
}

const CORRIDOR: [&str; 5] = ["########", "########", "#@ $  .#", "########", "########"];

#[test]
fn a_wall_beside_a_straight_way_does_not_matter() {
    let needed = spec(8, 5);
    let broken = judged(&needed, &CORRIDOR, "rRRR").expect_err("the corridor may be a hall");
    let [wall] = &broken[..] else {
        panic!("{broken:?}");
    };
    assert_eq!(wall.code, "WALL_NEEDLESS");
    let text = "levels[0].rows[1] has a wall at column 1 that does not matter";
    assert_eq!(wall.to_string(), text);
    for walls in [Walls::Full, Walls::Outline] {
        let spec = Spec {
            walls,
            ..needed.clone()
        };
        assert!(judged(&spec, &CORRIDOR, "rRRR").is_ok());
    }
}

#[test]
fn walls_that_the_template_asks_for_need_no_other_reason() {
    let mut fixed = spec(8, 5);
    fixed.template = vec![Mask::Free; 40];
    for row in [1, 3] {
        for column in 1..7 {
            fixed.template[row * 8 + column] = Mask::Is(Tile::Wall);
        }
    }
    assert!(judged(&fixed, &CORRIDOR, "rRRR").is_ok());
}

#[test]
fn without_a_wall_that_matters_there_are_fewer_pushes_or_another_effort() {
    // An independent check: take out each inner wall by itself and solve the board again.
    for (seed, symmetry) in [
        (1, Symmetry::None),
        (2, Symmetry::None),
        (3, Symmetry::LeftRight),
        (4, Symmetry::HalfTurn),
    ] {
        let problem = Problem::new(Spec {
            symmetry,
            goal: Goal::Hit {
                easiest_micro: 5_000_000,
                hardest_micro: 5_000_000,
                tolerance_percent: 20,
            },
            ..spec(8, 7)
        })
        .expect("a problem");
        let found = searched(&problem, &Params::default(), 20_000, seed).expect("supported");
        assert_eq!(found.conclusion, Conclusion::Optimal, "{symmetry:?}");
        let offers = &found.offers;
        let level = &offers[offers.len() - 1].0.levels[0];
        let effort = level.effort.expect("solved");
        for cell in 0..level.board.tiles().len() {
            let images = problem.images(cell);
            let mut tiles = level.board.tiles().to_vec();
            for &image in &images {
                tiles[image] = Tile::Floor;
            }
            let is_more = level.board.is_wall(cell) && images[0] == cell;
            let Ok(board) = Board::new(8, tiles) else {
                continue;
            };
            if !is_more || board == level.board {
                continue;
            }
            let found = solved(&board, 50_000);
            assert_eq!(found.conclusion, Conclusion::Optimal);
            let solution = found.plan().expect("solved");
            let after = verify::features(&board, &solution.steps, true).expect("solved");
            let pushes = level.solution.iter().filter(|step| step.pushes).count();
            let is_as_hard = puzzle::plan::as_hard(effort).contains(&after.effort);
            assert!(after.pushes as usize != pushes || !is_as_hard, "{cell}");
        }
    }
}

#[test]
fn walls_that_touch_no_floor_are_not_written() {
    let board = Board::of_rows(&[
        "#########",
        "#########",
        "##@$ .###",
        "#########",
        "#########",
    ])
    .expect("a board");
    assert_eq!(
        board.outline(),
        [
            "         ",
            " ######  ",
            " #@$ .#  ",
            " ######  ",
            "         "
        ]
    );
    let again = Board::of_rows(&board.outline()).expect("a board");
    assert_eq!(again, board);
}
