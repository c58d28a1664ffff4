//! Why a level has fewer traps than were wanted, room by room.

use super::build::Site;
use super::{Kinds, Level, Params, Played};
use crate::explain::{Reason, impossible};
use crate::game::{Ending, play_until};
use crate::help::{Aim, Answer, Question, help};
use crate::problem::Problem;
use crate::watch::{Ration, Watch};
use crate::world::{BURGLAR, World};

/// Most games that are played, for all rooms together.
const GAMES_MAX: u64 = 5_000;

/// One reason for a trap that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// The burglar has no plan, and this is why.
    NoPlan(Reason),
    /// The burglar's plan enters only so many rooms, and traps are wanted in more.
    Way(usize),
    /// Every plan of the burglar enters this room.
    Unavoidable(usize),
    /// No plan does without this room and all that have traps in this level.
    NotBesides(usize),
    /// With a trap in this room, too, he would not be caught: something turns him away before.
    Harmless(usize),
    /// With a trap in this room, too, no deeds within the price allowed would help the burglar.
    Helpless(usize),
    /// With a trap in this room, too, it was not found out in time what would help him.
    Undecided(usize),
    /// A trap fits into this room, too: the search has not come to it.
    Fits(usize),
}

impl Lack {
    /// The room that it is about.
    #[must_use]
    pub fn room(self) -> Option<usize> {
        match self {
            Self::Unavoidable(room)
            | Self::NotBesides(room)
            | Self::Harmless(room)
            | Self::Helpless(room)
            | Self::Undecided(room)
            | Self::Fits(room) => Some(room),
            Self::NoPlan(_) | Self::Way(_) => None,
        }
    }

    /// Whether it holds for every level of the world, not only beside the traps of this one.
    #[must_use]
    pub fn is_of_all(self) -> bool {
        matches!(self, Self::NoPlan(_) | Self::Way(_) | Self::Unavoidable(_))
    }
}

/// Why the best level, or none, has fewer traps than wanted; for each room of the burglar's plan
/// without a trap, in its order. Empty when nothing is missing. `watch` is asked before each game.
/// What it leaves no time for is reported as undecided, and so is what exceeds its share of games.
pub fn lacking(
    world: &World,
    params: &Params,
    level: Option<&Level>,
    watch: &mut dyn Watch,
) -> Vec<Lack> {
    let taken: Vec<usize> = level
        .iter()
        .flat_map(|it| &it.traps)
        .map(|it| it.room)
        .collect();
    if taken.len() >= params.traps {
        return Vec::new();
    }
    let Some(site) = Site::new(world, &mut || watch.go_on()) else {
        let problem = Problem::new(world.clone(), BURGLAR, &[]);
        let reasons = problem.map(|problem| impossible(&problem));
        return reasons.into_iter().flatten().map(Lack::NoPlan).collect();
    };
    let mut lacks = Vec::new();
    if site.way.len() < params.traps {
        lacks.push(Lack::Way(site.way.len()));
    }
    let free = site.way.iter().filter(|room| !taken.contains(room));
    let free: Vec<usize> = free.copied().collect();
    // Fits: few rooms.
    let share = GAMES_MAX / (free.len() as u64).max(1);
    for room in free {
        lacks.push(lack(
            &site,
            params,
            (&taken, room),
            &mut Ration {
                watch,
                games: share,
            },
        ));
    }
    lacks
}

/// Why there is no trap in a room beside these.
fn lack(
    site: &Site<'_>,
    params: &Params,
    (taken, room): (&[usize], usize),
    watch: &mut Ration<'_>,
) -> Lack {
    if !site.avoids(&[room]) {
        return Lack::Unavoidable(room);
    }
    let mut rooms = taken.to_vec();
    rooms.push(room);
    if !site.avoids(&rooms) {
        return Lack::NotBesides(room);
    }
    // In the order of the plan, as levels are made.
    rooms.sort_by_key(|it| site.way.iter().position(|other| other == it));
    let Some(played) = params.played else {
        return Lack::Fits(room);
    };
    // Walks are not tried again: guards who stand are their last resort, too.
    match site.build(&rooms, params.kinds) {
        Some(level) => game(&level, (params.kinds, &played), room, watch),
        None => Lack::Undecided(room),
    }
}

/// What playing tells of a level with one trap more.
fn game(
    level: &Level,
    (kinds, played): (Kinds, &Played),
    room: usize,
    watch: &mut Ration<'_>,
) -> Lack {
    if !watch.game() {
        return Lack::Undecided(room);
    }
    let Some(alone) = play_until(&level.world, played.rules, &[], watch) else {
        return Lack::Undecided(room);
    };
    let caught = alone.is_ok_and(|it| matches!(it.ending, Ending::Caught { .. }));
    let sure = kinds != Kinds::Patrols;
    if !caught {
        return if sure {
            Lack::Harmless(room)
        } else {
            Lack::Undecided(room)
        };
    }
    let question = Question {
        aim: Aim::Win,
        cost_max: played.cost_max,
        games_max: played.games_max,
    };
    match help(&level.world, played.rules, &question, watch) {
        Answer::Found(_) => Lack::Fits(room),
        Answer::Nothing if sure => Lack::Helpless(room),
        Answer::Nothing | Answer::Unknown { .. } => Lack::Undecided(room),
    }
}
