//! Puzzles: levels that can be solved, as hard as they are wanted.

mod lines;
mod mistakes;
mod rating;
mod solving;
mod streaming;
mod terminal;
mod verifying;

use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::puzzles::{Play, levels, make};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, GeneratePuzzleResponse, GetExampleRequest, GetServerInfoRequest,
    PuzzleBoard, PuzzleLevel, PuzzlePlan, PuzzleProblem, PuzzleRange, PuzzleSymmetry, PuzzleTarget,
    PuzzleWeights, SolveOptions, SolveReport, SolveStatus, StopReason, VerifyPlanRequest,
    VerifyPlanResponse, any_plan, any_problem, puzzle_target,
};

/// Iterations that are enough for a level and not much time.
const SOME: i64 = 2_000;

async fn ask(
    server: &Server,
    problem: PuzzleProblem,
    options: SolveOptions,
) -> GeneratePuzzleResponse {
    let mut client = server.puzzle().await;
    let call = client.generate_puzzle(make(problem, options));
    wait_for("levels", call).await.unwrap().into_inner()
}

async fn verify(server: &Server, problem: &PuzzleProblem, plan: &PuzzlePlan) -> VerifyPlanResponse {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Puzzle(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Puzzle(plan.clone())),
        }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await;
    answer.unwrap().into_inner()
}

async fn example(server: &Server, name: &str) -> PuzzleProblem {
    let request = GetExampleRequest { name: name.into() };
    let example = server.about().await.get_example(request).await.unwrap();
    match example.into_inner().problem.unwrap().kind.unwrap() {
        any_problem::Kind::Puzzle(problem) => problem,
        other => panic!("{name} is of another planner: {other:?}"),
    }
}

fn report(answer: &GeneratePuzzleResponse) -> &SolveReport {
    answer.report.as_ref().expect("reports are always there")
}

fn plan(answer: &GeneratePuzzleResponse) -> &PuzzlePlan {
    answer.plan.as_ref().expect("there are levels")
}

/// Plays a level's solution to its end.
fn play(level: &PuzzleLevel) {
    let mut play = Play::new(&level.rows);
    assert!(!play.is_solved(), "nothing is left to do in {level:?}");
    play.steps(&level.solution);
    assert!(play.is_solved(), "{level:?}");
    let features = level.features.as_ref().expect("features are set");
    assert_eq!((features.pushes, features.moves), (play.pushes, play.moves));
}

fn target(easiest: f64, hardest: f64) -> Option<PuzzleTarget> {
    Some(PuzzleTarget {
        kind: Some(puzzle_target::Kind::Range(PuzzleRange { easiest, hardest })),
        ..Default::default()
    })
}

#[tokio::test]
async fn a_level_comes_with_a_solution_its_features_and_its_worth() {
    let server = Server::start(&[]).await;
    let problem = levels(8, 3);
    let answer = ask(&server, problem.clone(), iterations(SOME, 1)).await;
    let [level] = &plan(&answer).levels[..] else {
        panic!("one level is wanted: {answer:?}");
    };
    play(level);
    assert_eq!(
        (level.rung, level.rows.len(), level.rows[0].len()),
        (0, 8, 8)
    );
    let features = level.features.as_ref().unwrap();
    assert_eq!(features.boxes, 3);
    assert!(features.min_box_pushes >= 2, "{features:?}");
    let effort = f64::from(features.effort.expect("it counts"));
    let worth = (1.0 + effort).log2()
        + 0.25 * f64::from(features.box_changes + features.counter_intuitive)
        + 0.05 * f64::from(features.pushes);
    let value = level.value.expect("it is set");
    assert!((value - worth).abs() < 1e-4, "{value} is not {worth}");
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Feasible, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::IterationLimit);
    assert_eq!(report.explanation, None);
    let objective = report.objective.as_ref().unwrap();
    assert_eq!(objective.levels, [0.0, -value]);
    let terms: Vec<_> = objective.terms.iter().map(|term| &*term.name).collect();
    let weighted = ["pushes", "box_changes", "counter_intuitive", "effort_log"];
    assert_eq!(terms[..2], ["missing", "value"]);
    assert_eq!(terms[2..], weighted);
    let verdict = verify(&server, &problem, plan(&answer)).await;
    assert!(verdict.valid && !verdict.partial, "{verdict:?}");
    assert_eq!(verdict.objective.as_ref(), Some(objective));
}

#[tokio::test]
async fn a_ladder_rises_from_easy_to_hard() {
    let server = Server::start(&[]).await;
    let problem = PuzzleProblem {
        level_count: Some(4),
        target: target(5.0, 11.0),
        ..levels(8, 3)
    };
    let answer = ask(&server, problem.clone(), iterations(20_000, 0)).await;
    let plan = plan(&answer);
    plan.levels.iter().for_each(play);
    let rungs: Vec<_> = plan.levels.iter().map(|level| level.rung).collect();
    assert_eq!(rungs, [0, 1, 2, 3], "{:?}", report(&answer).explanation);
    for (level, wanted) in plan.levels.iter().zip([5.0, 7.0, 9.0, 11.0]) {
        let miss = (level.value.unwrap() - wanted).abs();
        assert!(
            miss <= 0.15 * wanted,
            "{} for {wanted}",
            level.value.unwrap()
        );
    }
    assert_eq!(report(&answer).objective.as_ref().unwrap().levels, [0.0; 2]);
    assert_eq!(report(&answer).status(), SolveStatus::Optimal);
    assert!(verify(&server, &problem, plan).await.valid);
}

#[tokio::test]
async fn levels_keep_to_a_template_and_its_symmetry() {
    let server = Server::start(&[]).await;
    let template = [
        "?????????",
        "?+??????#",
        "?????????",
        "????#????",
        "?????????",
        "?????????",
        "#########",
    ];
    let problem = PuzzleProblem {
        width: None,
        height: None,
        template_rows: template.map(str::to_owned).into(),
        symmetry: PuzzleSymmetry::LeftRight.into(),
        ..levels(0, 2)
    };
    let answer = ask(&server, problem.clone(), iterations(SOME, 0)).await;
    let level = &plan(&answer).levels[0];
    play(level);
    assert_eq!(level.rows[1].chars().nth(1), Some('+'));
    assert_eq!(level.rows[3].chars().nth(4), Some('#'));
    for row in &level.rows {
        let walls: Vec<bool> = row.chars().map(|cell| cell == '#').collect();
        let mirrored: Vec<bool> = walls.iter().rev().copied().collect();
        assert_eq!(walls, mirrored, "{:#?}", level.rows);
    }
    assert!(verify(&server, &problem, plan(&answer)).await.valid);
}

#[tokio::test]
async fn the_same_seed_makes_the_same_levels() {
    let server = Server::start(WITHOUT_CACHE).await;
    for strategy in ["auto", "mcts"] {
        let made = async |seed| {
            let options = SolveOptions {
                strategy: strategy.into(),
                ..iterations(SOME, seed)
            };
            let answer = ask(&server, levels(7, 2), options).await;
            assert_eq!(report(&answer).strategy, strategy);
            assert!(report(&answer).reproducible);
            plan(&answer).levels.iter().for_each(play);
            plan(&answer).clone()
        };
        let first = made(5).await;
        assert_eq!(first, made(5).await, "{strategy}");
        assert_ne!(first, made(6).await, "{strategy}");
    }
}

#[tokio::test]
async fn levels_differ_from_those_to_be_avoided() {
    let server = Server::start(&[]).await;
    let first = ask(&server, levels(7, 2), iterations(SOME, 5)).await;
    let problem = PuzzleProblem {
        avoided: vec![PuzzleBoard {
            rows: plan(&first).levels[0].rows.clone(),
        }],
        min_difference: Some(0.3),
        ..levels(7, 2)
    };
    let verdict = verify(&server, &problem, plan(&first)).await;
    assert_eq!(verdict.violations[0].code, "TOO_SIMILAR");
    let second = ask(&server, problem.clone(), iterations(SOME, 5)).await;
    assert!(verify(&server, &problem, plan(&second)).await.valid);
}

#[tokio::test]
async fn what_cannot_be_is_infeasible_and_why() {
    let server = Server::start(&[]).await;
    let rows = ["#####", "#  ##", "#  ##", "#####"].map(str::to_owned);
    let problem = PuzzleProblem {
        template_rows: rows.into(),
        ..Default::default()
    };
    let answer = ask(&server, problem, iterations(SOME, 0)).await;
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert!(answer.plan.is_none());
    let reasons = &report.explanation.as_ref().expect("why").reasons;
    assert_eq!(reasons[0].code, "NO_PUSH");
    assert!(reasons[0].proved);
}

#[tokio::test]
async fn levels_that_miss_their_value_are_told() {
    let server = Server::start(&[]).await;
    let problem = PuzzleProblem {
        target: target(100.0, 100.0),
        ..levels(5, 1)
    };
    let answer = ask(&server, problem, iterations(SOME, 0)).await;
    let level = &plan(&answer).levels[0];
    let explanation = report(&answer).explanation.as_ref().expect("why");
    let [reason] = &explanation.reasons[..] else {
        panic!("{explanation:?}");
    };
    assert_eq!((&*reason.code, &*reason.subject_id), ("VALUE_MISSED", "0"));
    let short = 100.0 - 15.0 - level.value.unwrap();
    assert!((reason.shortfall.unwrap() - short).abs() < 1e-5);
}

#[tokio::test]
async fn the_score_of_the_thesis_can_be_asked_for() {
    let server = Server::start(&[]).await;
    let problem = PuzzleProblem {
        min_boxes: Some(1),
        weights: Some(PuzzleWeights {
            boxes: 10.0,
            blocks: 5.0,
            congestion: 1.0,
            divisor: Some(50.0),
            ..Default::default()
        }),
        ..levels(7, 4)
    };
    let answer = ask(&server, problem, iterations(SOME, 0)).await;
    let level = &plan(&answer).levels[0];
    play(level);
    let features = level.features.as_ref().unwrap();
    assert_eq!(features.effort, None, "nothing asks for solving");
    let sum = 10.0 * f64::from(features.boxes) + 5.0 * features.blocks + features.congestion;
    assert!((level.value.unwrap() - sum / 50.0).abs() < 1e-5);
}

#[tokio::test]
async fn the_server_tells_its_puzzle_methods_and_their_limits() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    let info = info.unwrap().into_inner();
    let methods: Vec<_> = info
        .methods
        .iter()
        .filter(|m| m.planner == "puzzle")
        .collect();
    assert_eq!(methods.len(), 4);
    for method in methods {
        let limit = |name: &str| method.limits.iter().find(|limit| limit.name == name);
        assert_eq!(limit("side").map(|limit| limit.max_value), Some(64));
        let is_made = method.name.contains("Generate");
        let boxes = if is_made { 32 } else { 128 };
        assert_eq!(limit("boxes").map(|limit| limit.max_value), Some(boxes));
        assert_eq!(method.strategies[0].name, "auto");
    }
}

#[tokio::test]
async fn the_example_of_a_ladder_is_a_ladder() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "puzzle/ladder").await;
    let answer = ask(&server, problem.clone(), iterations(60_000, 0)).await;
    let plan = plan(&answer);
    plan.levels.iter().for_each(play);
    assert_eq!(plan.levels.len(), 5);
    assert!(verify(&server, &problem, plan).await.valid);
}
