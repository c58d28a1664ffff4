//! Narratives: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use serde_json::{Value, json};
use wire::decode::narrative;

/// A search of uncertain length, then a duel or a chase, for two groups of players.
fn good() -> Value {
    json!({
        "problem": {
            "title": "an evening",
            "events": [
                {"id": "search"}, {"id": "found"}, {"id": "duel"}, {"id": "beaten"},
                {"id": "chase"}, {"id": "caught"},
            ],
            "links": [
                {"fromEventId": "found", "toEventId": "duel", "lower": "1s", "upper": "20s"},
                {"id": "fight", "fromEventId": "duel", "toEventId": "beaten", "lower": "5s"},
                {"id": "run", "fromEventId": "chase", "toEventId": "caught", "lower": "0s"},
            ],
            "contingentLinks": [
                {"id": "look", "fromEventId": "search", "toEventId": "found", "lower": "1s", "upper": "9s"},
            ],
            "activities": [
                {"id": "fence", "startEventId": "duel", "endEventId": "beaten",
                 "demands": [{"resourceId": "boris", "amount": 1}, {"resourceId": "rapier"}]},
                {"id": "flee", "startEventId": "chase", "endEventId": "caught"},
            ],
            "resources": [{"id": "boris"}, {"id": "rapier", "capacity": 2}],
            "choices": [{"id": "twist", "chooser": "NARRATIVE_CHOOSER_SYSTEM", "options": [
                {"id": "steel", "eventIds": ["duel", "beaten"]},
                {"id": "legs", "eventIds": ["chase", "caught"]},
            ]}],
            "groups": [{"id": "red"}, {"id": "blue", "startOffset": "60s"}],
            "horizonOffset": "600s",
            "progress": {
                "nowOffset": "8s",
                "happened": [{"eventId": "red/search", "timeOffset": "2s"}],
                "made": [{"choiceId": "blue/twist", "optionId": "legs"}],
            },
            "objective": {"idleWeight": 1, "idleLinkIds": ["fight"]},
        },
        "options": {"timeBudget": "0.25s", "strategy": "auto"},
        "detail": {"maxRelaxations": 2},
    })
}

fn mistakes(request: &Value) -> Vec<String> {
    let bytes = encode_as("stratagem.v1.ScheduleNarrativeRequest", request);
    lines(narrative(&bytes))
}

#[test]
fn groups_have_events_links_and_activities_of_their_own() {
    let bytes = encode_as("stratagem.v1.ScheduleNarrativeRequest", &good());
    let read = narrative(&bytes).expect("the request of these tests makes sense");
    assert_eq!(read.event_ids[0], "red/search");
    assert_eq!(read.event_ids[6], "blue/search");
    // The group that starts later has a link from the origin to each of its events.
    assert_eq!(
        read.link_ids[..3],
        ["red/found->duel", "red/fight", "red/run"]
    );
    assert_eq!(read.narrative.spec().links.len(), 2 * 3 + 6);
    assert_eq!(read.contingent_link_ids, ["red/look", "blue/look"]);
    assert_eq!(read.activity_ids.len(), 4);
    assert_eq!(read.narrative.storylines().len(), 2);
}

#[test]
fn events_links_and_groups() {
    let table = r#"
        links/0/fromEventId = "light" => links[0].from_event_id UNKNOWN
        links/0/toEventId = "found" => links[0].to_event_id SELF_LOOP
        links/0/lower = "20.5s" => links[0].upper REVERSED
        links/2/id = "look" => contingent_links[0].id DUPLICATE
        contingentLinks/0/upper = null => contingent_links[0].upper REQUIRED
        contingentLinks/0/lower = "-1s" => contingent_links[0].lower OUT_OF_RANGE
        contingentLinks/0/toEventId = "origin" => contingent_links[0].to_event_id CONTRADICTION
        contingentLinks/0/toEventId = "duel" => contingent_links[0] CONTRADICTION
        groups/1/startOffset = "-1s" => groups[1].start_offset OUT_OF_RANGE
        horizonOffset = "-1s" => horizon_offset OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "problem", table);
}

#[test]
fn mistakes_that_make_others() {
    for (at, value, wanted) in [
        ("originId", "duel", "events[2].id DUPLICATE"),
        ("events/0/id", "sea/rch", "events[0].id CONTRADICTION"),
        ("resources/1/id", "boris", "resources[1].id DUPLICATE"),
        ("groups/1/id", "red", "groups[1].id DUPLICATE"),
        (
            "choices/0/options/1/eventIds/0",
            "moon",
            "choices[0].options[1].event_ids[0] UNKNOWN",
        ),
        (
            "choices/0/options/1/eventIds/0",
            "origin",
            "choices[0].options[1].event_ids[0] CONTRADICTION",
        ),
        (
            "choices/0/options/1/eventIds/0",
            "duel",
            "choices[0].options[1].event_ids OVERLAP",
        ),
    ] {
        let request = replaced(good(), &format!("/problem/{at}"), json!(value));
        let found = mistakes(&request);
        let wanted = format!("problem.{wanted}");
        assert!(found.contains(&wanted), "{at} = {value}: {found:?}");
    }
}

#[test]
fn activities_resources_and_choices() {
    let table = r#"
        activities/0/startEventId = "moon" => activities[0].start_event_id UNKNOWN
        activities/0/endEventId = "caught" => activities[0] REQUIRED
        activities/0/demands/0/resourceId = "anna" => activities[0].demands[0].resource_id UNKNOWN
        activities/0/demands/1/resourceId = "boris" => activities[0].demands[1].resource_id DUPLICATE
        activities/0/demands/0/amount = 2 => activities[0].demands[0].amount OUT_OF_RANGE
        activities/1/id = "fence" => activities[1].id DUPLICATE
        links/2/lower = "-1s" => activities[1] REQUIRED
        resources/0/capacity = -1 => resources[0].capacity OUT_OF_RANGE
        choices/0/chooser = "NARRATIVE_CHOOSER_UNSPECIFIED" => choices[0].chooser REQUIRED
        choices/0/chooser = 9 => choices[0].chooser ENUM_UNKNOWN
        objective/idleLinkIds/0 = "look" => objective.idle_link_ids[0] UNKNOWN
        objective/idleWeight = -1 => objective.idle_weight OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "problem", table);
}

#[test]
fn what_has_happened() {
    let table = r#"
        progress/nowOffset = "1s" => progress.happened[0].time_offset OUT_OF_RANGE
        progress/nowOffset = "12s" => progress CONTRADICTION
        progress/happened/0/eventId = "search" => progress.happened[0].event_id UNKNOWN
        progress/happened/0/eventId = "blue/duel" => progress.happened[0].event_id CONTRADICTION
        progress/happened/0/eventId = "red/found" => progress.happened CONTRADICTION
        progress/happened/0/timeOffset = null => progress.happened[0].time_offset REQUIRED
        progress/made/0/choiceId = "twist" => progress.made[0].choice_id UNKNOWN
        progress/made/0/optionId = "wings" => progress.made[0].option_id UNKNOWN
    "#;
    check_by(mistakes, &good(), "problem", table);
}

#[test]
fn how_to_search() {
    let with_target = replaced(good(), "/options/target", json!({"levels": [1.0, 2.0]}));
    assert_eq!(mistakes(&with_target), ["options.target.levels TOO_MANY"]);
    let table = r#"
        maxRelaxations = 21 => max_relaxations OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "detail", table);
}
