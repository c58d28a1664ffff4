//! The built-in examples: listed, and each with a plan or a proof.

use crate::asking::ask;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::crews::assign;
use stratagem_integration_tests::heists::plan;
use stratagem_integration_tests::networks::levels;
use stratagem_integration_tests::patrols::generate;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::puzzles::make;
use stratagem_integration_tests::tales::tell;
use stratagem_proto::v1::{
    GetExampleRequest, ListExamplesRequest, ListExamplesResponse, ScheduleNarrativeRequest,
    StopReason, problem,
};
use tonic::Code;

#[tokio::test]
async fn examples_are_listed_in_pages() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let mut list = async |page_size: i32, page_token: &str| -> ListExamplesResponse {
        let request = ListExamplesRequest {
            page_size,
            page_token: page_token.into(),
            ..Default::default()
        };
        about.list_examples(request).await.unwrap().into_inner()
    };
    let all = list(0, "").await;
    assert_eq!(all.next_page_token, "");
    let mut paged = Vec::new();
    let mut token = String::new();
    loop {
        let page = list(1, &token).await;
        assert_eq!(page.examples.len(), 1);
        paged.extend(page.examples);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all.examples);
}

#[tokio::test]
async fn examples_solve() {
    let server = Server::start(&[]).await;
    let request = ListExamplesRequest::default();
    let all = server.about().await.list_examples(request).await.unwrap();
    for example in all.into_inner().examples {
        let name = example.name;
        let request = GetExampleRequest { name: name.clone() };
        let mut about = server.about().await;
        let answer = about.get_example(request).await.unwrap().into_inner();
        let problem = answer.problem.unwrap().kind.unwrap();
        assert_eq!(title(&problem), example.title);
        solves(&server, problem, &name).await;
    }
}

fn title(problem: &problem::Kind) -> &str {
    match problem {
        problem::Kind::Allocation(problem) => &problem.title,
        problem::Kind::Crew(problem) => &problem.title,
        problem::Kind::Heist(problem) => &problem.world.as_ref().unwrap().title,
        problem::Kind::Narrative(problem) => &problem.title,
        problem::Kind::Patrol(problem) => &problem.title,
        problem::Kind::Puzzle(problem) => &problem.title,
        problem::Kind::Story(problem) => &problem.title,
        problem::Kind::Temporal(network) => &network.title,
    }
}

/// Whether there is a plan, or a proof.
async fn solves(server: &Server, problem: problem::Kind, name: &str) {
    match problem {
        problem::Kind::Allocation(problem) => {
            let answer = ask(server, problem, iterations(200, 0)).await.unwrap();
            assert!(answer.plan.is_some(), "{name}");
        }
        problem::Kind::Crew(problem) => {
            let request = assign(problem, iterations(1, 0));
            let answer = server.crew().await.assign_crew(request).await;
            let report = answer.unwrap().into_inner().report.unwrap();
            assert_eq!(report.stop_reason(), StopReason::Proved, "{name}");
        }
        problem::Kind::Heist(problem) => {
            let request = plan(problem, iterations(1_000_000, 0));
            let answer = server.heist().await.plan_burglar(request).await;
            let report = answer.unwrap().into_inner().report.unwrap();
            assert_eq!(report.stop_reason(), StopReason::Proved, "{name}");
        }
        problem::Kind::Narrative(problem) => {
            let request = ScheduleNarrativeRequest {
                problem: Some(problem),
                options: Some(iterations(100_000, 0)),
                ..Default::default()
            };
            let answer = server.narrative().await.schedule_narrative(request).await;
            let answer = answer.unwrap().into_inner();
            let told = answer.plan.is_some() != answer.conflict.is_some();
            assert!(told, "{name}: a plan, or why there is none");
        }
        problem::Kind::Patrol(problem) => {
            let request = generate(problem, iterations(1_000, 0));
            let answer = server.patrol().await.generate_patrol(request).await;
            assert!(answer.unwrap().into_inner().plan.is_some(), "{name}");
        }
        problem::Kind::Puzzle(problem) => {
            let request = make(problem, iterations(3_000, 0));
            let answer = server.puzzle().await.generate_puzzle(request).await;
            assert!(answer.unwrap().into_inner().plan.is_some(), "{name}");
        }
        problem::Kind::Story(problem) => {
            let request = tell(problem, iterations(1_000_000, 0));
            let answer = server.story().await.generate_story(request).await;
            let report = answer.unwrap().into_inner().report.unwrap();
            assert_eq!(report.stop_reason(), StopReason::Proved, "{name}");
        }
        problem::Kind::Temporal(network) => {
            let request = levels(network, iterations(1_000_000, 0));
            let mut client = server.temporal().await;
            let answer = client.check_controllability(request).await.unwrap();
            let report = answer.into_inner().report.unwrap();
            assert_eq!(report.stop_reason(), StopReason::Proved, "{name}");
        }
    }
}

#[tokio::test]
async fn examples_that_do_not_exist_are_not_found() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let request = GetExampleRequest {
        name: "allocation/nothing".into(),
    };
    let status = about.get_example(request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let request = ListExamplesRequest {
        page_token: "not ours".into(),
        ..Default::default()
    };
    let status = about.list_examples(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
