//! Reasons for missing traps, room by room.

use super::build::Site;
use super::{Kinds, Level, Params, Played};
use crate::budget::{Budget, GameLimit};
use crate::explain::infeasibility_reasons;
use crate::game::{Ending, play_until};
use crate::help::{Aim, HelpRequest, HelpResult, help};
use crate::problem::Problem;
use crate::world::{BURGLAR, World};
use anytime::{Fault, Path, Reason, element, fault};

/// Maximal number of simulated games, for all rooms together.
const GAMES_MAX: u64 = 5_000;

/// Reasons why a level, or none, has fewer traps than wanted, for each room of the burglar's plan
/// without a trap, in its order. Empty when no trap is missing. `budget` is asked before each game.
/// What is not decided within it, or within an equal share of the games, is reported as undecided.
/// Proved reasons apply to every level of the world, others only together with the traps of this
/// one.
pub fn missing_traps(
    world: &World,
    params: &Params,
    level: Option<&Level>,
    budget: &mut dyn Budget,
) -> Vec<Reason> {
    let traps = level.iter().flat_map(|it| &it.traps);
    let taken: Vec<usize> = traps.map(|it| it.room).collect();
    if taken.len() >= params.traps {
        return Vec::new();
    }
    let Some(site) = Site::new(world, &mut || budget.go_on()) else {
        let problem = Problem::new(world.clone(), BURGLAR, &[]);
        return problem.map_or_else(|_| Vec::new(), |problem| infeasibility_reasons(&problem));
    };
    let mut reasons = Vec::new();
    let rooms = site.path.len();
    if rooms < params.traps {
        reasons.push(Reason::proved(fault!(
            "WAY_TOO_SHORT",
            Path::WHOLE,
            "the burglar's plan enters no more than {} other rooms",
            rooms
        )));
    }
    let free = site.path.iter().filter(|room| !taken.contains(room));
    let free: Vec<usize> = free.copied().collect();
    // Fits: few rooms.
    let games = GAMES_MAX / (free.len() as u64).max(1);
    for room in free {
        let budget = &mut GameLimit { budget, games };
        let reason = reason(&site, params, &taken, room, budget);
        reasons.push(reason.subject("room", room));
    }
    reasons
}

/// The reason why a room has no trap in addition to these.
fn reason(
    site: &Site<'_>,
    params: &Params,
    taken: &[usize],
    room: usize,
    budget: &mut GameLimit<'_>,
) -> Reason {
    let (at, name) = (Path::WHOLE, element("room", room));
    if !site.can_avoid(&[room]) {
        let fault = fault!(
            "ROOM_UNAVOIDABLE",
            at,
            "every plan of the burglar enters {}",
            name
        );
        return Reason::proved(fault);
    }
    let mut rooms = taken.to_vec();
    rooms.push(room);
    if !site.can_avoid(&rooms) {
        let fault = fault!(
            "NOT_ALL_AT_ONCE",
            at,
            "no plan avoids {} and all rooms with traps",
            name
        );
        return Reason::tried(fault);
    }
    // In the order of the plan, as levels are made.
    rooms.sort_by_key(|it| site.path.iter().position(|other| other == it));
    Reason::tried(match params.played {
        None => fits(room),
        // Patrol routes are not tried again: stationary guards are their last resort, too.
        Some(played) => match site.build(&rooms, params.kinds) {
            Some(level) => simulated(&level, params.kinds, &played, room, budget),
            None => undecided(room),
        },
    })
}

fn fits(room: usize) -> Fault {
    let (at, name) = (Path::WHOLE, element("room", room));
    fault!(
        "FITS",
        at,
        "a trap in {} fits, too: the search did not reach it",
        name
    )
}

fn undecided(room: usize) -> Fault {
    let (at, name) = (Path::WHOLE, element("room", room));
    fault!(
        "UNDECIDED",
        at,
        "the effect of a trap in {} was not decided in time",
        name
    )
}

/// The reason by simulation of a level with one trap more.
fn simulated(
    level: &Level,
    kinds: Kinds,
    played: &Played,
    room: usize,
    budget: &mut GameLimit<'_>,
) -> Fault {
    let (at, name) = (Path::WHOLE, element("room", room));
    if !budget.next_game() {
        return undecided(room);
    }
    let Some(alone) = play_until(&level.world, played.rules, &[], budget) else {
        return undecided(room);
    };
    let is_caught = alone.is_ok_and(|it| matches!(it.ending, Ending::Caught { .. }));
    let is_complete = kinds != Kinds::Patrols;
    if !is_caught {
        return if is_complete {
            fault!(
                "HARMLESS",
                at,
                "with a further trap in {} the burglar would not be caught",
                name
            )
        } else {
            undecided(room)
        };
    }
    let request = HelpRequest {
        aim: Aim::Win,
        cost_max: played.cost_max,
        games_max: played.games_max,
    };
    match help(&level.world, played.rules, &request, budget) {
        HelpResult::Found(_) => fits(room),
        HelpResult::Nothing if is_complete => fault!(
            "HELPLESS",
            at,
            "with a further trap in {} no help is within the maximal cost",
            name
        ),
        HelpResult::Nothing | HelpResult::Unknown { .. } => undecided(room),
    }
}
