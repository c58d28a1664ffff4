//! What is too long, too many or too much, and what is just not.

use crate::mistakes::{check_one, encode, good, mistakes, mistakes_in, on_matrix, replaced};
use prost::Message as _;
use serde_json::{Value, json};
use stratagem_proto::v1 as pb;

#[test]
fn nothing_at_all() {
    assert_eq!(mistakes(&json!({})), ["problem REQUIRED"]);
    let request = replaced(good(), "/problem/agents", json!([]));
    let request = replaced(request, "/problem/previousPlan", Value::Null);
    assert_eq!(mistakes(&request), ["problem.agents REQUIRED"]);
}

#[test]
fn texts_that_are_too_long_in_characters() {
    for (at, length, wanted) in [
        ("/problem/title", 200, "problem.title TOO_LONG"),
        (
            "/problem/description",
            4_000,
            "problem.description TOO_LONG",
        ),
        ("/problem/agents/1/id", 100, "problem.agents[1].id TOO_LONG"),
        ("/problem/tasks/1/id", 100, "problem.tasks[1].id TOO_LONG"),
    ] {
        // Two bytes each.
        check_one(&good(), at, &json!("é".repeat(length + 1)), wanted);
        assert_eq!(
            mistakes(&replaced(good(), at, json!("é".repeat(length)))),
            [""; 0]
        );
    }
}

#[test]
fn lists_that_are_too_long() {
    let element = |i: i32, place: &str| json!({"id": i.to_string(), place: {"point": {}}});
    let agents: Vec<Value> = (0..1_001).map(|i| element(i, "start")).collect();
    let tasks: Vec<Value> = (0..10_001).map(|i| element(i, "place")).collect();
    let skills: Vec<String> = (0..65).map(|i| format!("skill {i}")).collect();
    let second = |i: i32| format!("{i}s");
    let window = |i| json!({"openOffset": second(2 * i), "closeOffset": second(2 * i + 1)});
    let windows: Vec<Value> = (0..17).map(window).collect();
    for (at, list, wanted) in [
        ("/problem/agents", json!(agents), "problem.agents TOO_MANY"),
        ("/problem/tasks", json!(tasks), "problem.tasks TOO_MANY"),
        (
            "/problem/agents/0/skills",
            json!(skills),
            "problem.agents[0].skills[64] TOO_MANY",
        ),
        (
            "/problem/tasks/0/windows",
            json!(windows),
            "problem.tasks[0].windows TOO_MANY",
        ),
    ] {
        check_one(&good(), at, &list, wanted);
    }
}

#[test]
fn the_largest_and_finest_values_are_fine() {
    for (at, value) in [
        ("/problem/tasks/1/dropPenalty", json!(1_000_000_000)),
        ("/problem/tasks/1/dropPenalty", json!(999_999_999.999_999)),
        ("/problem/agents/0/speed", json!(0.001)),
        ("/problem/agents/0/speed", json!(0.1)),
        ("/problem/agents/0/shiftEndOffset", json!("315360000s")),
        ("/problem/tasks/0/serviceDuration", json!("0.000001s")),
        (
            "/problem/tasks/0/place",
            json!({"point": {"x": -1_000_000, "y": 1e6}}),
        ),
        ("/options/timeBudget", json!("86400s")),
        ("/options/maxIterations", json!(1_000_000_000_000_i64)),
    ] {
        let found = mistakes(&replaced(good(), at, value.clone()));
        assert_eq!(found, [""; 0], "{at} = {value}");
    }
}

#[test]
fn an_objective_that_could_overflow() {
    let mut request = on_matrix();
    let costs = json!([0, 1_000_000_000_000_000_i64, 1, 0]);
    request["problem"]["travel"]["matrix"]["costsMicro"] = costs;
    let term = &mut request["problem"]["objective"]["levels"][0]["terms"][0];
    term["weight"] = json!(1_000_000);
    assert_eq!(mistakes(&request), ["problem.objective.levels[0] OVERFLOW"]);
}

#[test]
fn durations_that_are_none() {
    let hostile = [
        (1, -1),
        (-1, 1),
        (0, 1_000_000_000),
        (i64::MAX, 0),
        (i64::MIN, 0),
    ];
    for (seconds, nanos) in hostile {
        let mut request = pb::AllocateTasksRequest::decode(encode(&good()).as_slice()).unwrap();
        let problem = request.problem.as_mut().unwrap();
        problem.tasks[0].service_duration = Some(prost_types::Duration { seconds, nanos });
        let wanted = "problem.tasks[0].service_duration DURATION_MALFORMED";
        let found = mistakes_in(&request.encode_to_vec());
        assert_eq!(found, [wanted], "{seconds} s and {nanos} ns");
    }
}

#[test]
fn at_most_a_hundred_are_listed() {
    let tasks: Vec<Value> = (0..500).map(|_| json!({})).collect();
    let request = replaced(good(), "/problem/tasks", json!(tasks));
    assert_eq!(mistakes(&request).len(), 100);
}
