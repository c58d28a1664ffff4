//! What players really did: from the wire, and what it is worth, to the wire.

use super::plan::{damage_of, time_of};
use super::problem::{Decoded, problem, time};
use super::read::role;
use crate::mistakes::Mistakes;
use crate::values::read_each;
use anytime::Path;
use anytime::Pulse;
use crew::Move;
use crew::compare::{Comparison, Least, NotCompared, compare};
use stratagem_proto::v1 as pb;

/// What players did at an event.
#[derive(Debug)]
pub struct ToCompare {
    decoded: Decoded,
    event: usize,
    moves: Vec<Move>,
}

/// What players did.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_compare(mut request: pb::CompareCrewMovesRequest) -> Result<ToCompare, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut request)?;
    let pb::CompareCrewMovesRequest {
        problem: given,
        event_id,
        moves,
    } = request;
    let (problem_at, moves_at) = (Path::root("problem"), Path::root("moves"));
    let decoded = given.and_then(|given| problem(given, &problem_at, &mut wrong));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let names = &decoded.names;
    let event = match event_id.as_str() {
        "" if names.events.list().len() == 1 => Some(0),
        "" => wrong.required(&Path::root("event_id"), None),
        id => names.events.find(&Path::root("event_id"), id, &mut wrong),
    };
    let moves = read_each(moves, &moves_at, |given, at| {
        let pb::CrewMove {
            role: given,
            idle_duration,
        } = given;
        let role_at = at.field("role");
        let role = given.map(|it| role(it, &role_at, names, &mut wrong));
        let idle_us = idle_duration.map_or(0, time);
        role.map(|role| Move { role, idle_us })
    });
    match event {
        Some(event) if wrong.is_empty() => Ok(ToCompare {
            moves: moves.into_iter().flatten().collect(),
            decoded,
            event,
        }),
        _ => Err(wrong),
    }
}

/// What the moves are worth; `None` when there was no time.
///
/// # Errors
/// When they cannot be compared.
pub(crate) fn compared(
    given: &ToCompare,
    wanted: &Pulse,
) -> Result<Option<pb::CompareCrewMovesResponse>, Mistakes> {
    let ToCompare {
        decoded,
        event,
        moves,
    } = given;
    match compare(&decoded.problem, *event, moves, wanted) {
        Ok(found) => Ok(Some(answer(given, &found))),
        Err(NotCompared::Wrong(faults)) => {
            let mut wrong = Mistakes::default();
            wrong.add_violations(&faults, &decoded.names, &Path::root("moves"));
            Err(wrong)
        }
        Err(NotCompared::Stopped(_)) => Ok(None),
    }
}

fn answer(given: &ToCompare, found: &Comparison) -> pb::CompareCrewMovesResponse {
    let Comparison {
        time_us,
        damage_micro,
        same_roles,
        same_number,
        any_number,
        movers,
    } = found;
    // Each is at most the one before.
    let real = Least {
        time_us: *time_us,
        damage_micro: *damage_micro,
    };
    let times =
        |before: &Least, after: &Least| Some(time_of(before.time_us.saturating_sub(after.time_us)));
    let damages = |before: &Least, after: &Least| {
        damage_of(before.damage_micro.saturating_sub(after.damage_micro))
    };
    let movers = given.moves.iter().zip(movers);
    pb::CompareCrewMovesResponse {
        worst_duration: Some(time_of(*time_us)),
        worst_damage: damage_of(*damage_micro),
        time_loss: Some(pb::CrewTimeLoss {
            least_duration: Some(time_of(any_number.time_us)),
            way_duration: times(&real, same_roles),
            role_duration: times(same_roles, same_number),
            number_duration: times(same_number, any_number),
        }),
        damage_loss: Some(pb::CrewDamageLoss {
            least_damage: damage_of(any_number.damage_micro),
            way_damage: damages(&real, same_roles),
            role_damage: damages(same_roles, same_number),
            number_damage: damages(same_number, any_number),
        }),
        movers: movers
            .map(|(it, mover)| pb::CrewMover {
                player_id: given.decoded.names.players.list()[it.role.player].clone(),
                walk_duration: Some(time_of(mover.time_us)),
                walk_damage: damage_of(mover.damage_micro),
                least_duration: Some(time_of(mover.least.time_us)),
                least_damage: damage_of(mover.least.damage_micro),
            })
            .collect(),
    }
}
