//! Several different stories.

use super::streaming::busy;
use super::{example, mistakes_of};
use crate::command_line::run_at;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::tales::lamps;
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{
    SolveOptions, SolveStatus, StopReason, StoryPlan, StoryProblem, VaryStoriesRequest,
    VaryStoriesResponse,
};
use tonic::Code;

fn vary(problem: StoryProblem, story_count: i32, options: SolveOptions) -> VaryStoriesRequest {
    VaryStoriesRequest {
        problem: Some(problem),
        options: Some(options),
        story_count: (story_count > 0).then_some(story_count),
        ..VaryStoriesRequest::default()
    }
}

async fn ask(server: &Server, request: VaryStoriesRequest) -> VaryStoriesResponse {
    let mut client = server.story().await;
    let answer = wait_for("an answer", client.vary_stories(request)).await;
    answer.unwrap().into_inner()
}

/// How many acts of the better story are not in the other one.
fn difference(better: &StoryPlan, other: &StoryPlan) -> usize {
    let missing = better.acts.iter().filter(|act| !other.acts.contains(act));
    missing.count()
}

#[tokio::test]
async fn each_story_differs_from_all_better_ones_and_is_broken_down() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "inheritance").await;
    let request = VaryStoriesRequest {
        min_different_acts: Some(3),
        ..vary(problem, 3, iterations(60_000, 1))
    };
    let answer = ask(&server, request.clone()).await;
    let (plans, report) = (&answer.plans, answer.report.as_ref().unwrap());
    assert_eq!(plans.len(), 3);
    assert!((plans[0].score - 0.623_885).abs() < 1e-6, "the best first");
    assert!(plans.is_sorted_by(|a, b| a.score >= b.score));
    for (index, plan) in plans.iter().enumerate() {
        assert_eq!(plan.steps.len(), plan.acts.len());
        assert!(!plan.sentences.is_empty());
        for better in &plans[..index] {
            assert!(difference(better, plan) >= 3.min(better.acts.len()));
        }
    }
    let objective = report.objective.as_ref().unwrap();
    for (level, plan) in objective.levels.iter().zip(plans) {
        assert!((1.0 - level - plan.score).abs() < 1e-9, "{objective:?}");
    }
    let names: Vec<&str> = objective.terms.iter().map(|t| &*t.name).collect();
    assert_eq!(names, ["stories", "best_score", "least_score"]);
    assert_eq!(ask(&server, request).await.plans, *plans, "the same again");
}

#[tokio::test]
async fn where_there_are_no_more_stories_that_is_proved_and_said() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, vary(lamps(1), 4, budget(60_000))).await;
    let report = answer.report.unwrap();
    assert_eq!(answer.plans.len(), 1, "one lamp, one story");
    assert_eq!(report.status(), SolveStatus::Optimal);
    let objective = report.objective.unwrap();
    assert_eq!(objective.levels[1..], [1.0; 3], "missing ones lack all");
    let why = report.explanation.unwrap().summary;
    assert!(why.starts_with("1 of 4 stories"), "{why}");
}

#[tokio::test]
async fn stories_are_streamed_and_who_goes_away_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.story().await;
    let request = |problem, options| VaryStoriesRequest {
        problem: Some(problem),
        options: Some(options),
        ..VaryStoriesRequest::default()
    };
    let crown = example(&server, "crown").await;
    let call = client.stream_vary_stories(request(crown, iterations(8_000, 2)));
    let mut stream = call.await.unwrap().into_inner();
    let (mut levels, mut last) = (Vec::new(), None);
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        assert!(last.is_none(), "nothing follows the report");
        if !step.plans.is_empty() {
            let objective = step.event.as_ref().unwrap().objective.clone();
            levels.push(objective.expect("stories have one").levels);
        }
        last = step.report.is_some().then_some(step);
    }
    let last = last.expect("a report");
    assert_eq!(last.plans.len(), 3, "the default");
    assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
    let unbounded = StoryProblem {
        max_acts: Some(50),
        ..lamps(12)
    };
    let mut options = budget(60_000);
    options.strategy = "mcts".into();
    let call = client.stream_vary_stories(request(unbounded, options));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn all_mistakes_come_at_once_and_nothing_is_searched_for_validation() {
    let server = Server::start(&[]).await;
    let mut client = server.story().await;
    let mut wrong = vary(lamps(2), 11, iterations(100, 0));
    wrong.min_different_acts = Some(51);
    wrong.problem.as_mut().unwrap().goals[0].condition = "l0.off".into();
    let status = wait_for("a refusal", client.vary_stories(wrong)).await;
    let status = status.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let mut found = mistakes_of(&status);
    found.sort();
    let wanted = [
        "min_different_acts OUT_OF_RANGE",
        "problem.goals[0].condition UNKNOWN",
        "story_count OUT_OF_RANGE",
    ];
    assert_eq!(found, wanted);
    let options = SolveOptions {
        validate_only: true,
        ..SolveOptions::default()
    };
    let checked = ask(&server, vary(lamps(2), 0, options)).await;
    assert!(checked.plans.is_empty());
    assert_eq!(checked.report.unwrap().stop_reason(), StopReason::Validated);
}

#[tokio::test]
async fn several_stories_come_in_json_over_http_and_as_documents() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let asked = json!({"problem": problem, "storyCount": 2, "options": {"maxIterations": 8000}});
    let path = "/stratagem.v1.StoryService/VaryStories";
    let reply = post(server.address, path, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["plans"].as_array().unwrap().len(), 2);
    let generate = ["story", "plan", "example:crown", "--different", "2"];
    let limited = [&generate[..], &["--iterations", "8000"]].concat();
    let shown = run_at(&server, &limited).with_code(0).stdout;
    assert!(shown.contains("Story 2 of 2") && shown.contains("least score"));
    let streamed = [&limited[..], &["--stream", "--markdown", "-", "-o", "json"]].concat();
    let document = run_at(&server, &streamed).with_code(0).stdout;
    assert!(
        document.starts_with("# The stolen crown\n\n## Story 1 of 2\n"),
        "{document}"
    );
    let text = [&limited[..], &["--text", "-", "--html", "-"]].concat();
    let text = run_at(&server, &text).with_code(0).stdout;
    assert!(!text.starts_with('#') && text.contains("</html>"), "{text}");
}
