//! Foreign formats of temporal networks, and our own.

use formats::{Format, Mistake, Options, Recognised};
use stratagem_proto::v1::TemporalAgentKind::{Controllable, Uncontrollable};
use stratagem_proto::v1::TemporalNetwork;
use stratagem_proto::v1::any_problem::Kind;
use stratagem_render::time::micros;

/// Reads a problem as the planner's.
fn read(text: &str, format: Format) -> Result<TemporalNetwork, Vec<Mistake>> {
    let problem = Recognised::new(text, format, "temporal").read(text, &Options::default())?;
    match problem {
        Kind::Temporal(problem) => Ok(problem),
        other => panic!("{other:?}"),
    }
}

const STNIT: &str = r#"{
  "format": "stnit/1", "name": "pair", "zero": "z", "generator": {"seed": 7},
  "timepoints": [{"id": "a", "agent": "C"}, {"id": "b", "agent": "U"}],
  "constraints": [
    {"from": "z", "to": "a", "lb": 0, "ub": 5.5},
    {"from": "a", "to": "b", "lb": -3, "ub": null},
    {"from": "b", "to": "a", "lb": null, "ub": null}
  ]
}"#;

const STNU: &str = r#"{
  "format": "stnu/1", "name": "errand", "vertices": ["origin", "1", "2"],
  "links": [
    {"from": "origin", "to": "1", "lb": 20.0, "ub": 52.99350049999, "kind": "ctg"},
    {"from": "1", "to": "2", "lb": 0.0, "ub": null, "kind": "req"}
  ]
}"#;

#[test]
fn teammates_and_bounds_of_stnit_are_read() {
    let network = read(STNIT, Format::Json).unwrap();
    assert_eq!(
        (network.title.as_str(), network.origin_id.as_str()),
        ("pair", "z")
    );
    let kinds: Vec<_> = network
        .agents
        .iter()
        .map(|a| (a.id.as_str(), a.kind()))
        .collect();
    assert_eq!(kinds, [("C", Controllable), ("U", Uncontrollable)]);
    let owners = network
        .events
        .iter()
        .map(|e| (e.id.as_str(), e.agent_id.as_str()));
    assert_eq!(owners.collect::<Vec<_>>(), [("a", "C"), ("b", "U")]);
    // A range without bounds is no link.
    assert_eq!(network.links.len(), 2);
    assert_eq!(micros(network.links[0].upper.as_ref()), 5_500_000);
    assert_eq!(micros(network.links[1].lower.as_ref()), -3_000_000);
    assert_eq!(network.links[1].upper, None);
}

#[test]
fn contingent_links_of_stnu_are_read_and_fractions_rounded() {
    let network = read(STNU, Format::Json).unwrap();
    let ride = &network.contingent_links[0];
    assert_eq!(
        (ride.from_event_id.as_str(), ride.to_event_id.as_str()),
        ("origin", "1")
    );
    assert_eq!(micros(ride.lower.as_ref()), 20_000_000);
    assert_eq!(micros(ride.upper.as_ref()), 52_993_500);
    assert_eq!(network.links.len(), 1);
    // A vertex has the usual name of the origin: it is an event like the others.
    assert_eq!(network.origin_id, "_origin");
    assert_eq!(network.events.len(), 3);
}

#[test]
fn mistakes_in_foreign_files_say_where() {
    for (text, expected) in [
        (
            STNIT.replace("\"U\"", "\"X\""),
            "timepoints[1].agent: must be C or U, got `X`",
        ),
        (STNIT.replace("5.5", "1e300"), "constraints[0].ub: 1"),
        (
            STNIT.replace("\"zero\": \"z\",", ""),
            "missing field `zero`",
        ),
        (
            STNU.replace("\"ctg\"", "\"maybe\""),
            "links[0].kind: unknown variant `maybe`",
        ),
        (
            STNU.replace("20.0", "null"),
            "links[0]: a contingent link needs lb and ub",
        ),
    ] {
        let mistake = read(&text, Format::Json).unwrap_err()[0].to_string();
        assert!(mistake.starts_with(expected), "{mistake}");
    }
}

#[test]
fn bounds_that_are_no_numbers_are_refused_where_they_stand() {
    let json = |bound: &str| {
        format!(
            r#"{{"events": [{{"id": "a"}}],
"links": [{{"from_event_id": "origin", "to_event_id": "a", "upper": {bound}}}]}}"#
        )
    };
    for bound in ["NaN", "\"NaN\"", "\"NaNs\"", "\"Infinitys\"", "1e999"] {
        let mistake = read(&json(bound), Format::Json).unwrap_err().remove(0);
        assert_eq!(mistake.at.map(|at| at.0), Some(2), "{bound}: {mistake}");
    }
    for bound in [".nan", ".inf", "NaNs"] {
        let text = format!(
            "events: [{{id: a}}]\nlinks: [{{from_event_id: origin, to_event_id: a, upper: {bound}}}]\n"
        );
        assert!(read(&text, Format::Yaml).is_err(), "{bound}");
    }
    for text in [STNIT.replace("5.5", "NaN"), STNIT.replace("5.5", "1e999")] {
        let mistake = read(&text, Format::Json).unwrap_err().remove(0);
        assert!(mistake.at.is_some(), "{mistake}");
    }
}

#[test]
fn our_own_message_is_read_in_both_formats() {
    let yaml = "events: [{id: a}]\nlinks: [{from_event_id: origin, to_event_id: a, upper: 2s}]\n";
    let json = r#"{"events": [{"id": "a"}],
        "links": [{"fromEventId": "origin", "toEventId": "a", "upper": "2s"}]}"#;
    assert_eq!(
        read(yaml, Format::Yaml).unwrap(),
        read(json, Format::Json).unwrap()
    );
    assert!(read("events: [{name: a}]\n", Format::Yaml).is_err());
}
