//! Boards of callers: solutions, hints, and what players find hard.

use super::*;

#[tokio::test]
async fn boards_are_solved_proved_unsolvable_or_left_open() {
    let caller = Caller::new(settings()).await;
    // Three columns for the one box, three for the other; rows are the same.
    check_answer(
        &caller,
        "SolvePuzzle",
        solve(&BOARD, ""),
        r#"
        plan.push_count = 6
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.objective.levels = [6]
        report.bound.levels = [6]
        report.bound.method = "a_star"
        report.gap = 0
    "#,
    )
    .await;
    let stuck = ["######", "#$  .#", "#    #", "#   @#", "######"];
    for request in [solve(&stuck, ""), solve(&BOARD, "ddrrruuLL")] {
        check_answer(
            &caller,
            "SolvePuzzle",
            request,
            r#"
            plan = null
            hint = null
            report.status = "SOLVE_STATUS_INFEASIBLE"
            report.stop_reason = "STOP_REASON_PROVED"
            report.explanation.summary = "The board cannot be solved."
        "#,
        )
        .await;
    }
    let soon = replaced(solve(&BOARD, ""), "/options", limited_to(1));
    check_answer(
        &caller,
        "SolvePuzzle",
        soon,
        r#"
        plan = null
        report.status = "SOLVE_STATUS_UNKNOWN"
        report.stop_reason = "STOP_REASON_ITERATION_LIMIT"
    "#,
    )
    .await;
}

#[tokio::test]
async fn following_the_hints_solves_the_board() {
    let caller = Caller::new(settings()).await;
    let (mut played, mut left) = (String::new(), 6);
    while left > 0 {
        let answer = caller.answer("SolvePuzzle", &solve(&BOARD, &played)).await;
        assert_eq!(answer["plan"]["push_count"], left);
        let hint = &answer["hint"];
        let lurd = hint["lurd"].as_str().unwrap();
        let direction = match lurd.chars().last().unwrap() {
            'L' => "LEFT",
            'U' => "UP",
            'R' => "RIGHT",
            'D' => "DOWN",
            other => panic!("{other} is no push"),
        };
        assert_eq!(hint["direction"], format!("PUZZLE_DIRECTION_{direction}"));
        played += lurd;
        left -= 1;
    }
    check_answer(
        &caller,
        "SolvePuzzle",
        solve(&BOARD, &played),
        "plan.lurd = null\nhint = null",
    )
    .await;
}

#[tokio::test]
async fn the_push_that_lost_a_board_is_named() {
    let caller = Caller::new(settings()).await;
    let board = ["#######", "#     #", "#@$  .#", "#     #", "#######"];
    // To the right, down to the wall, along the wall; walks between do not matter.
    for played in ["RurDldR", "RurlrDldR"] {
        check_answer(
            &caller,
            "SolvePuzzle",
            solve(&board, played),
            r#"
            report.status = "SOLVE_STATUS_INFEASIBLE"
            report.explanation.reasons[0].code = "PUSH_LOST"
            report.explanation.reasons[0].proved = true
            loss.push_index = 1
            loss.row = 2
            loss.column = 3
            loss.direction = "PUZZLE_DIRECTION_DOWN"
            loss.solvable_push_count = 1
        "#,
        )
        .await;
    }
    let never = ["######", "#$   #", "#@$. #", "# .  #", "######"];
    check_answer(
        &caller,
        "SolvePuzzle",
        solve(&never, "R"),
        r#"
        loss = null
        report.explanation.reasons[0].code = "NEVER_SOLVABLE"
    "#,
    )
    .await;
}

/// A board of one box and one goal, the farther apart the longer it takes.
fn corridor(id: &str, pushes: usize) -> Value {
    let middle = format!("#@${}.#", " ".repeat(pushes - 1));
    let wall = "#".repeat(middle.len());
    json!({"id": id, "rows": [wall, middle, wall]})
}

fn harder(harder: &str, easier: &str) -> Value {
    json!({"harder_id": harder, "easier_id": easier})
}

#[tokio::test]
async fn players_rate_levels_and_weights_follow() {
    let caller = Caller::new(settings()).await;
    let ids = ["a", "b", "c", "d"];
    let pushes = [2, 5, 9, 14];
    let given: Vec<_> = ids
        .iter()
        .zip(pushes)
        .map(|(id, pushes)| corridor(id, pushes))
        .collect();
    let pairs = (0..4).flat_map(|one| (0..one).map(move |other| harder(ids[one], ids[other])));
    let request = json!({"levels": given, "comparisons": pairs.collect::<Vec<_>>()});
    let rated = check_answer(
        &caller,
        "RatePuzzles",
        request.clone(),
        r#"
        levels[*].id = ["a", "b", "c", "d"]
        levels[*].rating.comparison_count = [3, 3, 3, 3]
        levels[*].features.pushes = [2, 5, 9, 14]
    "#,
    )
    .await;
    let means = crate::answers::value_at(&rated, "levels[*].rating.mean");
    let means = means
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_f64().unwrap());
    assert!(means.is_sorted_by(|one, next| one < next));
    assert!(rated["fit"]["pearson"].as_f64().unwrap() > 0.9);
    let correlation = |name: &str| {
        let mut all = rated["correlations"].as_array().unwrap().iter();
        all.find(|it| it["feature"] == name).unwrap()["pearson"].as_f64()
    };
    assert!(correlation("pushes").unwrap() > 0.9);
    assert_eq!(correlation("boxes"), None, "all have one");
    // As they are, weights can be asked for.
    let problem = replaced(levels(7, 2), "/weights", rated["fit"]["weights"].clone());
    caller
        .answer("GeneratePuzzle", &generate(&problem, 1_000))
        .await;
    check_mistakes(&caller, "RatePuzzles", &request, r##########"
        levels/3/id = "a" => levels[3].id DUPLICATE, comparisons[3].harder_id UNKNOWN, comparisons[4].harder_id UNKNOWN, comparisons[5].harder_id UNKNOWN
        comparisons/0/easier_id = "z" => comparisons[0].easier_id UNKNOWN
        comparisons/0/easier_id = "b" => comparisons[0].easier_id CONTRADICTION
        comparisons/0/harder_id = "" => comparisons[0].harder_id REQUIRED
        levels/3/rows = ["######", "#$  .#", "#    #", "#   @#", "######"] => levels[3].solution UNSOLVABLE
        levels/3/solution = "R" => levels[3].solution NOT_SOLVED
    "##########).await;
}

#[tokio::test]
async fn draws_count() {
    let caller = Caller::new(settings()).await;
    let alike: Vec<_> = ["a", "b", "c"].iter().map(|id| corridor(id, 3)).collect();
    let draw = json!({"harder_id": "b", "easier_id": "c", "draw": true});
    let answers = json!([harder("b", "a"), draw, harder("c", "a")]);
    let request = json!({"levels": alike, "comparisons": answers});
    let rated = check_answer(&caller, "RatePuzzles", request, "fit = null").await;
    let mean = |index: usize| rated["levels"][index]["rating"]["mean"].as_f64().unwrap();
    assert!(
        mean(0) < mean(1) && (mean(1) - mean(2)).abs() < 1.0,
        "{rated}"
    );
}
