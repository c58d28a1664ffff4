//! Answers that are shared, and jobs: the same answer by another way.

use crate::calls::{Caller, member, searches, settings};
use crate::requests::requests;
use crate::searches::timeless;
use crate::unbounded;
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
        assert_eq!(job["state"], "JOB_STATE_QUEUED", "{name}");
        let path = format!("{}/{}", method.parent_service().full_name(), method.name());
        assert_eq!(job["method"], path);
        let watched = json!({"job_id": job["job_id"]});
        let last = caller.answer("WatchJob", &watched).await["event"].take();
        assert_eq!(last["state"], "JOB_STATE_SUCCEEDED", "{name}: {last}");
        let ended = caller.answer("GetJob", &watched).await["job"].take();
        assert_eq!(ended["attempts"], 1, "{name}: {ended}");
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

/// A search of 30 tasks with these options.
fn search(options: Value) -> Value {
    let mut request = unbounded::request("AllocateTasks");
    request["options"] = options;
    request
}

async fn caching() -> Caller {
    let cache_bytes_max = Config::default().cache_bytes_max;
    Caller::new(Config {
        cache_bytes_max,
        ..settings()
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_requests_in_flight_share_one_search() {
    let caller = caching().await;
    let request = search(json!({"max_iterations": 500, "time_budget": "600s"}));
    let calls = (0..16).map(|_| caller.answer("AllocateTasks", &request));
    let mut answers = futures_util::future::join_all(calls).await;
    let shared = answers.iter().filter(|it| it["report"]["shared"] == true);
    assert_eq!(shared.count(), 15);
    assert_eq!(caller.counted("stratagem_solve_total"), 1.0);
    answers.iter_mut().for_each(|it| drop(it["report"].take()));
    answers.dedup();
    assert_eq!(answers.len(), 1);
    // The problem, the strategy and the width count, too.
    let mut others = vec![request; 3];
    others[0]["options"]["strategy"] = json!("mcts");
    others[1]["options"]["engine"] = json!({"parallel_width": 3});
    others[2]["problem"]["tasks"][0]["place"]["point"]["x"] = json!(50);
    for other in others {
        let answer = caller.answer("AllocateTasks", &other).await;
        assert_eq!(answer["report"].get("shared"), None, "{other}");
    }
    assert_eq!(caller.counted("stratagem_solve_total"), 4.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_joined_a_search_gets_the_answer_when_the_first_leaves() {
    let caller = caching().await;
    let request = search(json!({"max_iterations": 4_000, "time_budget": "600s"}));
    let mut second = std::pin::pin!(caller.answer("AllocateTasks", &request));
    {
        let first = std::pin::pin!(caller.answer("AllocateTasks", &request));
        // Calls of one connection arrive in their order: the second is there before these.
        let searching = async {
            caller.busy(1).await;
            for _ in 0..10 {
                caller.answer("GetServerInfo", &json!({})).await;
            }
        };
        tokio::select! {
            _ = first => panic!("it is longer than that"),
            _ = second.as_mut() => panic!("so is this"),
            () = searching => {}
        }
    }
    assert_eq!(second.await["report"]["reproducible"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_depend_on_the_clock_are_not_shared() {
    let caller = caching().await;
    for _ in 0..2 {
        let answer = caller
            .answer("AllocateTasks", &search(json!({"time_budget": "1s"})))
            .await;
        let report = &answer["report"];
        assert_eq!(
            (report.get("reproducible"), report.get("shared")),
            (None, None)
        );
    }
}
