//! Sessions that play a narrative.

use crate::calls::{Caller, mistakes, settings};
use crate::games::{Game, happened, verdict, windows};
use serde_json::{Value, json};

/// Players look around for 10 to 60 s. Then there is a fight of 60 s or a chase of 20 s, on one
/// stage. Each ends within 80 to 100 s.
pub(crate) fn story(chooser: &str) -> Value {
    let link = |id: &str, from: &str, to: &str, lower: &str, upper: &str| {
        let mut link = json!({"id": id, "from_event_id": from, "to_event_id": to});
        link["lower"] = json!(lower);
        link["upper"] = json!(upper);
        link
    };
    let activity = |id: &str, from: &str, to: &str| {
        json!({
            "id": id, "start_event_id": from, "end_event_id": to,
            "demands": [{"resource_id": "stage"}],
        })
    };
    json!({
        "events": [
            {"id": "found"}, {"id": "draw"}, {"id": "won"}, {"id": "run"}, {"id": "caught"},
        ],
        "links": [
            link("ready", "found", "draw", "0s", "10s"),
            link("duel", "draw", "won", "60s", "60s"),
            link("duel-ends", "origin", "won", "80s", "100s"),
            link("alarm", "found", "run", "0s", "20s"),
            link("pursuit", "run", "caught", "20s", "20s"),
            link("chase-ends", "origin", "caught", "80s", "100s"),
        ],
        "contingent_links": [
            {"id": "look", "from_event_id": "origin", "to_event_id": "found", "lower": "10s", "upper": "60s"},
        ],
        "activities": [activity("fight", "draw", "won"), activity("chase", "run", "caught")],
        "resources": [{"id": "stage"}],
        "choices": [{
            "id": "scene", "chooser": chooser,
            "options": [
                {"id": "sword", "event_ids": ["draw", "won"]},
                {"id": "chase", "event_ids": ["run", "caught"]},
            ],
        }],
    })
}

pub(crate) const SYSTEM: &str = "NARRATIVE_CHOOSER_SYSTEM";
const PLAYER: &str = "NARRATIVE_CHOOSER_PLAYER";

/// A session of a story that has a plan.
async fn begun(story: &Value) -> Game {
    let (mut game, _) = Game::new("narrative", json!({"problem": story})).await;
    // Until there is a plan, also on a slow machine.
    game.after("0s", json!({})).await;
    game
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_plan_picks_by_what_players_do() {
    for (found, option, first) in [
        ("20s", "sword", ["draw", "20s", "30s"]),
        ("55s", "chase", ["run", "60s", "75s"]),
    ] {
        let mut game = begun(&story(SYSTEM)).await;
        let view = game.after("9s", json!({})).await;
        assert_eq!(verdict(&view), "HOLDS", "{view}");
        assert_eq!(windows(&view, "expected"), [["found", "10s", "60s"]]);
        assert_eq!(view["narrative"]["picks"], Value::Null);
        let view = game.after(found, happened("found")).await;
        let picks = json!([{"choice_id": "scene", "option_id": option}]);
        assert_eq!(view["narrative"]["picks"], picks, "{view}");
        let next = [windows(&view, "due"), windows(&view, "upcoming")].concat();
        assert_eq!(next[0], first, "{view}");
        assert_eq!(view["complete"], json!(true));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_pick_when_their_choice_is_open_and_activities_get_what_they_need() {
    let mut story = story(PLAYER);
    story["contingent_links"][0]["upper"] = json!("40s");
    story["links"][3]["upper"] = json!("60s");
    let mut game = begun(&story).await;
    let view = game.after("30s", happened("found")).await;
    let open = json!([{
        "choice_id": "scene", "option_ids": ["sword", "chase"], "not_after_offset": "40s",
    }]);
    assert_eq!(view["narrative"]["open_choices"], open, "{view}");
    assert_eq!(windows(&view, "due").len(), 0, "{view}");
    let made = json!({"made": [{"choice_id": "scene", "option_id": "sword"}]});
    let view = game.after("31s", made).await;
    assert_eq!(windows(&view, "due"), [["draw", "30s", "40s"]], "{view}");
    let stage = json!([{"resource_id": "stage", "to_activity_id": "fight", "amount": 1}]);
    assert_eq!(view["narrative"]["hand_overs"], stage, "{view}");
    let view = game.after("32s", happened("draw")).await;
    assert_eq!(windows(&view, "upcoming"), [["won", "92s", "92s"]]);
    let view = game.after("92s", happened("won")).await;
    assert_eq!(verdict(&view), "HOLDS");
    assert_eq!(view["narrative"]["deviation"], Value::Null);
    assert_eq!(view["narrative"]["next_wake_offset"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_deviation_the_rest_goes_on_or_fails_with_a_conflict() {
    let mut game = begun(&story(SYSTEM)).await;
    let view = game.after("70s", json!({})).await;
    let deviation = json!({
        "kind": "TEMPORAL_DEVIATION_KIND_OUTSIDE", "event_id": "found", "at_offset": "70s",
    });
    assert_eq!(view["narrative"]["deviation"], deviation, "{view}");
    // The search for something to find may take as long again, and then nothing ends in time.
    assert_eq!(verdict(&view), "FAILS", "{view}");
    let members = view["narrative"]["conflict"]["members"].as_array();
    assert!(members.is_some_and(|members| !members.is_empty()), "{view}");
    let view = game.after("75s", happened("found")).await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    let picks = json!([{"choice_id": "scene", "option_id": "chase"}]);
    assert_eq!(view["narrative"]["picks"], picks);
    // It has begun too late to end in time.
    let view = game.after("85s", happened("run")).await;
    let deviation = &view["narrative"]["deviation"];
    assert_eq!(deviation["kind"], "TEMPORAL_DEVIATION_KIND_LATE", "{view}");
    assert_eq!(verdict(&view), "FAILS", "{view}");
    // With more time it ends.
    let mut longer = story(SYSTEM);
    longer["links"][5]["upper"] = json!("110s");
    let view = game
        .update(json!({"now_offset": "86s", "narrative_problem": longer}))
        .await;
    assert_eq!(verdict(&view), "HOLDS", "{view}");
    assert_eq!(windows(&view, "upcoming"), [["caught", "105s", "105s"]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_story_is_created_again_from_its_snapshot() {
    let mut game = begun(&story(SYSTEM)).await;
    let before = game.after("20s", happened("found")).await;
    let mut snapshot = game.snapshot("elsewhere").await;
    let again = game.caller.answer("CreateSession", &snapshot).await;
    assert_eq!(again["view"]["narrative"], before["narrative"], "{again}");
    // A plan that does not hold is no plan: another one is searched for.
    snapshot["session_id"] = json!("third");
    snapshot["narrative"]["plan"]["policies"] = json!([]);
    game.caller.answer("CreateSession", &snapshot).await;
    let wait = json!({
        "session_id": "third", "patience_duration": "10s", "updates": [{"sequence": 3}],
    });
    let again = game.caller.answer("UpdateSession", &wait).await;
    assert_eq!(verdict(&again["view"]), "HOLDS", "{again}");
    assert_eq!(
        again["view"]["narrative"]["picks"],
        before["narrative"]["picks"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_begin_by_themselves() {
    let story = json!({
        "events": [{"id": "in"}],
        "links": [{"from_event_id": "origin", "to_event_id": "in", "lower": "5s", "upper": "9s"}],
        "activities": [{
            "id": "welcome", "start_event_id": "origin", "end_event_id": "in",
            "demands": [{"resource_id": "host"}],
        }],
        "resources": [{"id": "host"}],
        "groups": [{"id": "a"}, {"id": "b", "start_offset": "20s"}],
    });
    let mut game = begun(&story).await;
    game.after("5s", happened("a/in")).await;
    let view = game.after("19s", happened("b/in")).await;
    let mistake = &view["refused"][0]["mistakes"][0];
    assert_eq!(mistake["reason"], "CONTRADICTION", "{view}");
    let view = game.after("20.500s", json!({})).await;
    assert_eq!(view["narrative"]["deviation"], Value::Null, "{view}");
    assert_eq!(
        windows(&view, "upcoming"),
        [["b/in", "25s", "29s"]],
        "{view}"
    );
    let snapshot = game.snapshot("elsewhere").await;
    let again = game.caller.answer("CreateSession", &snapshot).await;
    assert_eq!(again["view"]["narrative"], view["narrative"], "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_are_refused_with_their_fields() {
    let mut game = begun(&story(SYSTEM)).await;
    game.after("20s", happened("found")).await;
    let at = |id: &str, at: &str| json!({"happened": [{"event_id": id, "at_offset": at}]});
    for (changes, field, reason) in [
        (happened("found"), "happened[0].event_id", "DUPLICATE"),
        (happened("nothing"), "happened[0].event_id", "UNKNOWN"),
        (at("draw", "99s"), "happened[0].at_offset", "OUT_OF_RANGE"),
        (happened("run"), "happened[0].event_id", "CONTRADICTION"),
        (
            json!({"made": [{"choice_id": "scene", "option_id": "chase"}]}),
            "made[0].option_id",
            "CONTRADICTION",
        ),
        (
            json!({"made": [{"choice_id": "scene", "option_id": "none"}]}),
            "made[0].option_id",
            "UNKNOWN",
        ),
    ] {
        let view = game.after("21s", changes).await;
        let mistake = &view["refused"][0]["mistakes"][0];
        assert_eq!(mistake["field"], format!("narrative.{field}"), "{view}");
        assert_eq!(mistake["reason"], reason, "{view}");
    }
    let view = game.update(json!({"temporal": {}})).await;
    assert_eq!(view["refused"][0]["mistakes"][0]["reason"], "WRONG_KIND");
    let view = game.after("1s", json!({})).await;
    assert_eq!(view["refused"][0]["mistakes"][0]["field"], "now_offset");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn states_with_mistakes_are_no_sessions() {
    let caller = Caller::new(settings()).await;
    let valid = json!({"session_id": "play", "narrative": {"problem": story(SYSTEM)}});
    let mut wrong = valid.clone();
    wrong["narrative"]["progress"] = json!({"made": [{"choice_id": "x", "option_id": "y"}]});
    let refused = caller.ask("CreateSession", &wrong).await.unwrap_err();
    let listed = mistakes(&refused);
    assert_eq!(listed, ["narrative.progress.made[0].choice_id UNKNOWN"]);
    let mut wrong = valid;
    wrong["narrative"]["problem"]["events"] = json!([]);
    wrong["options"] = json!({"strategy": "none"});
    let refused = caller.ask("CreateSession", &wrong).await.unwrap_err();
    let listed = mistakes(&refused);
    for field in ["options.strategy", "narrative.problem."] {
        assert!(listed.iter().any(|it| it.starts_with(field)), "{listed:?}");
    }
}
