//! Least-cost help and harm for a game, and hints.
//!
//! # Method
//! Uniform-cost search over sets of interventions and their times, with the simulation as the
//! transition function. It is finite because interventions can be delayed: the state of a door or
//! container matters only when an agent handles it or sees it, so that it is changed just before
//! that tick and not before. The same holds for cameras, which matter when the burglar is in their
//! room at the end of a tick. Only vending machines have to be tried at every tick with an agent in
//! their room.. It is finite because interventions can be put off: what state a door or container
//! is in matters only when an agent handles it, or sees it, so that it is changed just before that
//! tick and not before. The same goes for cameras, which matter when the burglar is in their room
//! at the end of a tick. Only vending machines have to be tried at every tick when an agent is in
//! their room.
//!
//! Where that takes too long, a best-first search finds some help, in the order of how far the
//! burglar has come.

mod hint;
mod relevant;
mod uniform_cost;

pub use hint::{GRADES, Hint, hint};

use crate::budget::Budget;
use crate::game::{Ending, Game, Intervention, PlayerAction, Rules};
use crate::world::World;
use uniform_cost::{HelpSearch, Order};

/// The help wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HelpRequest {
    /// The wanted ending.
    pub aim: Aim,
    /// Maximal cost.
    pub cost_max: u32,
    /// Maximal number of simulated games.
    pub games_max: u64,
}

/// A wanted ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The burglar wins: help.
    Win,
    /// The burglar is caught: harm.
    Capture,
}

/// The result of a search for help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpResult {
    /// The cheapest interventions, by proof.
    Found(Help),
    /// No interventions within the maximal cost are enough, by proof.
    Nothing,
    /// The search was stopped, or ran out of memory. Help costs at least this.
    Unknown {
        /// In units of [`crate::game::Costs`].
        cost_min: u32,
    },
}

/// Interventions that lead to the wanted ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// In order of time, each at the last useful moment. Empty: no help is needed.
    pub interventions: Vec<Intervention>,
    /// Their total cost.
    pub cost: u32,
    /// The ending of the game with them.
    pub ending: Ending,
}

/// Least-cost help: the cheapest interventions after which a game ends as wanted. `budget` is asked
/// before each simulated game.
pub fn help(
    world: &World,
    rules: Rules,
    request: &HelpRequest,
    budget: &mut dyn Budget,
) -> HelpResult {
    let Some(game) = Game::new_until(world, rules, budget) else {
        return HelpResult::Unknown { cost_min: 0 };
    };
    let moment = Moment {
        game: &game,
        pending: &[],
    };
    help_in(moment, request, budget)
}

/// A moment within a game.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'g, 'w> {
    /// The game before its next tick.
    pub game: &'g Game<'w>,
    /// The player's actions before that tick, already paid for.
    pub pending: &'g [PlayerAction],
}

/// The same from a moment on. Help comes in addition to the pending actions.
pub(crate) fn help_in(
    moment: Moment<'_, '_>,
    request: &HelpRequest,
    budget: &mut dyn Budget,
) -> HelpResult {
    let mut search = HelpSearch::new(moment, request, Order::Cheapest);
    while let Some(cost_min) = search.next_cost() {
        if !search.has_room() || !budget.next_game() {
            return HelpResult::Unknown { cost_min };
        }
        match search.expand(budget) {
            Ok(Some(help)) => return HelpResult::Found(help),
            Ok(None) => {}
            Err(_) => return HelpResult::Unknown { cost_min },
        }
    }
    HelpResult::Nothing
}

/// Some help, which need not be the cheapest, by best-first search in the order of how far the
/// burglar has come. `None`: not found; there may be some.
pub(crate) fn some_help_in(
    moment: Moment<'_, '_>,
    request: &HelpRequest,
    budget: &mut dyn Budget,
) -> Option<Help> {
    let mut search = HelpSearch::new(moment, request, Order::Farthest);
    while search.next_cost().is_some() && search.has_room() && budget.next_game() {
        if let Some(help) = search.expand(budget).ok()? {
            return Some(help);
        }
    }
    None
}
