//! The hardest level of a small board, against all levels there are.

use crate::searched::{searched, solved};
use anytime::Conclusion;
use puzzle::{Board, Cost, Goal, Mask, Params, Plan, Problem, Spec, Tile, Weights, verify};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// As many pushes as can be, on a board whose walls are all given.
fn problem(rows: &[String], boxes: usize, pushes: u32) -> Problem {
    let cells = rows.iter().flat_map(|row| row.chars());
    let is = |cell| Mask::Is(Tile::of_xsb(cell).expect("a tile"));
    let weights = Weights {
        pushes: 1_000_000,
        divisor: 1_000_000,
        ..Weights::default()
    };
    let spec = Spec {
        template: cells.map(is).collect(),
        boxes_min: boxes,
        boxes_max: boxes,
        weights,
        goal: Goal::Most,
        box_pushes_min: pushes,
        ..Spec::thesis(rows[0].len() - 2, rows.len() - 2)
    };
    Problem::new(spec).expect("a problem")
}

type Best = Option<(Plan, Cost)>;

fn hardest(problem: &Problem, seed: u64) -> (Conclusion, Best) {
    let found = searched(problem, &Params::default(), 10_000, seed);
    let mut found = found.expect("supported");
    let best = found.offers.pop();
    if let Some((plan, cost)) = &best {
        assert_eq!(verify(problem, plan), Ok(*cost));
    }
    (found.conclusion, best)
}

/// Fewest pushes of a board; none where it cannot be solved.
fn fewest(board: &Board) -> Option<u32> {
    let found = solved(board, 1_000_000);
    match found.conclusion {
        Conclusion::Optimal => found.cost(),
        Conclusion::Infeasible => None,
        other => panic!("{other:?}"),
    }
}

/// All sets of one or two of these cells.
fn sets(cells: &[usize], count: usize) -> Vec<Vec<usize>> {
    let pairs = || {
        cells.iter().enumerate().flat_map(|(index, &one)| {
            let rest = cells[index + 1..].iter();
            rest.map(move |&other| vec![one, other])
        })
    };
    match count {
        1 => cells.iter().map(|&cell| vec![cell]).collect(),
        _ => pairs().collect(),
    }
}

/// Most pushes of all levels on a floor, by solving each.
fn brute(rows: &[String], boxes: usize) -> u32 {
    let width = rows[0].len();
    let wall: Vec<bool> = rows
        .iter()
        .flat_map(|row| row.chars().map(|c| c == '#'))
        .collect();
    let floor: Vec<usize> = (0..wall.len()).filter(|&cell| !wall[cell]).collect();
    let mut most = 0;
    for goals in sets(&floor, boxes) {
        for starts in sets(&floor, boxes) {
            for &player in floor.iter().filter(|cell| !starts.contains(cell)) {
                let tile = |cell: usize| match (goals.contains(&cell), starts.contains(&cell)) {
                    _ if wall[cell] => Tile::Wall,
                    (true, true) => Tile::BoxOnGoal,
                    (false, true) => Tile::Box,
                    (true, false) if cell == player => Tile::PlayerOnGoal,
                    (false, false) if cell == player => Tile::Player,
                    (true, false) => Tile::Goal,
                    (false, false) => Tile::Floor,
                };
                let board = Board::new(width, (0..wall.len()).map(tile).collect());
                most = most.max(fewest(&board.expect("a board")).unwrap_or(0));
            }
        }
    }
    most
}

/// A floor that hangs together, on a board of 5 x 6.
fn floor(rng: &mut Xoshiro256PlusPlus) -> Vec<String> {
    loop {
        let tile = |row: usize, column: usize, wall: bool| {
            let is_border = row == 0 || column == 0 || row == 4 || column == 5;
            if is_border || wall { '#' } else { ' ' }
        };
        let rows: Vec<String> = (0..5)
            .map(|row| {
                (0..6)
                    .map(|column| tile(row, column, rng.random_bool(0.12)))
                    .collect()
            })
            .collect();
        let text = rows.concat();
        let Some(first) = text.find(' ') else {
            continue;
        };
        // With the player somewhere, what they cannot reach is walls.
        let mut tiles: Vec<Tile> = text.chars().filter_map(Tile::of_xsb).collect();
        tiles[first] = Tile::Player;
        let beside = text[first + 1..].find(' ').map(|at| first + 1 + at);
        let Some(pushed) = beside else { continue };
        tiles[pushed] = Tile::BoxOnGoal;
        let Ok(board) = Board::new(6, tiles) else {
            continue;
        };
        let walls = board
            .tiles()
            .iter()
            .filter(|tile| **tile == Tile::Wall)
            .count();
        if walls == text.matches('#').count() && walls <= 22 {
            return rows;
        }
    }
}

#[test]
fn the_hardest_level_is_that_of_all_levels_solved_one_by_one() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut harder = 0;
    for seed in 0..16 {
        let rows = floor(&mut rng);
        let boxes = 1 + (seed % 2) as usize;
        let most = brute(&rows, boxes);
        let (end, best) = hardest(&problem(&rows, boxes, 0), seed);
        if most == 0 {
            assert_eq!(
                (end, best),
                (Conclusion::Stopped(anytime::Stop::Exhausted), None)
            );
            continue;
        }
        assert_eq!(end, Conclusion::Optimal, "{rows:?}");
        let (_, cost) = best.expect("a level");
        assert_eq!(cost.miss_micro, -i64::from(most) * 1_000_000, "{rows:?}");
        harder += u32::from(most > 3);
    }
    assert!(harder >= 4, "{harder} boards are of any interest");
}

fn rows(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

#[test]
fn what_the_template_fixes_is_kept_in_the_hardest_level() {
    let room = rows(&[
        "########", "#@     #", "#  ##  #", "#   .  #", "#      #", "########",
    ]);
    let free = rows(&[
        "########", "#      #", "#  ##  #", "#   .  #", "#      #", "########",
    ]);
    let (end, best) = hardest(&problem(&room, 2, 1), 1);
    assert_eq!(end, Conclusion::Optimal);
    let (plan, cost) = best.expect("a level");
    let board = &plan.levels[0].board;
    assert_eq!(board.player(), 9);
    assert!(board.goals().contains(&28));
    // More freedom is never less.
    let (end, best) = hardest(&problem(&free, 2, 1), 1);
    assert_eq!(end, Conclusion::Optimal);
    assert!(best.expect("a level").1 <= cost);
}

#[test]
fn a_floor_on_which_no_box_gets_to_the_goal_is_proved_to_have_no_level() {
    let stuck = rows(&["######", "# @. #", "######"]);
    assert_eq!(
        hardest(&problem(&stuck, 1, 1), 0),
        (Conclusion::Infeasible, None)
    );
}

#[test]
fn a_search_that_is_stopped_claims_nothing() {
    let free = rows(&[
        "########", "#      #", "#  ##  #", "#      #", "#      #", "########",
    ]);
    let problem = problem(&free, 2, 1);
    let found = searched(&problem, &Params::default(), 60, 0).expect("supported");
    let stopped = Conclusion::Stopped(anytime::Stop::Iterations);
    assert_eq!(found.conclusion, stopped);
}
