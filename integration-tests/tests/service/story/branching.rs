//! Stories with choices.

use super::streaming::busy;
use super::{ask as ask_story, example, mistakes_of};
use crate::command_line::run_at;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::tales::{explain, story_request};
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{
    BranchStoryRequest, BranchStoryResponse, SolveOptions, SolveStatus, StopReason, StoryAct,
    StoryBranches,
};
use tonic::Code;

async fn ask(server: &Server, request: BranchStoryRequest) -> BranchStoryResponse {
    let mut client = server.story().await;
    let answer = wait_for("an answer", client.branch_story(request)).await;
    answer.unwrap().into_inner()
}

/// Choices of Ada along the best story of an inheritance.
async fn inheritance(server: &Server) -> BranchStoryRequest {
    let problem = example(server, "inheritance").await;
    let best = ask_story(
        server,
        story_request(problem.clone(), iterations(100_000, 1)),
    )
    .await;
    BranchStoryRequest {
        problem: Some(problem),
        acts: best.plan.unwrap().acts,
        player_id: "Ada".into(),
        max_width: Some(2),
        max_continuation_iterations: Some(100),
        options: Some(iterations(20_000, 5)),
        ..BranchStoryRequest::default()
    }
}

/// All ways through the choices, as acts.
fn paths(branches: &StoryBranches) -> Vec<Vec<StoryAct>> {
    let mut open = vec![(0, Vec::new())];
    let mut done = Vec::new();
    while let Some((number, mut acts)) = open.pop() {
        let knot = &branches.knots[number];
        acts.extend(knot.acts.iter().cloned());
        for choice in &knot.choices {
            let to = choice.knot_index as usize;
            assert!(to > number, "it ends");
            let mut acts = acts.clone();
            acts.extend(choice.act.clone());
            open.push((to, acts));
        }
        match knot.next_knot_index {
            Some(next) => open.push((next as usize, acts)),
            None if knot.choices.is_empty() => done.push(acts),
            None => {}
        }
    }
    done
}

#[tokio::test]
async fn every_way_through_the_choices_is_a_story_and_one_is_the_one_given() {
    let server = Server::start(&[]).await;
    let request = inheritance(&server).await;
    let answer = ask(&server, request.clone()).await;
    let branches = answer.plan.as_ref().unwrap();
    assert_eq!(branches.player_id, "Ada");
    let all = paths(branches);
    assert!(
        all.len() > 3 && all.contains(&request.acts),
        "{}",
        all.len()
    );
    let distinct: BTreeSet<String> = all.iter().map(|acts| format!("{acts:?}")).collect();
    assert_eq!(distinct.len(), all.len());
    let mut client = server.story().await;
    for acts in all {
        let look = explain(request.problem.clone().unwrap(), acts);
        client.explain_story(look).await.expect("a story");
    }
    for knot in &branches.knots {
        for choice in &knot.choices {
            let act = choice.act.as_ref().unwrap();
            assert_eq!(act.entity_ids[0], "Ada");
            assert!(!choice.text.is_empty() && choice.worth > 0.0);
        }
    }
    // The script has the same knots and choices.
    let ink = &answer.ink;
    assert_eq!(ink.matches("\n=== knot_").count(), branches.knots.len());
    let choices: usize = branches.knots.iter().map(|k| k.choices.len()).sum();
    assert_eq!(ink.matches("\n* [").count(), choices);
    let report = answer.report.as_ref().unwrap();
    assert_eq!(report.status(), SolveStatus::Feasible);
    let terms = &report.objective.as_ref().unwrap().terms;
    let names: Vec<&str> = terms.iter().map(|t| &*t.name).collect();
    assert_eq!(names, ["choices", "knots", "paths"]);
    assert_eq!(ask(&server, request).await.ink, *ink, "the same again");
}

#[tokio::test]
async fn whoever_does_most_chooses_where_nobody_is_named() {
    let server = Server::start(&[]).await;
    let mut request = inheritance(&server).await;
    request.player_id = String::new();
    request.max_choices = Some(1);
    let branches = ask(&server, request).await.plan.unwrap();
    // Ada goes, takes and kills; so does Dorn, who comes later: go, find, arrest.
    assert_eq!(branches.player_id, "Ada");
    let extra: usize = branches
        .knots
        .iter()
        .map(|k| k.choices.len().saturating_sub(1))
        .sum();
    assert_eq!(extra, 1, "no more than asked for");
}

#[tokio::test]
async fn choices_are_streamed_and_who_goes_away_frees_the_slot() {
    let server = Server::start(&[]).await;
    let BranchStoryRequest { problem, acts, .. } = inheritance(&server).await;
    let mut request = BranchStoryRequest {
        problem,
        acts,
        max_continuation_iterations: Some(50),
        options: Some(iterations(3_000, 5)),
        ..BranchStoryRequest::default()
    };
    let mut client = server.story().await;
    let call = client.stream_branch_story(request.clone()).await;
    let mut stream = call.unwrap().into_inner();
    let (mut knots, mut last) = (Vec::new(), None);
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        assert!(last.is_none(), "nothing follows the report");
        knots.extend(step.plan.as_ref().map(|b| b.knots.len()));
        last = step.report.is_some().then_some(step);
    }
    assert!(knots.is_sorted(), "{knots:?}");
    assert!(last.expect("a report").ink.contains("=== knot_0 ==="));
    // Continuations that take forever.
    request.problem.as_mut().unwrap().max_acts = Some(50);
    (request.max_depth, request.max_width) = (Some(6), Some(10));
    request.max_continuation_iterations = Some(1_000_000);
    let mut options = budget(60_000);
    options.strategy = "mcts".into();
    request.options = Some(options);
    let stream = client.stream_branch_story(request).await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn all_mistakes_come_at_once_and_nothing_is_searched_for_validation() {
    let server = Server::start(&[]).await;
    let mut client = server.story().await;
    let good = inheritance(&server).await;
    let spoilt = |change: &dyn Fn(&mut BranchStoryRequest)| {
        let mut request = good.clone();
        change(&mut request);
        request
    };
    let cases: [(BranchStoryRequest, &[&str]); 5] = [
        (BranchStoryRequest::default(), &["problem REQUIRED"]),
        (spoilt(&|r| r.acts.clear()), &["acts REQUIRED"]),
        (
            spoilt(&|r| {
                r.player_id = "Zoe".into();
                r.max_depth = Some(7);
                r.max_width = Some(-1);
                r.max_choices = Some(301);
                r.max_continuation_iterations = Some(2_000_000);
            }),
            &[
                "max_depth OUT_OF_RANGE",
                "max_width OUT_OF_RANGE",
                "max_choices OUT_OF_RANGE",
                "max_continuation_iterations OUT_OF_RANGE",
                "player_id UNKNOWN",
            ],
        ),
        (
            spoilt(&|r| r.player_id = "Dagger".into()),
            &["player_id WRONG_KIND"],
        ),
        (spoilt(&|r| r.acts.reverse()), &["acts[0] PRECONDITION"; 2]),
    ];
    for (request, wanted) in cases {
        let status = wait_for("a refusal", client.branch_story(request)).await;
        let status = status.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(mistakes_of(&status), wanted);
    }
    let mut checked = good;
    checked.options = Some(SolveOptions {
        validate_only: true,
        ..SolveOptions::default()
    });
    let checked = ask(&server, checked).await;
    assert!(checked.plan.is_none() && checked.ink.is_empty());
    assert_eq!(checked.report.unwrap().stop_reason(), StopReason::Validated);
}

#[tokio::test]
async fn choices_come_in_json_over_http_and_on_the_command_line() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let generate = ["story", "plan", "example:crown", "--iterations", "5000"];
    let best = run_at(&server, &[&generate[..], &["-o", "json"]].concat()).with_code(0);
    let asked = json!({
        "problem": problem,
        "acts": best.json()["plan"]["acts"],
        "maxContinuationIterations": 50,
        "options": {"maxIterations": 3000},
    });
    let asked = asked.to_string().replace("entity_ids", "entityIds");
    let path = "/stratagem.v1.StoryService/BranchStory";
    let reply = post(server.address, path, &[], &asked).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let answer = reply.json();
    assert!(answer["ink"].as_str().unwrap().contains("-> END"));
    assert!(!answer["plan"]["knots"].as_array().unwrap().is_empty());
    let branch = [
        "story",
        "branch",
        "example:crown",
        "--iterations",
        "3000",
        "--max-continuation-iterations",
        "50",
    ];
    let shown = run_at(&server, &branch).with_code(0).stdout;
    assert!(
        shown.contains(" chooses\n") && shown.contains("goes on at"),
        "{shown}"
    );
    let script = [&branch[..], &["--ink", "-", "--stream"]].concat();
    let script = run_at(&server, &script).with_code(0).stdout;
    assert!(script.starts_with("// What happens") && script.contains("=== knot_0 ==="));
    let data = run_at(&server, &[&branch[..], &["-o", "json"]].concat()).with_code(0);
    assert!(data.json()["plan"]["player_id"].is_string());
    let nobody = [&branch[..], &["--player", "Zoe"]].concat();
    let refused = run_at(&server, &nobody).with_code(5).stderr;
    assert!(refused.contains("player_id"), "{refused}");
}
