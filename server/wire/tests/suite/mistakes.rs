//! Every mistake that a request can have, with the field that it is in and its code.

mod books;
mod crew;
mod heist;
mod hidden;
mod narrative;
mod patrol;
mod puzzle;
mod schedule;
mod sizes;
mod story;
mod tables;
mod temporal;

use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};
use wire::decode::{Mistake, Rejected, allocate};

/// A request of which only something has to be replaced to be wrong.
fn good() -> Value {
    json!({
        "problem": {
            "title": "two friends",
            "agents": [
                {"id": "ann", "start": {"point": {"x": 0}}, "capacities": [5], "skills": ["sing"]},
                {"id": "bob", "start": {"point": {"x": 9}}, "end": {"point": {}}, "speed": 2},
            ],
            "tasks": [
                {"id": "near", "place": {"point": {"x": 1}}, "windows": [{"closeOffset": "10s"}]},
                {"id": "far", "place": {"point": {"x": 8}}, "demands": [3], "dropPenalty": 1.5},
            ],
            "objective": {"levels": [{"terms": [{"kind": "ALLOCATION_TERM_KIND_TRAVEL_COST"}]}]},
            "previousPlan": {"routes": [{"agentId": "ann", "taskIds": ["near"]}]},
        },
        "options": {"timeBudget": "0.25s", "maxIterations": 100},
    })
}

/// The same with two places by name.
fn on_matrix() -> Value {
    let mut request = good();
    let problem = &mut request["problem"];
    problem["travel"] = json!({"matrix": {
        "locationIds": ["home", "away"],
        "durationsUs": [0, 1, 2, 0],
        "costsMicro": [0, 5, 5, 0],
    }});
    for agent in problem["agents"]
        .as_array_mut()
        .expect("requests of tests are whole")
    {
        agent["start"] = json!({"locationId": "home"});
        agent
            .as_object_mut()
            .expect("requests of tests are whole")
            .remove("end");
    }
    for task in problem["tasks"]
        .as_array_mut()
        .expect("requests of tests are whole")
    {
        task["place"] = json!({"locationId": "away"});
    }
    request
}

fn encode(request: &Value) -> Vec<u8> {
    encode_as("stratagem.v1.AllocateTasksRequest", request)
}

fn encode_as(name: &str, request: &Value) -> Vec<u8> {
    use prost::Message as _;
    let pool = DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET)
        .expect("requests of tests are whole");
    let message = pool.get_message_by_name(name);
    let message =
        DynamicMessage::deserialize(message.expect("requests of tests are whole"), request)
            .expect("requests of tests are whole");
    message.encode_to_vec()
}

/// Fields and codes of all mistakes in an encoded request, as in `problem.tasks REQUIRED`.
fn mistakes_in(bytes: &[u8]) -> Vec<String> {
    lines(allocate(bytes))
}

fn lines<T>(read: Result<T, Rejected>) -> Vec<String> {
    match read {
        Ok(_) => Vec::new(),
        Err(Rejected::Mistakes(list)) => {
            let lines = |mistake: &Mistake| {
                assert!(!mistake.description.is_empty());
                format!("{} {}", mistake.field, mistake.code.name())
            };
            list.iter().map(lines).collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn mistakes(request: &Value) -> Vec<String> {
    mistakes_in(&encode(request))
}

/// Replaces the value at a pointer, as in `/problem/tasks/0/id`; null removes it.
fn replaced(mut request: Value, at: &str, value: Value) -> Value {
    let (parent, key) = at.rsplit_once('/').expect("requests of tests are whole");
    let parent = request.pointer_mut(parent).expect("the parent exists");
    match (parent, value) {
        (Value::Object(fields), Value::Null) => drop(fields.remove(key)),
        (Value::Object(fields), value) => drop(fields.insert(key.into(), value)),
        (Value::Array(list), value) => {
            list[key.parse::<usize>().expect("requests of tests are whole")] = value;
        }
        _ => panic!("{at} is in nothing"),
    }
    request
}

/// Checks that a value in place of the base's is that one mistake.
fn check_one(base: &Value, at: &str, value: &Value, wanted: &str) {
    let found = mistakes(&replaced(base.clone(), at, value.clone()));
    assert_eq!(found, [wanted], "{at} = {value}");
}

/// Checks a table about one part of the request: in each line where in it, a value as JSON, and the
/// mistake that it is.
fn check(base: &Value, part: &str, table: &str) {
    check_by(mistakes, base, part, table);
}

/// The same for requests whose mistakes something else finds.
fn check_by(mistakes: fn(&Value) -> Vec<String>, base: &Value, part: &str, table: &str) {
    assert_eq!(mistakes(base), [""; 0], "the base is good");
    let lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines {
        let (case, wanted) = line.split_once(" => ").expect("a line has a mistake");
        let (at, value) = case.split_once(" = ").expect("a line has a value");
        let value: Value = serde_json::from_str(value).expect("values are JSON");
        let found = mistakes(&replaced(base.clone(), &format!("/{part}/{at}"), value));
        assert_eq!(found, [format!("{part}.{wanted}")], "{line}");
    }
}
