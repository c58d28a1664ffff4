//! Sessions whose server ends and starts again.

use crate::calls::{Caller, Place};
use crate::executions::network;
use crate::games::{Game, happened};
use crate::sessions::{added, named, quiet, refusal, served, update, updates, wanted};
use crate::stories::{SYSTEM, story};
use serde_json::{Value, json};
use stratagem_server::Config;
use stratagem_server::config::Switch;
use tonic::Code;

/// A number of a view.
fn number(view: &Value, field: &str) -> i64 {
    view[field].as_i64().unwrap_or(0)
}

/// A session of allocation with an update that was applied, and one that was refused. The request,
/// the updates, and the session.
async fn played(caller: &Caller) -> (Value, Value, Value) {
    let request = quiet("raid");
    caller.answer("CreateSession", &request).await;
    let wrong = json!({"removed_task_ids": ["none"]});
    let both = [update(1, &added("new")), update(2, &wrong)];
    let both = updates("raid", &both);
    caller.answer("UpdateSession", &both).await;
    (
        request,
        both,
        caller.answer("GetSession", &named("raid")).await,
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_goes_on_after_its_server() {
    let place = Place::new();
    let config = place.settings();
    let caller = Caller::new(config.clone()).await;
    let (request, both, before) = played(&caller).await;
    let caller = Place::again(&config, caller).await;
    let after = caller.answer("GetSession", &named("raid")).await;
    assert_eq!(after["snapshot"], before["snapshot"]);
    let (now, was) = (&after["view"], &before["view"]);
    assert_eq!(served(now), served(was));
    assert!(number(now, "epoch") > number(was, "plan_revision"), "{now}");
    assert!(number(now, "plan_revision") > number(was, "plan_revision"));
    // A response that was lost with the server.
    let again = caller.answer("UpdateSession", &both).await;
    let refused = &again["view"]["refused"];
    assert_eq!(refused[0]["sequence"], 2, "{again}");
    assert_eq!(number(&again["view"], "applied_sequence"), 2);
    let other = updates("raid", &[update(2, &added("other"))]);
    let reused = refusal(caller.ask("UpdateSession", &other).await);
    assert_eq!(reused, wanted(Code::Aborted, "SESSION_SEQUENCE_REUSED"));
    let next = updates("raid", &[update(3, &added("newer"))]);
    let next = caller.answer("UpdateSession", &next).await;
    let tasks = served(&next["view"]);
    assert_eq!(tasks.len(), 11, "{tasks:?}");
    let created = caller.answer("CreateSession", &request).await;
    assert_eq!(created["existed"], json!(true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_call_after_its_server_may_be_any() {
    let place = Place::new();
    let config = place.settings();
    let mut caller = Caller::new(config.clone()).await;
    let (request, _, before) = played(&caller).await;
    caller = Place::again(&config, caller).await;
    let created = caller.answer("CreateSession", &request).await;
    assert_eq!(created["existed"], json!(true));
    assert_eq!(served(&created["view"]), served(&before["view"]));
    caller = Place::again(&config, caller).await;
    let mut other = request;
    other["expire_duration"] = json!("61s");
    let other = refusal(caller.ask("CreateSession", &other).await);
    assert_eq!(other, wanted(Code::AlreadyExists, "SESSION_EXISTS"));
    caller = Place::again(&config, caller).await;
    let mut watched = caller.begin("WatchSession", &named("raid")).await.unwrap();
    let first = crate::calls::document(&watched.message().await.unwrap().unwrap());
    assert_eq!(served(&first["view"]), served(&before["view"]));
    drop(watched);
    caller = Place::again(&config, caller).await;
    caller.answer("CloseSession", &named("raid")).await;
    for _ in 0..2 {
        let gone = refusal(caller.ask("GetSession", &named("raid")).await);
        assert_eq!(gone, wanted(Code::NotFound, "SESSION_UNKNOWN"));
        caller = Place::again(&config, caller).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_go_on_after_their_server() {
    for (kind, state, now, event) in [
        (
            "narrative",
            json!({"problem": story(SYSTEM)}),
            "20s",
            "found",
        ),
        ("temporal", json!({"network": network()}), "1s", "go"),
    ] {
        let place = Place::new();
        let config = place.settings();
        let caller = Caller::new(config.clone()).await;
        let (mut game, _) = Game::create(caller, kind, state).await;
        game.after("0s", json!({})).await;
        let before = game.after(now, happened(event)).await;
        assert_eq!(before["refused"], Value::Null, "{before}");
        game.caller = Place::again(&config, game.caller).await;
        let after = game.after(now, json!({})).await;
        assert_eq!(after[kind], before[kind], "{after}");
        assert!(number(&after, "epoch") > number(&before, "plan_revision"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_log_a_session_ends_with_its_server() {
    let place = Place::new();
    let config = Config {
        session_log: Switch::Off,
        ..place.settings()
    };
    let caller = Caller::new(config.clone()).await;
    played(&caller).await;
    let caller = Place::again(&config, caller).await;
    let gone = refusal(caller.ask("GetSession", &named("raid")).await);
    assert_eq!(gone, wanted(Code::NotFound, "SESSION_UNKNOWN"));
}
