//! Calls that end early, searches that come too late, and concurrent creations.

mod logs;
pub(crate) mod places;
mod updates;

use super::{Memory, Past, Session, Sessions, closed};
use crate::metrics::Metrics;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Barrier};
use stratagem_proto::v1::{self as pb, create_session_request::State};
use wire::method::Reading;
use wire::session::{Created, created};

/// A session with an agent and a task, to be created.
fn game(id: &str) -> Created {
    let place = |x| pb::AllocationPlace {
        at: Some(pb::allocation_place::At::Point(pb::AllocationPoint {
            x,
            y: 0.0,
        })),
    };
    let problem = pb::AllocationProblem {
        agents: vec![pb::AllocationAgent {
            id: "ann".into(),
            start: Some(place(0.0)),
            ..Default::default()
        }],
        tasks: vec![pb::AllocationTask {
            id: "well".into(),
            place: Some(place(1.0)),
            ..Default::default()
        }],
        ..Default::default()
    };
    let state = pb::AllocationSessionState {
        problem: Some(problem),
        ..Default::default()
    };
    to_create(id, State::Allocation(state))
}

/// A session with guards on a ring of rooms, to be created.
fn watch(id: &str) -> Created {
    let room = |index: usize| pb::PatrolVertex {
        id: format!("r{index}"),
        ..Default::default()
    };
    let door = |index: usize| pb::PatrolEdge {
        from_vertex_id: format!("r{index}"),
        to_vertex_id: format!("r{}", (index + 1) % 6),
        travel_duration: Some(wire::values::duration_of_micros(3_000_000)),
    };
    let guard = |index: usize| pb::PatrolGuard {
        id: format!("g{index}"),
        start_vertex_id: format!("r{index}"),
        ..Default::default()
    };
    let problem = pb::PatrolProblem {
        vertices: (0..6).map(room).collect(),
        edges: (0..6).map(door).collect(),
        guards: (0..3).map(guard).collect(),
        intruder: Some(pb::PatrolIntruder {
            motion: 1,
            penetration_duration: Some(wire::values::duration_of_micros(6_000_000)),
            ..Default::default()
        }),
        ..Default::default()
    };
    // Round and round, so that the plan goes on from other places all the time.
    let stop = |index: usize| pb::PatrolStop {
        vertex_id: format!("r{}", index % 6),
        ..Default::default()
    };
    let route = |index: usize| pb::PatrolRoute {
        guard_id: format!("g{index}"),
        prefix: Vec::new(),
        cycle: (index..index + 6).map(stop).collect(),
    };
    let plan = pb::PatrolPlan {
        routes: (0..3).map(route).collect(),
        ..Default::default()
    };
    let state = pb::PatrolSessionState {
        problem: Some(problem),
        plan: Some(plan),
        ..Default::default()
    };
    to_create(id, State::Patrol(state))
}

/// A guard in a ring of rooms, and a burglar that is busy in two others: the game goes on for 320
/// ticks.
fn heist(id: &str) -> Created {
    let room = |index: usize| pb::HeistRoom {
        id: format!("r{index}"),
        ..Default::default()
    };
    let door = |index: usize| pb::HeistDoor {
        id: format!("d{index}"),
        a_room_id: format!("r{index}"),
        b_room_id: format!("r{}", (index + 1) % 6),
        ..Default::default()
    };
    let apart = ["b0", "b1"];
    let between = pb::HeistDoor {
        id: "between".into(),
        a_room_id: apart[0].into(),
        b_room_id: apart[1].into(),
        ..Default::default()
    };
    let rooms = apart.map(|id| pb::HeistRoom {
        id: id.into(),
        ..Default::default()
    });
    let agent = |id: &str, room: &str, rooms: &[&str]| pb::HeistAgent {
        id: id.into(),
        room_id: room.into(),
        goal: Some(pb::HeistGoal {
            visit_room_ids: rooms.iter().map(|room| room.to_string()).collect(),
            ..Default::default()
        }),
        ..Default::default()
    };
    let problem = pb::HeistWorld {
        rooms: (0..6).map(room).chain(rooms).collect(),
        doors: (0..6).map(door).chain([between]).collect(),
        burglar: Some(agent("burglar", "b0", &["b1", "b0"].repeat(80))),
        guards: vec![agent("guard", "r3", &["r3", "r4"])],
        ..Default::default()
    };
    let state = pb::HeistSessionState {
        problem: Some(problem),
        rules: Some(pb::HeistRules {
            replan: pb::HeistReplan::OnInconsistency.into(),
            ..Default::default()
        }),
        reactions: Some(pb::HeistReactions::default()),
        ..Default::default()
    };
    to_create(id, State::Heist(state))
}

fn to_create(id: &str, state: State) -> Created {
    let request = pb::CreateSessionRequest {
        session_id: id.into(),
        state: Some(state),
        ..Default::default()
    };
    let Ok(created) = created(request, &Reading::ALONE) else {
        panic!("the request is valid");
    };
    created
}

fn session() -> Session {
    let memory = Arc::new(Memory {
        used: AtomicUsize::new(0),
        max: 1 << 20,
    });
    Session::new(game("raid"), Past::default(), memory)
        .unwrap()
        .0
}

fn updates() -> Vec<pb::SessionUpdate> {
    vec![pb::SessionUpdate {
        sequence: 1,
        ..Default::default()
    }]
}

#[test]
fn a_repeated_call_plans_what_the_first_one_left() {
    let session = session();
    let apply = || session.apply(&updates(), &Reading::ALONE).unwrap().0;
    let first = apply().unwrap();
    // The first call ended before it had a plan: the view is that of the state before.
    assert_eq!(session.view_without(0).0.applied_sequence, 0);
    let again = apply().unwrap();
    // What the first one still finds comes too late.
    assert!(!session.publish(first.version, pb::SessionView::default()));
    assert!(session.publish(again.version, pb::SessionView::default()));
    assert_eq!(session.view_without(0).0.applied_sequence, 1);
    assert!(apply().is_none());
}

#[test]
fn searches_for_a_state_before_come_too_late() {
    let session = session();
    let before = session.unplanned(&Reading::ALONE).unwrap().unwrap().version;
    let now = session.apply(&updates(), &Reading::ALONE).unwrap().0;
    let now = now.unwrap().version;
    assert!(!session.publish(before, pb::SessionView::default()));
    let late = session.under_way(before, &Reading::ALONE).unwrap();
    assert!(late.is_none());
    assert!(session.under_way(now, &Reading::ALONE).unwrap().is_some());
}

#[test]
fn a_closed_session_takes_no_updates() {
    let session = session();
    let now = session
        .apply(&updates(), &Reading::ALONE)
        .unwrap()
        .0
        .unwrap();
    session.close(closed());
    assert!(!session.publish(now.version, pb::SessionView::default()));
    session.improve(now.version, || panic!("nothing is searched for"));
    for late in [
        session.apply(&updates(), &Reading::ALONE).err(),
        session.unplanned(&Reading::ALONE).err(),
    ] {
        assert_eq!(
            late.map(|refusal| refusal.reason()),
            Some("SESSION_UNKNOWN")
        );
    }
}

#[test]
fn concurrent_creations_exceed_no_limit() {
    const CALLERS: usize = 8;
    for round in 0..50 {
        let sessions = Sessions::new(3, 1 << 20, Metrics::new());
        let start = Barrier::new(CALLERS);
        let create = &|caller: usize| {
            let created = game(&format!("game-{caller}"));
            start.wait();
            sessions
                .keep("", created, Past::default(), || Ok(()))
                .is_ok()
        };
        let kept = std::thread::scope(|scope| {
            let callers = (0..CALLERS).map(|caller| scope.spawn(move || create(caller)));
            let callers: Vec<_> = callers.collect();
            let kept = callers.into_iter().filter_map(|one| one.join().ok());
            kept.filter(|is_kept| *is_kept).count()
        });
        assert_eq!((kept, sessions.count_of("")), (3, 3), "round {round}");
    }
}
