//! What happens in a game, tick by tick, as plain data.

use super::deed::Deed;
use crate::museum::Thing;
use crate::rules::{Action, Refusal};
use crate::world::{Leaf, Place};

/// All that happened in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The length of each agent's first plan, in actions. `None`: he had none.
    pub starts: Vec<Option<u32>>,
    /// One for each tick played.
    pub ticks: Vec<Tick>,
    /// How it ended.
    pub ending: Ending,
    /// What the player paid.
    pub cost: u64,
}

/// What happened in one tick.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tick {
    /// Its number, from 0.
    pub tick: u32,
    /// What the player did before the agents.
    pub deeds: Vec<Done>,
    /// What the agents did: the burglar, then the guards.
    pub events: Vec<Event>,
    /// Whether this was the last tick, and why.
    pub ending: Option<Ending>,
}

/// A deed of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// What he did.
    pub deed: Deed,
    /// What he paid for it, whether or not it changed anything.
    pub cost: u32,
    /// Whether it changed anything.
    pub changed: bool,
}

/// What one agent did in a tick, and what he made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Who.
    pub agent: usize,
    /// What he did, or tried.
    pub did: Did,
    /// Why it could not be done. The tick was lost.
    pub refusal: Option<Refusal>,
    /// Where he found himself wrong: what he believed before, and believes from now on.
    pub learned: Vec<Lesson>,
    /// The new plan that he made at the end of the tick.
    pub replanned: Option<Replanned>,
}

/// What somebody did with a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Did {
    /// The next action of his plan, or an attempt at it.
    Acted(Action),
    /// Nothing: he has no plan, or nothing left to do.
    Waited,
    /// Nothing: a vending machine distracts him.
    Delayed,
}

/// A plan made during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replanned {
    /// What for.
    pub why: Why,
    /// The length of the new plan, in actions. `None`: there is none, as far as he knows.
    pub actions: Option<u32>,
}

/// Why somebody makes a new plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// An action of the old one could not be done (Algorithm 2).
    Failure,
    /// He saw something that he did not expect.
    Inconsistency,
    /// He has done all that he wanted, and begins again.
    ListDone,
}

/// One difference between what somebody believed and what he believes now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "fields are named after what they are: what it was believed to be, and what it is"
)]
pub enum Lesson {
    /// About a door or container.
    Leaf { thing: Thing, was: Leaf, is: Leaf },
    /// About where an item is.
    Item { item: usize, was: Place, is: Place },
    /// About a camera: whether he knows it to be on.
    Camera { camera: usize, was: bool, is: bool },
    /// About the room of somebody else.
    Agent {
        agent: usize,
        was: Option<usize>,
        is: Option<usize>,
    },
}

/// How a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The burglar has all that he wants and is where he wants to be.
    Won,
    /// The burglar was seen.
    Caught {
        /// By whom.
        by: Catcher,
        /// Where.
        room: usize,
    },
    /// The burglar knows no way, and nothing will ever tell him one.
    Stuck,
    /// The last tick allowed is over.
    TimeUp,
}

/// Who sees the burglar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Catcher {
    /// The guard who is the agent with this index.
    Guard(usize),
    /// The camera with this index.
    Camera(usize),
}
