//! Reasons: code, field, words, subject and shortfall of each.

use crate::judge::steps;
use anytime::{Conclusion, Reason, Stop, Unnamed};
use puzzle::explain::{shortfalls, unsolved};
use puzzle::{Board, Game, Goal, Level, Loss, Plan, Problem, Solution, Spec, Weights};

const STOPPED: Conclusion = Conclusion::Stopped(Stop::Iterations);

fn problem(goal: Goal) -> Problem {
    let spec = Spec {
        goal,
        levels: 3,
        weights: Weights::SCORE,
        difference_min_percent: 10,
        ..Spec::thesis(5, 4)
    };
    Problem::new(spec).expect("a problem")
}

fn ladder() -> Goal {
    Goal::Hit {
        easiest_micro: 1_000_000,
        hardest_micro: 3_000_000,
        tolerance_percent: 0,
    }
}

fn level(rung: usize, value_micro: i64) -> Level {
    Level {
        rung,
        board: Board::of_rows(&["######", "#@$ .#", "######"]).expect("a board"),
        solution: steps("RR"),
        effort: None,
        value_micro,
    }
}

/// Code, field and words.
fn words(reason: &Reason) -> (&'static str, String, String) {
    let fault = &reason.fault;
    (fault.code, fault.field(), fault.text(&Unnamed))
}

fn expected(code: &'static str, field: &str, text: &str) -> (&'static str, String, String) {
    (code, field.to_owned(), text.to_owned())
}

#[test]
fn a_missing_level_is_explained_by_the_nearest_ones() {
    let levels = vec![level(0, 1_000_000), level(2, 3_000_000)];
    let reasons = shortfalls(&problem(ladder()), &Plan { levels });
    let text = "no level was found for rung 1, which is to be worth 2, between the 1 and 3 of the \
                nearest levels found, and to differ from each other level in 10 % of its cells";
    assert_eq!(reasons.len(), 1);
    assert_eq!(
        words(&reasons[0]),
        expected("LEVEL_MISSING", "level_count", text)
    );
    assert_eq!(reasons[0].subject, Some(("rung", 1)));
    assert_eq!((reasons[0].shortfall, reasons[0].is_proved), (None, false));
    let reasons = shortfalls(&problem(Goal::Most), &Plan::default());
    let texts: Vec<_> = reasons.iter().map(words).collect();
    let missing = |rung: usize| format!("no level was found for rung {rung}");
    let wanted = [0, 1, 2].map(|rung| expected("LEVEL_MISSING", "level_count", &missing(rung)));
    assert_eq!(texts, wanted);
}

#[test]
fn the_nearest_level_may_be_two_rungs_away() {
    for (found, missing, bound) in [
        (
            level(0, 1_000_000),
            [1, 2],
            "more than the 1 of the nearest level below",
        ),
        (
            level(2, 3_000_000),
            [0, 1],
            "less than the 3 of the nearest level above",
        ),
    ] {
        let levels = vec![found];
        let reasons = shortfalls(&problem(ladder()), &Plan { levels });
        let texts: Vec<_> = reasons.iter().map(words).collect();
        let wanted = missing.map(|rung| {
            let text = format!(
                "no level was found for rung {rung}, which is to be worth {}, {bound}, and to \
                 differ from each other level in 10 % of its cells",
                rung + 1
            );
            expected("LEVEL_MISSING", "level_count", &text)
        });
        assert_eq!(texts, wanted);
    }
}

#[test]
fn a_missed_value_has_its_shortfall() {
    let levels = vec![
        level(0, 1_000_000),
        level(1, 1_500_000),
        level(2, 3_000_000),
    ];
    let reasons = shortfalls(&problem(ladder()), &Plan { levels });
    let text = "the level of rung 1 is worth 1.5, 2 is wanted";
    assert_eq!(reasons.len(), 1);
    assert_eq!(words(&reasons[0]), expected("VALUE_MISSED", "target", text));
    assert_eq!(reasons[0].subject, Some(("rung", 1)));
    assert_eq!(reasons[0].shortfall, Some((0.5, "value")));
    let levels = vec![level(0, 0), level(1, 0), level(2, 0)];
    let reasons = shortfalls(&problem(Goal::Most), &Plan { levels });
    assert_eq!(reasons, []);
}

/// One box with a goal two cells to its right, after these steps.
fn played(lurd: &str) -> Game {
    let rows = ["#######", "#     #", "#@$ . #", "#     #", "#######"];
    let board = Board::of_rows(&rows).expect("a board");
    Game::played(&board, &steps(lurd)).expect("steps that can be made")
}

#[test]
fn a_lost_game_names_the_push_and_the_deadlock() {
    let game = played("RRR");
    let solution = Solution { steps: steps("R") };
    let lost = |solved_after| Loss {
        lost_after: 3,
        solved_after,
    };
    let push = "push 3, of the box at row 2, column 4 right, lost the board";
    for (loss, more, is_proved) in [
        (
            lost(Some((2, solution.clone()))),
            ": before it a solution exists",
            true,
        ),
        (
            lost(Some((0, solution))),
            ", or one of pushes 1 to 2 did: before push 1 a solution exists",
            false,
        ),
        (
            lost(None),
            ", or it was lost before: limits ended the search",
            false,
        ),
    ] {
        let reasons = unsolved(&game, Some(&loss), Conclusion::Infeasible, 0);
        assert_eq!(reasons.len(), 2);
        let text = format!("{push}{more}");
        assert_eq!(
            words(&reasons[0]),
            expected("PUSH_LOST", "played_moves", &text)
        );
        assert_eq!(reasons[0].is_proved, is_proved);
        let (code, field, _) = words(&reasons[1]);
        assert_eq!((code, &*field), ("DEAD_CELL", "rows[2]"));
    }
    let from_the_start = Loss {
        lost_after: 0,
        solved_after: None,
    };
    let reasons = unsolved(&game, Some(&from_the_start), Conclusion::Infeasible, 0);
    let text = "the board had no solution before the first push";
    assert_eq!(words(&reasons[0]), expected("NEVER_SOLVABLE", "rows", text));
}

#[test]
fn without_a_deadlock_the_end_of_the_search_is_the_reason() {
    let game = played("");
    let reasons = unsolved(&game, None, Conclusion::Infeasible, 2);
    let text = "all positions that pushes lead to were searched, none of them is solved";
    assert_eq!(reasons.len(), 1);
    assert_eq!(words(&reasons[0]), expected("EXHAUSTED", "", text));
    assert!(reasons[0].is_proved);
    let reasons = unsolved(&game, None, STOPPED, 2);
    let text = "a limit of time, iterations or memory ended the search; every solution has at \
                least 2 pushes";
    assert_eq!(reasons.len(), 1);
    assert_eq!(words(&reasons[0]), expected("SEARCH_STOPPED", "", text));
    assert!(!reasons[0].is_proved);
}
