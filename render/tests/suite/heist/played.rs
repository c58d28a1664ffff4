//! A game in the villa: a door that is closed, a lesson, a new plan, and the end.

use stratagem_proto::v1::{
    HeistBeliefUpdate, HeistEnd, HeistEnding, HeistEvent, HeistIntent, HeistInterventionResult,
    HeistInterventionVerb, HeistLockState, HeistPlan, HeistReplanReason, HeistReplanning,
    HeistStep, HeistTick, HeistVerb, SimulateHeistResponse,
};

fn step(verb: HeistVerb, target: &str) -> HeistStep {
    HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        ..HeistStep::default()
    }
}

fn event(agent: &str, room: &str, step: Option<HeistStep>) -> HeistEvent {
    HeistEvent {
        agent_id: agent.into(),
        room_id: room.into(),
        step,
        ..HeistEvent::default()
    }
}

fn tick(
    number: i32,
    deeds: Vec<HeistInterventionResult>,
    events: Vec<HeistEvent>,
) -> SimulateHeistResponse {
    SimulateHeistResponse {
        tick: Some(HeistTick {
            tick: number,
            interventions: deeds,
            events,
        }),
        ..SimulateHeistResponse::default()
    }
}

/// The burglar finds the door closed, and plans again.
fn fails(plan: HeistPlan) -> HeistEvent {
    HeistEvent {
        refusal: "IS_CLOSED".into(),
        belief_updates: vec![HeistBeliefUpdate {
            subject_id: "d-salon".into(),
            lock_state_before: HeistLockState::Open.into(),
            lock_state_after: HeistLockState::Closed.into(),
            ..HeistBeliefUpdate::default()
        }],
        replanning: Some(HeistReplanning {
            reason: HeistReplanReason::Failure.into(),
            plan: Some(plan),
        }),
        ..event("burglar", "hall", Some(step(HeistVerb::Enter, "d-salon")))
    }
}

pub(crate) fn messages(plan: HeistPlan) -> Vec<SimulateHeistResponse> {
    let intent = |agent: &str, plan| HeistIntent {
        agent_id: agent.into(),
        plan,
    };
    let first = SimulateHeistResponse {
        intents: vec![intent("burglar", Some(plan.clone())), intent("gus", None)],
        ..SimulateHeistResponse::default()
    };
    let waits = || event("gus", "cellar", None);
    let fails = fails(plan);
    let deed = HeistInterventionResult {
        verb: HeistInterventionVerb::SwitchOff.into(),
        target_id: "cam-2".into(),
        cost: 2,
        changed: true,
    };
    let delayed = HeistEvent {
        delayed: true,
        ..event("burglar", "kitchen", None)
    };
    let gus = event("gus", "<court>", Some(step(HeistVerb::Enter, "d-cellar2")));
    let mut last = tick(4, vec![deed], vec![delayed, gus]);
    last.end = Some(HeistEnd {
        ending: HeistEnding::Caught.into(),
        by_id: "gus".into(),
        room_id: "kitchen".into(),
        tick_count: 5,
        cost: 2,
    });
    let goes = |verb, door: &str, room: &str| event("burglar", room, Some(step(verb, door)));
    vec![
        first,
        tick(
            0,
            vec![],
            vec![goes(HeistVerb::Approach, "d-salon", "hall"), waits()],
        ),
        tick(1, vec![], vec![fails, waits()]),
        tick(
            2,
            vec![],
            vec![goes(HeistVerb::Approach, "d-kitchen", "hall"), waits()],
        ),
        tick(
            3,
            vec![],
            vec![goes(HeistVerb::Enter, "d-kitchen", "kitchen"), waits()],
        ),
        last,
    ]
}
