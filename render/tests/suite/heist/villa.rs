//! A villa, a burglar with wrong beliefs, and the burglar's plan.

use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistCamera, HeistContainer, HeistDoor, HeistGoal, HeistLockState,
    HeistMachine, HeistOutcome, HeistOutcomeKind, HeistPlan, HeistProblem, HeistRoom, HeistState,
    HeistStep, HeistVerb, HeistWorld,
};

pub(crate) fn strings(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

pub(crate) fn door(id: &str, [a, b]: [&str; 2], leaf: HeistLockState) -> HeistDoor {
    HeistDoor {
        id: id.into(),
        a_room_id: a.into(),
        b_room_id: b.into(),
        lock_state: leaf.into(),
        key_ids: Vec::new(),
    }
}

pub(crate) fn container(
    id: &str,
    room: &str,
    leaf: HeistLockState,
    items: &[&str],
) -> HeistContainer {
    HeistContainer {
        id: id.into(),
        room_id: room.into(),
        lock_state: leaf.into(),
        key_ids: Vec::new(),
        item_ids: strings(items),
    }
}

fn camera(id: &str, room: &str, off: bool) -> HeistCamera {
    HeistCamera {
        id: id.into(),
        room_id: room.into(),
        active: Some(!off),
    }
}

fn doors() -> Vec<HeistDoor> {
    let (open, closed) = (HeistLockState::Open, HeistLockState::Closed);
    let mut vault = door("d-vault", ["cellar", "vault"], HeistLockState::Locked);
    vault.key_ids = strings(&["brass"]);
    vec![
        door("d-salon", ["hall", "salon"], closed),
        door("d-library", ["salon", "library"], open),
        door("d-kitchen", ["hall", "kitchen"], open),
        door("d-court", ["kitchen", "<court>"], closed),
        door("d-court2", ["salon", "<court>"], open),
        door("d-study", ["library", "study"], closed),
        door("d-study2", ["<court>", "study"], open),
        door("d-bath", ["kitchen", "bath"], open),
        door("d-cellar", ["bath", "cellar"], closed),
        door("d-cellar2", ["<court>", "cellar"], closed),
        door("d-roof", ["library", "bath"], closed),
        vault,
    ]
}

/// Nine rooms in three rows of three, without points. The burglar wrongly believes that the door
/// d-salon is open and the camera in the study is on, and does not know the one in the bath.
pub(crate) fn problem() -> HeistProblem {
    let rooms = [
        "hall", "salon", "library", "kitchen", "<court>", "study", "bath", "cellar", "vault",
    ];
    let room = |id: &&str| HeistRoom {
        id: (*id).into(),
        ..HeistRoom::default()
    };
    let (open, closed) = (HeistLockState::Open, HeistLockState::Closed);
    let mut safe = container("safe", "vault", HeistLockState::Locked, &["ruby"]);
    safe.key_ids = strings(&["iron", "brass"]);
    let world = HeistWorld {
        costs: None,
        title: "The villa & its <ruby>".into(),
        description: "Who gets past the bath?".into(),
        rooms: rooms.iter().map(room).collect(),
        doors: doors(),
        containers: vec![
            container("desk", "library", closed, &["brass"]),
            safe,
            container("box", "study", open, &["iron"]),
        ],
        machines: vec![HeistMachine {
            id: "coffee".into(),
            room_id: "kitchen".into(),
            delay_ticks: None,
        }],
        cameras: vec![
            camera("cam-1", "study", true),
            camera("cam-2", "bath", false),
        ],
        key_ids: strings(&["brass", "iron"]),
        artifact_ids: strings(&["ruby"]),
        burglar: Some(HeistAgent {
            room_id: "hall".into(),
            belief: Some(HeistBelief {
                states: vec![HeistState {
                    id: "d-salon".into(),
                    lock_state: open.into(),
                }],
                known_ids: strings(&["cam-1"]),
                ..HeistBelief::default()
            }),
            ..HeistAgent::default()
        }),
        guards: vec![HeistAgent {
            id: "gus".into(),
            room_id: "cellar".into(),
            goal: Some(HeistGoal {
                visit_room_ids: strings(&["cellar", "<court>", "cellar"]),
                ..HeistGoal::default()
            }),
            ..HeistAgent::default()
        }],
    };
    HeistProblem {
        world: Some(world),
        ..HeistProblem::default()
    }
}

/// To the desk, to the safe and back.
pub(crate) fn plan() -> HeistPlan {
    use HeistVerb::{Approach, Enter, Open, PickUp, Unlock};
    let steps: &[(HeistVerb, &str, &str)] = &[
        (Approach, "d-salon", ""),
        (Enter, "d-salon", ""),
        (Approach, "d-library", ""),
        (Enter, "d-library", ""),
        (Approach, "desk", ""),
        (Open, "desk", ""),
        (PickUp, "brass", ""),
        (Approach, "d-library", ""),
        (Enter, "d-library", ""),
        (Approach, "d-court2", ""),
        (Enter, "d-court2", ""),
        (Approach, "d-cellar2", ""),
        (Open, "d-cellar2", ""),
        (Enter, "d-cellar2", ""),
        (Approach, "d-vault", ""),
        (Unlock, "d-vault", "brass"),
        (Open, "d-vault", ""),
        (Enter, "d-vault", ""),
        (Approach, "safe", ""),
        (Unlock, "safe", "brass"),
        (Open, "safe", ""),
        (PickUp, "ruby", ""),
        (Approach, "d-vault", ""),
        (Enter, "d-vault", ""),
        (Approach, "d-cellar2", ""),
        (Enter, "d-cellar2", ""),
        (Approach, "d-court2", ""),
        (Enter, "d-court2", ""),
        (Approach, "d-salon", ""),
        (Enter, "d-salon", ""),
    ];
    let step = |(verb, target, key): &(HeistVerb, &str, &str)| HeistStep {
        verb: (*verb).into(),
        target_id: (*target).into(),
        key_id: (*key).into(),
    };
    HeistPlan {
        steps: steps.iter().map(step).collect(),
    }
}

/// The first door is closed.
pub(crate) fn outcome() -> HeistOutcome {
    HeistOutcome {
        kind: HeistOutcomeKind::Fails.into(),
        step: Some(1),
        by_id: "d-salon".into(),
    }
}
