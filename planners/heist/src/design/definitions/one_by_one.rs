//! Definition F': as many deeds as wanted are needed, one after the other.

use super::{Stopped, Verdict};
use crate::game::{Deed, Ending, Game, Rules, TICKS_MAX};
use crate::museum::Thing;
use crate::watch::{Watch, goes_on};
use crate::world::{BURGLAR, Leaf, World};

/// Whether F'(n) holds. F'(0): the burglar wins alone. F'(n): alone the burglar is caught, and
/// there is a deed on a door or container, done immediately, that makes the burglar fail before
/// being caught, in a state in which F'(n - 1) holds and no F' of less.
///
/// A failure that no deed has caused is part of the burglar's path: the burglar replans. Guards
/// walk in the meantime; with cameras and guards who stand this is the definition of the paper.
/// `watch` is asked before each game that is played.
pub fn definition_f_prime(world: &World, n: u32, watch: &mut dyn Watch) -> Verdict {
    let Some(game) = start(world, watch) else {
        return Verdict::Unknown;
    };
    Verdict::of(Recursion { watch }.holds(&game, n))
}

/// How difficult a level is, as far as it is known.
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
    pub fn is_decided(self, n_max: u32) -> bool {
        self.least.is_some() || self.none_to >= Some(n_max)
    }
}

/// The least n, up to this one, for which F'(n) holds; as far as it was decided before `watch`,
/// which is asked before each game, stopped the search.
pub fn difficulty(world: &World, n_max: u32, watch: &mut dyn Watch) -> Difficulty {
    let Some(game) = start(world, watch) else {
        return Difficulty::default();
    };
    let mut recursion = Recursion { watch };
    let mut known = Difficulty::default();
    // One by one: what is easy is found out soon.
    for n in 0..=n_max {
        match recursion.least(&game, n) {
            Ok(Some(least)) => {
                known.least = Some(least);
                break;
            }
            Ok(None) => known.none_to = Some(n),
            Err(Stopped) => break,
        }
    }
    known
}

/// The game before its first tick; `None`: stopped.
fn start<'w>(world: &'w World, watch: &mut dyn Watch) -> Option<Game<'w>> {
    let rules = Rules {
        ticks_max: TICKS_MAX,
        ..Rules::default()
    };
    Game::new_while(world, rules, watch)
}

/// What comes of a game without help.
enum Fate {
    Won,
    /// Caught, after he handled these things.
    Caught(Vec<Thing>),
    Lost,
}

struct Recursion<'g> {
    watch: &'g mut dyn Watch,
}

impl Recursion<'_> {
    fn fate(&mut self, game: &Game<'_>) -> Result<Fate, Stopped> {
        if !self.watch.game() {
            return Err(Stopped);
        }
        let mut game = game.clone();
        let mut handled = Vec::new();
        while game.ending().is_none() {
            if !goes_on(self.watch, game.now()) {
                return Err(Stopped);
            }
            handled.extend(game.minds()[BURGLAR].next_handled());
            game.step_while(&[], self.watch).ok_or(Stopped)?;
        }
        handled.sort_unstable();
        handled.dedup();
        Ok(match game.ending() {
            Some(Ending::Won) => Fate::Won,
            Some(Ending::Caught { .. }) => Fate::Caught(handled),
            _ => Fate::Lost,
        })
    }

    fn holds(&mut self, game: &Game<'_>, n: u32) -> Result<bool, Stopped> {
        match (self.fate(game)?, n) {
            (Fate::Won, 0) => Ok(true),
            (Fate::Caught(handled), 1..) => {
                for deed in deeds(game, &handled) {
                    if let Some(after) = self.failed(game, deed)?
                        && self.least(&after, n - 1)? == Some(n - 1)
                    {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn least(&mut self, game: &Game<'_>, most: u32) -> Result<Option<u32>, Stopped> {
        let handled = match self.fate(game)? {
            Fate::Won => return Ok(Some(0)),
            Fate::Caught(handled) if most > 0 => handled,
            Fate::Caught(_) | Fate::Lost => return Ok(None),
        };
        let mut least = None;
        let mut most = most;
        for deed in deeds(game, &handled) {
            if let Some(after) = self.failed(game, deed)?
                && let Some(rest) = self.least(&after, most - 1)?
            {
                least = Some(rest + 1);
                if rest == 0 {
                    break;
                }
                // From now on only less is of interest.
                most = rest;
            }
        }
        Ok(least)
    }

    /// The game from where the burglar fails because of a deed. `None`: he does not.
    fn failed<'w>(
        &mut self,
        game: &Game<'w>,
        (thing, deed): (Thing, Deed),
    ) -> Result<Option<Game<'w>>, Stopped> {
        if !self.watch.game() {
            return Err(Stopped);
        }
        let mut game = game.clone();
        let mut now = vec![deed];
        loop {
            if !goes_on(self.watch, game.now()) {
                return Err(Stopped);
            }
            let handled = game.minds()[BURGLAR].next_handled();
            game.step_while(&now, self.watch).ok_or(Stopped)?;
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

/// The deeds on these things that change something.
fn deeds(game: &Game<'_>, things: &[Thing]) -> Vec<(Thing, Deed)> {
    let mut deeds = Vec::new();
    for &thing in things {
        let from = game.facts().leaf(thing);
        let others = [Leaf::LOCKED, Leaf::CLOSED, Leaf::OPEN].into_iter();
        let others = others.filter(|to| *to != from);
        deeds.extend(others.map(|to| (thing, Deed::turning(thing, from, to))));
    }
    deeds
}
