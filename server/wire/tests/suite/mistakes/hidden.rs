//! Ids with characters that are not shown, or change how others are shown.

use crate::mistakes::encode_as;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wire::decode::{Rejected, any_request};

/// For [`any_request`]: a job takes problems of every planner.
const CREATE_JOB: &[u8] = b"CreateJob\n";
/// What follows is shown from right to left.
const OVERRIDE: char = '\u{202e}';

/// Paths of all ids and names of a document, as in `tasks.0.id`; of a list its first element only.
fn names(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("id" | "name" | "origin_id", Value::String(_)) => {
                        found.insert(format!("{at}/{key}"));
                    }
                    (_, Value::Array(list))
                        if (key.ends_with("_ids") || key == "skills")
                            && list.first().is_some_and(Value::is_string) =>
                    {
                        found.insert(format!("{at}/{key}/0"));
                    }
                    _ => names(value, &format!("{at}/{key}"), found),
                }
            }
        }
        Value::Array(list) => {
            if let Some(first) = list.first() {
                names(first, &format!("{at}/0"), found);
            }
        }
        _ => {}
    }
}

/// The method of a job about a problem, as a field of a `JobRequest`.
fn method_of(planner: &str) -> &'static str {
    match planner {
        "allocation" => "allocate_tasks",
        "crew" => "assign_crew",
        "heist" => "plan_burglar",
        "narrative" => "schedule_narrative",
        "patrol" => "generate_patrol",
        "puzzle" => "generate_puzzle",
        "schedule" => "schedule_project",
        "story" => "generate_story",
        "temporal" => "check_strong_controllability",
        other => panic!("say here which method plans for {other}"),
    }
}

/// Reasons of the mistakes in a job's request, with their fields.
fn reasons(request: &Value) -> Vec<String> {
    let mut bytes = CREATE_JOB.to_vec();
    bytes.extend(encode_as("stratagem.v1.CreateJobRequest", request));
    match any_request(&bytes) {
        Ok(method) => {
            assert_eq!(method, "CreateJob");
            Vec::new()
        }
        Err(Rejected::Mistakes(mistakes)) => {
            let mistakes = mistakes.into_iter();
            mistakes
                .map(|it| format!("{} {}", it.field, it.code.name()))
                .collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn every_id_of_every_planner_refuses_marks_of_direction() {
    let mut planners = BTreeSet::new();
    for example in stratagem_proto::EXAMPLES {
        let problem: Value = serde_json::from_str(example.json).expect("examples are JSON");
        let whole = json!({"request": {method_of(example.planner): {"problem": problem}}});
        let mut pointers = BTreeSet::new();
        names(&whole, "", &mut pointers);
        for pointer in pointers {
            let mut request = whole.clone();
            let Some(Value::String(id)) = request.pointer_mut(&pointer) else {
                unreachable!("it was found there")
            };
            id.push(OVERRIDE);
            let field = pointer.trim_start_matches('/');
            let field = field.replace("/0", "[0]").replace('/', ".");
            let found = reasons(&request);
            if found.contains(&format!("{field} CHARACTER_FORBIDDEN")) {
                planners.insert(example.planner);
                continue;
            }
            // What only refers to something names nothing then.
            let unknown = format!("{field} UNKNOWN");
            assert!(found.contains(&unknown), "{field}: {found:?}");
        }
    }
    // Levels of puzzles have no ids.
    assert_eq!(planners.len(), 8, "{planners:?}");
}
