//! Networks: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use serde_json::{Value, json};
use wire::decode::{Rejected, temporal};

/// A heist: two agents, three events, and all kinds of bounds.
fn good() -> Value {
    json!({
        "problem": {
            "title": "a heist",
            "agents": [
                {"id": "crew", "kind": "TEMPORAL_AGENT_KIND_CONTROLLABLE"},
                {"id": "player", "kind": "TEMPORAL_AGENT_KIND_UNCONTROLLABLE"},
            ],
            "events": [
                {"id": "dark", "agentId": "crew"},
                {"id": "in", "agentId": "player"},
                {"id": "van", "agentId": "crew"},
            ],
            "links": [
                {"fromEventId": "dark", "toEventId": "in", "lower": "2s", "upper": "20s"},
                {"id": "escape", "fromEventId": "in", "toEventId": "van", "lower": "-3.5s"},
            ],
            "horizonOffset": "60s",
        },
        "options": {"timeBudget": "0.25s", "strategy": "search"},
        "detail": {"simulationRuns": 10},
    })
}

/// A ride of uncertain length.
fn ride() -> Value {
    json!({
        "problem": {
            "events": [{"id": "leave"}, {"id": "arrive"}, {"id": "rest"}],
            "contingentLinks": [
                {"fromEventId": "leave", "toEventId": "arrive", "lower": "1s", "upper": "2s"},
            ],
            "links": [{"fromEventId": "arrive", "toEventId": "rest", "upper": "9s"}],
        },
    })
}

fn mistakes(request: &Value) -> Vec<String> {
    let bytes = encode_as("stratagem.v1.CheckStrongControllabilityRequest", request);
    lines(temporal(&bytes))
}

fn descriptions(request: &Value) -> Vec<String> {
    let bytes = encode_as("stratagem.v1.CheckStrongControllabilityRequest", request);
    match temporal(&bytes) {
        Err(Rejected::Mistakes(list)) => list.into_iter().map(|m| m.description).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn agents_and_events() {
    let table = r#"
        originId = "dark" => events[0].id DUPLICATE
        agents/1/kind = "TEMPORAL_AGENT_KIND_UNSPECIFIED" => agents[1].kind REQUIRED
        agents/1/kind = 9 => agents[1].kind ENUM_UNKNOWN
        events/1/agentId = "" => events[1].agent_id REQUIRED
        events/1/agentId = "guard" => events[1].agent_id UNKNOWN
        horizonOffset = "-1s" => horizon_offset OUT_OF_RANGE
        horizonOffset = "315360000.000001s" => horizon_offset OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "problem", table);
    for id in ["", "crew"] {
        let request = replaced(good(), "/problem/agents/1/id", json!(id));
        assert_eq!(
            mistakes(&request).len(),
            2,
            "the agent, and its event: {id}"
        );
    }
    for (field, value) in [("id", ""), ("id", "origin"), ("id", "dark")] {
        let request = replaced(good(), &format!("/problem/events/2/{field}"), json!(value));
        assert_eq!(
            mistakes(&request).len(),
            2,
            "the event, and the link to it: {value}"
        );
    }
}

#[test]
fn links() {
    let table = r#"
        links/0/fromEventId = "light" => links[0].from_event_id UNKNOWN
        links/0/toEventId = "" => links[0].to_event_id REQUIRED
        links/0/toEventId = "dark" => links[0].to_event_id SELF_LOOP
        links/0/lower = "20.5s" => links[0].upper REVERSED
        links/0/lower = "-315360000.000001s" => links[0].lower OUT_OF_RANGE
        links/1/lower = null => links[1] REQUIRED
        links/0/id = "escape" => links[1].id DUPLICATE
    "#;
    check_by(mistakes, &good(), "problem", table);
}

#[test]
fn contingent_links() {
    let table = r#"
        contingentLinks/0/lower = null => contingent_links[0].lower REQUIRED
        contingentLinks/0/upper = null => contingent_links[0].upper REQUIRED
        contingentLinks/0/lower = "-1s" => contingent_links[0].lower OUT_OF_RANGE
        contingentLinks/0/lower = "3s" => contingent_links[0].upper REVERSED
        contingentLinks/0/toEventId = "leave" => contingent_links[0].to_event_id SELF_LOOP
        contingentLinks/0/toEventId = "origin" => contingent_links[0].to_event_id CONTRADICTION
        contingentLinks/0/toEventId = "home" => contingent_links[0].to_event_id UNKNOWN
        events/1/agentId = "we" => events[1].agent_id CONTRADICTION
        events/0/agentId = "they" => events[0].agent_id UNKNOWN
    "#;
    check_by(mistakes, &ride(), "problem", table);
    let links = |more: Value| {
        let first = ride()["problem"]["contingentLinks"][0].clone();
        mistakes(&replaced(
            ride(),
            "/problem/contingentLinks",
            json!([first, more]),
        ))
    };
    let more = json!({"fromEventId": "rest", "toEventId": "arrive", "lower": "1s", "upper": "2s"});
    assert_eq!(
        links(more),
        ["problem.contingent_links[1].to_event_id DUPLICATE"]
    );
    let back = json!({"fromEventId": "arrive", "toEventId": "leave", "lower": "1s", "upper": "2s"});
    let cycle = links(back);
    assert!(!cycle.is_empty());
    for one in cycle {
        assert!(one.starts_with("problem.contingent_links["), "{one}");
        assert!(one.ends_with("] CIRCULAR"), "{one}");
    }
}

#[test]
fn teammates_and_nature_do_not_mix() {
    let mut request = good();
    request["problem"]["events"][2] = json!({"id": "van"});
    request["problem"]["contingentLinks"] =
        json!([{"fromEventId": "dark", "toEventId": "van", "lower": "1s", "upper": "2s"}]);
    assert_eq!(
        mistakes(&request),
        ["problem.contingent_links CONTRADICTION"]
    );
}

#[test]
fn events_without_a_window_say_what_they_need() {
    let request = replaced(good(), "/problem/horizonOffset", Value::Null);
    let found = mistakes(&request);
    assert!(
        found.contains(&"problem.events[1] UNBOUNDED".into()),
        "{found:?}"
    );
    let text = descriptions(&request).join("\n");
    assert!(
        text.contains("\"in\"") && text.contains("horizon_offset"),
        "{text}"
    );
    // It may be the link that cannot be read which gives it one.
    let request = replaced(request, "/problem/links/0/fromEventId", json!("light"));
    assert_eq!(
        mistakes(&request),
        ["problem.links[0].from_event_id UNKNOWN"]
    );
    // A wait for Nature alone needs no windows.
    assert_eq!(mistakes(&ride()), [""; 0]);
}

#[test]
fn details_and_options() {
    let detail = r#"
        maxRelaxations = 21 => max_relaxations OUT_OF_RANGE
        maxRelaxations = -1 => max_relaxations OUT_OF_RANGE
        simulationRuns = 100001 => simulation_runs OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "detail", detail);
    let options = r#"
        strategy = "mcts" => strategy UNKNOWN
        target = {"levels": [1]} => target.levels TOO_MANY
        engine = {"threads": 65} => engine.threads OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "options", options);
}

#[test]
fn too_many_and_none_at_all() {
    assert_eq!(mistakes(&json!({})), ["problem REQUIRED"]);
    assert_eq!(
        mistakes(&json!({"problem": {}})),
        ["problem.events REQUIRED"]
    );
    let events: Vec<Value> = (0..1_001).map(|i| json!({"id": i.to_string()})).collect();
    let request = replaced(ride(), "/problem/events", json!(events));
    assert_eq!(mistakes(&request), ["problem.events TOO_MANY"]);
    let link = ride()["problem"]["links"][0].clone();
    let most = replaced(ride(), "/problem/links", json!(vec![link.clone(); 100_000]));
    assert_eq!(mistakes(&most), [""; 0]);
    let more = replaced(ride(), "/problem/links", json!(vec![link; 100_001]));
    assert_eq!(mistakes(&more), ["problem.links TOO_MANY"]);
}

#[test]
fn a_million_links_are_refused_before_they_are_decoded() {
    // A network of empty links, two bytes each.
    let links = [0x32, 0x00].repeat(1_000_000);
    let mut bytes = vec![0x0a];
    prost::encoding::encode_varint(links.len() as u64, &mut bytes);
    bytes.extend(links);
    let refused = temporal(&bytes).unwrap_err();
    assert!(matches!(refused, Rejected::TooLarge(_)), "{refused:?}");
}

#[test]
fn all_mistakes_come_at_once() {
    let mut request = good();
    for (at, value) in [
        ("/options/engine", json!({"threads": 99})),
        ("/detail/simulationRuns", json!(-1)),
        ("/problem/agents/0/kind", json!(0)),
        ("/problem/events/1/agentId", json!("ghost")),
        ("/problem/links/0/upper", json!("1s")),
        ("/problem/links/1/toEventId", json!("moon")),
    ] {
        request = replaced(request, at, value);
    }
    let wanted = [
        "problem.agents[0].kind REQUIRED",
        "options.engine.threads OUT_OF_RANGE",
        "detail.simulation_runs OUT_OF_RANGE",
        "problem.links[1].to_event_id UNKNOWN",
        "problem.events[1].agent_id UNKNOWN",
        "problem.links[0].upper REVERSED",
    ];
    assert_eq!(mistakes(&request), wanted);
}

#[test]
fn links_without_an_id_get_one() {
    let mut request = ride();
    let link =
        |id: &str| json!({"id": id, "fromEventId": "leave", "toEventId": "arrive", "upper": "9s"});
    let links = [link(""), link("leave->arrive#3"), link(""), link("mine")];
    request["problem"]["links"] = json!(links);
    let bytes = encode_as("stratagem.v1.CheckStrongControllabilityRequest", &request);
    let read = temporal(&bytes).unwrap();
    assert_eq!(read.contingent_link_ids, ["leave->arrive"]);
    let wanted = [
        "leave->arrive#2",
        "leave->arrive#3",
        "leave->arrive#4",
        "mine",
    ];
    assert_eq!(read.link_ids, wanted);
    assert_eq!(read.event_ids, ["leave", "arrive", "rest"]);
}
