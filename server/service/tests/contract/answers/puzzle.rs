//! Puzzles: levels, solutions of boards, hints, and what players find hard.

mod boards;

use super::{
    check, check_answer, check_mistakes, check_violations, limited_to, replaced, violations,
};
use crate::calls::{Caller, mistakes, settings};
use serde_json::{Value, json};

const BOARD: [&str; 5] = ["########", "#@ $  .#", "# $  . #", "#      #", "########"];

fn levels(side: usize, boxes: usize) -> Value {
    json!({"width": side, "height": side, "min_boxes": boxes, "max_boxes": boxes})
}

fn generate(problem: &Value, iterations: i64) -> Value {
    json!({"problem": problem, "options": limited_to(iterations)})
}

fn solve(rows: &[&str], played: &str) -> Value {
    json!({"problem": {"rows": rows}, "played_moves": played, "options": limited_to(1_000_000)})
}

#[tokio::test]
async fn a_level_comes_with_its_features_and_its_worth() {
    let caller = Caller::new(settings()).await;
    let problem = levels(8, 3);
    let answer = check_answer(&caller, "GeneratePuzzle", generate(&problem, 2_000), r#"
        plan.levels[#] = 1
        plan.levels[0].rung = null
        plan.levels[0].rows[#] = 8
        plan.levels[0].features.boxes = 3
        report.status = "SOLVE_STATUS_FEASIBLE"
        report.explanation = null
        report.objective.terms[*].name = ["missing", "value", "pushes", "box_changes", "counter_intuitive", "effort_log"]
    "#).await;
    let level = &answer["plan"]["levels"][0];
    let count = |name: &str| level["features"][name].as_f64().unwrap_or(0.0);
    let worth = (1.0 + count("effort")).log2()
        + 0.25 * (count("box_changes") + count("counter_intuitive"))
        + 0.05 * count("pushes");
    let value = level["value"].as_f64().unwrap();
    assert!((value - worth).abs() < 1e-4, "{value} is not {worth}");
    check(
        &answer,
        &format!("report.objective.levels = [0, {}]", -value),
    );
}

#[tokio::test]
async fn broken_rules_have_their_place_in_the_plan() {
    let caller = Caller::new(settings()).await;
    let problem = levels(8, 3);
    let answer = caller
        .answer("GeneratePuzzle", &generate(&problem, 2_000))
        .await;
    let level = &answer["plan"]["levels"][0];
    let value = level["value"].as_f64().unwrap();
    // What a level is worth may be left out of a plan.
    let bare = replaced(
        replaced(answer["plan"].clone(), "/levels/0/value", Value::Null),
        "/levels/0/features",
        Value::Null,
    );
    assert_eq!(
        violations(&caller, "puzzle", &problem, &bare).await,
        [""; 0]
    );
    check_violations(
        &caller,
        "puzzle",
        &problem,
        &answer["plan"],
        &format!(
            r##########"
        levels/0/solution = "{}" => levels[0].solution NOT_SOLVED
        levels/0/solution = "{}" => levels[0].solution STEP_IMPOSSIBLE
        levels/0/value = {} => levels[0].value VALUE_WRONG
        levels/0/rung = 1 => levels[0].rung RUNG_UNKNOWN
        levels/0/rows/8 = "########" => levels[0].rows SIZE_WRONG
        levels/0/features/effort = 99999 => levels[0].features.effort EFFORT_WRONG
    "##########,
            level["solution"]
                .as_str()
                .unwrap()
                .split_at(level["solution"].as_str().unwrap().len() - 1)
                .0,
            level["solution"].as_str().unwrap().to_lowercase(),
            value + 1.0,
        ),
    )
    .await;
    let avoided = json!([{"rows": level["rows"]}]);
    let problem = replaced(
        replaced(problem, "/avoided", avoided),
        "/min_difference",
        json!(0.3),
    );
    let found = violations(&caller, "puzzle", &problem, &answer["plan"]).await;
    assert!(found[0].ends_with(" TOO_SIMILAR"), "{found:?}");
}

/// A target from an easy level to a hard one.
fn ladder(easiest: f64, hardest: f64) -> Value {
    json!({"range": {"easiest": easiest, "hardest": hardest}})
}

#[tokio::test]
async fn a_ladder_rises() {
    let caller = Caller::new(settings()).await;
    let problem = replaced(
        replaced(levels(8, 3), "/target", ladder(5.0, 11.0)),
        "/level_count",
        json!(4),
    );
    let answer = check_answer(
        &caller,
        "GeneratePuzzle",
        generate(&problem, 20_000),
        r#"
        plan.levels[*].rung = [null, 1, 2, 3]
        report.objective.levels = [0, 0]
        report.status = "SOLVE_STATUS_OPTIMAL"
    "#,
    )
    .await;
    for (level, wanted) in answer["plan"]["levels"]
        .as_array()
        .unwrap()
        .iter()
        .zip([5.0, 7.0, 9.0, 11.0])
    {
        let miss = (level["value"].as_f64().unwrap() - wanted).abs();
        assert!(miss <= 0.15 * wanted, "{level} for {wanted}");
    }
    // With a gap it is partial, out of order it is wrong.
    let mut some = answer["plan"].clone();
    some["levels"].as_array_mut().unwrap().truncate(2);
    let any = json!({"problem": {"puzzle": problem}, "plan": {"puzzle": some}});
    check_answer(
        &caller,
        "VerifyPlan",
        any,
        "partial = true\nobjective.levels[0] = 2",
    )
    .await;
    some["levels"].as_array_mut().unwrap().swap(0, 1);
    let found = violations(&caller, "puzzle", &problem, &some).await;
    assert_eq!(
        found,
        ["levels[1].rung RUNG_ORDER", "levels[1].value NOT_RISING"]
    );
}

#[tokio::test]
async fn a_missed_value_is_explained() {
    let caller = Caller::new(settings()).await;
    let problem = replaced(levels(5, 1), "/target", ladder(100.0, 100.0));
    let answer = check_answer(
        &caller,
        "GeneratePuzzle",
        generate(&problem, 2_000),
        r#"
        report.explanation.reasons[*].code = ["VALUE_MISSED"]
        report.explanation.reasons[*].subject_id = ["0"]
    "#,
    )
    .await;
    let short = 100.0 - 15.0 - answer["plan"]["levels"][0]["value"].as_f64().unwrap();
    let said = answer["report"]["explanation"]["reasons"][0]["shortfall"]
        .as_f64()
        .unwrap();
    assert!((said - short).abs() < 1e-5);
}

#[tokio::test]
async fn templates_weights_and_what_cannot_be() {
    let caller = Caller::new(settings()).await;
    let rows = [
        "?????????",
        "?+??????#",
        "?????????",
        "????#????",
        "?????????",
        "?????????",
        "#########",
    ];
    let problem = json!({"template_rows": rows, "symmetry": "PUZZLE_SYMMETRY_LEFT_RIGHT", "min_boxes": 2, "max_boxes": 2});
    let answer = caller
        .answer("GeneratePuzzle", &generate(&problem, 2_000))
        .await;
    let cell = |row: usize, column: usize| {
        answer["plan"]["levels"][0]["rows"][row]
            .as_str()
            .unwrap()
            .as_bytes()[column]
    };
    assert_eq!((cell(1, 1), cell(3, 4)), (b'+', b'#'));
    for row in 0..7 {
        assert!(
            (0..9).all(|column| (cell(row, column) == b'#') == (cell(row, 8 - column) == b'#'))
        );
    }
    let problem = json!({"template_rows": ["#####", "#  ##", "#  ##", "#####"]});
    check_answer(
        &caller,
        "GeneratePuzzle",
        generate(&problem, 2_000),
        r#"
        plan = null
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[0].code = "NO_PUSH"
        report.explanation.reasons[0].proved = true
    "#,
    )
    .await;
    // The score of the thesis solves nothing.
    let weights = json!({"boxes": 10, "blocks": 5, "congestion": 1, "divisor": 50});
    let problem = replaced(
        replaced(levels(7, 4), "/weights", weights),
        "/min_boxes",
        json!(1),
    );
    let answer = caller
        .answer("GeneratePuzzle", &generate(&problem, 2_000))
        .await;
    let level = &answer["plan"]["levels"][0];
    let count = |name: &str| level["features"][name].as_f64().unwrap_or(0.0);
    assert_eq!(level["features"].get("effort"), None);
    let sum = 10.0 * count("boxes") + 5.0 * count("blocks") + count("congestion");
    assert!((level["value"].as_f64().unwrap() - sum / 50.0).abs() < 1e-5);
}

#[tokio::test]
async fn what_is_wrong_with_problems_boards_and_plans() {
    let caller = Caller::new(settings()).await;
    let request = generate(&levels(7, 2), 100);
    check_mistakes(&caller, "GeneratePuzzle", &request, r#"
        problem/width = null => problem.width REQUIRED
        problem/height = 65 => problem.height OUT_OF_RANGE
        problem/template_rows = ["????????", "", "", "", "", "", ""] => problem.template_rows[0] TOO_LONG
    "#).await;
    let long = "lr".repeat(50_001);
    check_mistakes(
        &caller,
        "SolvePuzzle",
        &solve(&BOARD, ""),
        &format!(
            r##########"
        problem = null => problem REQUIRED
        problem/rows/1 = "#  $  .#" => problem.rows NO_PLAYER
        played_moves = "rrr" => played_moves STEP_IMPOSSIBLE
        played_moves = "rR!" => played_moves CHARACTER_UNKNOWN
        played_moves = "{long}" => played_moves TOO_LONG
    "##########
        ),
    )
    .await;
    let level =
        json!({"rung": -1, "rows": ["########", "#@$ ..o#"], "solution": "lurd?", "value": "NaN"});
    let any = json!({"problem": {"puzzle": levels(8, 2)}, "plan": {"puzzle": {"levels": [level]}}});
    let found = mistakes(&caller.ask("VerifyPlan", &any).await.unwrap_err());
    let wanted = [
        "rung OUT_OF_RANGE",
        "value NOT_FINITE",
        "rows[1] CHARACTER_UNKNOWN",
        "solution CHARACTER_UNKNOWN",
    ];
    assert_eq!(
        found,
        wanted.map(|it| format!("plan.puzzle.levels[0].{it}"))
    );
}
