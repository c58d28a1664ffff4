//! Hints and ratings of levels: `heist analyze`.

use crate::command_line::run_at;
use std::path::PathBuf;
use stratagem_integration_tests::Server;

/// Four rooms in a ring, with the idol opposite the entrance. One path has a camera that the
/// burglar does not know.
const RING: &str = r#"{
  "name": "The ring", "rooms": ["hall", "east", "vault", "west"], "entrance": "hall",
  "doors": [{"id": "d_east", "a": "hall", "b": "east", "open": true},
            {"id": "d_far_east", "a": "east", "b": "vault", "open": true},
            {"id": "d_far_west", "a": "vault", "b": "west", "open": true},
            {"id": "d_west", "a": "west", "b": "hall", "open": true}],
  "containers": [{"id": "case", "room": "vault", "open": true, "items": ["idol"]}],
  "cameras": [{"id": "eye", "room": "east", "on": true}],
  "artifact": "idol", "burglar": {"room": "hall"}, "costs": {"door": 3, "camera": 9}
}"#;

#[tokio::test]
async fn hints_and_ratings_are_printed() {
    let server = Server::start(&[]).await;
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("heist-rated.json");
    std::fs::write(&path, RING).expect("there is room for a world");
    let file = path.to_str().expect("paths here are UTF-8");
    let hint = run_at(&server, &["heist", "analyze", file, "--hint", "2"]).with_code(0);
    let lines: Vec<_> = hint.stdout.lines().collect();
    assert_eq!(lines[0], "one action is enough");
    assert!(
        lines[1].starts_with("look between hall and east"),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 2);
    let rate = run_at(&server, &["heist", "analyze", file]).with_code(0);
    for part in [
        "the burglar does not know that camera eye is on",
        "F(1) holds, F'(0) does not hold, F'(1) holds",
        "difficulty 1",
        "the cheapest costs 3",
    ] {
        assert!(rate.stdout.contains(part), "{part}\n{}", rate.stdout);
    }
    let cheap = ["--cost", "camera=1", "-o", "json"];
    let cheap = run_at(&server, &[&["heist", "analyze", file][..], &cheap].concat()).with_code(0);
    let help = &cheap.json()["analysis"]["help"];
    assert_eq!(help["cost"], 1, "{help}");
    assert_eq!(
        help["interventions"][0]["verb"],
        "HEIST_INTERVENTION_VERB_SWITCH_OFF"
    );
}
