//! Levels with pitfalls: traps that the burglar does not know of, on their path, and that help can
//! make them avoid.
//!
//! # Method
//! Algorithm 1 of the paper: the rooms that the burglar's plan enters and can do without, and of
//! these a set of the wanted size that the burglar can do without simultaneously. Sets of such
//! rooms are closed under subsets, so that they grow one room at a time instead of being
//! enumerated. The best are the largest; among them those for which the cheapest help costs most,
//! which is decided by playing.
//!
//! # Differences from the paper
//! It reports when there are fewer traps than wanted, and goes on to better sets instead of taking
//! the first one. Cameras that the burglar does not know of are switched off before: the level has
//! the traps made here, those the burglar knows of, and the guards of the world.

mod build;
mod definitions;
mod explain;
mod judge;
mod lack;
mod sets;
mod standing;

pub use build::{Level, Trap, TrapKind};
pub use definitions::{Difficulty, Verdict, definition_f, definition_f_prime, difficulty};
pub use explain::{Explanation, Pitfall, Surprise, Unknown, explain, explain_in};
pub use judge::{LevelViolation, verify_level, verify_level_until};
pub use lack::{Lack, lacking};

use crate::game::{Ending, Game, Rules, play_until};
use crate::help::{Aim, Answer, Help, Moment, Question, help, some_help_in};
use crate::watch::Controlled;
use crate::world::World;
use anytime::{Conclusion, Control, SolveError, Stop};
use build::{Site, patrols};
use sets::Sets;
use std::cmp::Reverse;

/// Most traps that can be asked for.
pub const TRAPS_MAX: usize = 32;

/// What kind of level is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// How many traps, 1 to [`TRAPS_MAX`].
    pub traps: usize,
    /// What they are.
    pub kinds: Kinds,
    /// Whether levels are played: the burglar has to be caught without help, and has to win with
    /// help. If not, levels are those of Algorithm 1, and the cost of help is not known.
    pub played: Option<Played>,
}

/// What traps may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Kinds {
    /// Cameras; those there are, if any.
    #[default]
    Cameras,
    /// Guards who stand.
    Guards,
    /// By turns, the first one a camera.
    Both,
    /// Guards who walk to and fro between the trap room and one next to it, one or several, where
    /// that catches the burglar, and guards who stand. Only if levels are played.
    Patrols,
}

/// How levels are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The rules of the game.
    pub rules: Rules,
    /// Most that help may cost.
    pub cost_max: u32,
    /// Most games that are played to find out what help costs, for each level.
    pub games_max: u64,
}

/// What is minimised, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LevelCost {
    /// Traps that are wanted, but not there.
    pub missing: u32,
    /// What help costs at least, by proof; more is better. 0: not known.
    pub help: Reverse<u32>,
}

/// Offers levels with more and more traps, and among those with as many, levels that need dearer
/// and dearer help.
///
/// An iteration is a level that is looked at, or a game that is played. Concludes `Optimal` when no
/// level can be better, `Infeasible` when not one trap can be placed.
///
/// # Errors
/// None.
pub fn design(
    world: &World,
    params: &Params,
    control: &mut Control<'_, Level, LevelCost>,
) -> Result<Conclusion, SolveError> {
    let Some(site) = Site::new(world, &mut || control.go_on()) else {
        let stop = control.stop();
        return Ok(stop.map_or(Conclusion::Infeasible, Conclusion::Stopped));
    };
    let wanted = params.traps.clamp(1, TRAPS_MAX);
    let mut sets = Sets::new(&site, &mut || control.go_on());
    let mut sizes = vec![sets.clone()];
    let mut designer = Designer {
        params,
        site,
        wanted,
        sure: true,
        found: 0,
    };
    // The first level is not kept waiting by sets that are larger.
    designer.begin(&sets, sizes.len(), control);
    while sizes.len() < wanted && sets.grow(&designer.site, &mut || control.go_on()) {
        sizes.push(sets.clone());
        designer.begin(&sets, sizes.len(), control);
    }
    designer.sure = !sets.is_cut();
    // The largest first: a level with fewer traps is only wanted where there is none with more.
    for (larger, sets) in sizes.iter().rev().enumerate() {
        let traps = sizes.len() - larger;
        designer.prove(traps, control);
        for rooms in sets.iter() {
            if !control.tick() {
                return Ok(Conclusion::Stopped(
                    control.stop().unwrap_or(Stop::Iterations),
                ));
            }
            designer.try_rooms(rooms, params.played, control);
            if params.played.is_none() && designer.found == traps {
                break;
            }
        }
        if designer.found >= traps {
            break;
        }
    }
    Ok(match (designer.sure, designer.found > 0) {
        (true, true) => Conclusion::Optimal,
        (true, false) => Conclusion::Infeasible,
        (false, _) => Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted)),
    })
}

/// Games that are played for a level when there is nothing yet.
const GAMES_FIRST: u64 = 100;
/// Levels of each size that are looked at then.
const LEVELS_FIRST: usize = 40;

struct Designer<'a> {
    params: &'a Params,
    site: Site<'a>,
    wanted: usize,
    /// Whether nothing was left out.
    sure: bool,
    /// Most traps of a level that was found.
    found: usize,
}

impl Designer<'_> {
    /// An early level of this size, if levels are to be played: the first of some, with few games
    /// each.
    fn begin(&mut self, sets: &Sets, traps: usize, control: &mut Control<'_, Level, LevelCost>) {
        // The first of levels of equal cost is retained, and walks are tried in order of
        // preference: all games or none.
        let Some(played) = self
            .params
            .played
            .filter(|_| self.params.kinds != Kinds::Patrols)
        else {
            return;
        };
        let few = Played {
            games_max: played.games_max.min(GAMES_FIRST),
            ..played
        };
        for rooms in sets.iter().take(LEVELS_FIRST) {
            if self.found >= traps || !control.tick() {
                return;
            }
            self.try_rooms(rooms, Some(few), control);
        }
    }

    fn try_rooms(
        &mut self,
        rooms: &[usize],
        played: Option<Played>,
        control: &mut Control<'_, Level, LevelCost>,
    ) {
        let Some(played) = played else {
            if let Some(level) = self.site.build(rooms, self.params.kinds) {
                self.offer(level, (0, None), control);
            }
            return;
        };
        if self.params.kinds == Kinds::Patrols {
            let (patrols, all) = patrols(&self.site, rooms);
            self.sure &= all;
            for traps in patrols {
                if let Some(level) = self.site.build_traps(&traps) {
                    self.play(level, &played, control);
                }
                if !control.go_on() {
                    return;
                }
            }
        }
        if let Some(level) = self.site.build(rooms, self.params.kinds) {
            self.play(level, &played, control);
        }
    }

    /// Offers a level if the burglar is caught alone, and wins with help.
    fn play(&mut self, level: Level, played: &Played, control: &mut Control<'_, Level, LevelCost>) {
        let alone = play_until(&level.world, played.rules, &[], &mut Controlled(control));
        let Some(alone) = alone else {
            self.sure = false;
            return;
        };
        let caught = alone.is_ok_and(|it| matches!(it.ending, Ending::Caught { .. }));
        if !caught {
            return;
        }
        let question = Question {
            aim: Aim::Win,
            cost_max: played.cost_max,
            games_max: played.games_max,
        };
        let watch = &mut Controlled(control);
        match help(&level.world, played.rules, &question, watch) {
            Answer::Found(help) => {
                let known = (help.cost, Some(help));
                self.offer(level, known, control);
            }
            Answer::Nothing => {}
            Answer::Unknown { cost_min } => {
                self.sure = false;
                let some = some_help(&level, played, &question, control);
                if some.is_some() {
                    self.offer(level, (cost_min, some), control);
                }
            }
        }
    }

    /// Proves that there is no level with more traps than these, if nothing was left out.
    fn prove(&self, traps: usize, control: &mut Control<'_, Level, LevelCost>) {
        if self.sure || traps >= self.wanted {
            let bound = LevelCost {
                // Fits: few traps.
                missing: self.wanted.saturating_sub(traps) as u32,
                help: Reverse(self.params.played.map_or(0, |played| played.cost_max)),
            };
            control.prove(bound, "sets");
        }
    }

    fn offer(
        &mut self,
        mut level: Level,
        (help_cost_min, help): (u32, Option<Help>),
        control: &mut Control<'_, Level, LevelCost>,
    ) {
        self.found = self.found.max(level.traps.len());
        let cost = LevelCost {
            // Fits: few traps.
            missing: (self.wanted - level.traps.len()) as u32,
            help: Reverse(help_cost_min),
        };
        level.help = help;
        level.help_cost_min = help_cost_min;
        control.offer(&level, cost, "sets");
    }
}

/// Some help, where the cheapest was not found: with a quarter of the games.
fn some_help(
    level: &Level,
    played: &Played,
    question: &Question,
    control: &mut Control<'_, Level, LevelCost>,
) -> Option<Help> {
    let question = Question {
        games_max: question.games_max.div_ceil(4),
        ..*question
    };
    let game = Game::new_while(&level.world, played.rules, &mut Controlled(control))?;
    let moment = Moment {
        game: &game,
        pending: &[],
    };
    some_help_in(moment, &question, &mut Controlled(control))
}
