//! Why a level has fewer traps than were wanted, room by room.

use super::build::Site;
use super::{Kinds, Level, Params, Played};
use crate::budget::{Budget, GameLimit};
use crate::explain::{Reason, infeasibility_reasons};
use crate::game::{Ending, play_until};
use crate::help::{Aim, HelpRequest, HelpResult, help};
use crate::problem::Problem;
use crate::world::{BURGLAR, World};

/// Most games that are played, for all rooms together.
const GAMES_MAX: u64 = 5_000;

/// A reason for a missing trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingTrap {
    /// The burglar has no plan, for this reason.
    NoPlan(Reason),
    /// The burglar's plan enters this number of rooms, and more traps are wanted.
    ShortPath(usize),
    /// Every plan of the burglar enters this room.
    Unavoidable(usize),
    /// No plan avoids this room together with all rooms that have traps in this level.
    UnavoidableTogether(usize),
    /// With a further trap in this room, the burglar would not be caught: a failure before it
    /// changes the plan.
    Harmless(usize),
    /// With a further trap in this room, no interventions within the maximal cost would help.
    Helpless(usize),
    /// With a further trap in this room, the search for help did not end in time.
    Undecided(usize),
    /// A further trap fits into this room, but the search has not reached it.
    Fits(usize),
}

impl MissingTrap {
    /// The room that it is about.
    #[must_use]
    pub fn room(self) -> Option<usize> {
        match self {
            Self::Unavoidable(room)
            | Self::UnavoidableTogether(room)
            | Self::Harmless(room)
            | Self::Helpless(room)
            | Self::Undecided(room)
            | Self::Fits(room) => Some(room),
            Self::NoPlan(_) | Self::ShortPath(_) => None,
        }
    }

    /// Whether it holds forevery level of the world, not only beside the traps of this one.
    #[must_use]
    pub fn is_of_all(self) -> bool {
        matches!(
            self,
            Self::NoPlan(_) | Self::ShortPath(_) | Self::Unavoidable(_)
        )
    }
}

/// Reasons why a level, or none, has fewer traps than wanted, for each room of the burglar's plan
/// without a trap, in its order. Empty when no trap is missing. `budget` is asked before each game.
/// What is not decided within it, or within an equal share of the games, is reported as undecided.;
/// for each room of the burglar's plan without a trap, in its order. Empty when nothing is missing.
/// `budget` is asked before each game. What it leaves no time for is reported as undecided, and so
/// is what exceeds its share of games.
pub fn missing_traps(
    world: &World,
    params: &Params,
    level: Option<&Level>,
    budget: &mut dyn Budget,
) -> Vec<MissingTrap> {
    let taken: Vec<usize> = level
        .iter()
        .flat_map(|it| &it.traps)
        .map(|it| it.room)
        .collect();
    if taken.len() >= params.traps {
        return Vec::new();
    }
    let Some(site) = Site::new(world, &mut || budget.go_on()) else {
        let problem = Problem::new(world.clone(), BURGLAR, &[]);
        let reasons = problem.map(|problem| infeasibility_reasons(&problem));
        return reasons
            .into_iter()
            .flatten()
            .map(MissingTrap::NoPlan)
            .collect();
    };
    let mut missing = Vec::new();
    if site.path.len() < params.traps {
        missing.push(MissingTrap::ShortPath(site.path.len()));
    }
    let free = site.path.iter().filter(|room| !taken.contains(room));
    let free: Vec<usize> = free.copied().collect();
    // Fits: few rooms.
    let share = GAMES_MAX / (free.len() as u64).max(1);
    for room in free {
        missing.push(missing_trap(
            &site,
            params,
            &taken,
            room,
            &mut GameLimit {
                budget,
                games: share,
            },
        ));
    }
    missing
}

/// The reason why a room has no trap in addition to these.
fn missing_trap(
    site: &Site<'_>,
    params: &Params,
    taken: &[usize],
    room: usize,
    budget: &mut GameLimit<'_>,
) -> MissingTrap {
    if !site.can_avoid(&[room]) {
        return MissingTrap::Unavoidable(room);
    }
    let mut rooms = taken.to_vec();
    rooms.push(room);
    if !site.can_avoid(&rooms) {
        return MissingTrap::UnavoidableTogether(room);
    }
    // In the order of the plan, as levels are made.
    rooms.sort_by_key(|it| site.path.iter().position(|other| other == it));
    let Some(played) = params.played else {
        return MissingTrap::Fits(room);
    };
    // Patrol routes are not tried again: stationary guards are their last resort, too.
    match site.build(&rooms, params.kinds) {
        Some(level) => played_reason(&level, params.kinds, &played, room, budget),
        None => MissingTrap::Undecided(room),
    }
}

/// The reason by simulation of a level with one trap more.
fn played_reason(
    level: &Level,
    kinds: Kinds,
    played: &Played,
    room: usize,
    budget: &mut GameLimit<'_>,
) -> MissingTrap {
    if !budget.next_game() {
        return MissingTrap::Undecided(room);
    }
    let Some(alone) = play_until(&level.world, played.rules, &[], budget) else {
        return MissingTrap::Undecided(room);
    };
    let caught = alone.is_ok_and(|it| matches!(it.ending, Ending::Caught { .. }));
    let sure = kinds != Kinds::Patrols;
    if !caught {
        return if sure {
            MissingTrap::Harmless(room)
        } else {
            MissingTrap::Undecided(room)
        };
    }
    let question = HelpRequest {
        aim: Aim::Win,
        cost_max: played.cost_max,
        games_max: played.games_max,
    };
    match help(&level.world, played.rules, &question, budget) {
        HelpResult::Found(_) => MissingTrap::Fits(room),
        HelpResult::Nothing if sure => MissingTrap::Helpless(room),
        HelpResult::Nothing | HelpResult::Unknown { .. } => MissingTrap::Undecided(room),
    }
}
