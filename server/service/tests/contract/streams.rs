//! Streams: better and better, and the last message is the answer of the unary method.

use crate::calls::{Caller, messages, method, searches, settings};
use crate::plans::{any_plan, plans};
use crate::requests::requests;
use crate::searches::{has_plan, levels, timeless};
use crate::unbounded;
use prost_reflect::MethodDescriptor;
use serde_json::{Value, json};
use stratagem_server::Config;
use stratagem_server::config::Span;

/// What is true of the steps of every stream; how many had a plan before the last.
async fn check_steps(
    caller: &Caller,
    method: &MethodDescriptor,
    request: &Value,
    steps: &[Value],
) -> usize {
    let about = method.name();
    let numbers = steps
        .iter()
        .map(|step| step["event"]["sequence"].as_i64().unwrap());
    let numbers: Vec<_> = [0].into_iter().chain(numbers).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{about}: {numbers:?}");
    let (last, before) = steps.split_last().unwrap();
    assert!(
        before.iter().all(|step| step.get("report").is_none()),
        "{about}: only the last"
    );
    let mut costs = Vec::new();
    for step in before {
        let event = &step["event"];
        let heartbeat = event["heartbeat"].as_bool().unwrap_or(false);
        // The first set of plans may be empty.
        let set = method.output().get_field_by_name("plans").is_some();
        assert!(
            heartbeat != has_plan(step) || set && !heartbeat,
            "{about}: {step}"
        );
        if heartbeat {
            continue;
        }
        // What is learned has no cost.
        let cost = event.get("objective").map(levels).unwrap_or_default();
        costs.extend((!cost.is_empty()).then_some(cost));
        for plan in plans(&method.output(), step) {
            let Some(any) = any_plan(method, request, &plan) else {
                continue;
            };
            let verdict = caller.answer("VerifyPlan", &any).await;
            assert_eq!(verdict["valid"], true, "{about}: {verdict}");
            if step.get("plan").is_some() && verdict.get("objective").is_some() {
                let (own, claimed) = (levels(&verdict["objective"]), costs.last().unwrap());
                let mut both = own.iter().zip(claimed);
                let is_same = both.all(|(one, other)| (one - other).abs() < 1e-9);
                assert!(
                    own.len() == claimed.len() && is_same,
                    "{about}: {verdict} {event}"
                );
            }
        }
    }
    assert!(
        costs.is_sorted_by(|a, b| a > b),
        "{about}: each is strictly better: {costs:?}"
    );
    let report = last.get("report").expect("the last one has the report");
    let (own, claimed) = (&last["event"]["objective"], &report["objective"]);
    assert_eq!(own["levels"], claimed["levels"], "{about}: {report}");
    if let (Some(best), Some(objective)) = (costs.last(), report.get("objective")) {
        assert!(*best >= levels(objective), "{about}: the last has the best");
    }
    costs.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_step_is_strictly_better_and_the_last_is_the_unary_answer() {
    let caller = Caller::new(settings()).await;
    let mut improved = std::collections::BTreeSet::new();
    let mut streamed = 0;
    for stream in searches().iter().filter(|it| it.is_server_streaming()) {
        streamed += 1;
        for request in requests(&caller, stream).await {
            let steps = caller.steps(stream.name(), &request).await.unwrap();
            if check_steps(&caller, stream, &request, &steps).await > 0 {
                improved.insert(stream.name().to_owned());
            }
            let Some(unary) = stream.name().strip_prefix("Stream") else {
                continue;
            };
            let unary = caller.answer(method(unary).name(), &request).await;
            let last = steps.last().unwrap().clone();
            assert_eq!(timeless(last), timeless(unary), "{}", stream.name());
        }
    }
    // A reader may miss any step but the last; not all of them of all streams.
    assert!(improved.len() * 2 > streamed, "{improved:?} of {streamed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_gives_signs_of_life() {
    let config = Config {
        heartbeat_interval: Span::from_millis(20),
        ..settings()
    };
    let caller = Caller::new(config).await;
    let stream = method("StreamAllocateTasks");
    let mut request = unbounded::request("AllocateTasks");
    request["options"]["time_budget"] = json!("1.500s");
    let steps = caller.steps(stream.name(), &request).await.unwrap();
    check_steps(&caller, &stream, &request, &steps).await;
    assert!(steps.iter().any(|step| step["event"]["heartbeat"] == true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_sleeps_misses_steps_but_never_the_last() {
    let caller = Caller::new(settings()).await;
    let stream = method("StreamAllocateTasks");
    let mut request = unbounded::request("AllocateTasks");
    request["options"]["max_iterations"] = json!(400);
    let unread = caller.begin(stream.name(), &request).await.unwrap();
    // The search ends though nobody reads.
    caller.until("stratagem_solve_total", 1.0).await;
    let steps = messages(unread).await.unwrap();
    check_steps(&caller, &stream, &request, &steps).await;
}
