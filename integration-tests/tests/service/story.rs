//! The story planner from outside.

mod books;
mod branching;
mod checking;
mod learning;
mod lines;
mod streaming;
mod varying;

use crate::mistakes::mistakes;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::tales::{act, explain, lamps, story_request};
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{
    GenerateStoryRequest, GenerateStoryResponse, GetExampleRequest, GetServerInfoRequest,
    ObjectiveTarget, SolveStatus, StopReason, StoryEvent, StoryProblem, StorySlider, any_problem,
};
use tonic::{Code, Status};

/// Fields and reasons, as in `problem.goals REQUIRED`.
fn mistakes_of(status: &Status) -> Vec<String> {
    let list = mistakes(status).into_iter();
    list.map(|(field, why)| format!("{field} {why}")).collect()
}

/// An example.
async fn example(server: &Server, name: &str) -> StoryProblem {
    let name = format!("story/{name}");
    let request = GetExampleRequest { name };
    let answer = server.about().await.get_example(request).await.unwrap();
    match answer.into_inner().problem.unwrap().kind.unwrap() {
        any_problem::Kind::Story(problem) => problem,
        other => panic!("{other:?}"),
    }
}

async fn ask(server: &Server, request: GenerateStoryRequest) -> GenerateStoryResponse {
    let answer = server.story().await.generate_story(request).await;
    answer.unwrap().into_inner()
}

#[tokio::test]
async fn the_best_detective_story_is_told_proved_and_broken_down() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "inheritance").await;
    let answer = ask(&server, story_request(problem, budget(60_000))).await;
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Optimal);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert!(report.explanation.is_none(), "all goals hold");
    let plan = answer.plan.unwrap();
    // A way, a theft, a dagger, a murder, a way, traces, an arrest.
    let best = 0.98 * 0.9 * 0.97 * (0.85 * 0.95) * 0.98 * 0.95 * 0.97;
    assert!((plan.score - best).abs() < 1e-9, "{}", plan.score);
    assert_eq!((plan.acts.len(), plan.steps.len()), (7, 7));
    assert!((plan.goal_share - 1.0).abs() < 1e-12);
    let product: f64 = plan.steps.iter().map(|step| step.believability).product();
    assert!((product - plan.believability).abs() < 1e-12);
    let murder = plan.acts.iter().position(|a| a.action == "Kill").unwrap();
    let step = &plan.steps[murder];
    let rules: Vec<&str> = step.influences.iter().map(|i| i.rule.as_str()).collect();
    assert_eq!(rules, ["set 0.85 if a.grudge == b", "multiply i.deadly"]);
    assert!((step.base - 0.02).abs() < 1e-12 && (step.slider - 1.0).abs() < 1e-12);
    let victim = &plan.acts[murder].entity_ids[1];
    let died = step
        .changes
        .iter()
        .find(|c| c.attribute == "alive")
        .unwrap();
    assert_eq!((&died.entity_id, &*died.value), (victim, "false"));
    let act_count: i32 = plan.sentences.iter().map(|s| s.act_count).sum();
    assert_eq!(act_count, 7, "each act is in one sentence");
}

#[tokio::test]
async fn a_goal_out_of_reach_is_named_and_the_rest_is_proved() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "chests").await;
    let answer = ask(&server, story_request(problem, iterations(100_000, 0))).await;
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Optimal);
    assert_eq!(answer.plan.unwrap().score, 0.0);
    let reasons = report.explanation.unwrap().reasons;
    assert_eq!(reasons.len(), 1);
    assert_eq!(
        (&*reasons[0].code, &*reasons[0].field),
        ("GOAL_UNMET", "goals[0].condition")
    );
}

#[tokio::test]
async fn every_strategy_with_a_seed_and_a_limit_says_the_same_again() {
    let server = Server::start(&["--cache-bytes-max", "0"]).await;
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    let info = info.unwrap().into_inner();
    let method = "stratagem.v1.StoryService/GenerateStory";
    let method = info.methods.into_iter().find(|m| m.name == method).unwrap();
    assert_eq!((&*method.planner, method.strategies.len()), ("story", 6));
    let problem = example(&server, "crown").await;
    for strategy in method.strategies {
        let mut options = iterations(800, 7);
        options.strategy = strategy.name;
        let request = story_request(problem.clone(), options);
        let first = ask(&server, request.clone()).await;
        let again = ask(&server, request).await;
        assert_eq!(first.plan, again.plan);
        assert!(first.report.unwrap().reproducible);
    }
}

#[tokio::test]
async fn sliders_events_targets_and_old_stories_count() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "inheritance").await;
    let best = ask(&server, story_request(problem.clone(), budget(60_000)))
        .await
        .plan
        .unwrap();
    // A slider multiplies, and turns off.
    let mut slid = problem.clone();
    slid.sliders = vec![StorySlider {
        action: "Kill".into(),
        factor: 0.5,
    }];
    let mut request = story_request(slid.clone(), budget(60_000));
    request.previous_plan = Some(best.clone());
    let half = ask(&server, request).await.plan.unwrap();
    assert!((half.score - best.score / 2.0).abs() < 1e-9);
    slid.sliders[0].factor = 0.0;
    let call = server
        .story()
        .await
        .generate_story(story_request(slid, budget(60_000)))
        .await;
    let never = mistakes_of(&call.unwrap_err());
    assert_eq!(
        never.len(),
        2,
        "nobody dies, so nobody is arrested: {never:?}"
    );
    assert!(never.iter().all(|one| one.ends_with("NEVER_HOLDS")));
    // What must not happen does not.
    let mut without = problem.clone();
    without.events = vec![StoryEvent {
        action: "Kill".into(),
        entity_ids: vec!["Ada".into()],
        forbidden: true,
    }];
    let other = ask(&server, story_request(without, budget(60_000)))
        .await
        .plan
        .unwrap();
    assert!(
        other
            .acts
            .iter()
            .all(|a| a.action != "Kill" || a.entity_ids[0] != "Ada")
    );
    assert!(0.0 < other.score && other.score < best.score);
    // Good enough is enough.
    let mut request = story_request(problem, budget(60_000));
    request.previous_plan = Some(best.clone());
    let options = request.options.as_mut().unwrap();
    options.target = Some(ObjectiveTarget {
        levels: vec![1.0 - best.score + 1e-9],
    });
    let stopped = ask(&server, request).await.report.unwrap();
    assert_eq!(stopped.stop_reason(), StopReason::Target);
    assert_eq!(stopped.iterations, 0);
}

#[tokio::test]
async fn stories_come_in_json_over_http() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let asked = json!({"problem": problem, "options": {"time_budget": "60s"}});
    let path = "/stratagem.v1.StoryService/GenerateStory";
    let reply = post(server.address, path, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let answer = reply.json();
    assert_eq!(answer["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    assert!(!answer["plan"]["sentences"].as_array().unwrap().is_empty());
    let bad = json!({"problem": {"goals": [{"name": "g", "condition": "("}]}});
    let reply = post(server.address, path, &[], &bad.to_string()).await;
    assert_eq!(reply.status, 400);
    assert!(reply.json().to_string().contains("SYNTAX"), "{reply:?}");
}

#[tokio::test]
async fn what_makes_no_sense_is_told_with_fields_and_the_server_goes_on() {
    let server = Server::start(&[]).await;
    let mut client = server.story().await;
    let mut broken = lamps(3);
    broken.actions[0].preconditions = vec!["l.off".into(), "((l.on".into()];
    broken.actions[0].believability = "l.on / 0".into();
    broken.goals[2].condition = "l9.on".into();
    let call = client
        .generate_story(story_request(broken, budget(1_000)))
        .await;
    let status = call.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let mut found = mistakes_of(&status);
    found.sort();
    let wanted = [
        "problem.actions[0].believability DIVISION_BY_ZERO",
        "problem.actions[0].preconditions[0] UNKNOWN",
        "problem.actions[0].preconditions[1] SYNTAX",
        "problem.goals[2].condition UNKNOWN",
    ];
    assert_eq!(found, wanted);
    // Bombs: depth, size, quantifiers.
    for bomb in [
        "(".repeat(4_000),
        "not ".repeat(900) + "true",
        "l0.on and ".repeat(1_000) + "true",
    ] {
        let mut problem = lamps(2);
        problem.goals[0].condition = bomb;
        let call = client
            .generate_story(story_request(problem, budget(1_000)))
            .await;
        assert_eq!(call.unwrap_err().code(), Code::InvalidArgument);
    }
    let call = client.explain_story(explain(lamps(2), vec![act("Light", &["l9"])]));
    let status = call.await.unwrap_err();
    assert_eq!(mistakes_of(&status), ["acts[0].entity_ids[0] UNKNOWN"]);
    let good = client
        .generate_story(story_request(lamps(2), budget(5_000)))
        .await;
    assert!(good.is_ok());
}
