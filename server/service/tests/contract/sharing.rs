//! Answers that are shared, and jobs: the same answer by another way.

use crate::calls::{Caller, example, member, searches, settings};
use crate::requests::requests;
use crate::searches::timeless;
use prost_reflect::Kind;
use serde_json::{Value, json};
use stratagem_server::Config;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_equal_request_shares_an_answer_and_any_other_does_not() {
    let config = Config {
        cache_bytes_max: Config::default().cache_bytes_max,
        ..settings()
    };
    let caller = Caller::new(config).await;
    let mut varied = 0;
    for method in searches().iter().filter(|it| !it.is_server_streaming()) {
        let request = requests(&caller, method).await.pop().unwrap();
        let mut other = request.clone();
        // The request may have been made to find what another one is about.
        other["options"]["seed"] = json!(8);
        let first = caller.answer(method.name(), &other).await;
        assert_eq!(first["report"].get("shared"), None, "{}", method.name());
        let mut again = caller.answer(method.name(), &other).await;
        assert_eq!(again["report"]["shared"], true, "{}", method.name());
        again["report"].as_object_mut().unwrap().remove("shared");
        assert_eq!(
            timeless(again),
            timeless(first.clone()),
            "{}",
            method.name()
        );
        for (option, value) in [("max_iterations", json!(401)), ("seed", json!(9))] {
            let mut other = request.clone();
            other["options"][option] = value;
            let answer = caller.answer(method.name(), &other).await;
            assert_eq!(
                answer["report"].get("shared"),
                None,
                "{} {option}",
                method.name()
            );
        }
        // Of the other fields of the request, those of whole numbers, and plans to begin with.
        let input = method.input();
        let others = input
            .fields()
            .filter(|it| !matches!(it.name(), "problem" | "options"));
        let plan = first.get("plan");
        for field in others {
            let value = match field.name() {
                "previous_plan" => plan.cloned().unwrap_or_default(),
                _ if field.kind() == Kind::Int32 && !field.is_list() => json!(4),
                _ => continue,
            };
            let mut changed = other.clone();
            changed[field.name()] = value;
            // What is not valid is no other request.
            if let Ok(answer) = caller.ask(method.name(), &changed).await {
                let shared = answer["report"].get("shared");
                assert_eq!(shared, None, "{} {}", method.name(), field.name());
                varied += 1;
            }
        }
    }
    assert!(varied >= 8, "{varied} fields were varied");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_search_is_a_job_with_the_same_answer() {
    let place = std::env::temp_dir().join(format!("stratagem-contract-{}", std::process::id()));
    let config = Config {
        jobs: place.to_str().unwrap().parse().unwrap(),
        ..settings()
    };
    let caller = Caller::new(config).await;
    let mut jobs = 0;
    for method in searches() {
        let Some(name) = member("JobRequest", &method.input()) else {
            panic!("{} cannot be a job", method.name());
        };
        if method.name().starts_with("Stream") {
            continue;
        }
        let request = requests(&caller, &method).await.remove(0);
        let wanted = json!({"request": {name.clone(): request}});
        let job = caller.answer("CreateJob", &wanted).await["job"].take();
        let watched = json!({"job_id": job["job_id"]});
        let last = caller.answer("WatchJob", &watched).await["event"].take();
        assert_eq!(last["state"], "JOB_STATE_SUCCEEDED", "{name}: {last}");
        let mut answer = last["response"][&name].clone();
        let mut own = caller.answer(method.name(), &request).await;
        for one in [&mut answer, &mut own] {
            let report = one["report"].as_object_mut().unwrap();
            report.remove("threads");
        }
        assert_eq!(timeless(answer), timeless(own), "{name}");
        jobs += 1;
    }
    let union = crate::calls::message("JobRequest");
    assert_eq!(jobs, union.fields().count());
    drop(caller);
    std::fs::remove_file(place).unwrap();
}

#[tokio::test]
async fn the_examples_are_served_as_they_are() {
    let caller = Caller::new(settings()).await;
    let listed = caller.answer("ListExamples", &json!({})).await;
    let listed = listed["examples"].as_array().unwrap();
    assert_eq!(listed.len(), stratagem_proto::EXAMPLES.len());
    for one in listed {
        let name = one["name"].as_str().unwrap();
        let answer = caller.answer("GetExample", &json!({"name": name})).await;
        let problem = answer["problem"].as_object().unwrap().values().next();
        let problem: &Value = problem.unwrap();
        assert_eq!(*problem, example(name), "{name}");
        let title = problem.get("title").unwrap_or(&problem["world"]["title"]);
        assert_eq!(*title, one["title"]);
    }
}
