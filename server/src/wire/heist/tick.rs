//! What happens in a game, for the wire.

use super::names::Names;
use super::plan::step;
use heist::game::{
    Did, Done, Ending, Event, Game, Intervention, Lesson, Mind, Target, Tick, Verb, Why,
};
use heist::world::BURGLAR;
use heist::{Action, Leaf, Place};
use stratagem_proto::v1 as pb;

/// What everybody is going to do.
pub(super) fn intents(game: &Game<'_>, names: &Names) -> pb::SimulateHeistResponse {
    let minds = game.minds().iter().zip(&names.agents);
    let intents = minds.map(|(mind, id)| pb::HeistIntent {
        agent_id: id.clone(),
        plan: intent(mind, names),
    });
    pb::SimulateHeistResponse {
        intents: intents.collect(),
        ..pb::SimulateHeistResponse::default()
    }
}

/// The tick that has just been played; with the end of the game after the last one. `cost` is all
/// that the player has paid.
pub(super) fn tick(
    (game, played): (&Game<'_>, &Tick),
    cost: u64,
    names: &Names,
) -> pb::SimulateHeistResponse {
    let deeds = played.deeds.iter().map(|done| deed(done, names));
    let events = played.events.iter().map(|it| event(it, (game, names)));
    let end = played.ending.map(|ending| {
        let (ending, by) = self::ending(ending, names);
        pb::HeistEnd {
            by_id: by.into(),
            ..end(game, (ending, cost), names)
        }
    });
    pb::SimulateHeistResponse {
        tick: Some(pb::HeistTick {
            tick: whole(played.tick),
            interventions: deeds.collect(),
            events: events.collect(),
        }),
        end,
        ..pb::SimulateHeistResponse::default()
    }
}

/// The last message of a game that was not over.
pub(super) fn stopped(
    last: pb::SimulateHeistResponse,
    (game, cost): (&Game<'_>, u64),
    names: &Names,
) -> pb::SimulateHeistResponse {
    let stopped = (pb::HeistEnding::Stopped, cost);
    pb::SimulateHeistResponse {
        end: Some(end(game, stopped, names)),
        ..last
    }
}

/// How a game ended, and who caught the burglar.
pub(super) fn ending(ending: Ending, names: &Names) -> (pb::HeistEnding, &str) {
    use pb::HeistEnding as Wire;
    match ending {
        Ending::Won => (Wire::Won, ""),
        Ending::Caught { by, .. } => (Wire::Caught, names.catcher(by)),
        Ending::Stuck => (Wire::Stuck, ""),
        Ending::TimeUp => (Wire::TimeUp, ""),
    }
}

fn end(game: &Game<'_>, (ending, cost): (pb::HeistEnding, u64), names: &Names) -> pb::HeistEnd {
    pb::HeistEnd {
        ending: ending.into(),
        by_id: String::new(),
        room_id: names.rooms[game.minds()[BURGLAR].body().room].clone(),
        tick_count: whole(game.now()),
        cost: i64::try_from(cost).unwrap_or(i64::MAX),
    }
}

fn deed(done: &Done, names: &Names) -> pb::HeistInterventionResult {
    let (verb, target) = done_to(done.deed.verb, done.deed.target, names);
    pb::HeistInterventionResult {
        verb: verb.into(),
        target_id: target.into(),
        cost: whole(done.cost),
        changed: done.changed,
    }
}

/// What the player does, and the id of what he does it to.
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
        Target::Thing(thing) => names.of_thing(thing),
        Target::Camera(camera) => &names.cameras[camera],
    };
    (verb, target)
}

fn event(it: &Event, (game, names): (&Game<'_>, &Names)) -> pb::HeistEvent {
    let mind = &game.minds()[it.agent];
    let (action, delayed) = match it.did {
        Did::Acted(action) => (Some(action), false),
        Did::Waited => (None, false),
        Did::Delayed => (None, true),
    };
    let at = mind.body().at;
    pb::HeistEvent {
        agent_id: names.agents[it.agent].clone(),
        step: action.map(|action: Action| step(action, names)),
        refusal: it.refusal.map_or("", |refusal| refusal.code()).into(),
        delayed,
        belief_updates: it.learned.iter().map(|one| lesson(one, names)).collect(),
        replanning: it.replanned.map(|again| pb::HeistReplanning {
            reason: reason(again.why).into(),
            plan: intent(mind, names),
        }),
        room_id: names.rooms[mind.body().room].clone(),
        at_id: at.map_or("", |thing| names.of_thing(thing)).into(),
    }
}

fn intent(mind: &Mind, names: &Names) -> Option<pb::HeistPlan> {
    let actions = mind.intent()?.iter();
    Some(pb::HeistPlan {
        steps: actions.map(|action| step(*action, names)).collect(),
    })
}

fn reason(why: Why) -> pb::HeistReplanReason {
    match why {
        Why::Failure => pb::HeistReplanReason::Failure,
        Why::Inconsistency => pb::HeistReplanReason::Inconsistency,
        Why::ListDone => pb::HeistReplanReason::ListDone,
    }
}

fn lesson(one: &Lesson, names: &Names) -> pb::HeistBeliefUpdate {
    let room = |room: Option<usize>| room.map_or_else(String::new, |it| names.rooms[it].clone());
    match *one {
        Lesson::Leaf { thing, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.of_thing(thing).into(),
            lock_state_before: leaf(was).into(),
            lock_state_after: leaf(is).into(),
            ..pb::HeistBeliefUpdate::default()
        },
        Lesson::Item { item, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.items[item].clone(),
            place_id_before: place(was, names).into(),
            place_id_after: place(is, names).into(),
            ..pb::HeistBeliefUpdate::default()
        },
        Lesson::Camera { camera, is, .. } => pb::HeistBeliefUpdate {
            subject_id: names.cameras[camera].clone(),
            camera_on: Some(is),
            ..pb::HeistBeliefUpdate::default()
        },
        Lesson::Agent { agent, was, is } => pb::HeistBeliefUpdate {
            subject_id: names.agents[agent].clone(),
            place_id_before: room(was),
            place_id_after: room(is),
            ..pb::HeistBeliefUpdate::default()
        },
    }
}

/// The state of a door or container.
pub(super) fn leaf(given: Leaf) -> pb::HeistLockState {
    match given {
        Leaf { open: true, .. } => pb::HeistLockState::Open,
        Leaf { locked: true, .. } => pb::HeistLockState::Locked,
        Leaf { .. } => pb::HeistLockState::Closed,
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

/// What the player is to do, for the wire.
pub(super) fn interventions(list: &[Intervention], names: &Names) -> Vec<pb::HeistIntervention> {
    let told = list.iter().map(|it| {
        let (verb, target) = done_to(it.deed.verb, it.deed.target, names);
        pb::HeistIntervention {
            tick: whole(it.tick),
            verb: verb.into(),
            target_id: target.into(),
        }
    });
    told.collect()
}

/// A number for the wire; those that are sent are smaller than these.
fn whole(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
