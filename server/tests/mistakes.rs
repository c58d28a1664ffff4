//! Every mistake that a request can have, with the field that it is in and its code.

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};
use stratagem_server::decode::{Rejected, allocate};

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
        "options": {"timeBudget": "0.25s", "iterationLimit": 100},
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
    for agent in problem["agents"].as_array_mut().unwrap() {
        agent["start"] = json!({"locationId": "home"});
        agent.as_object_mut().unwrap().remove("end");
    }
    for task in problem["tasks"].as_array_mut().unwrap() {
        task["place"] = json!({"locationId": "away"});
    }
    request
}

fn encode(request: &Value) -> Vec<u8> {
    let pool = DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET).unwrap();
    let message = pool.get_message_by_name("stratagem.v1.AllocateTasksRequest");
    let message = DynamicMessage::deserialize(message.unwrap(), request).unwrap();
    message.encode_to_vec()
}

/// Fields and codes of all mistakes, in their order.
fn mistakes(request: &Value) -> Vec<(String, &'static str)> {
    match allocate(&encode(request)) {
        Ok(_) => Vec::new(),
        Err(Rejected::Mistakes(list)) => {
            let pair = |m: &stratagem_server::decode::Mistake| {
                assert!(!m.description.is_empty());
                (m.field.clone(), m.code.name())
            };
            list.iter().map(pair).collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Replaces the value at a pointer, as in `/problem/tasks/0/id`; null removes it.
fn with(mut request: Value, at: &str, value: Value) -> Value {
    let (parent, key) = at.rsplit_once('/').unwrap();
    let parent = request.pointer_mut(parent).expect("the parent exists");
    match (parent, value) {
        (Value::Object(fields), Value::Null) => drop(fields.remove(key)),
        (Value::Object(fields), value) => drop(fields.insert(key.into(), value)),
        (Value::Array(list), value) => list[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{at} is in nothing"),
    }
    request
}

fn check(base: &Value, cases: &[(&str, Value, &str, &str)]) {
    assert_eq!(mistakes(base), [], "the base is good");
    for (at, value, field, code) in cases {
        let found = mistakes(&with(base.clone(), at, value.clone()));
        assert_eq!(found, [((*field).to_owned(), *code)], "{at} = {value}");
    }
}

const P: &str = "/problem";

#[test]
fn the_request_itself() {
    let found = mistakes(&json!({}));
    assert_eq!(found, [("problem".to_owned(), "REQUIRED")]);
    let title = json!("x".repeat(201));
    let description = json!("é".repeat(4_001));
    check(
        &good(),
        &[
            ("/problem/title", title, "problem.title", "TOO_LONG"),
            (
                "/problem/description",
                description,
                "problem.description",
                "TOO_LONG",
            ),
        ],
    );
}

#[test]
fn texts_are_counted_in_characters() {
    let request = with(good(), "/problem/title", json!("é".repeat(200)));
    assert_eq!(mistakes(&request), []);
}

#[test]
fn agents() {
    let many: Vec<Value> = (0..201)
        .map(|i| json!({"id": i.to_string(), "start": {"point": {}}}))
        .collect();
    let skills: Vec<String> = (0..65).map(|i| format!("skill {i}")).collect();
    check(
        &good(),
        &[
            ("/problem/agents", json!(many), "problem.agents", "TOO_MANY"),
            (
                "/problem/agents/1/id",
                json!(""),
                "problem.agents[1].id",
                "REQUIRED",
            ),
            (
                "/problem/agents/1/id",
                json!("ann"),
                "problem.agents[1].id",
                "DUPLICATE",
            ),
            (
                "/problem/agents/1/id",
                json!("x".repeat(101)),
                "problem.agents[1].id",
                "TOO_LONG",
            ),
            (
                "/problem/agents/1/start",
                Value::Null,
                "problem.agents[1].start",
                "REQUIRED",
            ),
            (
                "/problem/agents/1/start",
                json!({}),
                "problem.agents[1].start",
                "REQUIRED",
            ),
            (
                "/problem/agents/1/end",
                json!({}),
                "problem.agents[1].end",
                "REQUIRED",
            ),
            (
                "/problem/agents/1/end",
                json!({"locationId": "home"}),
                "problem.agents[1].end",
                "PLACE_KIND",
            ),
            (
                "/problem/agents/1/start",
                json!({"point": {"y": "NaN"}}),
                "problem.agents[1].start.point.y",
                "NOT_FINITE",
            ),
            (
                "/problem/agents/1/start",
                json!({"point": {"x": -1_000_000.5}}),
                "problem.agents[1].start.point.x",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/shiftStartOffset",
                json!("-1s"),
                "problem.agents[0].shift_start_offset",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/shiftEndOffset",
                json!("315360000.000001s"),
                "problem.agents[0].shift_end_offset",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/shiftEndOffset",
                json!("0.0000015s"),
                "problem.agents[0].shift_end_offset",
                "TOO_PRECISE",
            ),
            (
                "/problem/agents/0/capacities",
                json!([1, -1]),
                "problem.agents[0].capacities[1]",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/capacities",
                json!([1_000_000_001]),
                "problem.agents[0].capacities[0]",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/capacities",
                json!([1, 2, 3, 4, 5, 6, 7, 8, 9]),
                "problem.agents[0].capacities",
                "TOO_MANY",
            ),
            (
                "/problem/agents/0/skills",
                json!([""]),
                "problem.agents[0].skills[0]",
                "REQUIRED",
            ),
            (
                "/problem/agents/0/skills",
                json!(skills),
                "problem.agents[0].skills[64]",
                "TOO_MANY",
            ),
            (
                "/problem/agents/0/speed",
                json!(0),
                "problem.agents[0].speed",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/speed",
                json!(1_000.000_001),
                "problem.agents[0].speed",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/agents/0/speed",
                json!("Infinity"),
                "problem.agents[0].speed",
                "NOT_FINITE",
            ),
            (
                "/problem/agents/0/speed",
                json!(0.333_333_3),
                "problem.agents[0].speed",
                "TOO_MANY_DECIMALS",
            ),
        ],
    );
    let request = with(good(), "/problem/agents/0/shiftStartOffset", json!("2s"));
    let request = with(request, "/problem/agents/0/shiftEndOffset", json!("1s"));
    let field = "problem.agents[0].shift_end_offset".to_owned();
    assert_eq!(mistakes(&request), [(field, "REVERSED")]);
}

#[test]
fn nobody_at_all_is_one_mistake() {
    let request = with(good(), "/problem/agents", json!([]));
    let request = with(request, "/problem/previousPlan", Value::Null);
    assert_eq!(
        mistakes(&request),
        [("problem.agents".to_owned(), "REQUIRED")]
    );
}

#[test]
fn tasks() {
    let many: Vec<Value> = (0..1_001)
        .map(|i| json!({"id": i.to_string(), "place": {"point": {}}}))
        .collect();
    let windows: Vec<Value> = (0..17)
        .map(|i| json!({"openOffset": format!("{}s", 2 * i), "closeOffset": format!("{}s", 2 * i + 1)}))
        .collect();
    let touching = json!([{"closeOffset": "1s"}, {"openOffset": "1s", "closeOffset": "2s"}]);
    let reversed = json!([{"openOffset": "2s", "closeOffset": "1s"}]);
    let late = "lateness_max_duration";
    check(
        &good(),
        &[
            ("/problem/tasks", json!(many), "problem.tasks", "TOO_MANY"),
            (
                "/problem/tasks/1/id",
                json!("near"),
                "problem.tasks[1].id",
                "DUPLICATE",
            ),
            (
                "/problem/tasks/1/id",
                json!("x".repeat(101)),
                "problem.tasks[1].id",
                "TOO_LONG",
            ),
            (
                "/problem/tasks/0/place",
                Value::Null,
                "problem.tasks[0].place",
                "REQUIRED",
            ),
            (
                "/problem/tasks/0/place",
                json!({"locationId": "a"}),
                "problem.tasks[0].place",
                "PLACE_KIND",
            ),
            (
                "/problem/tasks/0/serviceDuration",
                json!("-0.5s"),
                "problem.tasks[0].service_duration",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/tasks/0/windows",
                json!([{}]),
                "problem.tasks[0].windows[0].close_offset",
                "REQUIRED",
            ),
            (
                "/problem/tasks/0/windows",
                reversed,
                "problem.tasks[0].windows[0].close_offset",
                "REVERSED",
            ),
            (
                "/problem/tasks/0/windows",
                touching,
                "problem.tasks[0].windows[1].open_offset",
                "OVERLAP",
            ),
            (
                "/problem/tasks/0/windows",
                json!(windows),
                "problem.tasks[0].windows",
                "TOO_MANY",
            ),
            (
                "/problem/tasks/1/demands",
                json!([-1]),
                "problem.tasks[1].demands[0]",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/tasks/1/requiredSkills",
                json!([""]),
                "problem.tasks[1].required_skills[0]",
                "REQUIRED",
            ),
            (
                "/problem/tasks/1/dropPenalty",
                json!(-0.5),
                "problem.tasks[1].drop_penalty",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/tasks/1/dropPenalty",
                json!("NaN"),
                "problem.tasks[1].drop_penalty",
                "NOT_FINITE",
            ),
            (
                "/problem/tasks/1/dropPenalty",
                json!(1e-7),
                "problem.tasks[1].drop_penalty",
                "TOO_MANY_DECIMALS",
            ),
            (
                "/problem/tasks/1/latenessMaxDuration",
                json!("-1s"),
                &format!("problem.tasks[1].{late}"),
                "OUT_OF_RANGE",
            ),
        ],
    );
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
        ("/options/iterationLimit", json!(1_000_000_000_000_i64)),
    ] {
        assert_eq!(
            mistakes(&with(good(), at, value.clone())),
            [],
            "{at} = {value}"
        );
    }
}

#[test]
fn travel() {
    let rounding = json!({"euclidean": {"rounding": 9}});
    let at = "problem.travel.euclidean.rounding";
    check(
        &good(),
        &[("/problem/travel", rounding, at, "ENUM_UNKNOWN")],
    );
    let matrix = |field: &str| format!("/problem/travel/matrix/{field}");
    let (ids, durations, costs) = (
        matrix("locationIds"),
        matrix("durationsUs"),
        matrix("costsMicro"),
    );
    check(
        &on_matrix(),
        &[
            (
                &durations,
                json!([0, 1, 2]),
                "problem.travel.matrix.durations_us",
                "WRONG_SIZE",
            ),
            (
                &durations,
                json!([0, 1, -2, 0]),
                "problem.travel.matrix.durations_us[2]",
                "OUT_OF_RANGE",
            ),
            (
                &costs,
                json!([0]),
                "problem.travel.matrix.costs_micro",
                "WRONG_SIZE",
            ),
            (
                &costs,
                json!([0, -1, 0, 0]),
                "problem.travel.matrix.costs_micro[1]",
                "OUT_OF_RANGE",
            ),
            (
                "/problem/tasks/0/place",
                json!({"locationId": "moon"}),
                "problem.tasks[0].place.location_id",
                "UNKNOWN",
            ),
            (
                "/problem/tasks/0/place",
                json!({"locationId": ""}),
                "problem.tasks[0].place.location_id",
                "REQUIRED",
            ),
            (
                "/problem/tasks/0/place",
                json!({"point": {}}),
                "problem.tasks[0].place",
                "PLACE_KIND",
            ),
        ],
    );
    let repeated = mistakes(&with(on_matrix(), &ids, json!(["home", "home"])));
    assert!(repeated.contains(&("problem.travel.matrix.location_ids[1]".into(), "DUPLICATE")));
    let none = mistakes(&with(on_matrix(), &ids, json!([])));
    assert!(none.contains(&("problem.travel.matrix.location_ids".into(), "REQUIRED")));
    let many: Vec<String> = (0..1_401).map(|i| format!("l{i}")).collect();
    let many = mistakes(&with(on_matrix(), &ids, json!(many)));
    assert!(many.contains(&("problem.travel.matrix.location_ids".into(), "TOO_MANY")));
}

#[test]
fn objectives() {
    let kind = |kind: &str| json!({"kind": format!("ALLOCATION_TERM_KIND_{kind}")});
    let levels = |levels: &[&[Value]]| {
        let level = |terms: &&[Value]| json!({ "terms": terms });
        Value::Array(levels.iter().map(level).collect())
    };
    let travel = kind("TRAVEL_COST");
    let one = std::slice::from_ref(&travel);
    let heavy = json!({"kind": "ALLOCATION_TERM_KIND_MAKESPAN", "weight": 1_000_001});
    let unknown = json!({"kind": 99});
    let at = "/problem/objective/levels";
    let f = "problem.objective.levels";
    check(
        &good(),
        &[
            (
                at,
                levels(&[one, &[]]),
                &format!("{f}[1].terms"),
                "REQUIRED",
            ),
            (
                at,
                levels(&[one, one]),
                &format!("{f}[1].terms[0].kind"),
                "DUPLICATE",
            ),
            (
                at,
                levels(&[&[json!({})]]),
                &format!("{f}[0].terms[0].kind"),
                "REQUIRED",
            ),
            (
                at,
                levels(&[&[unknown]]),
                &format!("{f}[0].terms[0].kind"),
                "ENUM_UNKNOWN",
            ),
            (
                at,
                levels(&[&[heavy]]),
                &format!("{f}[0].terms[0].weight"),
                "OUT_OF_RANGE",
            ),
            (at, levels(&[one; 7]), f, "TOO_MANY"),
        ],
    );
}

#[test]
fn an_objective_that_could_overflow() {
    let mut request = on_matrix();
    request["problem"]["travel"]["matrix"]["costsMicro"] =
        json!([0, 1_000_000_000_000_000_i64, 1, 0]);
    let term = &mut request["problem"]["objective"]["levels"][0]["terms"][0];
    term["weight"] = json!(1_000_000);
    let field = "problem.objective.levels[0]".to_owned();
    assert_eq!(mistakes(&request), [(field, "OVERFLOW")]);
}

#[test]
fn previous_plans() {
    let at = "/problem/previousPlan/routes";
    let route = |agent: &str, tasks: &[&str], started: i32| json!({"agentId": agent, "taskIds": tasks, "startedCount": started});
    let f = "problem.previous_plan.routes";
    let twice = json!([route("ann", &[], 0), route("ann", &[], 0)]);
    let again = json!([route("ann", &["near"], 0), route("bob", &["near"], 0)]);
    check(
        &good(),
        &[
            (
                at,
                json!([route("eve", &[], 0)]),
                &format!("{f}[0].agent_id"),
                "UNKNOWN",
            ),
            (
                at,
                json!([route("", &[], 0)]),
                &format!("{f}[0].agent_id"),
                "REQUIRED",
            ),
            (at, twice, &format!("{f}[1].agent_id"), "DUPLICATE"),
            (
                at,
                json!([route("ann", &["gone"], 0)]),
                &format!("{f}[0].task_ids[0]"),
                "UNKNOWN",
            ),
            (at, again, &format!("{f}[1].task_ids[0]"), "DUPLICATE"),
            (
                at,
                json!([route("ann", &["near"], 2)]),
                &format!("{f}[0].started_count"),
                "OUT_OF_RANGE",
            ),
            (
                at,
                json!([route("ann", &["near"], -1)]),
                &format!("{f}[0].started_count"),
                "OUT_OF_RANGE",
            ),
            (
                "/problem/previousPlan/changesMax",
                json!(1_001),
                "problem.previous_plan.changes_max",
                "OUT_OF_RANGE",
            ),
        ],
    );
}

#[test]
fn options() {
    check(
        &good(),
        &[
            (
                "/options/timeBudget",
                json!("0s"),
                "options.time_budget",
                "OUT_OF_RANGE",
            ),
            (
                "/options/timeBudget",
                json!("-1s"),
                "options.time_budget",
                "OUT_OF_RANGE",
            ),
            (
                "/options/timeBudget",
                json!("86400.000001s"),
                "options.time_budget",
                "OUT_OF_RANGE",
            ),
            (
                "/options/timeBudget",
                json!("0.0000001s"),
                "options.time_budget",
                "TOO_PRECISE",
            ),
            (
                "/options/iterationLimit",
                json!(-1),
                "options.iteration_limit",
                "OUT_OF_RANGE",
            ),
            (
                "/options/iterationLimit",
                json!(1_000_000_000_001_i64),
                "options.iteration_limit",
                "OUT_OF_RANGE",
            ),
            (
                "/options/threads",
                json!(65),
                "options.threads",
                "OUT_OF_RANGE",
            ),
            (
                "/options/threads",
                json!(-1),
                "options.threads",
                "OUT_OF_RANGE",
            ),
            (
                "/options/parallelWidth",
                json!(65),
                "options.parallel_width",
                "OUT_OF_RANGE",
            ),
            (
                "/options/strategy",
                json!("magic"),
                "options.strategy",
                "UNKNOWN",
            ),
            (
                "/options/priority",
                json!(7),
                "options.priority",
                "ENUM_UNKNOWN",
            ),
            (
                "/options/target",
                json!({}),
                "options.target.levels",
                "REQUIRED",
            ),
            (
                "/options/target",
                json!({"levels": [1, "NaN"]}),
                "options.target.levels[1]",
                "NOT_FINITE",
            ),
            (
                "/options/target",
                json!({"levels": [1, 2, 3]}),
                "options.target.levels",
                "TOO_MANY",
            ),
        ],
    );
}

#[test]
fn durations_that_are_none() {
    use stratagem_proto::v1 as pb;
    for (seconds, nanos) in [
        (1, -1),
        (-1, 1),
        (0, 1_000_000_000),
        (i64::MAX, 0),
        (i64::MIN, 0),
    ] {
        let mut request = pb::AllocateTasksRequest::decode(encode(&good()).as_slice()).unwrap();
        let problem = request.problem.as_mut().unwrap();
        problem.tasks[0].service_duration = Some(prost_types::Duration { seconds, nanos });
        let Err(Rejected::Mistakes(list)) = allocate(&request.encode_to_vec()) else {
            panic!("{seconds} s and {nanos} ns were taken");
        };
        let found: Vec<_> = list
            .iter()
            .map(|m| (m.field.as_str(), m.code.name()))
            .collect();
        let field = "problem.tasks[0].service_duration";
        assert_eq!(
            found,
            [(field, "DURATION_MALFORMED")],
            "{seconds} s, {nanos} ns"
        );
    }
}

#[test]
fn all_mistakes_come_at_once() {
    let mut request = good();
    for (at, value) in [
        ("/options/threads", json!(99)),
        ("/problem/agents/0/speed", json!("NaN")),
        ("/problem/tasks/0/windows", json!([{"openOffset": "-1s"}])),
        ("/problem/tasks/1/id", json!("near")),
        ("/problem/objective/levels", json!([{}])),
    ] {
        request = with(request, at, value);
    }
    let found = mistakes(&request);
    let wanted = [
        ("options.threads", "OUT_OF_RANGE"),
        ("problem.agents[0].speed", "NOT_FINITE"),
        ("problem.tasks[0].windows[0].close_offset", "REQUIRED"),
        ("problem.tasks[0].windows[0].open_offset", "OUT_OF_RANGE"),
        ("problem.tasks[1].id", "DUPLICATE"),
        ("problem.objective.levels[0].terms", "REQUIRED"),
    ];
    assert_eq!(found, wanted.map(|(field, code)| (field.to_owned(), code)));
}

#[test]
fn at_most_a_hundred_are_listed() {
    let tasks: Vec<Value> = (0..500).map(|_| json!({})).collect();
    let request = with(good(), &format!("{P}/tasks"), json!(tasks));
    assert_eq!(mistakes(&request).len(), 100);
}
