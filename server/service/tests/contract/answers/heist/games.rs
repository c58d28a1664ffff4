//! Games, tick by tick.

use super::*;

pub(super) async fn game(caller: &Caller, world: Value, more: &[(&str, Value)]) -> Vec<Value> {
    let mut request = json!({"problem": world});
    for (field, value) in more {
        request[*field] = value.clone();
    }
    let steps = caller.steps("SimulateHeist", &request).await.unwrap();
    let (last, before) = steps.split_last().unwrap();
    assert!(last.get("end").is_some() && before.iter().all(|it| it.get("end").is_none()));
    // Nothing is left out.
    let ticks = steps.iter().filter_map(|it| it.get("tick"));
    assert!(
        ticks
            .map(|it| it["tick"].as_i64().unwrap_or(0))
            .eq(0..last["end"]["tick_count"].as_i64().unwrap_or(0))
    );
    steps
}

pub(super) fn end(steps: &[Value], table: &str) {
    check(&steps.last().unwrap()["end"], table);
}

#[tokio::test]
async fn games_come_tick_by_tick() {
    let caller = Caller::new(settings()).await;
    let all = game(&caller, row(2), &[]).await;
    let plan = all[0]["intents"][0]["plan"]["steps"].as_array().unwrap();
    let done = all
        .iter()
        .filter_map(|it| it.get("tick"))
        .map(|it| &it["events"][0]["step"]);
    assert!(done.eq(plan), "what goes as planned is the plan");
    end(
        &all,
        "ending = \"HEIST_ENDING_WON\"\nroom_id = \"r0\"\ntick_count = 7",
    );
    let all = game(&caller, surprise(), &[]).await;
    let events: Vec<_> = all
        .iter()
        .filter_map(|it| it.get("tick"))
        .map(|it| &it["events"][0])
        .collect();
    let failed = events
        .iter()
        .position(|it| it.get("refusal").is_some())
        .unwrap();
    check(
        events[failed],
        r#"
        refusal = "IS_LOCKED"
        at_id = "d2"
        belief_updates[*].subject_id = ["d2"]
        belief_updates[0].lock_state_before = "HEIST_LOCK_STATE_CLOSED"
        belief_updates[0].lock_state_after = "HEIST_LOCK_STATE_LOCKED"
        replanning.reason = "HEIST_REPLAN_REASON_FAILURE"
    "#,
    );
    let again = events[failed]["replanning"]["plan"]["steps"]
        .as_array()
        .unwrap();
    assert!(events[failed + 1..].iter().map(|it| &it["step"]).eq(again));
    end(&all, "ending = \"HEIST_ENDING_WON\"");
    assert_eq!(all, game(&caller, surprise(), &[]).await, "the same again");
}

#[tokio::test]
async fn games_end_by_cameras_players_and_limits() {
    let caller = Caller::new(settings()).await;
    let all = game(&caller, watched(false), &[]).await;
    end(
        &all,
        "ending = \"HEIST_ENDING_CAUGHT\"\nby_id = \"eye\"\nroom_id = \"r1\"",
    );
    let off =
        json!([{"tick": 2, "verb": "HEIST_INTERVENTION_VERB_SWITCH_OFF", "target_id": "eye"}]);
    let all = game(&caller, watched(false), &[("interventions", off)]).await;
    end(&all, "ending = \"HEIST_ENDING_WON\"\ncost = 2");
    check(
        &all[3],
        r#"
        tick.interventions[*].target_id = ["eye"]
        tick.interventions[0].changed = true
        tick.interventions[0].cost = 2
    "#,
    );
    let unbounded = unbounded();
    let all = game(&caller, unbounded.clone(), &[]).await;
    end(&all, "ending = \"HEIST_ENDING_STUCK\"");
    assert_eq!(all[0]["intents"][0].get("plan"), None);
    let rules = long_game;
    let all = game(&caller, unbounded.clone(), &[rules(50)]).await;
    end(&all, "ending = \"HEIST_ENDING_TIME_UP\"\ntick_count = 50");
    let all = game(
        &caller,
        unbounded.clone(),
        &[rules(100_000), ("options", limited_to(5))],
    )
    .await;
    end(&all, "ending = \"HEIST_ENDING_STOPPED\"\ntick_count = 5");
    let validate = json!({"problem": unbounded, "options": {"validate_only": true}});
    assert_eq!(
        caller.steps("SimulateHeist", &validate).await.unwrap(),
        [Value::Null; 0],
        "nothing is played"
    );
}

#[tokio::test]
async fn a_game_ends_when_its_reader_goes_its_time_is_over_or_the_server_drains() {
    let mut caller = Caller::new(settings()).await;
    let unbounded = unbounded();
    let rules = long_game;
    // A game waits for its reader, and ends when the reader goes or the deadline comes.
    let long = json!({"problem": unbounded, "rules": rules(100_000).1});
    let stream = caller.begin("SimulateHeist", &long).await.unwrap();
    caller.busy(1).await;
    drop(stream);
    caller.busy(0).await;
    let brief = replaced(long.clone(), "/options", json!({"time_budget": "0.5s"}));
    let stream = caller.begin("SimulateHeist", &brief).await.unwrap();
    caller.busy(0).await;
    let all = crate::calls::messages(stream).await.unwrap();
    let ticks = all.iter().filter(|it| it.get("tick").is_some()).count();
    end(
        &all,
        &format!("ending = \"HEIST_ENDING_STOPPED\"\ntick_count = {ticks}"),
    );
    // So it does when the server shuts down.
    let mut stream = caller.begin("SimulateHeist", &long).await.unwrap();
    stream.message().await.unwrap().unwrap();
    let drained = tokio::spawn(caller.take().shut_down());
    let rest = crate::calls::messages(stream).await.unwrap();
    end(&rest, "ending = \"HEIST_ENDING_STOPPED\"");
    drop(caller);
    assert!(drained.await.unwrap(), "it ended in time");
}

/// The burglar knows no path, and a guard walks to and fro.
fn unbounded() -> Value {
    let goal = json!({"visit_room_ids": ["r2", "r3"]});
    let guard = json!({"id": "tom", "room_id": "r2", "goal": goal});
    let world = replaced(row(4), "/guards", json!([guard]));
    replaced(
        world,
        "/doors/0/lock_state",
        json!("HEIST_LOCK_STATE_LOCKED"),
    )
}

/// Rules of a game that goes on for this number of ticks.
fn long_game(ticks: i64) -> (&'static str, Value) {
    let rules = json!({"replan": "HEIST_REPLAN_ON_INCONSISTENCY", "max_ticks": ticks});
    ("rules", rules)
}
