//! Sessions of patrols: guards go on from where they are.

use crate::calls::{Caller, document, mistakes, settings};
use crate::sessions::{named, updates};
use serde_json::{Value, json};

/// A ring of rooms, three seconds apart, and two guards that go round half a ring apart.
fn watch(id: &str, iterations: i64) -> Value {
    let rooms = 0..6;
    let room = |i: usize| json!({"id": format!("r{i}")});
    let door = |i: usize| json!({"from_vertex_id": format!("r{i}"), "to_vertex_id": format!("r{}", (i + 1) % 6), "travel_duration": "3s"});
    let route = |guard: &str, first: usize| {
        let stops = (first..first + 6).map(|i| json!({"vertex_id": format!("r{}", i % 6)}));
        json!({"guard_id": guard, "cycle": stops.collect::<Vec<_>>()})
    };
    let routes = [route("north", 0), route("south", 3)];
    json!({
        "session_id": id,
        "patrol": {
            "problem": {
                "vertices": rooms.clone().map(room).collect::<Vec<_>>(),
                "edges": rooms.map(door).collect::<Vec<_>>(),
                "guards": [
                    {"id": "north", "start_vertex_id": "r0"},
                    {"id": "south", "start_vertex_id": "r3"},
                ],
                "intruder": {
                    "motion": "PATROL_MOTION_STATIONARY", "penetration_duration": "8s",
                },
            },
            "plan": {"routes": routes},
        },
        "options": {"max_iterations": iterations, "time_budget": "2s"},
    })
}

fn update(sequence: i64, now: &str, changes: Option<Value>) -> Value {
    let mut update = json!({"sequence": sequence, "now_offset": now});
    if let Some(changes) = changes {
        update["patrol"] = changes;
    }
    update
}

/// Room and arrival of the first stops of a guard.
fn stops(view: &Value, guard: usize) -> Vec<(String, String)> {
    let route = &view["patrol"]["routes"][guard];
    let all = ["prefix", "cycle"].map(|part| route[part].as_array().cloned().unwrap_or_default());
    let text = |value: &Value| value.as_str().unwrap_or("0s").to_owned();
    let stop = |stop: &Value| (text(&stop["vertex_id"]), text(&stop["arrival_offset"]));
    all.concat().iter().map(stop).collect()
}

/// Whether the plan of a session satisfies the rules of its problem.
async fn check(caller: &Caller, id: &str) -> Value {
    let session = caller.answer("GetSession", &named(id)).await;
    let question = json!({
        "problem": {"patrol": session["snapshot"]["patrol"]["problem"]},
        "plan": {"patrol": session["view"]["patrol"]},
    });
    let verdict = caller.answer("VerifyPlan", &question).await;
    assert_eq!(verdict["valid"], json!(true), "{verdict}");
    session
}

async fn sent(caller: &Caller, id: &str, update: Value) -> Value {
    let answer = caller
        .answer("UpdateSession", &updates(id, &[update]))
        .await;
    answer["view"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_stays_goes_on_from_within_an_edge() {
    let caller = Caller::new(settings()).await;
    let created = caller.answer("CreateSession", &watch("night", 1)).await;
    let first = &created["view"];
    assert_eq!(
        stops(first, 0)[..2],
        [("r0".into(), "0s".into()), ("r1".into(), "3s".into())]
    );
    // Time alone changes nothing.
    let later = sent(&caller, "night", update(1, "2.500s", None)).await;
    assert_eq!(later["plan_revision"], first["plan_revision"]);
    assert_eq!(later["now_offset"], "2.500s");
    assert_eq!(later["applied_sequence"], 1);
    // At 7 s the other guard is between the rooms 5 and 0, and arrives there at 9 s.
    let gone = json!({"removed_guard_ids": ["north"]});
    let view = sent(&caller, "night", update(2, "6.500s", Some(gone))).await;
    assert_eq!(view["patrol"]["routes"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        stops(&view, 0)[..2],
        [("r5".into(), "7s".into()), ("r0".into(), "9s".into())]
    );
    let session = check(&caller, "night").await;
    let guard = &session["snapshot"]["patrol"]["problem"]["guards"][0];
    assert_eq!(
        [&guard["start_vertex_id"], &guard["next_vertex_id"]],
        ["r5", "r0"]
    );
    assert_eq!(guard["elapsed_duration"], "1s");
    // A session elsewhere goes on from its snapshot.
    let other = Caller::new(settings()).await;
    let again = other.answer("CreateSession", &session["snapshot"]).await;
    assert_eq!(stops(&again["view"], 0)[..2], stops(&view, 0)[..2]);
    let door = json!({"removed_edges": [{"from_vertex_id": "r2", "to_vertex_id": "r1"}]});
    let view = sent(&other, "night", update(3, "9s", Some(door))).await;
    assert_eq!(
        stops(&view, 0)[..2],
        [("r0".into(), "9s".into()), ("r1".into(), "12s".into())]
    );
    check(&other, "night").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_is_refused_by_name() {
    let caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &watch("night", 1)).await;
    let ends = |one: &str, two: &str| json!([{"from_vertex_id": one, "to_vertex_id": two}]);
    let wrong = [
        (
            json!({"removed_guard_ids": ["west"]}),
            "patrol.removed_guard_ids[0]",
            "UNKNOWN",
        ),
        (
            json!({"removed_edges": ends("r0", "r2")}),
            "patrol.removed_edges[0]",
            "UNKNOWN",
        ),
        // The guard is on it.
        (
            json!({"removed_edges": ends("r0", "r1")}),
            "problem.guards[0].next_vertex_id",
            "UNKNOWN",
        ),
        (
            json!({"weights": [{"vertex_id": "r9"}]}),
            "patrol.weights[0].vertex_id",
            "UNKNOWN",
        ),
        (
            json!({"removed_guard_ids": ["north", "south"]}),
            "problem.guards",
            "REQUIRED",
        ),
        (
            json!({"positions": [{"guard_id": "north", "vertex_id": "r1", "next_vertex_id": "r2", "elapsed_duration": "3s"}]}),
            "problem.guards[0].elapsed_duration",
            "OUT_OF_RANGE",
        ),
    ];
    for (sequence, (changes, field, reason)) in (1..).zip(wrong) {
        let view = sent(&caller, "night", update(sequence, "1s", Some(changes))).await;
        let mistake = &view["refused"][0]["mistakes"][0];
        assert_eq!(
            [&mistake["field"], &mistake["reason"]],
            [field, reason],
            "{view}"
        );
        assert_eq!(view["complete"], json!(true));
    }
    let mut request = watch("day", 1);
    request["patrol"]["problem"]["vertices"][2]["id"] = json!("r1");
    request["patrol"]["plan"]["routes"][1]["guard_id"] = json!("north");
    let status = caller.ask("CreateSession", &request).await.unwrap_err();
    let fields = mistakes(&status);
    assert!(
        fields
            .iter()
            .any(|it| it.contains("patrol.problem.vertices[2].id")),
        "{fields:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_within_a_tick_or_in_a_batch_stop_nobody() {
    let caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &watch("night", 1)).await;
    let weigh = |weight: i64| json!({"weights": [{"vertex_id": "r2", "weight": weight}]});
    sent(&caller, "night", update(1, "0s", Some(weigh(2)))).await;
    sent(&caller, "night", update(2, "0s", Some(weigh(1)))).await;
    let view = sent(&caller, "night", update(3, "7s", Some(weigh(2)))).await;
    let place = |room: &str, at: &str| (room.to_owned(), at.to_owned());
    assert_eq!(stops(&view, 0)[..2], [place("r2", "7s"), place("r3", "9s")]);
    let batch = [
        update(4, "8s", Some(weigh(1))),
        update(5, "9.500s", None),
        update(6, "10s", Some(weigh(2))),
    ];
    let answer = caller
        .answer("UpdateSession", &updates("night", &batch))
        .await;
    let view = &answer["view"];
    assert_eq!(
        stops(view, 0)[..2],
        [place("r3", "10s"), place("r4", "12s")]
    );
    check(&caller, "night").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edge_can_close_when_its_guard_is_elsewhere() {
    let caller = Caller::new(settings()).await;
    caller.answer("CreateSession", &watch("night", 1)).await;
    let closed = json!({
        "removed_edges": [{"from_vertex_id": "r0", "to_vertex_id": "r1"}],
        "positions": [{"guard_id": "north", "vertex_id": "r0"}],
    });
    let view = sent(&caller, "night", update(1, "1s", Some(closed))).await;
    assert_eq!(view["refused"], Value::Null, "{view}");
    assert_eq!(stops(&view, 0)[0], ("r0".into(), "1s".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_better_plan_begins_when_its_search_may_have_ended() {
    let caller = Caller::new(settings()).await;
    // Without a plan, guards stand first.
    let mut request = watch("night", 2_000);
    request["patrol"]["plan"] = Value::Null;
    caller.answer("CreateSession", &request).await;
    // One falls out, and the rooms of the other are worth more.
    let change =
        json!({"removed_guard_ids": ["south"], "weights": [{"vertex_id": "r1", "weight": 50}]});
    let before = sent(&caller, "night", update(1, "4s", Some(change))).await;
    let mut stream = caller.begin("WatchSession", &named("night")).await.unwrap();
    let mut last = Value::Null;
    while last["report"] == Value::Null || last["improving"] == json!(true) {
        let message = stream.message().await.unwrap().expect("the session lives");
        last = document(&message)["view"].clone();
    }
    let escape = |view: &Value| view["objective"]["levels"][0].as_f64().unwrap();
    assert!(escape(&last) < escape(&before), "{last}");
    let revision = |view: &Value| view["plan_revision"].as_i64();
    assert!(revision(&last) > revision(&before));
    let seconds = |offset: &str| offset.trim_end_matches('s').parse::<f64>().unwrap();
    let rooms = |view: &Value| {
        let stops = stops(view, 0).into_iter();
        stops
            .take_while(|stop| seconds(&stop.1) < 6.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(rooms(&last), rooms(&before));
    check(&caller, "night").await;
}
