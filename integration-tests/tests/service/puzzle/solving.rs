//! Boards that somebody brings: solved with fewest pushes, from any state.

use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::puzzles::{Play, SMALL, STUCK, solve};
use stratagem_proto::v1::{
    PuzzleDirection, SolvePuzzleRequest, SolvePuzzleResponse, SolveReport, SolveStatus, StopReason,
};

async fn ask(server: &Server, request: SolvePuzzleRequest) -> SolvePuzzleResponse {
    let mut client = server.puzzle().await;
    let call = client.solve_puzzle(request);
    wait_for("a solution", call).await.unwrap().into_inner()
}

fn report(answer: &SolvePuzzleResponse) -> &SolveReport {
    answer.report.as_ref().expect("reports are always there")
}

#[tokio::test]
async fn a_board_is_solved_with_fewest_pushes_which_is_proved() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, solve(&SMALL, "", budget(20_000))).await;
    let solution = answer.plan.as_ref().expect("it can be solved");
    let mut play = Play::new(&SMALL);
    play.steps(&solution.lurd);
    assert!(play.is_solved());
    assert_eq!(
        (solution.push_count, solution.move_count),
        (play.pushes, play.moves)
    );
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    // Three columns for the one box, three for the other; rows are the same.
    assert_eq!(report.objective.as_ref().unwrap().levels, [6.0]);
    assert_eq!(report.bound.as_ref().unwrap().levels, [6.0]);
    assert_eq!(report.bound.as_ref().unwrap().method, "a_star");
    assert_eq!(report.gap, Some(0.0));
}

#[tokio::test]
async fn who_follows_the_hints_solves_the_board() {
    let server = Server::start(&[]).await;
    let mut play = Play::new(&SMALL);
    let mut played = String::new();
    let mut left = 6;
    while !play.is_solved() {
        let answer = ask(&server, solve(&SMALL, &played, budget(20_000))).await;
        assert_eq!(answer.plan.as_ref().unwrap().push_count, left);
        let hint = answer.hint.expect("something is left to do");
        let (row, column) = (hint.row as usize, hint.column as usize);
        let cell = play.rows()[row].chars().nth(column).unwrap();
        assert!("$*".contains(cell), "no box at row {row}, column {column}");
        let last = hint.lurd.chars().last().unwrap();
        let wanted = match last {
            'L' => PuzzleDirection::Left,
            'U' => PuzzleDirection::Up,
            'R' => PuzzleDirection::Right,
            'D' => PuzzleDirection::Down,
            other => panic!("{other} is no push"),
        };
        assert_eq!(hint.direction(), wanted);
        play.steps(&hint.lurd);
        played += &hint.lurd;
        left -= 1;
        // A state is a board, too.
        let rows = play.rows();
        let board: Vec<&str> = rows.iter().map(String::as_str).collect();
        let from_here = ask(&server, solve(&board, "", budget(20_000))).await;
        assert_eq!(from_here.plan.unwrap().push_count, left);
    }
    let answer = ask(&server, solve(&SMALL, &played, budget(20_000))).await;
    assert_eq!(answer.plan.unwrap().lurd, "");
    assert_eq!(answer.hint, None, "nothing is left to do");
}

#[tokio::test]
async fn a_board_that_cannot_be_solved_is_infeasible() {
    let server = Server::start(&[]).await;
    // From the start on, or after a push too many.
    for (board, played) in [(&STUCK[..], ""), (&SMALL[..], "ddrrruuLL")] {
        let answer = ask(&server, solve(board, played, budget(20_000))).await;
        let report = report(&answer);
        assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
        assert_eq!(report.stop_reason(), StopReason::Proved);
        assert!(answer.plan.is_none() && answer.hint.is_none());
        let summary = &report.explanation.as_ref().unwrap().summary;
        assert_eq!(summary, "The board cannot be solved.");
    }
}

#[tokio::test]
async fn the_push_that_lost_a_board_is_named() {
    let server = Server::start(&[]).await;
    let board = ["#######", "#     #", "#@$  .#", "#     #", "#######"];
    // To the right, down to the wall, along the wall.
    let answer = ask(&server, solve(&board, "RurDldR", budget(20_000))).await;
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    let reason = &report.explanation.as_ref().unwrap().reasons[0];
    assert_eq!((&*reason.code, reason.proved), ("PUSH_LOST", true));
    let loss = answer.loss.expect("a push lost it");
    assert_eq!((loss.push_index, loss.row, loss.column), (1, 2, 3));
    assert_eq!(loss.direction(), PuzzleDirection::Down);
    assert_eq!(loss.solvable_push_count, Some(1));
    // From before that push it can be solved as the answer says.
    let mut play = Play::new(&board);
    play.steps("Rur");
    play.steps(&loss.solution_before.unwrap().lurd);
    assert!(play.is_solved());
    // Walks do not matter to the cache, pushes do.
    let other = ask(&server, solve(&board, "RurlrDldR", budget(20_000))).await;
    assert_eq!(other.loss.map(|loss| loss.push_index), Some(1));
    let rows = play_after(&board, "RurDldR");
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(
        ask(&server, solve(&rows, "", budget(20_000))).await.loss,
        None
    );
    // From the start on it could not be solved.
    let stuck = ["######", "#$   #", "#@$. #", "# .  #", "######"];
    let answer = ask(&server, solve(&stuck, "R", budget(20_000))).await;
    assert_eq!(answer.loss, None);
    let explanation = answer.report.unwrap().explanation.unwrap();
    assert_eq!(explanation.reasons[0].code, "NEVER_SOLVABLE");
}

fn play_after(board: &[&str], lurd: &str) -> Vec<String> {
    let mut play = Play::new(board);
    play.steps(lurd);
    play.rows()
}

#[tokio::test]
async fn without_the_time_to_tell_nothing_is_claimed() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, solve(&SMALL, "", iterations(1, 0))).await;
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Unknown, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::IterationLimit);
    assert!(answer.plan.is_none());
}

#[tokio::test]
async fn a_stream_of_solutions_ends_with_the_best() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    let call = client.stream_solve_puzzle(solve(&SMALL, "", budget(20_000)));
    let mut stream = call.await.unwrap().into_inner();
    let mut pushes = Vec::new();
    let mut last = None;
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        if let Some(solution) = &step.plan {
            let mut play = Play::new(&SMALL);
            play.steps(&solution.lurd);
            assert!(play.is_solved() && step.hint.is_some());
            pushes.push(solution.push_count);
        }
        last = Some(step);
    }
    let report = last.unwrap().report.expect("the last one has the report");
    assert_eq!(report.status(), SolveStatus::Optimal);
    assert_eq!(pushes.last(), Some(&6));
    // The last one comes twice: when it is found, and at the end.
    assert!(pushes.windows(2).all(|two| two[1] <= two[0]), "{pushes:?}");
}
