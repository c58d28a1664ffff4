//! Searches that are stopped: by their caller, by their deadline, by a server that drains.

use crate::calls::{Caller, messages, methods, searches, settings};
use crate::requests::requests;
use crate::searches::has_plan;
use crate::unbounded::{SHORT, request};
use prost_reflect::MethodDescriptor;
use serde_json::{Value, json};
use stratagem_server::Config;

/// Methods whose searches may take long.
fn long() -> impl Iterator<Item = MethodDescriptor> {
    let is_short = |method: &MethodDescriptor| SHORT.iter().any(|(name, _)| *name == method.name());
    searches()
        .into_iter()
        .filter(move |method| !is_short(method))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_goes_away_frees_the_slot() {
    let caller = Caller::new(settings()).await;
    for method in long() {
        let request = request(method.name());
        if method.is_server_streaming() {
            let stream = caller.begin(method.name(), &request).await.unwrap();
            caller.busy(1).await;
            drop(stream);
        } else {
            // The answer of a unary method begins with its end.
            let waiting = caller.begin(method.name(), &request);
            tokio::select! {
                answer = waiting => panic!("{}: {:?}", method.name(), answer.map(|_| ())),
                () = caller.busy(1) => {}
            }
        }
        caller.busy(0).await;
    }
}

/// What the end of a stopped search has to be: the best so far, and why.
fn check_end(method: &MethodDescriptor, last: &Value, reason: &str) -> bool {
    let report = &last["report"];
    assert_eq!(report["stop_reason"], reason, "{}: {last}", method.name());
    assert_eq!(
        report.get("reproducible"),
        None,
        "{}: {report}",
        method.name()
    );
    let status = report["status"].as_str().unwrap();
    // Of what is proved, details may be missing.
    assert_eq!(
        status == "SOLVE_STATUS_UNKNOWN",
        !has_plan(last),
        "{}: {last}",
        method.name()
    );
    has_plan(last)
}

/// Asks these methods, one after the other, for what they find in a short time.
async fn budgets_bring_the_best_so_far(is_streaming: bool) {
    let caller = Caller::new(settings()).await;
    let (mut planned, mut ended) = (0, 0);
    // A verdict takes milliseconds; what is said about it afterwards takes long.
    let planning = |method: &MethodDescriptor| method.name() != "CheckStrongControllability";
    let of_kind = |method: &MethodDescriptor| method.is_server_streaming() == is_streaming;
    for method in long().filter(planning).filter(of_kind) {
        let mut request = request(method.name());
        request["options"]["time_budget"] = json!("0.500s");
        let steps = caller.steps(method.name(), &request).await.unwrap();
        let last = steps.last().unwrap();
        planned += usize::from(check_end(&method, last, "STOP_REASON_DEADLINE"));
        ended += 1;
        assert_eq!(last["report"]["time_budget"], "0.500s", "{}", method.name());
    }
    assert!(
        planned * 2 > ended,
        "{planned} of {ended} searches had a plan"
    );
}

/// A test for each kind of method: they run at the same time.
mod a_time_budget_brings_the_best_so_far {
    use super::budgets_bring_the_best_so_far;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn as_the_answer() {
        budgets_bring_the_best_so_far(false).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn as_the_last_step_of_a_stream() {
        budgets_bring_the_best_so_far(true).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_drains_gives_the_best_so_far() {
    let config = Config {
        slots: 32,
        ..settings()
    };
    let mut caller = Caller::new(config).await;
    let mut streams = Vec::new();
    for method in long().filter(MethodDescriptor::is_server_streaming) {
        let stream = caller
            .begin(method.name(), &request(method.name()))
            .await
            .unwrap();
        streams.push((method, stream));
    }
    let count = streams.len();
    caller.busy(i64::try_from(count).unwrap()).await;
    // Each has begun to search; most have a plan by then.
    for (_, stream) in &mut streams {
        stream.message().await.unwrap().unwrap();
    }
    let mut planned = 0;
    let drained = tokio::spawn(caller.take().shut_down());
    for (method, stream) in streams {
        let steps = messages(stream).await.unwrap();
        let has_plan = check_end(&method, steps.last().unwrap(), "STOP_REASON_DRAINING");
        planned += usize::from(has_plan);
    }
    assert!(planned * 2 > count, "{planned} of {count} had a plan");
    drop(caller);
    assert!(drained.await.unwrap(), "all calls ended in time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_need_no_slot() {
    let caller = Caller::new(Config {
        slots: 1,
        ..settings()
    })
    .await;
    let mut questions = Vec::new();
    for method in methods() {
        if method.input().get_field_by_name("options").is_none() {
            let all = requests(&caller, &method).await;
            questions.extend(all.into_iter().map(|it| (method.clone(), it)));
        }
    }
    let stream = caller
        .begin("StreamAllocateTasks", &request("AllocateTasks"))
        .await;
    caller.busy(1).await;
    for (method, request) in &questions {
        let answer = caller.answer(method.name(), request).await;
        assert_eq!(
            caller.answer(method.name(), request).await,
            answer,
            "the same again"
        );
    }
    assert!(questions.len() >= 5);
    drop(stream);
}
