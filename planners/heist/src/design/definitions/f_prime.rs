//! Definition F': n interventions are needed, one after the other.

use super::{Stopped, Verdict};
use crate::budget::{Budget, may_play};
use crate::game::{Ending, Game, PlayerAction, Rules, TICKS_MAX};
use crate::museum::Thing;
use crate::world::{BURGLAR, LockState, World};

/// Whether F'(n) holds. F'(0): the burglar wins without help. F'(n): without help the burglar is
/// caught, and there is an intervention on a door or container, done immediately, that makes the
/// burglar fail before being caught, in a state in which F'(n - 1) holds, and F'(m) for no m < n -
/// 1.
///
/// A failure that no intervention has caused is part of the burglar's path: the burglar replans.
/// Guards walk in the meantime; with cameras and stationary guards this is the definition of the
/// paper. `budget` is asked before each game that is played.
pub fn definition_f_prime(world: &World, n: u32, budget: &mut dyn Budget) -> Verdict {
    let Some(game) = start(world, budget) else {
        return Verdict::Unknown;
    };
    Verdict::new(Recursion { budget }.holds(&game, n))
}

/// The difficulty of a level, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Difficulty {
    /// The least n for which F'(n) holds.
    pub least: Option<u32>,
    /// F'(n) holds for no n up to this one.
    pub none_to: Option<u32>,
}

impl Difficulty {
    /// Whether it is decided that there is a least n, or none up to this one.
    #[must_use]
    pub(crate) fn is_decided(self, n_max: u32) -> bool {
        self.least.is_some() || self.none_to >= Some(n_max)
    }
}

/// The least n, up to this one, for which F'(n) holds; as far as it was decided before `budget`,
/// which is asked before each game, stopped the search.
pub fn difficulty(world: &World, n_max: u32, budget: &mut dyn Budget) -> Difficulty {
    let Some(game) = start(world, budget) else {
        return Difficulty::default();
    };
    let mut recursion = Recursion { budget };
    let mut known = Difficulty::default();
    // Iterative deepening: easy levels are decided soon.
    for n in 0..=n_max {
        match recursion.difficulty(&game, n) {
            Ok(Some(difficulty)) => {
                known.least = Some(difficulty);
                break;
            }
            Ok(None) => known.none_to = Some(n),
            Err(Stopped) => break,
        }
    }
    known
}

/// The game before its first tick; `None`: stopped.
fn start<'w>(world: &'w World, budget: &mut dyn Budget) -> Option<Game<'w>> {
    let rules = Rules {
        ticks_max: TICKS_MAX,
        ..Rules::default()
    };
    Game::new_until(world, rules, budget)
}

/// The end of a game without help.
enum UnhelpedEnd {
    Won,
    /// The burglar was caught, after handling these things.
    Caught(Vec<Thing>),
    Lost,
}

struct Recursion<'g> {
    budget: &'g mut dyn Budget,
}

impl Recursion<'_> {
    fn unhelped_end(&mut self, game: &Game<'_>) -> Result<UnhelpedEnd, Stopped> {
        if !self.budget.next_game() {
            return Err(Stopped);
        }
        let mut game = game.clone();
        let mut handled = Vec::new();
        while game.ending().is_none() {
            if !may_play(self.budget, game.now()) {
                return Err(Stopped);
            }
            handled.extend(game.minds()[BURGLAR].next_handled());
            game.step_until(&[], self.budget).ok_or(Stopped)?;
        }
        handled.sort_unstable();
        handled.dedup();
        Ok(match game.ending() {
            Some(Ending::Won) => UnhelpedEnd::Won,
            Some(Ending::Caught { .. }) => UnhelpedEnd::Caught(handled),
            _ => UnhelpedEnd::Lost,
        })
    }

    fn holds(&mut self, game: &Game<'_>, n: u32) -> Result<bool, Stopped> {
        match (self.unhelped_end(game)?, n) {
            (UnhelpedEnd::Won, 0) => Ok(true),
            (UnhelpedEnd::Caught(handled), 1..) => {
                for (thing, player_action) in player_actions(game, &handled) {
                    if let Some(after) = self.game_after_failure(game, thing, player_action)?
                        && self.difficulty(&after, n - 1)? == Some(n - 1)
                    {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn difficulty(&mut self, game: &Game<'_>, n_max: u32) -> Result<Option<u32>, Stopped> {
        let handled = match self.unhelped_end(game)? {
            UnhelpedEnd::Won => return Ok(Some(0)),
            UnhelpedEnd::Caught(handled) if n_max > 0 => handled,
            UnhelpedEnd::Caught(_) | UnhelpedEnd::Lost => return Ok(None),
        };
        let mut difficulty = None;
        let mut n_max = n_max;
        for (thing, player_action) in player_actions(game, &handled) {
            if let Some(after) = self.game_after_failure(game, thing, player_action)?
                && let Some(rest) = self.difficulty(&after, n_max - 1)?
            {
                difficulty = Some(rest + 1);
                if rest == 0 {
                    break;
                }
                // From now on only smaller n are of interest.
                n_max = rest;
            }
        }
        Ok(difficulty)
    }

    /// The game after the burglar has failed because of an intervention. `None`: the burglar does
    /// not fail.
    fn game_after_failure<'w>(
        &mut self,
        game: &Game<'w>,
        thing: Thing,
        player_action: PlayerAction,
    ) -> Result<Option<Game<'w>>, Stopped> {
        if !self.budget.next_game() {
            return Err(Stopped);
        }
        let mut game = game.clone();
        let mut now = vec![player_action];
        loop {
            if !may_play(self.budget, game.now()) {
                return Err(Stopped);
            }
            let handled = game.minds()[BURGLAR].next_handled();
            game.step_until(&now, self.budget).ok_or(Stopped)?;
            now.clear();
            if game.ending().is_some() {
                return Ok(None);
            }
            if handled == Some(thing) && game.events()[BURGLAR].refusal.is_some() {
                return Ok(Some(game));
            }
        }
    }
}

/// The interventions on these things that change something.
fn player_actions(game: &Game<'_>, things: &[Thing]) -> Vec<(Thing, PlayerAction)> {
    let mut player_actions = Vec::new();
    for &thing in things {
        let from = game.facts().lock_state(thing);
        let others = [LockState::LOCKED, LockState::CLOSED, LockState::OPEN].into_iter();
        let others = others.filter(|to| *to != from);
        player_actions.extend(others.map(|to| (thing, PlayerAction::turning(thing, from, to))));
    }
    player_actions
}
