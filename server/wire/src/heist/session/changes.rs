//! What happens in a game from outside.

use super::super::game::player_action;
use super::super::names::Names;
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use ::heist::game::{Game, Noise, PlayerAction};
use ::heist::{BURGLAR, Museum, Position};
use anytime::Path;
use std::collections::BTreeMap;
use stratagem_proto::v1 as pb;

/// Applies what has happened before the next tick; the actions of the player, which are part of
/// that. Nothing can be moved after the end.
///
/// # Errors
/// All mistakes.
pub(super) fn apply(
    changes: pb::HeistChanges,
    game: &mut Game<'_>,
    names: &Names,
) -> Result<Vec<PlayerAction>, Mistakes> {
    let pb::HeistChanges {
        positions,
        removed_guard_ids,
        noises,
        interventions,
        tick_count: _,
    } = changes;
    let mut wrong = Mistakes::default();
    let at = Path::root("heist");
    let list = at.field("positions");
    let mut moved = BTreeMap::new();
    for (index, given) in positions.iter().enumerate() {
        let museum = game.world().museum();
        // The last position of an agent counts.
        moved.extend(position(
            given,
            museum,
            &list.index(index),
            names,
            &mut wrong,
        ));
    }
    for (agent, position) in moved {
        game.place(agent, position);
    }
    let list = at.field("removed_guard_ids");
    for (index, id) in removed_guard_ids.iter().enumerate() {
        let at = list.index(index);
        match names.agent(&at, id, &mut wrong) {
            Some(BURGLAR) => {
                let why = format!("is {}, the burglar; a guard is wanted", shown(id));
                wrong.add(&at, Code::WrongKind, why);
            }
            Some(guard) => game.remove(guard),
            None => {}
        }
    }
    let list = at.field("noises");
    for (index, given) in noises.iter().enumerate() {
        let at = list.index(index);
        if let Some(room) = names.room(&at.field("room_id"), &given.room_id, &mut wrong) {
            let doors = given.door_count.map_or(1, i32::unsigned_abs);
            game.hear(Noise { room, doors });
        }
    }
    let list = at.field("interventions");
    let mut actions = Vec::with_capacity(interventions.len());
    for (index, given) in interventions.iter().enumerate() {
        let at = list.index(index);
        let action = player_action(given.verb, &given.target_id, &at, names, &mut wrong);
        actions.extend(action);
    }
    if wrong.is_empty() {
        Ok(actions)
    } else {
        Err(wrong)
    }
}

/// An agent and its position.
fn position(
    given: &pb::HeistAgentPosition,
    museum: &Museum,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Option<(usize, Position)> {
    let pb::HeistAgentPosition {
        agent_id,
        room_id,
        at_id,
    } = given;
    let agent = names.agent(&at.field("agent_id"), agent_id, wrong);
    let room = names.room(&at.field("room_id"), room_id, wrong);
    let thing_at = at.field("at_id");
    let thing = match at_id.as_str() {
        "" => Some(None),
        id => names.thing(&thing_at, id, wrong).map(Some),
    };
    let (agent, room, at) = (agent?, room?, thing?);
    if at.is_some_and(|thing| !museum.stands_in(thing, room)) {
        let [thing, room] = [at_id, room_id].map(|id| shown(id));
        let why = format!("is {thing}, which does not stand in {room}");
        wrong.add(&thing_at, Code::Elsewhere, why);
        return None;
    }
    Some((agent, Position { room, at }))
}
