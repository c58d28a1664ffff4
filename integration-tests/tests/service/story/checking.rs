//! Stories that somebody brings are believed nothing.

use super::{ask, example, mistakes_of};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::budget;
use stratagem_integration_tests::tales::{act, explain, lamps, story_request};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, StoryAct, StoryEvent, StoryPlan, StoryProblem, VerifyPlanRequest,
    VerifyPlanResponse, any_plan, any_problem,
};

async fn verify(server: &Server, problem: &StoryProblem, plan: StoryPlan) -> VerifyPlanResponse {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Story(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Story(plan)),
        }),
    };
    let answer = server.planning().await.verify_plan(request).await;
    answer.unwrap().into_inner()
}

fn story(acts: Vec<StoryAct>) -> StoryPlan {
    StoryPlan {
        acts,
        ..StoryPlan::default()
    }
}

#[tokio::test]
async fn what_was_sent_is_valid_and_costs_what_was_said() {
    let server = Server::start(&[]).await;
    for name in ["inheritance", "crown", "chests"] {
        let problem = example(&server, name).await;
        let answer = ask(&server, story_request(problem.clone(), budget(60_000))).await;
        let verdict = verify(&server, &problem, answer.plan.unwrap()).await;
        assert!(verdict.valid, "{name}: {verdict:?}");
        assert_eq!(
            verdict.objective,
            answer.report.unwrap().objective,
            "{name}"
        );
    }
}

#[tokio::test]
async fn broken_rules_are_told_with_their_act() {
    let server = Server::start(&[]).await;
    let mut problem = lamps(3);
    problem.max_acts = Some(3);
    problem.goals.pop();
    problem.events = vec![
        StoryEvent {
            action: "Light".into(),
            entity_ids: vec!["l0".into()],
            forbidden: false,
        },
        StoryEvent {
            action: "Light".into(),
            entity_ids: vec!["l2".into()],
            forbidden: true,
        },
    ];
    let light = |id: &str| act("Light", &[id]);
    for (acts, wanted) in [
        (vec![light("l0")], ""),
        (vec![], "acts EVENT_MISSING"),
        (vec![light("l0"), light("l0")], "acts[1] PRECONDITION"),
        (vec![light("l0"), light("l2")], "acts[1] EVENT_FORBIDDEN"),
        (vec![act("Light", &[])], "acts[0] NO_SUCH_ACTION"),
        (vec![light("l0"); 4], "acts STORY_TOO_LONG"),
    ] {
        let verdict = verify(&server, &problem, story(acts.clone())).await;
        let found: Vec<String> = verdict
            .violations
            .iter()
            .map(|one| format!("{} {}", one.field, one.code))
            .collect();
        assert_eq!(found.join(" "), wanted);
        assert_eq!(verdict.valid, wanted.is_empty());
        // Who has it explained hears the same.
        let call = server
            .story()
            .await
            .explain_story(explain(problem.clone(), acts))
            .await;
        match call {
            Ok(answer) => {
                let answer = answer.into_inner();
                assert_eq!(wanted, "");
                let plan = answer.plan.unwrap();
                assert!((plan.score - 0.9 / 2.0).abs() < 1e-12);
                assert_eq!(answer.explanation.unwrap().reasons.len(), 1);
            }
            Err(status) => assert_eq!(mistakes_of(&status), [wanted]),
        }
    }
    problem.actions[0].rules = vec!["set 0 if l == l2".into()];
    problem.events.clear();
    let verdict = verify(&server, &problem, story(vec![light("l2")])).await;
    assert_eq!(verdict.violations[0].code, "UNBELIEVABLE");
}
