//! What happens in games, drawn at random.

use rand::RngExt as _;
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use stratagem_proto::v1::{self as pb, session_update::Change};

/// Something that happens: sometimes it is refused.
pub(super) fn update(sequence: i64, now_s: i64, random: &mut Random) -> pb::SessionUpdate {
    let place = pb::AllocationPlace {
        at: Some(pb::allocation_place::At::Point(pb::AllocationPoint {
            x: random.random_range(0..30).into(),
            y: random.random_range(0..30).into(),
        })),
    };
    let id = format!("t{}", random.random_range(0..12));
    let mut changes = pb::AllocationChanges::default();
    match random.random_range(0..4) {
        0 | 1 => changes.put_tasks.push(pb::AllocationTask {
            id,
            place: Some(place),
            ..Default::default()
        }),
        2 => changes.removed_task_ids.push(id),
        _ => changes.positions.push(pb::AllocationAgentPosition {
            agent_id: "ann".into(),
            place: Some(place),
            free_offset: None,
        }),
    }
    pb::SessionUpdate {
        sequence,
        now_offset: Some(wire::values::duration_of_micros(now_s * 1_000_000)),
        change: Some(Change::Allocation(changes)),
    }
}

/// The same for guards.
pub(super) fn patrol_update(sequence: i64, now_s: i64, random: &mut Random) -> pb::SessionUpdate {
    let mut changes = pb::PatrolChanges::default();
    let (guard, room) = (random.random_range(0..4), random.random_range(0..6));
    let door = pb::PatrolEdge {
        from_vertex_id: format!("r{room}"),
        to_vertex_id: format!("r{}", (room + 1) % 6),
        travel_duration: Some(wire::values::duration_of_micros(3_000_000)),
    };
    match random.random_range(0..5) {
        0 => changes.removed_guard_ids.push(format!("g{guard}")),
        1 => changes.put_guards.push(pb::PatrolGuard {
            id: format!("g{guard}"),
            start_vertex_id: format!("r{room}"),
            ..Default::default()
        }),
        2 => changes.removed_edges.push(door),
        3 => changes.put_edges.push(door),
        _ => changes.weights.push(pb::PatrolVertexWeight {
            vertex_id: format!("r{room}"),
            weight: random.random_range(1..9).into(),
        }),
    }
    pb::SessionUpdate {
        sequence,
        now_offset: Some(wire::values::duration_of_micros(now_s * 700_000)),
        change: random.random_bool(0.6).then_some(Change::Patrol(changes)),
    }
}

/// The same for burglars.
pub(super) fn heist_update(sequence: i64, now_s: i64, random: &mut Random) -> pb::SessionUpdate {
    let mut changes = pb::HeistChanges::default();
    let room = format!("r{}", random.random_range(0..7));
    match random.random_range(0..3) {
        0 => changes.interventions.push(pb::HeistIntervention {
            tick: 0,
            verb: random.random_range(1..5),
            target_id: format!("d{}", random.random_range(0..6)),
        }),
        1 => changes.positions.push(pb::HeistAgentPosition {
            agent_id: "guard".into(),
            room_id: room,
            at_id: String::new(),
        }),
        _ => changes.noises.push(pb::HeistNoise {
            room_id: room,
            door_count: None,
        }),
    }
    pb::SessionUpdate {
        sequence,
        now_offset: Some(wire::values::duration_of_micros(now_s)),
        change: Some(Change::Heist(changes)),
    }
}
