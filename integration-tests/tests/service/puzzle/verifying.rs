//! Levels that somebody brings are believed nothing.

use super::{ask, levels, plan, play, target, verify};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, PuzzleLevel, PuzzleProblem, VerifyPlanRequest, any_plan, any_problem,
};

/// A way to spoil a level, and where which rule is broken then.
type Case = (fn(&mut PuzzleLevel), &'static [&'static str]);

const CASES: [Case; 6] = [
    (
        |level| level.solution.truncate(level.solution.len() - 1),
        &["levels[0].solution NOT_SOLVED"],
    ),
    (
        |level| level.solution = level.solution.to_ascii_lowercase(),
        &["levels[0].solution STEP_IMPOSSIBLE"],
    ),
    (
        |level| level.value = Some(level.value.unwrap() + 1.0),
        &["levels[0].value VALUE_WRONG"],
    ),
    (|level| level.rung = 1, &["levels[0].rung RUNG_UNKNOWN"]),
    (
        |level| level.rows.push("########".into()),
        &["levels[0].rows SIZE_WRONG"],
    ),
    (
        |level| {
            let features = level.features.as_mut().unwrap();
            features.effort = Some(features.effort.unwrap() + 1);
            level.value = None;
        },
        &[
            "levels[0].features.effort EFFORT_WRONG",
            "levels[0].value VALUE_WRONG",
        ],
    ),
];

#[tokio::test]
async fn broken_rules_are_told_with_their_place_in_the_plan() {
    let server = Server::start(&[]).await;
    let problem = levels(8, 2);
    let answer = ask(&server, problem.clone(), iterations(2_000, 3)).await;
    let good = plan(&answer);
    play(&good.levels[0]);
    assert!(verify(&server, &problem, good).await.valid);
    for (spoil, wanted) in CASES {
        let mut spoilt = good.clone();
        spoil(&mut spoilt.levels[0]);
        let verdict = verify(&server, &problem, &spoilt).await;
        let found = verdict.violations.iter();
        let found: Vec<_> = found
            .map(|one| format!("{} {}", one.field, one.code))
            .collect();
        assert_eq!(found, wanted);
        assert!(!verdict.valid && verdict.objective.is_none());
    }
}

#[tokio::test]
async fn what_a_level_is_worth_may_be_left_out() {
    let server = Server::start(&[]).await;
    let problem = levels(8, 2);
    let answer = ask(&server, problem.clone(), iterations(2_000, 3)).await;
    let mut bare = plan(&answer).clone();
    bare.levels[0].value = None;
    bare.levels[0].features = None;
    let verdict = verify(&server, &problem, &bare).await;
    assert!(verdict.valid, "{verdict:?}");
    assert_eq!(verdict.objective, answer.report.unwrap().objective);
}

#[tokio::test]
async fn a_ladder_with_a_gap_is_partial_and_one_out_of_order_is_wrong() {
    let server = Server::start(&[]).await;
    let problem = PuzzleProblem {
        level_count: Some(3),
        target: target(2.0, 8.0),
        ..levels(7, 2)
    };
    let answer = ask(&server, problem.clone(), iterations(20_000, 0)).await;
    let mut some = plan(&answer).clone();
    some.levels.remove(1);
    let verdict = verify(&server, &problem, &some).await;
    assert!(verdict.valid && verdict.partial, "{verdict:?}");
    assert_eq!(verdict.objective.unwrap().levels[0], 1.0);
    some.levels.swap(0, 1);
    let verdict = verify(&server, &problem, &some).await;
    let found = verdict.violations.iter();
    let found: Vec<_> = found.map(|one| (&*one.field, &*one.code)).collect();
    let wanted = [
        ("levels[1].rung", "RUNG_ORDER"),
        ("levels[1].value", "NOT_RISING"),
    ];
    assert_eq!(found, wanted);
}

#[tokio::test]
async fn plans_that_cannot_be_read_are_mistakes() {
    let server = Server::start(&[]).await;
    let problem = levels(8, 2);
    let level = PuzzleLevel {
        rung: -1,
        rows: vec!["########".into(), "#@$ ..o#".into()],
        solution: "lurd?".into(),
        value: Some(f64::NAN),
        ..Default::default()
    };
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Puzzle(problem)),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Puzzle(stratagem_proto::v1::PuzzlePlan {
                levels: vec![level],
            })),
        }),
    };
    let mut client = server.planning().await;
    let call = client.verify_plan(request);
    let status = wait_for("a refusal", call).await.unwrap_err();
    let found = crate::mistakes::mistakes(&status).into_iter();
    let found: Vec<_> = found.map(|(field, why)| format!("{field} {why}")).collect();
    let wanted = [
        "rung OUT_OF_RANGE",
        "value NOT_FINITE",
        "rows[1] CHARACTER_UNKNOWN",
        "solution CHARACTER_UNKNOWN",
    ];
    assert_eq!(
        found,
        wanted.map(|one| format!("plan.puzzle.levels[0].{one}"))
    );
}
