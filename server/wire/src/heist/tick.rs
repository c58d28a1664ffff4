//! Ticks of a game, to the wire.

use super::names::Names;
use super::plan::step;
use heist::game::{
    Alert, BeliefUpdate, Ending, Event, Game, Intervention, InterventionResult, Mind, Outcome,
    ReplanReason, Target, Tick, Verb,
};
use heist::world::BURGLAR;
use heist::{Action, LockState, Place};
use stratagem_proto::v1 as pb;

/// The plans of all agents.
pub(super) fn intents(game: &Game<'_>, names: &Names) -> pb::SimulateHeistResponse {
    let minds = game.minds().iter().zip(&names.agents);
    let intents = minds.map(|(mind, id)| pb::HeistIntent {
        agent_id: id.clone(),
        plan: intent(mind, usize::MAX, names),
    });
    pb::SimulateHeistResponse {
        intents: intents.collect(),
        ..pb::SimulateHeistResponse::default()
    }
}

/// The end of a game; `None`: it is not over.
pub(super) fn ended(game: &Game<'_>, cost: u64, names: &Names) -> Option<pb::HeistEnd> {
    let (ending, by) = ending(game.ending()?, names);
    Some(pb::HeistEnd {
        by_id: by.into(),
        ..end(game, ending, cost, names)
    })
}

/// The tick that has just been played; with the end of the game after the last one. `cost` is all
/// that the player has paid.
pub(super) fn tick(
    game: &Game<'_>,
    played: &Tick,
    cost: u64,
    names: &Names,
) -> pb::SimulateHeistResponse {
    pb::SimulateHeistResponse {
        tick: Some(shown(game, played, usize::MAX, names)),
        end: ended(game, cost, names),
        ..pb::SimulateHeistResponse::default()
    }
}

/// The tick that has just been played, with at most this number of steps of new plans.
pub(super) fn shown(
    game: &Game<'_>,
    played: &Tick,
    steps_max: usize,
    names: &Names,
) -> pb::HeistTick {
    let player_actions = played
        .player_actions
        .iter()
        .map(|done| player_action(done, names));
    let events = played.events.iter();
    pb::HeistTick {
        tick: whole(played.tick),
        interventions: player_actions.collect(),
        events: events
            .map(|it| event(it, &game.minds()[it.agent], steps_max, names))
            .collect(),
    }
}

/// The last message of a game that was not over.
pub(super) fn stopped(
    last: pb::SimulateHeistResponse,
    game: &Game<'_>,
    cost: u64,
    names: &Names,
) -> pb::SimulateHeistResponse {
    pb::SimulateHeistResponse {
        end: Some(end(game, pb::HeistEnding::Stopped, cost, names)),
        ..last
    }
}

/// The ending of a game, and the id of the guard or camera that caught the burglar.
pub(super) fn ending(ending: Ending, names: &Names) -> (pb::HeistEnding, &str) {
    use pb::HeistEnding as Wire;
    match ending {
        Ending::Won => (Wire::Won, ""),
        Ending::Caught { by, .. } => (Wire::Caught, names.catcher(by)),
        Ending::Stuck => (Wire::Stuck, ""),
        Ending::TimeUp => (Wire::TimeUp, ""),
    }
}

fn end(game: &Game<'_>, ending: pb::HeistEnding, cost: u64, names: &Names) -> pb::HeistEnd {
    pb::HeistEnd {
        ending: ending.into(),
        by_id: String::new(),
        room_id: names.rooms[game.minds()[BURGLAR].position().room].clone(),
        tick_count: whole(game.now()),
        cost: i64::try_from(cost).unwrap_or(i64::MAX),
    }
}

fn player_action(done: &InterventionResult, names: &Names) -> pb::HeistInterventionResult {
    let (verb, target) = done_to(done.player_action.verb, done.player_action.target, names);
    pb::HeistInterventionResult {
        verb: verb.into(),
        target_id: target.into(),
        cost: whole(done.cost),
        changed: done.changed,
    }
}

/// What the player does, and the id of its target.
pub(super) fn done_to(
    verb: Verb,
    target: Target,
    names: &Names,
) -> (pb::HeistInterventionVerb, &str) {
    use pb::HeistInterventionVerb as Wire;
    let verb = match verb {
        Verb::Lock => Wire::Lock,
        Verb::Unlock => Wire::Unlock,
        Verb::Open => Wire::Open,
        Verb::Close => Wire::Close,
        Verb::On => Wire::SwitchOn,
        Verb::Off => Wire::SwitchOff,
        Verb::Trigger => Wire::Trigger,
    };
    let target = match target {
        Target::Thing(thing) => names.thing_id(thing),
        Target::Camera(camera) => &names.cameras[camera],
    };
    (verb, target)
}

fn event(it: &Event, mind: &Mind, steps_max: usize, names: &Names) -> pb::HeistEvent {
    let (action, delayed) = match it.outcome {
        Outcome::Acted(action) => (Some(action), false),
        Outcome::Waited => (None, false),
        Outcome::Delayed => (None, true),
    };
    let at = mind.position().at;
    pb::HeistEvent {
        agent_id: names.agents[it.agent].clone(),
        step: action.map(|action: Action| step(action, names)),
        refusal: it.refusal.map_or("", |refusal| refusal.code()).into(),
        delayed,
        belief_updates: it
            .learned
            .iter()
            .map(|one| belief_update(one, names))
            .collect(),
        replanning: it.replanned.map(|again| pb::HeistReplanning {
            reason: reason(again.why).into(),
            plan: intent(mind, steps_max, names),
        }),
        room_id: names.rooms[mind.position().room].clone(),
        at_id: at.map_or("", |thing| names.thing_id(thing)).into(),
        alert: mind
            .alert()
            .room()
            .map_or(0, |_| alert(mind.alert()).into()),
    }
}

/// Whether a guard goes its round.
pub(super) fn alert(given: Alert) -> pb::HeistAlert {
    match given {
        Alert::Calm => pb::HeistAlert::Calm,
        Alert::Suspicious { .. } => pb::HeistAlert::Suspicious,
        Alert::Chasing { .. } => pb::HeistAlert::Chasing,
    }
}

/// What is next in the plan of an agent: at most this number of steps.
pub(super) fn intent(mind: &Mind, steps_max: usize, names: &Names) -> Option<pb::HeistPlan> {
    let actions = mind.intent()?.iter().take(steps_max);
    Some(pb::HeistPlan {
        steps: actions.map(|action| step(*action, names)).collect(),
    })
}

/// A reason to plan again.
pub(super) fn reason(why: ReplanReason) -> pb::HeistReplanReason {
    match why {
        ReplanReason::Failure => pb::HeistReplanReason::Failure,
        ReplanReason::Inconsistency => pb::HeistReplanReason::Inconsistency,
        ReplanReason::ListDone => pb::HeistReplanReason::ListDone,
        ReplanReason::Moved => pb::HeistReplanReason::Moved,
        ReplanReason::First => pb::HeistReplanReason::First,
        ReplanReason::Alert => pb::HeistReplanReason::Alert,
    }
}

fn belief_update(one: &BeliefUpdate, names: &Names) -> pb::HeistBeliefUpdate {
    let room = |room: Option<usize>| room.map_or_else(String::new, |it| names.rooms[it].clone());
    match *one {
        BeliefUpdate::LockState { thing, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.thing_id(thing).into(),
            lock_state_before: lock_state(was).into(),
            lock_state_after: lock_state(is).into(),
            ..pb::HeistBeliefUpdate::default()
        },
        BeliefUpdate::Item { item, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.items[item].clone(),
            place_id_before: place(was, names).into(),
            place_id_after: place(is, names).into(),
            ..pb::HeistBeliefUpdate::default()
        },
        BeliefUpdate::Camera { camera, is, .. } => pb::HeistBeliefUpdate {
            subject_id: names.cameras[camera].clone(),
            camera_on: Some(is),
            ..pb::HeistBeliefUpdate::default()
        },
        BeliefUpdate::Agent { agent, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.agents[agent].clone(),
            place_id_before: room(was),
            place_id_after: room(is),
            ..pb::HeistBeliefUpdate::default()
        },
    }
}

/// The state of a door or container.
pub(super) fn lock_state(given: LockState) -> pb::HeistLockState {
    match given {
        LockState { open: true, .. } => pb::HeistLockState::Open,
        LockState { locked: true, .. } => pb::HeistLockState::Locked,
        LockState { .. } => pb::HeistLockState::Closed,
    }
}

/// Id of what an item is in, or with.
pub(super) fn place(place: Place, names: &Names) -> &str {
    match place {
        Place::In(container) => &names.containers[container],
        Place::With(agent) => &names.agents[agent],
        Place::Unknown => "",
    }
}

/// Interventions, for the wire.
pub(super) fn interventions(list: &[Intervention], names: &Names) -> Vec<pb::HeistIntervention> {
    let interventions = list.iter().map(|it| {
        let (verb, target) = done_to(it.player_action.verb, it.player_action.target, names);
        pb::HeistIntervention {
            tick: whole(it.tick),
            verb: verb.into(),
            target_id: target.into(),
        }
    });
    interventions.collect()
}

/// A number for the wire; those that are sent are smaller than these.
fn whole(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
