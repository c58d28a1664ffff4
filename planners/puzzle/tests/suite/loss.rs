//! The push that lost a game.

use crate::brute;
use crate::judge::steps;
use anytime::Pulse;
use puzzle::{Board, Direction, Game, Loss, LossLimits, Step, loss, verify_loss};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn lost(rows: &[&str], lurd: &str) -> Option<Loss> {
    let board = Board::of_rows(rows).expect("a board");
    let game = Game::played(&board, &steps(lurd)).expect("legal steps");
    loss(&game, LossLimits::default(), &mut || true)
}

/// A game of random steps, pushes preferred.
fn random_game(board: &Board, rng: &mut Xoshiro256PlusPlus) -> (Game, Vec<Step>) {
    let mut played: Vec<Step> = Vec::new();
    let mut game = Game::from(board.clone());
    for _ in 0..rng.random_range(1..40) {
        let direction = Direction::ALL[rng.random_range(0..4)];
        for pushes in [true, false] {
            played.push(Step { direction, pushes });
            match Game::played(board, &played) {
                Ok(next) => {
                    game = next;
                    break;
                }
                Err(index) => {
                    assert_eq!(index, played.len() - 1);
                    played.pop();
                }
            }
        }
    }
    (game, played)
}

#[test]
fn the_push_to_the_wall_lost_it_and_not_those_before_and_after() {
    let rows = ["#######", "#     #", "#@$  .#", "#     #", "#######"];
    // To the right, down to the wall, along the wall.
    let found = lost(&rows, "RurDldR").expect("it is lost");
    assert_eq!((found.lost_after, found.is_first()), (2, true));
    let (count, solution) = found.solved_after.expect("it was solvable");
    assert_eq!((count, solution.pushes()), (1, 2));
}

#[test]
fn a_game_that_is_not_lost_has_no_loss() {
    let rows = ["#######", "#@ $ .#", "#######"];
    assert_eq!(lost(&rows, "rR"), None);
    assert_eq!(lost(&rows, ""), None);
}

#[test]
fn positions_of_a_game_are_those_that_were_played() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut looked = 0;
    while looked < 500 {
        let Some(board) = brute::random_board(&mut rng, 2) else {
            continue;
        };
        let (game, played) = random_game(&board, &mut rng);
        let pushes = played.iter().enumerate().filter(|(_, step)| step.pushes);
        for (count, (index, _)) in pushes.enumerate() {
            let before = Game::played(&board, &played[..index]).expect("it was played");
            assert_eq!(&game.after(count), before.board());
            looked += 1;
        }
        assert_eq!(&game.after(game.pushes().len()), game.board());
    }
}

#[test]
fn the_push_that_lost_it_is_that_of_brute_force() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut by_a_push, mut from_the_start, mut not_lost) = (0, 0, 0);
    while by_a_push < 150 || from_the_start < 20 || not_lost < 50 {
        let boxes = rng.random_range(1..4);
        let Some(board) = brute::random_board(&mut rng, boxes) else {
            continue;
        };
        let (game, _) = random_game(&board, &mut rng);
        let made = game.pushes().len();
        if made == 0 {
            continue;
        }
        let is_solvable = |count: &usize| brute::brute(&game.after(*count)).is_some();
        let first = (0..=made).find(|count| !is_solvable(count));
        let found = loss(&game, LossLimits::default(), &mut || true);
        assert_eq!(
            found.as_ref().map(|found| found.lost_after),
            first,
            "{board}"
        );
        let Some(found) = found else {
            not_lost += 1;
            continue;
        };
        assert!(found.is_first(), "small boards are decided");
        assert_eq!(verify_loss(&game, &found, &Pulse::unbounded()), Ok(true));
        match found.solved_after {
            Some((count, _)) => {
                assert_eq!(count + 1, found.lost_after);
                by_a_push += 1;
            }
            None => {
                assert_eq!(found.lost_after, 0);
                from_the_start += 1;
            }
        }
    }
}

#[test]
fn a_stopped_search_names_no_push() {
    let rows = ["######", "#    #", "#@$ .#", "#    #", "######"];
    let board = Board::of_rows(&rows).expect("a board");
    let game = Game::played(&board, &steps("urDldR")).expect("legal");
    let full = loss(&game, LossLimits::default(), &mut || true).expect("it is lost");
    let mut asked = 0;
    let never = loss(&game, LossLimits::default(), &mut || false);
    assert_eq!(never, None);
    // Stopped after each number of looks: nothing, or the same.
    for looks in 0..20 {
        asked = 0;
        let found = loss(&game, LossLimits::default(), &mut || {
            asked += 1;
            asked <= looks
        });
        assert!(found.is_none() || found.as_ref() == Some(&full));
    }
    assert!(asked > 0);
}

#[test]
fn false_losses_are_refused() {
    let rows = ["#######", "#@$ . #", "#     #", "#######"];
    let board = Board::of_rows(&rows).expect("a board");
    let game = Game::played(&board, &steps("RRR")).expect("legal");
    let of = |lost_after, solved: usize, lurd: &str| {
        let solution = puzzle::Solution { steps: steps(lurd) };
        let solved_after = Some((solved, solution));
        let loss = Loss {
            lost_after,
            solved_after,
        };
        let checked = verify_loss(&game, &loss, &Pulse::unbounded());
        checked.map_err(|fault| (fault.code, fault.to_string()))
    };
    let refused = |code, text: &str| Err((code, text.to_owned()));
    assert_eq!(of(3, 1, "R"), Ok(true));
    // A solution that ends early, or runs into the wall.
    let text = "solution_before.lurd leaves 1 goals without a box";
    assert_eq!(of(3, 0, "R"), refused("NOT_SOLVED", text));
    let text = "solution_before.lurd has 'R' as letter 3, which cannot be done there";
    assert_eq!(of(3, 0, "RRRR"), refused("STEP_IMPOSSIBLE", text));
    // Solved by then.
    let text = "push_index is that of push 2, after which a solution exists";
    assert_eq!(of(2, 1, "R"), refused("CONTRADICTION", text));
    let text = "solvable_push_count is 1, not before push 1 that lost the board";
    assert_eq!(of(1, 1, "R"), refused("REVERSED", text));
    let text = "push_index is that of push 4 of 3";
    assert_eq!(of(4, 1, "R"), refused("OUT_OF_RANGE", text));
}

#[test]
fn limits_leave_a_gap_and_never_name_a_wrong_push() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let (mut gaps, mut nothing, mut first_ones) = (0, 0, 0);
    while gaps < 50 || nothing < 20 || first_ones < 50 {
        let Some(board) = brute::random_board(&mut rng, 2) else {
            continue;
        };
        let (game, _) = random_game(&board, &mut rng);
        let is_solvable = |count: &usize| brute::brute(&game.after(*count)).is_some();
        let first = (0..=game.pushes().len()).find(|count| !is_solvable(count));
        let limits = LossLimits {
            opened_each_max: rng.random_range(1..6),
            opened_max: rng.random_range(1..30),
        };
        match (loss(&game, limits, &mut || true), first) {
            (Some(found), Some(first)) => {
                assert!(first <= found.lost_after, "{board}");
                let solved = found.solved_after.as_ref().map(|(count, _)| *count);
                assert!(solved.is_none_or(|count| count < first), "{board}");
                assert_eq!(verify_loss(&game, &found, &Pulse::unbounded()), Ok(true));
                if found.is_first() {
                    assert_eq!(found.lost_after, first);
                    first_ones += 1;
                } else {
                    gaps += 1;
                }
            }
            (Some(_), None) => panic!("a game that can be solved is not lost: {board}"),
            (None, _) => nothing += 1,
        }
    }
}
