//! What answers say in the words of the contract: for each planner, requests and what is in their
//! answers, plans and the rules that they break, requests and their mistakes.

mod allocation;
mod crew;
mod files;
mod heist;
mod narrative;
mod patrol;
mod puzzle;
mod schedule;
mod story;
mod temporal;

use crate::calls::{Caller, mistakes};
use serde_json::{Value, json};

/// The value at a path, as in `plan.routes[0].stops[*].task_id`; `[*]` is a list of all, `[#]` how
/// many. What is not there is null.
pub(crate) fn value_at(value: &Value, path: &str) -> Value {
    let (step, rest) = match path.find(['.', '[']) {
        _ if path.is_empty() => return value.clone(),
        Some(0) if path.starts_with('[') => path.split_at(path.find(']').expect("it closes") + 1),
        Some(0) => return value_at(value, &path[1..]),
        Some(end) => path.split_at(end),
        None => (path, ""),
    };
    match step {
        "[*]" => value.as_array().map_or(Value::Null, |list| {
            list.iter().map(|it| value_at(it, rest)).collect()
        }),
        "[#]" => json!(value.as_array().map_or(0, Vec::len)),
        _ => match step.strip_prefix('[') {
            Some(index) => {
                let index: usize = index.trim_end_matches(']').parse().expect("an index");
                value_at(value.get(index).unwrap_or(&Value::Null), rest)
            }
            None => value_at(value.get(step).unwrap_or(&Value::Null), rest),
        },
    }
}

/// Whether two values are the same, but for the last digits of numbers.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Number(one), Value::Number(other)) => {
            let number = |it: &serde_json::Number| it.as_f64().expect("a number");
            (number(one) - number(other)).abs() < 1e-6
        }
        _ => one == other,
    }
}

/// Checks an answer against a table: in each line a path and what is there, as JSON, or after `~` a
/// part of it.
pub(crate) fn check(answer: &Value, table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (path, wanted) = line.split_once(' ').expect("a path and a value");
        let (how, wanted) = wanted.split_once(' ').expect("= or ~, and a value");
        let wanted: Value =
            serde_json::from_str(wanted).unwrap_or_else(|error| panic!("{error}: {line}"));
        let found = value_at(answer, path);
        let holds = match how {
            "=" => alike(&found, &wanted),
            "~" => found.to_string().contains(wanted.as_str().expect("a text")),
            other => panic!("{other} is neither = nor ~"),
        };
        assert!(holds, "{line}: {found} in {answer}");
    }
}

/// Asks, and checks the answer.
pub(crate) async fn check_answer(
    caller: &Caller,
    method: &str,
    request: Value,
    table: &str,
) -> Value {
    let answer = caller.answer(method, &request).await;
    check(&answer, table);
    answer
}

/// Sets the value at a JSON pointer.
pub(crate) fn replaced(mut value: Value, pointer: &str, new: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = value
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("{pointer} is in nothing"));
    match (key.parse::<usize>(), parent.as_array_mut()) {
        (Ok(index), Some(list)) if index == list.len() => list.push(new),
        (Ok(index), Some(list)) => list[index] = new,
        (_, _) => parent[key] = new,
    }
    value
}

/// The codes of rules that a plan breaks, each with its place.
async fn violations(caller: &Caller, planner: &str, problem: &Value, plan: &Value) -> Vec<String> {
    violations_of(caller, planner, problem, planner, plan).await
}

async fn violations_of(
    caller: &Caller,
    planner: &str,
    problem: &Value,
    kind: &str,
    plan: &Value,
) -> Vec<String> {
    let request = json!({"problem": {planner: problem}, "plan": {kind: plan}});
    let verdict = caller.answer("VerifyPlan", &request).await;
    let list = verdict["violations"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(verdict["valid"] == true, list.is_empty(), "{verdict}");
    assert!(
        list.is_empty() || verdict.get("objective").is_none(),
        "{verdict}"
    );
    let line = |it: &Value| {
        assert!(!it["message"].as_str().unwrap().is_empty());
        let code = it["code"].as_str().unwrap();
        it["field"]
            .as_str()
            .map_or_else(|| code.to_owned(), |field| format!("{field} {code}"))
    };
    list.iter().map(line).collect()
}

/// Checks a table of plans that break rules: in each line a pointer into a good plan, what is put
/// there, and the violations, separated by commas.
async fn check_violations(
    caller: &Caller,
    planner: &str,
    problem: &Value,
    plan: &Value,
    table: &str,
) {
    assert_eq!(
        violations(caller, planner, problem, plan).await,
        [""; 0],
        "{plan}"
    );
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (change, wanted) = line.split_once(" => ").expect("violations");
        let (pointer, value) = change.split_once(" = ").expect("a value");
        let value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{error}: {line}"));
        let spoilt = replaced(plan.clone(), &format!("/{pointer}"), value);
        let found = violations(caller, planner, problem, &spoilt).await;
        assert_eq!(
            found,
            wanted.split(", ").map(str::trim).collect::<Vec<_>>(),
            "{line}"
        );
    }
}

/// Checks a table of requests that are wrong: in each line a pointer into a good request, what is
/// put there, and the mistakes, separated by commas.
async fn check_mistakes(caller: &Caller, method: &str, request: &Value, table: &str) {
    caller.answer(method, request).await;
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (change, wanted) = line.split_once(" => ").expect("mistakes");
        let (pointer, value) = change.split_once(" = ").expect("a value");
        let value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{error}: {line}"));
        let spoilt = replaced(request.clone(), &format!("/{pointer}"), value);
        let Err(status) = caller.ask(method, &spoilt).await else {
            panic!("accepted: {line}")
        };
        assert_eq!(
            mistakes(&status),
            wanted.split(", ").collect::<Vec<_>>(),
            "{line}"
        );
    }
}

/// Options that end every search by its iterations.
fn limited_to(iterations: i64) -> Value {
    json!({"time_budget": "600s", "max_iterations": iterations, "seed": 1})
}
