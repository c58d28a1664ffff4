//! The record of a game, tick by tick, as plain data.

use super::player_action::PlayerAction;
use crate::museum::Thing;
use crate::rules::{Action, Refusal};
use crate::world::{LockState, Place};

/// The record of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The length of each agent's first plan, in actions. `None`: no plan.
    pub starts: Vec<Option<u32>>,
    /// One for each tick played.
    pub ticks: Vec<Tick>,
    /// The ending.
    pub ending: Ending,
    /// The cost of all interventions.
    pub cost: u64,
}

/// The record of one tick.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tick {
    /// Its number, from 0.
    pub tick: u32,
    /// The player's actions, which come first.
    pub player_actions: Vec<InterventionResult>,
    /// Events of the burglar, then of the guards.
    pub events: Vec<Event>,
    /// The ending, if this was the last tick.
    pub ending: Option<Ending>,
}

/// The result of a player's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterventionResult {
    /// The action.
    pub player_action: PlayerAction,
    /// Its cost, which is paid whether or not it changed anything.
    pub cost: u32,
    /// Whether it changed anything.
    pub changed: bool,
}

/// Action, observation and replanning of one agent in a tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Index of the agent.
    pub agent: usize,
    /// The outcome of the tick.
    pub outcome: Outcome,
    /// Why the action failed. The tick was lost.
    pub refusal: Option<Refusal>,
    /// Changes of the belief.
    pub learned: Vec<BeliefUpdate>,
    /// The new plan made at the end of the tick.
    pub replanned: Option<Replanned>,
}

/// What an agent did in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The next action of the plan, or an attempt at it.
    Acted(Action),
    /// Nothing: there is no plan, or it is completed.
    Waited,
    /// Nothing: a vending machine distracts the agent.
    Delayed,
}

/// A plan made during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replanned {
    /// The reason.
    pub why: ReplanReason,
    /// The length of the new plan, in actions. `None`: there is no plan by the belief.
    pub actions: Option<u32>,
}

/// A reason for replanning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplanReason {
    /// An action of the old plan failed (Algorithm 2).
    Failure,
    /// An unexpected observation.
    Inconsistency,
    /// A guard has completed its list, and starts again.
    ListDone,
    /// The agent is elsewhere than its plan had it.
    Moved,
    /// The agent has not planned yet.
    First,
    /// A guard is alerted, or calm again.
    Alert,
}

/// A change of a belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "fields are named after what they are: what it was believed to be, and what it is"
)]
pub enum BeliefUpdate {
    /// The state of a door or container.
    LockState {
        thing: Thing,
        was: LockState,
        is: LockState,
    },
    /// The place of an item.
    Item { item: usize, was: Place, is: Place },
    /// A camera: whether it is known to be on.
    Camera { camera: usize, was: bool, is: bool },
    /// The room of another agent.
    Agent {
        agent: usize,
        was: Option<usize>,
        is: Option<usize>,
    },
}

/// The ending of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The burglar has reached the goal.
    Won,
    /// The burglar was seen.
    Caught {
        /// The guard or camera.
        by: Catcher,
        /// The room.
        room: usize,
    },
    /// The burglar has no plan, and cannot learn of one.
    Stuck,
    /// The maximal number of ticks is over.
    TimeUp,
}

/// The guard or camera that sees the burglar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Catcher {
    /// A guard, by the index of the agent.
    Guard(usize),
    /// The camera with this index.
    Camera(usize),
}
