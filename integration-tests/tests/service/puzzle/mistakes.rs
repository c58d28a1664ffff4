//! Invalid requests about puzzles: each mistake by its field, all in one answer.

use super::levels;
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::puzzles::{SMALL, make, rows, solve};
use stratagem_proto::v1::{
    GeneratePuzzleRequest, PuzzleBoard, PuzzleProblem, PuzzleSymmetry, PuzzleTarget, PuzzleWeights,
    SolvePuzzleRequest,
};
use tonic::Status;

/// Fields and reasons, as in `problem.width OUT_OF_RANGE`.
fn named_mistakes(status: &Status) -> Vec<String> {
    let list = mistakes(status).into_iter();
    list.map(|(field, why)| format!("{field} {why}")).collect()
}

/// A way to spoil a problem, and what is to be said about it.
type Case = (fn(&mut PuzzleProblem), &'static [&'static str]);

const CASES: [Case; 9] = [
    (
        |problem| (problem.width, problem.height) = (Some(2), Some(65)),
        &["problem.width OUT_OF_RANGE", "problem.height OUT_OF_RANGE"],
    ),
    (
        |problem| (problem.width, problem.height) = (None, None),
        &["problem.width REQUIRED", "problem.height REQUIRED"],
    ),
    (
        |problem| (problem.min_boxes, problem.max_boxes) = (Some(26), Some(32)),
        &["problem.min_boxes NO_ROOM"],
    ),
    (
        |problem| (problem.min_boxes, problem.max_boxes) = (Some(4), Some(2)),
        &["problem.max_boxes REVERSED"],
    ),
    (
        |problem| problem.template_rows = vec!["#######".into(); 7],
        &["problem.template_rows NO_FLOOR"],
    ),
    (
        |problem| {
            problem.template_rows = vec!["#?????#".into(); 7];
            problem.template_rows[0] = "##  ###".into();
            problem.template_rows[2] = "#?@@??#".into();
        },
        &[
            "problem.template_rows[0] BORDER_OPEN",
            "problem.template_rows[0] BORDER_OPEN",
            "problem.template_rows[2] SECOND_PLAYER",
        ],
    ),
    (
        |problem| {
            problem.template_rows = vec!["?????x?".into(), "????????".into()];
            problem.template_rows.extend(vec![String::new(); 5]);
        },
        &[
            "problem.template_rows[0] CHARACTER_UNKNOWN",
            "problem.template_rows[1] TOO_LONG",
        ],
    ),
    (
        |problem| {
            problem.symmetry = PuzzleSymmetry::QuarterTurn.into();
            problem.height = Some(8);
            problem.weights = Some(PuzzleWeights::default());
            problem.target = Some(PuzzleTarget::default());
        },
        &[
            "problem.target REQUIRED",
            "problem.weights ALL_ZERO",
            "problem.symmetry CONTRADICTION",
        ],
    ),
    (
        |problem| {
            let mut open = rows(&SMALL);
            open[4] = "####  ##".into();
            problem.avoided = vec![
                PuzzleBoard { rows: rows(&SMALL) },
                PuzzleBoard { rows: open },
            ];
        },
        &["problem.avoided[1].rows[4] BORDER_OPEN"; 2],
    ),
];

#[tokio::test]
async fn every_mistake_is_told_by_its_field() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    for (spoil, wanted) in CASES {
        let mut problem = levels(7, 2);
        spoil(&mut problem);
        let call = client.generate_puzzle(make(problem.clone(), iterations(100, 0)));
        let unary = wait_for("a refusal", call).await.unwrap_err();
        let call = client.stream_generate_puzzle(make(problem, iterations(100, 0)));
        let streamed = wait_for("a refusal", call).await.unwrap_err();
        for status in [unary, streamed] {
            assert_eq!(named_mistakes(&status), wanted, "{}", status.message());
        }
    }
    // And after all that, it still works.
    let call = client.generate_puzzle(make(levels(7, 2), iterations(100, 0)));
    wait_for("levels", call).await.unwrap();
}

/// A board in which one row is another, and what is to be said about it.
const BOARDS: [(usize, &str, &str); 7] = [
    (1, "#  $  .#", "problem.rows NO_PLAYER"),
    (2, "# $@ . #", "problem.rows[2] SECOND_PLAYER"),
    (3, "#     ", "problem.rows[3] BORDER_OPEN"),
    (2, "#    . #", "problem.rows UNEQUAL_GOALS"),
    (2, "# $    #", "problem.rows UNEQUAL_GOALS"),
    (2, "# $ x. #", "problem.rows[2] CHARACTER_UNKNOWN"),
    (0, "", "problem.rows[0] BORDER_OPEN"),
];

#[tokio::test]
async fn every_mistake_in_a_board_has_a_reason_and_a_place() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    for (row, other, wanted) in BOARDS {
        let mut board = SMALL;
        board[row] = other;
        let request = solve(&board, "", iterations(1_000, 0));
        let call = client.solve_puzzle(request.clone());
        let unary = wait_for("a refusal", call).await.unwrap_err();
        let call = client.stream_solve_puzzle(request);
        let streamed = wait_for("a refusal", call).await.unwrap_err();
        for status in [unary, streamed] {
            let found = named_mistakes(&status);
            assert!(
                !found.is_empty() && found.iter().all(|one| one == wanted),
                "{found:?} for {wanted}"
            );
        }
    }
}

#[tokio::test]
async fn walled_off_goals_large_boards_and_steps_that_cannot_be_made() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    let mut wrong = async |request: SolvePuzzleRequest| {
        let call = client.solve_puzzle(request);
        named_mistakes(&wait_for("a refusal", call).await.unwrap_err())
    };
    let apart = ["#########", "#@$ #  .#", "#########"];
    let request = solve(&apart, "", iterations(10, 0));
    assert_eq!(wrong(request).await, ["problem.rows[1] WALLED_OFF"]);
    let wide = SolvePuzzleRequest {
        problem: Some(PuzzleBoard {
            rows: vec!["#".repeat(65); 3],
        }),
        ..Default::default()
    };
    assert_eq!(wrong(wide).await, ["problem.rows TOO_MANY"]);
    let empty = SolvePuzzleRequest::default();
    assert_eq!(wrong(empty).await, ["problem REQUIRED"]);
    for (played, wanted) in [
        ("rrr", "played_moves STEP_IMPOSSIBLE"),
        ("rR!", "played_moves CHARACTER_UNKNOWN"),
        (&"lr".repeat(50_001), "played_moves TOO_LONG"),
    ] {
        let request = solve(&SMALL, played, iterations(10, 0));
        assert_eq!(wrong(request).await, [wanted], "{played:.9}");
    }
}

#[tokio::test]
async fn an_empty_request_lacks_its_problem() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    let call = client.generate_puzzle(GeneratePuzzleRequest::default());
    let status = wait_for("a refusal", call).await.unwrap_err();
    assert_eq!(named_mistakes(&status), ["problem REQUIRED"]);
}
