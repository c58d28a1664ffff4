//! A good request of each method.

use crate::calls::{Caller, example, planner};
use prost_reflect::MethodDescriptor;
use serde_json::{Value, json};
use stratagem_proto::EXAMPLES;

/// Six pushes solve it.
const BOARD: [&str; 5] = ["########", "#@ $  .#", "# $  . #", "#      #", "########"];
const TALE: &str = "Ben lived in the village. Ben took the knife in the village. Ben killed Ann \
                    with the knife.";

/// Requests of a method, one about each example of its planner where it is about a problem of that
/// kind. All searches end at an iteration limit.
pub(crate) async fn requests(caller: &Caller, method: &MethodDescriptor) -> Vec<Value> {
    let planner = planner(method.parent_service().name()).unwrap();
    let examples = EXAMPLES.iter().filter(|example| example.planner == planner);
    let mut requests = Vec::new();
    let name = method.name().trim_start_matches("Stream");
    match name {
        "SolvePuzzle" => requests.push(json!({"problem": {"rows": BOARD}})),
        "LearnStoryDomain" => requests.push(json!({"books": {"text": TALE}})),
        "RatePuzzles" => requests.push(ratings()),
        _ => requests.extend(examples.map(|it| json!({"problem": problem(method, it.name)}))),
    }
    for request in &mut requests {
        complete(caller, name, request).await;
        if method.input().get_field_by_name("options").is_some() {
            request["options"] = limited();
        }
    }
    // Choices are along a story, and one task is inserted where it goes without others.
    requests.retain(|it| {
        let inserts = it["problem"]
            .get("previous_plan")
            .or(it["problem"].get("couplings"));
        match name {
            "BranchStory" => !it["acts"].is_null(),
            "InsertTask" => inserts.is_none(),
            _ => true,
        }
    });
    assert!(!requests.is_empty(), "there is no request to {name}");
    requests
}

/// Options that end every search by its iterations.
pub(crate) fn limited() -> Value {
    json!({"time_budget": "600s", "max_iterations": 400, "seed": 7})
}

/// The example as the problem of a method: some are about a part of it.
fn problem(method: &MethodDescriptor, name: &str) -> Value {
    let wanted = method.input().get_field_by_name("problem").unwrap();
    let wanted = wanted.kind().as_message().unwrap().name().to_owned();
    let mut problem = example(name);
    match wanted.as_str() {
        "HeistWorld" => problem["world"].take(),
        _ => problem,
    }
}

/// Adds what a request has to have besides its problem.
async fn complete(caller: &Caller, method: &str, request: &mut Value) {
    match method {
        "InsertTask" => request["task_id"] = request["problem"]["tasks"][0]["id"].clone(),
        "CompareCrewMoves" => {
            request["moves"] = json!([{"role": {
                "player_id": "p1",
                "tool_id": "t1",
                "fetch_node_ids": ["n0", "n2", "n4", "n3", "n1", "n20"],
                "carry_node_ids": ["n20", "n19", "n18"],
            }}]);
        }
        "EvaluatePatrol" => request["plan"] = found(caller, "GeneratePatrol", request).await,
        "BranchStory" | "ExplainStory" => {
            request["acts"] = found(caller, "GenerateStory", request).await["acts"].clone();
        }
        _ => {}
    }
    if method == "BranchStory" {
        request["max_continuation_iterations"] = json!(50);
    }
}

/// The plan that another method finds.
async fn found(caller: &Caller, method: &str, request: &Value) -> Value {
    let request = json!({"problem": request["problem"], "options": limited()});
    caller.answer(method, &request).await["plan"].take()
}

/// Two corridors, of which the longer one is the harder one.
fn ratings() -> Value {
    let level = |id: &str, middle: &str| {
        let wall = "#".repeat(middle.len());
        json!({"id": id, "rows": [wall, middle, wall]})
    };
    json!({
        "levels": [level("short", "#@$ .#"), level("long", "#@$    .#")],
        "comparisons": [{"harder_id": "long", "easier_id": "short"}],
    })
}
