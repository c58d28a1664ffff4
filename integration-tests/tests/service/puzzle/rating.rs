//! What players find hard.

use super::{ask, levels, plan, verify};
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::puzzles::{SMALL, STUCK, rows};
use stratagem_proto::v1::{
    PuzzleComparedLevel, PuzzleComparison, PuzzleProblem, RatePuzzlesRequest, RatePuzzlesResponse,
};
use tonic::Status;

/// Boards of one box and one goal, the farther apart the longer it takes.
fn corridor(id: &str, pushes: usize) -> PuzzleComparedLevel {
    let middle = format!("#@${}.#", " ".repeat(pushes - 1));
    let wall = "#".repeat(middle.len());
    PuzzleComparedLevel {
        id: id.into(),
        rows: vec![wall.clone(), middle, wall],
        solution: String::new(),
    }
}

fn harder(harder: &str, easier: &str) -> PuzzleComparison {
    PuzzleComparison {
        harder_id: harder.into(),
        easier_id: easier.into(),
        draw: false,
    }
}

async fn rate(
    server: &Server,
    levels: Vec<PuzzleComparedLevel>,
    comparisons: Vec<PuzzleComparison>,
) -> Result<RatePuzzlesResponse, Status> {
    let request = RatePuzzlesRequest {
        levels,
        comparisons,
        draw_probability: None,
    };
    let mut client = server.puzzle().await;
    let call = client.rate_puzzles(request);
    wait_for("ratings", call)
        .await
        .map(tonic::Response::into_inner)
}

#[tokio::test]
async fn players_rate_levels_and_the_weights_make_more_of_what_they_find_hard() {
    let server = Server::start(&[]).await;
    let all = [("a", 2), ("b", 5), ("c", 9), ("d", 14)];
    let given: Vec<_> = all
        .iter()
        .map(|(id, pushes)| corridor(id, *pushes))
        .collect();
    let mut comparisons = Vec::new();
    for one in 0..4 {
        for other in 0..one {
            comparisons.push(harder(all[one].0, all[other].0));
        }
    }
    let rated = rate(&server, given, comparisons).await.unwrap();
    let ids: Vec<_> = rated.levels.iter().map(|level| &*level.id).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    let ratings: Vec<_> = rated
        .levels
        .iter()
        .map(|level| level.rating.unwrap())
        .collect();
    assert!(
        ratings.windows(2).all(|two| two[0].mean < two[1].mean),
        "{ratings:?}"
    );
    assert!(
        ratings
            .iter()
            .all(|one| one.comparison_count == 3 && one.deviation < 25.0 / 3.0)
    );
    for (level, (_, pushes)) in rated.levels.iter().zip(all) {
        let features = level.features.as_ref().unwrap();
        assert_eq!(
            features.pushes, pushes as i32,
            "solved, since nobody said how"
        );
        assert!(features.effort.is_some());
    }
    let pearson = |name: &str| {
        let found = rated.correlations.iter().find(|one| one.feature == name);
        found.unwrap().pearson
    };
    assert!(pearson("pushes").unwrap() > 0.9);
    assert_eq!(pearson("boxes"), None, "all have one");
    let fit = rated.fit.as_ref().expect("pushes predict it");
    assert!(fit.pearson > 0.9, "{fit:?}");
    // As they are, they can be asked for.
    let problem = PuzzleProblem {
        weights: fit.weights,
        ..levels(7, 2)
    };
    let answer = ask(&server, problem.clone(), iterations(1_000, 0)).await;
    assert!(verify(&server, &problem, plan(&answer)).await.valid);
}

#[tokio::test]
async fn the_order_of_answers_does_not_matter_and_draws_count() {
    let server = Server::start(&[]).await;
    let given = || ["a", "b", "c"].map(|id| corridor(id, 3)).to_vec();
    let draw = PuzzleComparison {
        draw: true,
        ..harder("b", "c")
    };
    let answers = vec![harder("b", "a"), draw, harder("c", "a")];
    let backwards = answers.iter().rev().cloned().collect();
    let first = rate(&server, given(), answers).await.unwrap();
    assert_eq!(first, rate(&server, given(), backwards).await.unwrap());
    let means: Vec<_> = first
        .levels
        .iter()
        .map(|level| level.rating.unwrap().mean)
        .collect();
    assert!(
        means[0] < means[1] && (means[1] - means[2]).abs() < 1.0,
        "{means:?}"
    );
    assert_eq!(first.fit, None, "all levels are alike");
}

#[tokio::test]
async fn every_mistake_in_ratings_is_told() {
    let server = Server::start(&[]).await;
    let stuck = PuzzleComparedLevel {
        id: "stuck".into(),
        rows: rows(&STUCK),
        ..Default::default()
    };
    let lazy = PuzzleComparedLevel {
        id: "lazy".into(),
        rows: rows(&SMALL),
        solution: "rRRR".into(),
    };
    let both = || vec![corridor("a", 2), corridor("b", 3)];
    let with = |more| [both(), vec![more]].concat();
    for (levels, comparisons, wanted) in [
        (
            vec![],
            vec![],
            vec!["levels REQUIRED", "comparisons REQUIRED"],
        ),
        (
            with(corridor("a", 4)),
            vec![harder("a", "c"), harder("b", "b"), harder("", "a")],
            vec![
                "comparisons[2].harder_id REQUIRED",
                "levels[2].id DUPLICATE",
                "comparisons[0].easier_id UNKNOWN",
                "comparisons[1].easier_id CONTRADICTION",
            ],
        ),
        (
            with(stuck),
            vec![harder("a", "b")],
            vec!["levels[2].solution UNSOLVABLE"],
        ),
        (
            with(lazy),
            vec![harder("a", "b")],
            vec!["levels[2].solution NOT_SOLVED"],
        ),
    ] {
        let status = rate(&server, levels, comparisons).await.unwrap_err();
        let found = mistakes(&status).into_iter();
        let found: Vec<_> = found.map(|(field, why)| format!("{field} {why}")).collect();
        assert_eq!(found, wanted);
    }
}
