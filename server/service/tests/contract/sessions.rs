//! Sessions: what games see of them.

use crate::calls::{Caller, document, messages, mistakes, settings};
use crate::searches::levels;
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};
use stratagem_server::Config;
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt as _;

/// A problem of points: this many agents and tasks.
fn problem(agents: usize, tasks: usize) -> Value {
    let point = |i: usize| json!({"point": {"x": i * 37 % 101, "y": i * 53 % 97}});
    let agent = |i: usize| json!({"id": format!("a{i}"), "start": point(i + 500)});
    let task =
        |i: usize| json!({"id": format!("t{i}"), "place": point(i), "service_duration": "2s"});
    json!({
        "agents": (0..agents).map(agent).collect::<Vec<_>>(),
        "tasks": (0..tasks).map(task).collect::<Vec<_>>(),
    })
}

/// A request to create a session that searches for no better plans after the first one.
pub(crate) fn quiet(id: &str) -> Value {
    json!({
        "session_id": id,
        "allocation": {"problem": problem(3, 9)},
        "options": {"max_iterations": 1},
    })
}

pub(crate) fn update(sequence: i64, changes: &Value) -> Value {
    json!({"sequence": sequence, "allocation": changes})
}

pub(crate) fn updates(id: &str, list: &[Value]) -> Value {
    json!({"session_id": id, "updates": list})
}

pub(crate) fn added(id: &str) -> Value {
    json!({"put_tasks": [{"id": id, "place": {"point": {"x": 3, "y": 4}}}]})
}

pub(crate) fn named(id: &str) -> Value {
    json!({"session_id": id})
}

/// The code and the reason of a refusal.
pub(crate) fn refusal(answer: Result<Value, Status>) -> (Code, String) {
    let status = answer.unwrap_err();
    let info = status.get_details_error_info();
    (status.code(), info.unwrap().reason)
}

pub(crate) fn wanted(code: Code, reason: &str) -> (Code, String) {
    (code, reason.to_owned())
}

/// The tasks of the plan of a view, with their agents, sorted.
pub(crate) fn served(view: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let routes = view["allocation"]["routes"].as_array().unwrap().iter();
    let stops = routes.flat_map(|route| {
        let stops = route["stops"].as_array().cloned().unwrap_or_default();
        let tasks = stops.into_iter().filter(|stop| !stop["task_id"].is_null());
        tasks.map(|stop| (text(&stop["task_id"]), text(&route["agent_id"])))
    });
    let mut all: Vec<_> = stops.collect();
    all.sort();
    all
}

/// Whether the plan of a session satisfies the rules of its problem.
async fn check(caller: &Caller, id: &str) {
    let session = caller.answer("GetSession", &named(id)).await;
    let problem = &session["snapshot"]["allocation"]["problem"];
    let question = json!({
        "problem": {"allocation": problem},
        "plan": {"allocation": session["view"]["allocation"]},
    });
    let verdict = caller.answer("VerifyPlan", &question).await;
    assert_eq!(verdict["valid"], json!(true), "{verdict}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_follows_its_game() {
    let caller = Caller::new(settings()).await;
    let created = caller.answer("CreateSession", &quiet("raid")).await;
    assert_eq!(created["view"]["complete"], json!(true), "{created}");
    assert_eq!(served(&created["view"]).len(), 9);
    check(&caller, "raid").await;

    let begun = json!({"events": [{
        "kind": "ALLOCATION_TASK_EVENT_KIND_STARTED", "task_id": "t4", "agent_id": "a1",
    }]});
    let gone = json!({"removed_agent_ids": ["a0"], "removed_task_ids": ["t8"]});
    let mut done = update(
        4,
        &json!({"events": [{
            "kind": "ALLOCATION_TASK_EVENT_KIND_DONE", "task_id": "t4", "agent_id": "a1",
        }]}),
    );
    done["now_offset"] = json!("2.500s");
    let list = [
        update(1, &begun),
        update(2, &gone),
        update(3, &added("late")),
    ];
    let answer = caller
        .answer("UpdateSession", &updates("raid", &list))
        .await;
    let view = &answer["view"];
    assert_eq!(view["applied_sequence"], 3);
    let plan = served(view);
    assert!(plan.contains(&("t4".into(), "a1".into())), "{plan:?}");
    assert!(plan.iter().any(|stop| stop.0 == "late"), "{plan:?}");
    assert!(
        plan.iter().all(|stop| stop.1 != "a0" && stop.0 != "t8"),
        "{plan:?}"
    );
    assert_eq!(plan.len(), 9);
    check(&caller, "raid").await;

    let answer = caller
        .answer("UpdateSession", &updates("raid", &[done]))
        .await;
    let view = &answer["view"];
    assert_eq!(view["now_offset"], "2.500s");
    assert!(served(view).iter().all(|stop| stop.0 != "t4"), "{view}");
    check(&caller, "raid").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_updates_count_once() {
    let caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &quiet("raid")).await;
    let list: Vec<_> = (1..=4)
        .map(|number| update(number, &added(&format!("new {number}"))))
        .collect();
    let send = async |list: &[Value]| caller.ask("UpdateSession", &updates("raid", list)).await;
    send(&list[..3]).await.unwrap();
    let again = send(&list[1..]).await.unwrap();
    assert_eq!(again["view"]["applied_sequence"], 4);
    assert_eq!(served(&again["view"]).len(), 13);
    let same = send(&list).await.unwrap();
    assert_eq!(
        same["view"]["plan_revision"],
        again["view"]["plan_revision"]
    );

    let reused = send(&[update(4, &added("other"))]).await;
    assert_eq!(
        refusal(reused),
        wanted(Code::Aborted, "SESSION_SEQUENCE_REUSED")
    );
    let gap = send(&[update(6, &added("other"))]).await.unwrap_err();
    assert_eq!(gap.code(), Code::FailedPrecondition);
    let info = gap.get_details_error_info().unwrap();
    assert_eq!(info.reason, "SESSION_SEQUENCE_GAP");
    assert_eq!(info.metadata["expected_sequence"], "5");
    let unsorted = send(&[list[3].clone(), list[1].clone()]).await.unwrap_err();
    assert_eq!(mistakes(&unsorted), ["updates[1].sequence CONTRADICTION"]);
    let after = caller.answer("GetSession", &named("raid")).await;
    assert_eq!(after["view"]["applied_sequence"], 4);

    let known = json!({
        "session_id": "raid",
        "updates": [list[3]],
        "known_plan_revision": after["view"]["plan_revision"],
    });
    let short = caller.answer("UpdateSession", &known).await;
    assert!(short["view"].get("allocation").is_none(), "{short}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_update_changes_nothing_and_takes_its_number() {
    let caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &quiet("raid")).await;
    let list = [
        update(1, &json!({"removed_task_ids": ["t1", "no such task"]})),
        update(2, &added("new")),
        update(
            3,
            &json!({"put_tasks": [{"id": "far", "place": {"location_id": "?"}}]}),
        ),
    ];
    let answer = caller
        .answer("UpdateSession", &updates("raid", &list))
        .await;
    let view = &answer["view"];
    assert_eq!(view["applied_sequence"], 3);
    assert_eq!(served(view).len(), 10, "{view}");
    let again = caller
        .answer("UpdateSession", &updates("raid", &list))
        .await;
    assert_eq!(again["view"]["refused"], view["refused"]);
    let refused = view["refused"].as_array().unwrap();
    let numbers: Vec<_> = refused.iter().map(|it| it["sequence"].as_i64()).collect();
    assert_eq!(numbers, [Some(1), Some(3)]);
    let fields = |refused: &Value| {
        let mistakes = refused["mistakes"].as_array().unwrap().iter();
        let fields = mistakes.map(|it| it["field"].as_str().unwrap().to_owned());
        fields.collect::<Vec<_>>()
    };
    assert_eq!(fields(&refused[0]), ["allocation.removed_task_ids[1]"]);
    assert_eq!(fields(&refused[1]), ["problem.tasks[10].place"]);
    check(&caller, "raid").await;
}

/// The views that a stream sends until one is right.
async fn until(
    stream: &mut Streaming<DynamicMessage>,
    is_right: impl Fn(&Value) -> bool,
) -> Vec<Value> {
    let mut seen = Vec::new();
    loop {
        let next = stream.message().await.unwrap().expect("it goes on");
        let view = document(&next)["view"].take();
        let is_last = is_right(&view);
        seen.push(view);
        if is_last {
            return seen;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watchers_see_each_state_and_only_better_plans() {
    let caller = Caller::new(settings()).await;
    let request = json!({
        "session_id": "raid",
        "allocation": {"problem": problem(4, 60)},
        "options": {"time_budget": "1s", "max_iterations": 20_000},
    });
    caller.answer("CreateSession", &request).await;
    let mut stream = caller.begin("WatchSession", &named("raid")).await.unwrap();
    let mut seen = until(&mut stream, |view| view["plan_revision"].is_number()).await;
    // One agent does everything, in the order of names.
    let ids: Vec<_> = (0..60).map(|i| format!("t{i}")).collect();
    let mut poor = problem(4, 60);
    poor["previous_plan"] = json!({"routes": [{"agent_id": "a0", "task_ids": ids}]});
    let fast = json!({
        "session_id": "raid",
        "updates": [{"sequence": 1, "allocation_problem": poor}],
        "patience_duration": "0s",
    });
    caller.answer("UpdateSession", &fast).await;
    let is_end = |view: &Value| view["applied_sequence"] == 1 && view["report"].is_object();
    seen.extend(until(&mut stream, is_end).await);
    let number = |view: &Value, field: &str| view[field].as_i64().unwrap_or(0);
    let mut compared = 0;
    for pair in seen.windows(2) {
        let [before, after] = pair else {
            unreachable!()
        };
        let order = ["applied_sequence", "plan_revision"]
            .map(|field| number(after, field) - number(before, field));
        assert!(order.iter().all(|step| *step >= 0), "{before} {after}");
        if order == [0, 0] || order[0] > 0 {
            continue;
        }
        let cost = |view: &Value| levels(&view["objective"]);
        assert!(cost(after) < cost(before), "{before} {after}");
        compared += 1;
    }
    assert!(compared > 0, "there is a better plan than the poor one");
    caller.answer("CloseSession", &named("raid")).await;
    assert!(messages(stream).await.is_ok(), "a closed session ends it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_is_one_session_until_it_is_closed() {
    let caller = Caller::new(settings()).await;
    let create = async |request: &Value| caller.ask("CreateSession", request).await;
    assert!(create(&quiet("raid")).await.unwrap()["existed"].is_null());
    let again = create(&quiet("raid")).await.unwrap();
    assert_eq!(again["existed"], json!(true));
    assert_eq!(served(&again["view"]).len(), 9);
    let mut other = quiet("raid");
    other["applied_sequence"] = json!(7);
    assert_eq!(
        refusal(create(&other).await),
        wanted(Code::AlreadyExists, "SESSION_EXISTS")
    );
    for _ in 0..2 {
        caller.answer("CloseSession", &named("raid")).await;
    }
    let unknown = wanted(Code::NotFound, "SESSION_UNKNOWN");
    let late = updates("raid", &[update(1, &added("new"))]);
    for (method, request) in [
        ("GetSession", &named("raid")),
        ("WatchSession", &named("raid")),
        ("UpdateSession", &late),
    ] {
        assert_eq!(
            refusal(caller.ask(method, request).await),
            unknown,
            "{method}"
        );
    }
    assert!(create(&other).await.unwrap()["existed"].is_null());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_session_begins_again_from_its_last_state() {
    let one = Caller::new(settings()).await;
    one.answer("CreateSession", &quiet("raid")).await;
    let begun = json!({"events": [{
        "kind": "ALLOCATION_TASK_EVENT_KIND_STARTED", "task_id": "t4", "agent_id": "a1",
    }]});
    one.answer("UpdateSession", &updates("raid", &[update(1, &begun)]))
        .await;
    let state = one.answer("GetSession", &named("raid")).await;
    drop(one);
    let other = Caller::new(settings()).await;
    let created = other.answer("CreateSession", &state["snapshot"]).await;
    assert_eq!(created["view"]["applied_sequence"], 1);
    let cost = |answer: &Value| levels(&answer["view"]["objective"]);
    assert!(cost(&created) <= cost(&state), "{created}");
    let failed = json!({"events": [{
        "kind": "ALLOCATION_TASK_EVENT_KIND_FAILED", "task_id": "t4", "agent_id": "a1",
    }]});
    let after = updates("raid", &[update(2, &failed)]);
    let answer = other.answer("UpdateSession", &after).await;
    assert_eq!(answer["view"]["refused"], Value::Null);
    check(&other, "raid").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_are_limited_in_number_and_memory() {
    let caller = Caller::new(Config {
        sessions_max: 1,
        ..settings()
    })
    .await;
    caller.answer("CreateSession", &quiet("one")).await;
    let full = wanted(Code::ResourceExhausted, "SESSIONS_FULL");
    assert_eq!(
        refusal(caller.ask("CreateSession", &quiet("two")).await),
        full
    );
    assert_eq!(caller.counted("stratagem_sessions"), 1.0);
    let one = caller.answer("GetSession", &named("one")).await;
    let bytes = one["memory_bytes"].as_f64().unwrap();
    assert_eq!(caller.counted("stratagem_session_bytes"), bytes);
    caller.answer("CloseSession", &named("one")).await;
    caller.until("stratagem_session_bytes", 0.0).await;

    let caller = Caller::new(Config {
        session_bytes_max: 2 * bytes as usize,
        ..settings()
    })
    .await;
    caller.answer("CreateSession", &quiet("one")).await;
    let many: Vec<_> = (0..60).map(|i| added(&format!("new {i}"))).collect();
    let many = many.iter().zip(1..).map(|(it, number)| update(number, it));
    let many = updates("one", &many.collect::<Vec<_>>());
    assert_eq!(refusal(caller.ask("UpdateSession", &many).await), full);
    let unchanged = caller.answer("GetSession", &named("one")).await;
    assert_eq!(unchanged["view"]["applied_sequence"], Value::Null);
    assert_eq!(unchanged["memory_bytes"], bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unused_sessions_expire_unless_they_are_watched() {
    let caller = Caller::new(settings()).await;
    let short = |id: &str| {
        let mut request = quiet(id);
        request["expire_duration"] = json!("1s");
        request
    };
    caller.answer("CreateSession", &short("watched")).await;
    let stream = caller
        .begin("WatchSession", &named("watched"))
        .await
        .unwrap();
    caller.answer("CreateSession", &short("unused")).await;
    caller.until("stratagem_sessions", 1.0).await;
    let gone = caller.ask("GetSession", &named("unused")).await;
    assert_eq!(refusal(gone), wanted(Code::NotFound, "SESSION_UNKNOWN"));
    caller.answer("GetSession", &named("watched")).await;
    drop(stream);
    caller.until("stratagem_sessions", 0.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_drains_ends_watching() {
    let mut caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &quiet("raid")).await;
    let stream = caller.begin("WatchSession", &named("raid")).await.unwrap();
    let drained = tokio::spawn(caller.take().shut_down());
    let end = messages(stream).await.unwrap_err();
    assert_eq!(end.code(), Code::Unavailable, "{end:?}");
    drop(caller);
    assert!(drained.await.unwrap(), "all calls ended in time");
}
