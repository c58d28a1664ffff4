//! Narratives in foreign formats.

use formats::networks;
use stratagem_proto::v1::NarrativeChooser;

const LINSP: &str = r#"{
  "format": "linsp/1", "name": "quest", "origin": "z", "vertices": ["z", "a", "b"],
  "edges": [
    {"id": "go", "from": "z", "to": "a", "lb": 10, "ub": 90.5, "kind": "ctg"},
    {"id": "on", "from": "a", "to": "b", "lb": null, "ub": 5, "kind": "req"},
    {"id": "any", "from": "z", "to": "b", "lb": null, "ub": null, "kind": "req"}
  ],
  "activities": [{"id": "x", "start": "a", "end": "b", "demand": {"sword": 1, "gold": 0}}],
  "resources": {"gold": 2, "sword": 1},
  "choices": [{"id": "p", "owner": "player", "options": [
    {"id": "yes", "vertices": ["b"]}, {"id": "no", "vertices": []}]}],
  "mutex": []
}"#;

#[test]
fn narratives_of_the_literature_are_read() {
    let problem = networks::linsp(LINSP).unwrap();
    assert_eq!(
        (problem.title.as_str(), problem.origin_id.as_str()),
        ("quest", "z")
    );
    assert_eq!(problem.events.len(), 2);
    let go = &problem.contingent_links[0];
    assert_eq!(
        go.upper.map(|it| (it.seconds, it.nanos)),
        Some((90, 500_000_000))
    );
    // An edge without bounds is no link, no demand is none.
    assert_eq!(problem.links.len(), 1);
    assert_eq!(problem.activities[0].demands.len(), 1);
    assert_eq!(problem.resources[0].capacity, Some(2));
    assert_eq!(problem.choices[0].chooser(), NarrativeChooser::Player);
    for (old, new, expected) in [
        (
            "90.5",
            "null",
            "edges[0]: a contingent link needs lb and ub",
        ),
        (
            "\"player\"",
            "\"nobody\"",
            "choices[0].owner: unknown variant",
        ),
        ("90.5", "1e300", "edges[0].ub: 1"),
    ] {
        let wrong = LINSP.replace(old, new);
        let mistake = networks::linsp(&wrong).unwrap_err();
        assert!(mistake.to_string().starts_with(expected), "{mistake}");
    }
}
