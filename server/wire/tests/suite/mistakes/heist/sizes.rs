//! Heists: too much of something, and several mistakes in one request.

use super::{good, mistakes};
use crate::mistakes::replaced;
use serde_json::json;

#[test]
fn sizes() {
    let ids = |count: usize| {
        let ids = (0..count).map(|index| json!({"id": format!("r{index}")}));
        ids.collect::<Vec<_>>()
    };
    let keys = |count: usize| (0..count).map(|index| json!(format!("i{index}")));
    for (field, list, wanted) in [
        ("rooms", json!(ids(2_001)), "rooms TOO_MANY"),
        ("doors", json!(ids(8_001)), "doors TOO_MANY"),
        ("containers", json!(ids(2_001)), "containers TOO_MANY"),
        ("machines", json!(ids(501)), "machines TOO_MANY"),
        ("cameras", json!(ids(2_001)), "cameras TOO_MANY"),
        ("guards", json!(ids(65)), "guards TOO_MANY"),
        (
            "keyIds",
            json!(keys(65).collect::<Vec<_>>()),
            "key_ids TOO_MANY",
        ),
        (
            "artifactIds",
            json!(keys(63).collect::<Vec<_>>()),
            "artifact_ids TOO_MANY",
        ),
    ] {
        let found = mistakes(&replaced(good(), &format!("/problem/world/{field}"), list));
        assert_eq!(found, [format!("problem.world.{wanted}")]);
    }
    let keys = vec![json!("k1"); 9];
    let found = mistakes(&replaced(
        good(),
        "/problem/world/doors/0/keyIds",
        json!(keys),
    ));
    assert_eq!(found, ["problem.world.doors[0].key_ids TOO_MANY"]);
    let list = vec![json!("hall"); 1_001];
    let at = "/problem/world/guards/0/goal/visitRoomIds";
    let found = mistakes(&replaced(good(), at, json!(list)));
    let wanted = "problem.world.guards[0].goal.visit_room_ids TOO_MANY";
    assert_eq!(found, [wanted]);
    let title = json!("x".repeat(201));
    let found = mistakes(&replaced(good(), "/problem/world/title", title));
    assert_eq!(found, ["problem.world.title TOO_LONG"]);
}

#[test]
fn all_mistakes_come_at_once() {
    let request = replaced(good(), "/problem/world/doors/0/aRoomId", json!("cellar"));
    let request = replaced(request, "/problem/world/doors/1/keyIds", json!(["k1"]));
    let request = replaced(request, "/problem/world/containers/1/keyIds", json!([]));
    let request = replaced(request, "/problem/world/guards/0/goal", json!({}));
    let request = replaced(request, "/problem/current/roomId", json!("yard"));
    let request = replaced(request, "/maxGap", json!(-0.1));
    let wanted = [
        "max_gap OUT_OF_RANGE",
        "problem.world.doors[0].a_room_id UNKNOWN",
        "problem.world.key_ids[1] FITS_NOTHING",
        "problem.world.guards[0].goal REQUIRED",
        "problem.current.at_id ELSEWHERE",
    ];
    assert_eq!(mistakes(&request), wanted);
    assert_eq!(
        mistakes(&json!({"problem": {"world": {}}})),
        [
            "problem.world.rooms REQUIRED",
            "problem.world.burglar REQUIRED"
        ]
    );
}
