//! Sessions that execute a temporal network.

use crate::calls::{Caller, mistakes, settings};
use crate::games::{Game, happened, verdict, windows};
use serde_json::{Value, json};

/// A courier rides 10 to 20 s after "go", at 1 s or later. The gate opens at most 5 s before and
/// 2 s after the arrival.
pub(crate) fn network() -> Value {
    json!({
        "events": [{"id": "go"}, {"id": "arrival"}, {"id": "gate"}],
        "links": [
            {"id": "surprise", "from_event_id": "arrival", "to_event_id": "gate", "lower": "-5s", "upper": "2s"},
            {"id": "begin", "from_event_id": "origin", "to_event_id": "go", "lower": "1s"},
        ],
        "contingent_links": [
            {"id": "ride", "from_event_id": "go", "to_event_id": "arrival", "lower": "10s", "upper": "20s"},
        ],
    })
}

/// A session of the network, and its first view.
async fn begun() -> (Game, Value) {
    Game::new("temporal", json!({"network": network()})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_follow_what_happens() {
    let (mut game, view) = begun().await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(view["complete"], json!(true));
    assert_eq!(view["temporal"]["next_wake_offset"], "1s");
    assert_eq!(windows(&view, "upcoming"), [["go", "1s", ""]]);
    let view = game.after("1s", json!({})).await;
    assert_eq!(windows(&view, "due"), [["go", "1s", ""]]);
    // It is due until it is reported.
    let view = game.after("1.500s", json!({})).await;
    assert_eq!(windows(&view, "due"), [["go", "1s", ""]]);
    let view = game.after("2s", happened("go")).await;
    assert!(windows(&view, "due").is_empty());
    assert_eq!(windows(&view, "expected"), [["arrival", "12s", "22s"]]);
    let gate = &view["temporal"]["upcoming"][0];
    assert_eq!(gate["not_before_offset"], "17s");
    assert_eq!(gate["waits_for_event_ids"], json!(["arrival"]));
    let view = game.after("13s", happened("arrival")).await;
    assert_eq!(windows(&view, "due"), [["gate", "0s", "15s"]]);
    let view = game.after("14s", happened("gate")).await;
    assert_eq!(verdict(&view), "HOLDS");
    assert_eq!(view["complete"], json!(true));
    assert!(windows(&view, "due").is_empty());
    assert_eq!(view["temporal"]["deviation"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deviation_is_reported_and_the_rest_goes_on() {
    let (mut game, _) = begun().await;
    game.after("2s", happened("go")).await;
    game.after("17s", happened("gate")).await;
    let view = game.after("23s", json!({})).await;
    let deviation = &view["temporal"]["deviation"];
    assert_eq!(
        deviation["kind"], "TEMPORAL_DEVIATION_KIND_OUTSIDE",
        "{view}"
    );
    assert_eq!(deviation["event_id"], "arrival");
    assert_eq!(deviation["at_offset"], "23s");
    // The ride may take as long again; the gate has opened too early for that.
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(windows(&view, "expected"), [["arrival", "23s", "43s"]]);
    assert_eq!(view["temporal"]["broken_bounds"][0]["link_id"], "surprise");
    assert_eq!(view["complete"], Value::Null);
    let view = game.after("30s", happened("arrival")).await;
    assert_eq!(verdict(&view), "HOLDS");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_too_late_is_due_without_a_limit() {
    let (mut game, _) = begun().await;
    game.after("2s", happened("go")).await;
    game.after("13s", happened("arrival")).await;
    let view = game.after("16s", json!({})).await;
    let deviation = &view["temporal"]["deviation"];
    assert_eq!(deviation["kind"], "TEMPORAL_DEVIATION_KIND_LATE", "{view}");
    assert_eq!(windows(&view, "due"), [["gate", "16s", ""]]);
    let broken = &view["temporal"]["broken_bounds"];
    assert_eq!(broken[0]["side"], "TEMPORAL_BOUND_SIDE_UPPER", "{view}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rest_that_fails_has_a_conflict_and_goes_on_when_it_is_relaxed() {
    let (mut game, _) = begun().await;
    game.after("2s", happened("go")).await;
    let tight = json!({"put_links": [{
        "id": "surprise", "from_event_id": "arrival", "to_event_id": "gate",
        "lower": "-1s", "upper": "-0.500s",
    }]});
    let view = game.after("3s", tight).await;
    assert_eq!(verdict(&view), "FAILS", "{view}");
    let members = view["temporal"]["conflict"]["members"].as_array().unwrap();
    assert!(
        members
            .iter()
            .any(|it| it["link_ids"] == json!(["surprise"])),
        "{view}"
    );
    assert!(windows(&view, "upcoming").is_empty());
    let later = game.after("4s", json!({})).await;
    assert_eq!(verdict(&later), "FAILS", "{later}");
    let change = &view["temporal"]["relaxations"][0]["changes"][0];
    assert_eq!(change["link_id"], "surprise", "{view}");
    let side = if change["side"] == "TEMPORAL_BOUND_SIDE_LOWER" {
        "lower"
    } else {
        "upper"
    };
    let mut link = json!({
        "id": "surprise", "from_event_id": "arrival", "to_event_id": "gate",
        "lower": "-1s", "upper": "-0.500s",
    });
    link[side] = change["new_bound"].clone();
    let view = game.after("5s", json!({"put_links": [link]})).await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(windows(&view, "upcoming").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duration_that_goes_on_can_end_a_failure() {
    let network = json!({
        "events": [{"id": "go"}, {"id": "arrival"}, {"id": "gate"}],
        "links": [
            // Nature may break it, until it is too late for that.
            {"from_event_id": "origin", "to_event_id": "arrival", "lower": "5s"},
        ],
        "contingent_links": [
            {"from_event_id": "go", "to_event_id": "arrival", "lower": "0s", "upper": "10s"},
        ],
    });
    let state = json!({"network": network, "happened": [{"event_id": "go"}]});
    let (mut game, _) = Game::new("temporal", state).await;
    let view = game.after("1s", json!({})).await;
    assert_eq!(verdict(&view), "FAILS", "{view}");
    let view = game.after("7s", json!({})).await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(windows(&view, "due").len(), 1, "{view}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_execution_is_created_again_from_its_snapshot() {
    let (mut game, _) = begun().await;
    let before = game.after("2s", happened("go")).await;
    let snapshot = game.snapshot("elsewhere").await;
    let again = game.caller.answer("CreateSession", &snapshot).await;
    let again = &again["view"];
    assert_eq!(again["applied_sequence"], 1);
    assert_eq!(verdict(again), "HOLDS");
    for list in ["due", "upcoming", "expected"] {
        assert_eq!(again["temporal"][list], before["temporal"][list], "{list}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_as_a_whole_replaces_another_one() {
    let (mut game, _) = begun().await;
    game.after("2s", happened("go")).await;
    let mut next = network();
    next["events"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "bell"}));
    next["links"][0]["upper"] = json!("1s");
    let view = game
        .update(json!({"now_offset": "3s", "temporal_network": next}))
        .await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(windows(&view, "expected"), [["arrival", "12s", "22s"]]);
    assert_eq!(windows(&view, "due"), [["bell", "3s", ""]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_another_kind_are_refused() {
    let (mut game, _) = begun().await;
    let refused = game.update(json!({"allocation": {}})).await;
    let mistake = &refused["refused"][0]["mistakes"][0];
    assert_eq!(mistake["field"], "allocation", "{refused}");
    assert_eq!(mistake["reason"], "WRONG_KIND");
    let late = game
        .after(
            "1s",
            json!({"happened": [{"event_id": "go", "at_offset": "2s"}]}),
        )
        .await;
    let mistake = &late["refused"][0]["mistakes"][0];
    assert_eq!(mistake["field"], "temporal.happened[0].at_offset", "{late}");
    let view = game.after("2s", happened("go")).await;
    assert_eq!(windows(&view, "expected"), [["arrival", "12s", "22s"]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_networks_are_rejected_with_their_fields() {
    let caller = Caller::new(settings()).await;
    let mut wrong = json!({"session_id": "play", "temporal": {"network": network()}});
    wrong["temporal"]["network"]["links"][0]["to_event_id"] = json!("moon");
    wrong["temporal"]["happened"] = json!([{"event_id": "go", "at_offset": "-1s"}]);
    wrong["options"] = json!({"strategy": "none"});
    let refused = caller.ask("CreateSession", &wrong).await.unwrap_err();
    let listed = mistakes(&refused);
    for field in [
        "options.strategy",
        "temporal.network.links[0].to_event_id",
        "temporal.happened[0].at_offset",
    ] {
        assert!(
            listed.iter().any(|it| it.starts_with(field)),
            "{field}: {listed:?}"
        );
    }
}
