//! Heists: one mistake a line.

mod sizes;

use crate::mistakes::{check_by, encode_as, lines, replaced};
use heist::{Goal, LockState, Place, Position, Thing};
use serde_json::{Value, json};
use wire::decode::{Heist, heist};

/// Two rooms and a vault, with something of everything.
fn good() -> Value {
    json!({
        "problem": {
            "world": {
                "title": "a job",
                "rooms": [{"id": "yard", "x": -1, "y": 2.5}, {"id": "hall"}, {"id": "vault"}],
                "doors": [
                    {"id": "gate", "aRoomId": "yard", "bRoomId": "hall"},
                    {"id": "steel", "aRoomId": "hall", "bRoomId": "vault",
                     "lockState": "HEIST_LOCK_STATE_LOCKED", "keyIds": ["k1", "k2"]},
                ],
                "containers": [
                    {"id": "pot", "roomId": "yard", "lockState": "HEIST_LOCK_STATE_CLOSED", "itemIds": ["k1"]},
                    {"id": "case", "roomId": "vault", "keyIds": ["k2"], "itemIds": ["crown"]},
                ],
                "machines": [{"id": "cola", "roomId": "hall"}],
                "cameras": [{"id": "eye", "roomId": "vault"}, {"id": "dud", "roomId": "hall", "active": false}],
                "keyIds": ["k1", "k2"],
                "artifactIds": ["crown", "cup"],
                "burglar": {
                    "roomId": "yard",
                    "atId": "pot",
                    "itemIds": ["cup"],
                    "belief": {
                        "states": [{"id": "steel", "lockState": "HEIST_LOCK_STATE_CLOSED"}],
                        "items": [{"itemId": "k1"}, {"itemId": "k2", "containerId": "case"}],
                        "knownIds": ["dud", "tom"],
                    },
                },
                "guards": [{
                    "id": "tom",
                    "roomId": "hall",
                    "itemIds": ["k2"],
                    "goal": {"itemIds": ["k1"], "visitRoomIds": ["hall", "yard", "hall"], "endRoomId": "hall"},
                }],
            },
            "agentId": "burglar",
            "avoidedRoomIds": ["hall"],
            "current": {
                "roomId": "hall",
                "atId": "steel",
                "itemIds": ["k1"],
                "states": [{"id": "pot", "lockState": "HEIST_LOCK_STATE_OPEN"}],
                "items": [{"itemId": "crown"}],
                "knownIds": ["eye"],
            },
        },
        "options": {"timeBudget": "0.25s", "strategy": "auto", "target": {"levels": [7]}},
        "maxGap": 0.1,
        "previous_plan": {"steps": [
            {"verb": "HEIST_VERB_UNLOCK", "targetId": "steel", "keyId": "k1"},
            {"verb": "HEIST_VERB_PICK_UP", "targetId": "crown"},
        ]},
        "maxAlternatives": 3,
    })
}

fn encode(request: &Value) -> Vec<u8> {
    encode_as("stratagem.v1.PlanBurglarRequest", request)
}

fn read(request: &Value) -> Heist {
    heist(&encode(request)).expect("the request of these tests makes sense")
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(heist(&encode(request)))
}

fn check(part: &str, table: &str) {
    check_by(mistakes, &good(), part, table);
}

#[test]
fn a_request_is_read_to_the_last_field() {
    let read = read(&good());
    assert_eq!(read.room_ids, ["yard", "hall", "vault"]);
    assert_eq!(read.item_ids, ["k1", "k2", "crown", "cup"]);
    assert_eq!(read.agent_ids, ["burglar", "tom"]);
    let problem = &read.problem;
    let museum = problem.museum().layout();
    assert_eq!(museum.doors[1].ends, [1, 2]);
    assert_eq!(museum.doors[1].keys, [0, 1]);
    assert_eq!((museum.keys, museum.artifacts), (2, 2));
    assert_eq!(museum.machines[0].delay, 3, "the default");
    let world = problem.world();
    let facts = world.facts();
    assert_eq!(facts.doors, [LockState::OPEN, LockState::LOCKED]);
    assert_eq!(
        facts.containers,
        [LockState::OPEN; 2],
        "what is known by now is true"
    );
    let places = [Place::With(0), Place::With(1), Place::In(1), Place::With(0)];
    assert_eq!(facts.items, places, "the first key by now");
    assert_eq!(facts.cameras, [true, false]);
    let at = Some(Thing::Door(1));
    assert_eq!(problem.position(), Position { room: 1, at });
    let believed = &problem.belief().facts;
    assert_eq!(believed.doors, [LockState::OPEN, LockState::CLOSED]);
    let places = [Place::With(0), Place::In(1), Place::Unknown, Place::With(0)];
    assert_eq!(believed.items, places);
    assert_eq!(believed.cameras, [true, true]);
    assert_eq!(problem.belief().agents, [None, Some(1)]);
    assert_eq!(
        problem.traps(),
        [false, false, true],
        "no agent avoids the room that it is in"
    );
    let tom = &world.agents()[1];
    let list = Goal {
        items: vec![0],
        visits: vec![1, 0, 1],
        in_order: true,
        room: Some(1),
    };
    assert_eq!(tom.goal, list);
    let right = &tom.belief.facts;
    assert_eq!(right.doors, facts.doors, "guards are right by default");
    assert_eq!(
        (&right.items, &right.cameras),
        (&facts.items, &facts.cameras)
    );
    assert_eq!(tom.belief.agents, [None, None]);
}

#[test]
fn what_is_left_out_has_its_default() {
    let world = json!({
        "rooms": [{"id": "a"}, {"id": "b"}],
        "doors": [{"id": "d", "aRoomId": "a", "bRoomId": "b"}],
        "containers": [{"id": "c", "roomId": "b", "itemIds": ["x", "y"]}],
        "cameras": [{"id": "eye", "roomId": "b"}],
        "artifactIds": ["x", "y"],
        "burglar": {"roomId": "a"},
    });
    let read = read(&json!({"problem": {"world": world}}));
    let problem = read.problem;
    let wanted = Goal {
        items: vec![0, 1],
        room: Some(0),
        ..Goal::default()
    };
    assert_eq!(*problem.goal(), wanted, "everything, and back");
    assert_eq!((problem.agent(), problem.position().at), (0, None));
    assert_eq!(problem.world().facts().doors, [LockState::OPEN]);
    assert_eq!(
        problem.belief().facts.cameras,
        [false],
        "no camera is known"
    );
    assert_eq!(problem.traps(), [false; 2]);
}

#[test]
fn rooms_and_doors() {
    check(
        "problem",
        r#"
        world = null => world REQUIRED
        world/rooms/0/x = "NaN" => world.rooms[0].x NOT_FINITE
        world/rooms/0/y = 1000001 => world.rooms[0].y OUT_OF_RANGE
        world/doors/0/id = "" => world.doors[0].id REQUIRED
        world/doors/0/id = "yard" => world.doors[0].id DUPLICATE
        world/doors/0/id = "steel" => world.doors[1].id DUPLICATE
        world/doors/0/aRoomId = "" => world.doors[0].a_room_id REQUIRED
        world/doors/0/aRoomId = "cellar" => world.doors[0].a_room_id UNKNOWN
        world/doors/0/bRoomId = "pot" => world.doors[0].b_room_id WRONG_KIND
        world/doors/0/bRoomId = "yard" => world.doors[0].b_room_id SELF_LOOP
        world/doors/0/lockState = 4 => world.doors[0].lock_state ENUM_UNKNOWN
        world/doors/1/keyIds/1 = "k9" => world.doors[1].key_ids[1] UNKNOWN
        world/doors/0/keyIds = ["crown"] => world.doors[0].key_ids[0] WRONG_KIND
        world/doors/0/keyIds = ["k1", "k1"] => world.doors[0].key_ids[1] DUPLICATE
        avoidedRoomIds/0 = "cellar" => avoided_room_ids[0] UNKNOWN
        avoidedRoomIds/0 = "tom" => avoided_room_ids[0] WRONG_KIND
        agentId = "ann" => agent_id UNKNOWN
        agentId = "hall" => agent_id WRONG_KIND
    "#,
    );
}

#[test]
fn containers_and_what_is_in_them() {
    check(
        "problem",
        r#"
        world/containers/1/roomId = "cellar" => world.containers[1].room_id UNKNOWN
        world/containers/0/lockState = -1 => world.containers[0].lock_state ENUM_UNKNOWN
        world/containers/0/itemIds = ["k1", "case"] => world.containers[0].item_ids[1] WRONG_KIND
        world/containers/0/itemIds = ["k1", "pot"] => world.containers[0].item_ids[1] WRONG_KIND
        world/containers/0/itemIds = ["k1", "k1"] => world.containers[0].item_ids[1] DUPLICATE
        world/containers/0/itemIds = ["k1", "crown"] => world.containers[1].item_ids[0] DUPLICATE
        world/containers/0/itemIds = ["k1", "cup"] => world.burglar.item_ids[0] DUPLICATE
        world/containers/0/itemIds = [] => world.key_ids[0] NOWHERE
        world/containers/1/itemIds = [] => world.artifact_ids[0] NOWHERE
        world/keyIds = ["k1", "k2", "cola"] => world.key_ids[2] DUPLICATE
        world/machines/0/roomId = "" => world.machines[0].room_id REQUIRED
        world/machines/0/delayTicks = 1001 => world.machines[0].delay_ticks OUT_OF_RANGE
        world/machines/0/delayTicks = -1 => world.machines[0].delay_ticks OUT_OF_RANGE
        world/cameras/0/roomId = "cellar" => world.cameras[0].room_id UNKNOWN
    "#,
    );
    let request = replaced(
        good(),
        "/problem/world/keyIds",
        json!(["k1", "k2", "spare"]),
    );
    let request = replaced(
        request,
        "/problem/world/containers/0/itemIds",
        json!(["k1", "spare"]),
    );
    assert_eq!(
        mistakes(&request),
        ["problem.world.key_ids[2] FITS_NOTHING"]
    );
}

#[test]
fn a_key_may_lie_in_several_places() {
    let case = "/problem/world/containers/1/itemIds";
    let request = replaced(good(), case, json!(["crown", "k1", "k2"]));
    let decoded = read(&request);
    assert_eq!(decoded.item_ids, ["k1", "k2", "k1", "k2", "crown", "cup"]);
    let problem = &decoded.problem;
    let museum = problem.museum();
    assert_eq!((museum.layout().keys, museum.layout().artifacts), (4, 2));
    assert_eq!(museum.layout().kinds, [0, 1, 0, 1]);
    assert_eq!(
        museum.layout().doors[1].keys,
        [0, 1, 2, 3],
        "copies fit, too"
    );
    // By now the agent has one of the first key; where one is was unknown, so it is the first.
    let places = [
        Place::With(0),
        Place::In(1),
        Place::In(1),
        Place::With(1),
        Place::In(1),
        Place::With(0),
    ];
    assert_eq!(problem.world().facts().items, places);
    // One of the second key is believed in the case, where one is, and no other is known.
    let believed = &problem.belief().facts.items;
    assert_eq!(believed[1], Place::In(1));
    assert_eq!(believed[3], Place::Unknown);
    assert_eq!(believed[2], Place::Unknown, "no other of the first key");
    let items = "/problem/world/burglar/belief/items";
    let found = |given: Value| mistakes(&replaced(request.clone(), items, given));
    let k2 = |container: &str| json!({"itemId": "k2", "containerId": container});
    assert_eq!(found(json!([k2("case"), k2("pot")])), [""; 0]);
    assert_eq!(
        found(json!([k2("pot"), k2("pot")])),
        ["problem.world.burglar.belief.items[1].item_id DUPLICATE"]
    );
    assert_eq!(
        found(json!([k2("case"), k2("pot"), k2("")])),
        ["problem.world.burglar.belief.items[2].item_id DUPLICATE"]
    );
    let boxes =
        (0..64).map(|n| json!({"id": format!("box-{n}"), "roomId": "hall", "itemIds": ["k1"]}));
    let boxes: Vec<_> = boxes.collect();
    let many = replaced(good(), "/problem/world/containers", json!(boxes));
    assert_eq!(mistakes(&many), ["problem.world.key_ids TOO_MANY"]);
}

#[test]
fn those_who_act() {
    check(
        "problem",
        r#"
        world/burglar/roomId = "cellar" => world.burglar.room_id UNKNOWN
        world/burglar/atId = "gat" => world.burglar.at_id UNKNOWN
        world/burglar/atId = "eye" => world.burglar.at_id WRONG_KIND
        world/burglar/atId = "case" => world.burglar.at_id ELSEWHERE
        world/burglar/goal = {} => world.burglar.goal REQUIRED
        world/burglar/goal = {"itemIds": ["k1", "k1"]} => world.burglar.goal.item_ids[1] DUPLICATE
        world/burglar/goal = {"itemIds": ["hall"]} => world.burglar.goal.item_ids[0] WRONG_KIND
        world/burglar/goal = {"endRoomId": "cellar"} => world.burglar.goal.end_room_id UNKNOWN
        world/guards/0/goal = null => world.guards[0].goal REQUIRED
        world/guards/0/goal/visitRoomIds/1 = "cellar" => world.guards[0].goal.visit_room_ids[1] UNKNOWN
        world/guards/0/goal/anyOrder = true => world.guards[0].goal.visit_room_ids[2] DUPLICATE
        world/guards/0/roomId = "cellar" => world.guards[0].room_id UNKNOWN
        world/guards/0/belief = {"knownIds": ["eye"]} => world.guards[0].belief.known_ids CONTRADICTION
    "#,
    );
    // Agents that know the agent have lost it, too.
    let found = mistakes(&replaced(good(), "/problem/world/guards/0/id", json!("")));
    let wanted = [
        "problem.world.guards[0].id REQUIRED",
        "problem.world.burglar.belief.known_ids[1] UNKNOWN",
    ];
    assert_eq!(found, wanted);
    let found = mistakes(&replaced(good(), "/problem/world/burglar", Value::Null));
    let wanted = [
        "problem.world.burglar REQUIRED",
        "problem.world.artifact_ids[1] NOWHERE",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn beliefs_and_the_present() {
    check(
        "problem",
        r#"
        world/burglar/belief/states/0/id = "" => world.burglar.belief.states[0].id REQUIRED
        world/burglar/belief/states/0/id = "cola" => world.burglar.belief.states[0].id WRONG_KIND
        world/burglar/belief/states/0/lockState = 9 => world.burglar.belief.states[0].lock_state ENUM_UNKNOWN
        world/burglar/belief/states = [{"id": "gate"}, {"id": "gate"}] => world.burglar.belief.states[1].id DUPLICATE
        world/burglar/belief/items/0/itemId = "pot" => world.burglar.belief.items[0].item_id WRONG_KIND
        world/burglar/belief/items/0/itemId = "k2" => world.burglar.belief.items[1].item_id DUPLICATE
        world/burglar/belief/items/0/itemId = "cup" => world.burglar.belief.items[0].item_id CONTRADICTION
        world/burglar/belief/items/1/containerId = "k1" => world.burglar.belief.items[1].container_id WRONG_KIND
        world/burglar/belief/items/1/containerId = "chest" => world.burglar.belief.items[1].container_id UNKNOWN
        world/burglar/belief/knownIds/0 = "burglar" => world.burglar.belief.known_ids[0] WRONG_KIND
        world/burglar/belief/knownIds/0 = "tom" => world.burglar.belief.known_ids[1] DUPLICATE
        current/roomId = "cellar" => current.room_id UNKNOWN
        current/roomId = "yard" => current.at_id ELSEWHERE
        current/atId = "k1" => current.at_id WRONG_KIND
        current/itemIds = ["k1", "k1"] => current.item_ids[1] DUPLICATE
        current/itemIds = ["gate"] => current.item_ids[0] WRONG_KIND
        current/states/0/id = "ghost" => current.states[0].id UNKNOWN
        current/items/0/itemId = "k1" => current.items[0].item_id CONTRADICTION
        current/knownIds/0 = "gate" => current.known_ids[0] WRONG_KIND
    "#,
    );
}

#[test]
fn plans_and_numbers() {
    check(
        "previous_plan",
        r#"
        steps/0/verb = null => steps[0].verb REQUIRED
        steps/0/verb = 9 => steps[0].verb ENUM_UNKNOWN
        steps/0/targetId = "" => steps[0].target_id REQUIRED
        steps/0/targetId = "ghost" => steps[0].target_id UNKNOWN
        steps/0/targetId = "cola" => steps[0].target_id WRONG_KIND
        steps/0/keyId = "" => steps[0].key_id REQUIRED
        steps/0/keyId = "crown" => steps[0].key_id WRONG_KIND
        steps/1/keyId = "k1" => steps[1].key_id CONTRADICTION
        steps/1/targetId = "case" => steps[1].target_id WRONG_KIND
        steps/1/verb = "HEIST_VERB_ENTER" => steps[1].target_id WRONG_KIND
        steps/1/verb = "HEIST_VERB_OPERATE" => steps[1].target_id WRONG_KIND
        steps/1/verb = "HEIST_VERB_APPROACH" => steps[1].target_id WRONG_KIND
    "#,
    );
    for (at, value, wanted) in [
        ("/problem", Value::Null, "problem REQUIRED"),
        ("/maxGap", json!(-0.1), "max_gap OUT_OF_RANGE"),
        ("/maxGap", json!(10.1), "max_gap OUT_OF_RANGE"),
        (
            "/maxAlternatives",
            json!(21),
            "max_alternatives OUT_OF_RANGE",
        ),
        (
            "/options/strategy",
            json!("magic"),
            "options.strategy UNKNOWN",
        ),
        (
            "/options/target/levels",
            json!([1, 2]),
            "options.target.levels TOO_MANY",
        ),
    ] {
        assert_eq!(mistakes(&replaced(good(), at, value)), [wanted]);
    }
}
