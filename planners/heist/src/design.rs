//! Level design: traps on the burglar's path that the burglar does not know of (pitfalls), and that
//! help can make the burglar avoid.
//!
//! # Method
//! Algorithm 1 of the paper. Candidates are the rooms that the burglar's plan enters and can avoid.
//! A level is a set of candidates of the wanted size that the burglar can avoid together. Such sets
//! are closed under subsets, so that they grow level by level, as in Apriori, instead of being
//! enumerated. The best sets are the largest, and among them those with the dearest least-cost
//! help, which is decided by simulation. that the burglar's plan enters and can do without, and of
//! these a set of the wanted size that the burglar can do without simultaneously. Sets of such
//! rooms are closed under subsets, so that they grow one room at a time instead of being
//! enumerated. The best are the largest; among them those for which the cheapest help costs most,
//! which is decided by playing.
//!
//! # Differences from the paper
//! It reports a lack of traps, and searches for better sets instead of taking the first one.
//! Cameras that the burglar does not know of are switched off first: the level has the traps made
//! here, those the burglar knows of, and the guards of the world.

mod build;
mod definitions;
mod explain;
mod missing_traps;
mod static_traps;
mod trap_sets;
mod verify;

pub use build::{Level, Trap, TrapKind};
pub use definitions::{Difficulty, Verdict, definition_f, definition_f_prime, difficulty};
pub(crate) use explain::explain_in;
pub use explain::{Explanation, Pitfall, Surprise, Unknown, explain};
pub use missing_traps::missing_traps;
pub use verify::{verify_level, verify_level_until};

use crate::budget::ControlBudget;
use crate::game::{Ending, Game, Rules, play_until};
use crate::help::{Aim, Help, HelpRequest, HelpResult, Moment, help, some_help_in};
use crate::world::World;
use anytime::{Conclusion, Control, SolveError, Stop};
use build::{Site, patrols};
use std::cmp::Reverse;
use trap_sets::TrapSets;

/// Maximal number of traps.
pub const TRAPS_MAX: usize = 32;

/// Parameters of the wanted level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Number of traps, 1 to [`TRAPS_MAX`].
    pub traps: usize,
    /// Kinds of traps.
    pub kinds: Kinds,
    /// How levels are simulated: the burglar has to be caught without help, and has to win with
    /// help. `None`: levels are those of Algorithm 1, and the cost of help is not known.
    pub played: Option<Played>,
}

/// The kinds of traps that may be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Kinds {
    /// Cameras; existing ones are used first.
    #[default]
    Cameras,
    /// Stationary guards.
    Guards,
    /// Cameras and guards alternately, the first one a camera.
    Both,
    /// Patrolling guards to and fro between the trap room and one next to it, one or several, where
    /// that catches the burglar, and stationary guards. Only if levels are played.
    Patrols,
}

/// Parameters of the simulation of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The rules of the game.
    pub rules: Rules,
    /// Maximal cost of help.
    pub cost_max: u32,
    /// Maximal number of games simulated to find the cost of help of one level.
    pub games_max: u64,
}

/// The objective, lexicographic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LevelCost {
    /// Number of missing traps.
    pub missing: u32,
    /// Proved lower bound on the cost of help; more is better. 0: not known.
    pub help: Reverse<u32>,
}

/// Designs levels. Each offer has more traps than the one before, or as many and dearer help.
///
/// An iteration is a candidate level, or a simulated game. Concludes `Optimal` when no level can be
/// better, `Infeasible` when not one trap can be placed.
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
    let mut trap_sets = TrapSets::new(&site, &mut || control.go_on());
    let mut sizes = vec![trap_sets.clone()];
    let mut designer = Designer {
        params,
        site,
        wanted,
        sure: true,
        found: 0,
    };
    // The first level does not wait for larger sets.
    designer.begin(&trap_sets, sizes.len(), control);
    while sizes.len() < wanted && trap_sets.grow(&designer.site, &mut || control.go_on()) {
        sizes.push(trap_sets.clone());
        designer.begin(&trap_sets, sizes.len(), control);
    }
    designer.sure = !trap_sets.is_cut();
    // The largest first: fewer traps only count where more are impossible.
    for (larger, trap_sets) in sizes.iter().rev().enumerate() {
        let traps = sizes.len() - larger;
        designer.prove(traps, control);
        for rooms in trap_sets.iter() {
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

/// Games simulated for each level before the first offer.
const GAMES_FIRST: u64 = 100;
/// Levels of each size tried before the first offer.
const LEVELS_FIRST: usize = 40;

struct Designer<'a> {
    params: &'a Params,
    site: Site<'a>,
    wanted: usize,
    /// Whether the search is exhaustive so far.
    sure: bool,
    /// The largest number of traps of a level found.
    found: usize,
}

impl Designer<'_> {
    /// Offers an early level of this size if levels are simulated, with few games each.
    fn begin(
        &mut self,
        trap_sets: &TrapSets,
        traps: usize,
        control: &mut Control<'_, Level, LevelCost>,
    ) {
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
        for rooms in trap_sets.iter().take(LEVELS_FIRST) {
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
                self.offer(level, 0, None, control);
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

    /// Offers a level if the burglar is caught without help, and wins with help.
    fn play(&mut self, level: Level, played: &Played, control: &mut Control<'_, Level, LevelCost>) {
        let alone = play_until(&level.world, played.rules, &[], &mut ControlBudget(control));
        let Some(alone) = alone else {
            self.sure = false;
            return;
        };
        let caught = alone.is_ok_and(|it| matches!(it.ending, Ending::Caught { .. }));
        if !caught {
            return;
        }
        let question = HelpRequest {
            aim: Aim::Win,
            cost_max: played.cost_max,
            games_max: played.games_max,
        };
        let budget = &mut ControlBudget(control);
        match help(&level.world, played.rules, &question, budget) {
            HelpResult::Found(help) => {
                self.offer(level, help.cost, Some(help), control);
            }
            HelpResult::Nothing => {}
            HelpResult::Unknown { cost_min } => {
                self.sure = false;
                let some = some_help(&level, played, &question, control);
                if some.is_some() {
                    self.offer(level, cost_min, some, control);
                }
            }
        }
    }

    /// Proves that no level has more traps than these, if the search was exhaustive.
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
        help_cost_min: u32,
        help: Option<Help>,
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

/// Some help, where the cheapest was not found, with a quarter of the games.
fn some_help(
    level: &Level,
    played: &Played,
    question: &HelpRequest,
    control: &mut Control<'_, Level, LevelCost>,
) -> Option<Help> {
    let question = HelpRequest {
        games_max: question.games_max.div_ceil(4),
        ..*question
    };
    let game = Game::new_until(&level.world, played.rules, &mut ControlBudget(control))?;
    let moment = Moment {
        game: &game,
        pending: &[],
    };
    some_help_in(moment, &question, &mut ControlBudget(control))
}
