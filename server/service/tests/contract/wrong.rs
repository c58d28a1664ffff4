//! Requests that are wrong: refused with every mistake, alike by every way that they may take.

use crate::calls::{Caller, member, methods, mistakes, searches, settings};
use crate::requests::requests;
use serde_json::{Value, json};
use stratagem_server::Config;

/// Options that are wrong for all searches, and the mistakes.
const OPTIONS: [(&str, &str, &str); 17] = [
    ("time_budget", "\"0s\"", "time_budget OUT_OF_RANGE"),
    ("time_budget", "\"-1s\"", "time_budget OUT_OF_RANGE"),
    ("time_budget", "\"3600000s\"", "time_budget OUT_OF_RANGE"),
    (
        "time_budget",
        "\"0.000000001s\"",
        "time_budget OUT_OF_RANGE",
    ),
    ("max_iterations", "0", "max_iterations OUT_OF_RANGE"),
    ("max_iterations", "-1", "max_iterations OUT_OF_RANGE"),
    (
        "max_iterations",
        "1000000000001",
        "max_iterations OUT_OF_RANGE",
    ),
    ("engine", "{\"threads\": 0}", "engine.threads OUT_OF_RANGE"),
    ("engine", "{\"threads\": 65}", "engine.threads OUT_OF_RANGE"),
    (
        "engine",
        "{\"parallel_width\": -1}",
        "engine.parallel_width OUT_OF_RANGE",
    ),
    (
        "engine",
        "{\"parallel_width\": 65}",
        "engine.parallel_width OUT_OF_RANGE",
    ),
    ("strategy", "\"magic\"", "strategy UNKNOWN"),
    ("priority", "4", "priority ENUM_UNKNOWN"),
    ("target", "{}", "target.levels REQUIRED"),
    (
        "target",
        "{\"levels\": [\"NaN\"]}",
        "target.levels[0] NOT_FINITE",
    ),
    (
        "target",
        "{\"levels\": [1, \"Infinity\"]}",
        "target.levels[1] NOT_FINITE",
    ),
    (
        "target",
        "{\"levels\": [1,2,3,4,5,6,7,8,9]}",
        "target.levels TOO_MANY",
    ),
];

#[tokio::test]
async fn options_are_checked_alike_by_every_search() {
    let caller = Caller::new(settings()).await;
    for method in searches() {
        let good = requests(&caller, &method).await.remove(0);
        for (option, value, wanted) in OPTIONS {
            let mut wrong = good.clone();
            wrong["options"][option] = serde_json::from_str(value).unwrap();
            let status = caller.ask(method.name(), &wrong).await.unwrap_err();
            let mut found = mistakes(&status);
            // Searches without a target allow none.
            let too_many = "target.levels TOO_MANY";
            found.retain(|it| wanted == too_many || *it != format!("options.{too_many}"));
            assert_eq!(
                found,
                [format!("options.{wanted}")],
                "{} {value}",
                method.name()
            );
        }
    }
}

/// The fields that the contract requires in a message, in their order.
fn required(method: &prost_reflect::MethodDescriptor) -> Vec<String> {
    let rule = "buf.validate.field";
    let rules = crate::calls::extension(rule);
    let input = method.input();
    let fields = input.fields().filter(|field| {
        let options = field.options();
        let rules = options.get_extension(&rules);
        let rules = rules.as_message().unwrap();
        let required = rules.get_field_by_name("required");
        let list = rules.get_field_by_name("repeated").is_some_and(|list| {
            let least = list
                .as_message()
                .and_then(|it| it.get_field_by_name("min_items").map(|it| it.into_owned()));
            rules.has_field_by_name("repeated") && least.and_then(|it| it.as_u64()).unwrap_or(0) > 0
        });
        list || required.is_some_and(|it| it.as_bool() == Some(true))
    });
    fields
        .map(|field| format!("{} REQUIRED", field.name()))
        .collect()
}

#[tokio::test]
async fn an_empty_request_lacks_what_is_required() {
    let caller = Caller::new(settings()).await;
    for method in methods() {
        let status = caller.ask(method.name(), &json!({})).await.unwrap_err();
        let found = mistakes(&status);
        let wanted = required(&method);
        assert!(!wanted.is_empty(), "{} needs nothing", method.name());
        assert_eq!(found[..wanted.len()], wanted, "{}", method.name());
    }
}

/// A request with a problem that is wrong in more than one way, and with options that are, too.
fn spoilt(mut request: Value) -> Value {
    let problem = request.get_mut("problem").and_then(Value::as_object_mut);
    for (_, value) in problem.into_iter().flatten() {
        if let Some(list) = value.as_array_mut() {
            // Ids twice, rows too many.
            list.extend(list.clone());
        }
    }
    request["options"]["engine"] = json!({"threads": 99});
    request["options"]["strategy"] = json!("magic");
    request
}

#[tokio::test]
async fn the_same_mistakes_are_found_unary_streamed_and_in_a_job() {
    let place = std::env::temp_dir().join(format!("stratagem-wrong-{}", std::process::id()));
    let config = Config {
        jobs: place.to_str().unwrap().parse().unwrap(),
        ..settings()
    };
    let caller = Caller::new(config).await;
    for method in searches()
        .iter()
        .filter(|it| !it.name().starts_with("Stream"))
    {
        let request = spoilt(requests(&caller, method).await.remove(0));
        let found = mistakes(&caller.ask(method.name(), &request).await.unwrap_err());
        assert!(found.len() >= 2, "all in one answer: {found:?}");
        assert!(
            found.contains(&"options.engine.threads OUT_OF_RANGE".to_owned()),
            "{found:?}"
        );
        let stream = format!("Stream{}", method.name());
        if searches().iter().any(|it| it.name() == stream) {
            let status = caller.ask(&stream, &request).await.unwrap_err();
            assert_eq!(mistakes(&status), found, "{stream}");
        }
        let name = member("JobRequest", &method.input()).unwrap();
        let wanted = json!({"request": {name.clone(): request}});
        let status = caller.ask("CreateJob", &wanted).await.unwrap_err();
        let inner = found.iter().map(|it| format!("request.{name}.{it}"));
        assert_eq!(mistakes(&status), inner.collect::<Vec<_>>());
        // And after all that, it still works.
        caller
            .answer(method.name(), &requests(&caller, method).await.remove(0))
            .await;
    }
    let jobs = caller.answer("ListJobs", &json!({})).await;
    assert_eq!(jobs.get("jobs"), None, "nothing was accepted");
    drop(caller);
    std::fs::remove_file(place).unwrap();
}

#[tokio::test]
async fn a_hundred_mistakes_are_listed_and_all_are_counted() {
    let caller = Caller::new(settings()).await;
    let task = json!({"id": "same", "place": {"point": {"x": 0}}});
    let agent = json!({"id": "ann", "start": {"point": {"x": 0}}});
    let request = json!({"problem": {"agents": [agent], "tasks": vec![task; 150]}});
    let status = caller.ask("AllocateTasks", &request).await.unwrap_err();
    let found = mistakes(&status);
    assert_eq!(found.len(), 100);
    assert_eq!(found[99], "problem.tasks[100].id DUPLICATE");
    assert!(status.message().contains("149"), "{}", status.message());
}
