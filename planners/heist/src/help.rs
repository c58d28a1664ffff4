//! What the player can do about a game: the cheapest help, the cheapest harm, and hints.
//!
//! # Method
//! An exact search over deeds and times, cheapest first, with the game itself as the judge. It is
//! finite because deeds can be put off: what state a door or container is in matters only when
//! somebody handles it, or sees it, so that it is changed just before that tick and not before. The
//! same goes for cameras, which matter when the burglar is in their room at the end of a tick. Only
//! vending machines have to be tried at every tick when somebody is in their room.
//!
//! Where that takes too long, help that need not be the cheapest is looked for where the burglar
//! has come farthest.

mod branch;
mod hint;
mod search;

pub use hint::{GRADES, Hint, hint};

use crate::game::{Deed, Ending, Game, Intervention, Rules};
use crate::watch::Watch;
use crate::world::World;
use search::{Order, Search};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// How the game is to end.
    pub aim: Aim,
    /// Most that the player is to pay.
    pub cost_max: u32,
    /// Most games that are looked at.
    pub games_max: u64,
}

/// How a game is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The burglar wins: what the player is there for.
    Win,
    /// The burglar is caught: what the player can spoil.
    Capture,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The cheapest deeds, by proof.
    Found(Help),
    /// Nothing that the player can do for the price allowed is enough, by proof.
    Nothing,
    /// The search was stopped, or there were more games than are retained. Enough help costs at
    /// least this.
    Unknown {
        /// In units of [`crate::game::Costs`].
        cost_min: u32,
    },
}

/// Deeds that are enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// In order of time; each at the last moment at which it is of use. Empty: nothing has to be
    /// done.
    pub interventions: Vec<Intervention>,
    /// What they cost together.
    pub cost: u32,
    /// How the game ends.
    pub ending: Ending,
}

/// The cheapest deeds after which a game ends as asked. `watch` is asked before each game that is
/// looked at.
pub fn help(world: &World, rules: Rules, question: &Question, watch: &mut dyn Watch) -> Answer {
    let Some(game) = Game::new_while(world, rules, watch) else {
        return Answer::Unknown { cost_min: 0 };
    };
    let moment = Moment {
        game: &game,
        pending: &[],
    };
    help_in(moment, question, watch)
}

/// A moment of a game.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'g, 'w> {
    /// The game before its next tick.
    pub game: &'g Game<'w>,
    /// What the player will do before that tick, and has paid for.
    pub pending: &'g [Deed],
}

/// The same from some moment on. Help is what comes on top of what is pending.
pub fn help_in(moment: Moment<'_, '_>, question: &Question, watch: &mut dyn Watch) -> Answer {
    let mut search = Search::new(moment, question, Order::Cheapest);
    while let Some(cost_min) = search.next_cost() {
        if !search.has_room() || !watch.game() {
            return Answer::Unknown { cost_min };
        }
        match search.look(watch) {
            Ok(Some(help)) => return Answer::Found(help),
            Ok(None) => {}
            Err(_) => return Answer::Unknown { cost_min },
        }
    }
    Answer::Nothing
}

/// Some deeds after which a game ends as asked, which need not be the cheapest: those that are
/// found first where the burglar has come farthest. `None`: not found; there may be some.
pub fn some_help_in(
    moment: Moment<'_, '_>,
    question: &Question,
    watch: &mut dyn Watch,
) -> Option<Help> {
    let mut search = Search::new(moment, question, Order::Farthest);
    while search.next_cost().is_some() && search.has_room() && watch.game() {
        if let Some(help) = search.look(watch).ok()? {
            return Some(help);
        }
    }
    None
}
