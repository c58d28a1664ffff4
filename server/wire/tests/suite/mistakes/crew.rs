//! Crews: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use crew::{Arc, Effort, Limit};
use serde_json::{Value, json};
use wire::decode::{Crew, crew};

/// A deck with something of everything.
fn good() -> Value {
    json!({
        "problem": {
            "title": "a deck",
            "description": "three rooms",
            "nodes": [{"id": "a", "label": "stern", "x": -1, "y": 2.5}, {"id": "b"}, {"id": "c"}, {"id": "spare"}],
            "arcs": [
                {"fromNodeId": "a", "toNodeId": "b", "walkDuration": "2.5s", "fetchDamage": 0.25, "carryDamage": 1},
                {"fromNodeId": "c", "toNodeId": "b", "oneWay": true},
                {"fromNodeId": "b", "toNodeId": "c", "oneWay": true},
            ],
            "players": [{"id": "ann", "nodeId": "a"}, {"id": "bob", "nodeId": "b", "label": "Bob"}],
            "tools": [{"id": "axe", "nodeId": "b"}],
            "events": [{
                "id": "leak",
                "nodeId": "c",
                "label": "a leak",
                "efforts": [{"workDuration": "3s", "damage": 0.5}, {}],
            }],
            "maxDuration": "60s",
            "maxDamage": 2,
            "maxDamageKind": "CREW_LIMIT_KIND_EXCLUSIVE",
            "allowRevisits": false,
        },
        "options": {"timeBudget": "0.25s", "strategy": "auto"},
        "maxTies": 3,
    })
}

fn encode(request: &Value) -> Vec<u8> {
    encode_as("stratagem.v1.AssignCrewRequest", request)
}

fn read(request: &Value) -> Crew {
    crew(&encode(request)).expect("the request of these tests makes sense")
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(crew(&encode(request)))
}

fn check(part: &str, table: &str) {
    check_by(mistakes, &good(), part, table);
}

#[test]
fn a_request_is_read_to_the_last_field() {
    let read = read(&good());
    assert_eq!(read.node_ids, ["a", "b", "c", "spare"]);
    assert_eq!(read.player_ids, ["ann", "bob"]);
    assert_eq!(read.tool_ids, ["axe"]);
    assert_eq!(read.event_ids, ["leak"]);
    let spec = read.problem.spec();
    let there = Arc {
        from: 0,
        to: 1,
        time_us: 2_500_000,
        fetch_micro: 250_000,
        carry_micro: 1_000_000,
    };
    let plain = |from, to| Arc {
        from,
        to,
        time_us: 1_000_000,
        fetch_micro: 0,
        carry_micro: 0,
    };
    let back = Arc {
        from: 1,
        to: 0,
        ..there
    };
    assert_eq!(spec.arcs, [there, back, plain(2, 1), plain(1, 2)]);
    assert_eq!((&*spec.players, &*spec.tools), (&[0, 1][..], &[1][..]));
    let effort = Effort {
        time_us: 3_000_000,
        damage_micro: 500_000,
    };
    assert_eq!(spec.events[0].vertex, 2);
    assert_eq!(spec.events[0].efforts, [effort, Effort::default()]);
    assert_eq!(spec.time_max_us, 60_000_000);
    assert_eq!(spec.damage_max, Limit::Below(2_000_000));
    assert!(spec.once);
}

#[test]
fn what_is_left_out_has_its_default() {
    let mut request = good();
    for field in ["maxDuration", "maxDamage", "maxDamageKind", "allowRevisits"] {
        request = replaced(request, &format!("/problem/{field}"), Value::Null);
    }
    let read = read(&request);
    let spec = read.problem.spec();
    assert_eq!(spec.time_max_us, crew::problem::TIME_MAX_US);
    assert_eq!(
        spec.damage_max,
        Limit::Within(crew::problem::DAMAGE_MAX_MICRO)
    );
    assert!(!spec.once);
}

#[test]
fn mistakes_of_the_request_itself() {
    let table = r#"
        strategy = "guess" => strategy UNKNOWN
        target = {"levels": [1]} => target.levels TOO_MANY
        timeBudget = "0s" => time_budget OUT_OF_RANGE
    "#;
    check("options", table);
    for (count, wanted) in [
        (-1, "max_ties OUT_OF_RANGE"),
        (1_001, "max_ties OUT_OF_RANGE"),
    ] {
        assert_eq!(
            mistakes(&replaced(good(), "/maxTies", json!(count))),
            [wanted]
        );
    }
    assert_eq!(
        mistakes(&replaced(good(), "/problem", Value::Null)),
        ["problem REQUIRED"]
    );
}

#[test]
fn mistakes_of_nodes_and_arcs() {
    check(
        "problem",
        r#"
        nodes/3/id = "" => nodes[3].id REQUIRED
        nodes/3/id = "a" => nodes[3].id DUPLICATE
        nodes/1/x = 2e6 => nodes[1].x OUT_OF_RANGE
        nodes/1/y = "NaN" => nodes[1].y NOT_FINITE
        arcs/0/fromNodeId = "nowhere" => arcs[0].from_node_id UNKNOWN
        arcs/0/toNodeId = "" => arcs[0].to_node_id REQUIRED
        arcs/0/toNodeId = "a" => arcs[0].to_node_id SELF_LOOP
        arcs/2/toNodeId = "a" => arcs[2] DUPLICATE
        arcs/2/oneWay = false => arcs[2] DUPLICATE
        arcs/0/walkDuration = "0s" => arcs[0].walk_duration OUT_OF_RANGE
        arcs/0/walkDuration = "-1s" => arcs[0].walk_duration OUT_OF_RANGE
        arcs/0/walkDuration = "400000000s" => arcs[0].walk_duration OUT_OF_RANGE
        arcs/0/fetchDamage = -1 => arcs[0].fetch_damage OUT_OF_RANGE
        arcs/0/fetchDamage = "Infinity" => arcs[0].fetch_damage NOT_FINITE
        arcs/0/carryDamage = 2e9 => arcs[0].carry_damage OUT_OF_RANGE
    "#,
    );
}

#[test]
fn mistakes_of_players_tools_events_and_limits() {
    check(
        "problem",
        r#"
        players = [] => players REQUIRED
        players/1/id = "ann" => players[1].id DUPLICATE
        players/1/nodeId = "d" => players[1].node_id UNKNOWN
        tools = [] => tools REQUIRED
        tools/0/id = "" => tools[0].id REQUIRED
        tools/0/nodeId = "" => tools[0].node_id REQUIRED
        events = [] => events REQUIRED
        events/0/id = "" => events[0].id REQUIRED
        events/0/nodeId = "d" => events[0].node_id UNKNOWN
        events/0/efforts = [] => events[0].efforts REQUIRED
        events/0/efforts = [{}, {}, {}] => events[0].efforts TOO_MANY
        events/0/efforts/0/workDuration = "-1s" => events[0].efforts[0].work_duration OUT_OF_RANGE
        events/0/efforts/1/damage = -0.5 => events[0].efforts[1].damage OUT_OF_RANGE
        events/0/rank = -1 => events[0].rank OUT_OF_RANGE
        events/0/rank = 101 => events[0].rank OUT_OF_RANGE
        maxDuration = "-1s" => max_duration OUT_OF_RANGE
        maxDamage = -1 => max_damage OUT_OF_RANGE
        maxDamage = "NaN" => max_damage NOT_FINITE
        maxDamageKind = 7 => max_damage_kind ENUM_UNKNOWN
    "#,
    );
}

#[test]
fn what_is_too_large_is_not_looked_into() {
    let many = |count: usize, one: Value| Value::Array(vec![one; count]);
    for (field, count, one) in [
        ("nodes", 2_001, json!({})),
        ("arcs", 20_001, json!({})),
        ("players", 65, json!({})),
        ("tools", 65, json!({})),
        ("events", 9, json!({})),
    ] {
        let found = mistakes(&replaced(
            good(),
            &format!("/problem/{field}"),
            many(count, one),
        ));
        assert_eq!(found, [format!("problem.{field} TOO_MANY")]);
    }
    let efforts = replaced(good(), "/problem/events/0/efforts", many(65, json!({})));
    assert_eq!(mistakes(&efforts), ["problem.events[0].efforts TOO_MANY"]);
}

#[test]
fn all_mistakes_are_told_at_once_and_each_once() {
    let mut request = good();
    for (at, value) in [
        ("/problem/arcs/0/fromNodeId", json!("x")),
        ("/problem/arcs/0/toNodeId", json!("y")),
        ("/problem/players/0/nodeId", json!("z")),
        ("/problem/maxDamage", json!(-3)),
        ("/maxTies", json!(-3)),
    ] {
        request = replaced(request, at, value);
    }
    let wanted = [
        "problem.max_damage OUT_OF_RANGE",
        "max_ties OUT_OF_RANGE",
        "problem.arcs[0].from_node_id UNKNOWN",
        "problem.arcs[0].to_node_id UNKNOWN",
        "problem.players[0].node_id UNKNOWN",
    ];
    assert_eq!(mistakes(&request), wanted);
}
