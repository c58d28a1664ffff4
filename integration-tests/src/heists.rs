//! Museums to be robbed.

use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistCamera, HeistContainer, HeistDoor, HeistGoal, HeistLockState,
    HeistProblem, HeistRoom, HeistState, HeistWorld, PlanBurglarRequest, SimulateHeistRequest,
    SolveOptions,
};

/// Rooms `r0`, `r1`, ... in a row, with closed doors `d1`, `d2`, ... between them; the artifact
/// `idol` lies in the last one, and the burglar begins in the first one.
#[must_use]
pub fn row(rooms: usize) -> HeistWorld {
    let room = |index: usize| format!("r{index}");
    let doors = (1..rooms).map(|index| HeistDoor {
        id: format!("d{index}"),
        a_room_id: room(index - 1),
        b_room_id: room(index),
        lock_state: HeistLockState::Closed.into(),
        key_ids: Vec::new(),
    });
    HeistWorld {
        title: format!("{rooms} rooms in a row"),
        rooms: (0..rooms)
            .map(|index| HeistRoom {
                id: room(index),
                ..Default::default()
            })
            .collect(),
        doors: doors.collect(),
        containers: vec![HeistContainer {
            id: "altar".into(),
            room_id: room(rooms - 1),
            item_ids: vec!["idol".into()],
            ..Default::default()
        }],
        artifact_ids: vec!["idol".into()],
        burglar: Some(HeistAgent {
            room_id: room(0),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// The same with a wrong belief: the last door is locked, and the key hangs in the first room; the
/// burglar believes it to be closed only.
#[must_use]
pub fn surprise(rooms: usize) -> HeistWorld {
    let mut world = row(rooms);
    let last = world.doors.last_mut().expect("there are doors");
    last.lock_state = HeistLockState::Locked.into();
    last.key_ids = vec!["key".into()];
    let id = last.id.clone();
    world.key_ids = vec!["key".into()];
    world.containers.push(HeistContainer {
        id: "hook".into(),
        room_id: "r0".into(),
        item_ids: vec!["key".into()],
        ..Default::default()
    });
    burglar(&mut world).belief = Some(HeistBelief {
        states: vec![HeistState {
            id,
            lock_state: HeistLockState::Closed.into(),
        }],
        ..Default::default()
    });
    world
}

/// A row of rooms with a camera in one; the burglar may know of it.
#[must_use]
pub fn watched(rooms: usize, room: usize, is_known: bool) -> HeistWorld {
    let mut world = row(rooms);
    world.cameras = vec![HeistCamera {
        id: "eye".into(),
        room_id: format!("r{room}"),
        active: None,
    }];
    if is_known {
        burglar(&mut world).belief = Some(HeistBelief {
            known_ids: vec!["eye".into()],
            ..Default::default()
        });
    }
    world
}

/// Four rooms in a ring with open doors `d1` to `d4`, and the artifact opposite the entrance: two
/// paths lead to it, and nobody watches.
#[must_use]
pub fn ring() -> HeistWorld {
    let mut world = row(4);
    world.doors.push(HeistDoor {
        id: "d4".into(),
        a_room_id: "r3".into(),
        b_room_id: "r0".into(),
        ..Default::default()
    });
    for door in &mut world.doors {
        door.lock_state = HeistLockState::Open.into();
    }
    world.containers[0].room_id = "r2".into();
    world
}

/// An unbounded game: the burglar knows no path and searches for one, and a guard walks to and fro.
#[must_use]
pub fn unbounded() -> HeistWorld {
    let mut world = row(4);
    world.doors[0].lock_state = HeistLockState::Locked.into();
    world.guards = vec![HeistAgent {
        id: "tom".into(),
        room_id: "r2".into(),
        goal: Some(HeistGoal {
            visit_room_ids: vec!["r2".into(), "r3".into()],
            ..Default::default()
        }),
        ..Default::default()
    }];
    world
}

/// The burglar of a world.
///
/// # Panics
/// When there is none.
pub fn burglar(world: &mut HeistWorld) -> &mut HeistAgent {
    world.burglar.as_mut().expect("these worlds have a burglar")
}

/// What the burglar of a world has to plan.
#[must_use]
pub fn errand(world: HeistWorld) -> HeistProblem {
    HeistProblem {
        world: Some(world),
        ..Default::default()
    }
}

/// A request for a plan.
#[must_use]
pub fn plan(problem: HeistProblem, options: SolveOptions) -> PlanBurglarRequest {
    PlanBurglarRequest {
        problem: Some(problem),
        options: Some(options),
        ..Default::default()
    }
}

/// A request for a game.
#[must_use]
pub fn simulate(world: HeistWorld) -> SimulateHeistRequest {
    SimulateHeistRequest {
        problem: Some(world),
        ..Default::default()
    }
}
