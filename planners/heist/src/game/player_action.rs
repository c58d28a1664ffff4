//! Actions of the player.

use super::{Costs, Rules};
use crate::museum::{Museum, Thing};
use crate::world::{Facts, LockState, World};

/// Maximal number of interventions in one game.
pub const INTERVENTIONS_MAX: usize = 10_000;
/// Maximal number of ticks of one game.
pub const TICKS_MAX: u32 = 100_000;

/// An action of the player before a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Intervention {
    /// The tick before which it is done, from 0.
    pub tick: u32,
    /// The action.
    pub player_action: PlayerAction,
}

/// An action of the player. It needs no key, and works at any distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerAction {
    /// The action.
    pub verb: Verb,
    /// The target.
    pub target: Target,
}

/// The verbs of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Close and lock a door or container.
    Lock,
    /// Unlock a door or container that is locked.
    Unlock,
    /// Unlock and open a door or container.
    Open,
    /// Close a door or container that is open.
    Close,
    /// Switch a camera on.
    On,
    /// Switch a camera off.
    Off,
    /// Trigger a vending machine: all agents in its room lose some ticks.
    Trigger,
}

impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Open => "open",
            Self::Close => "close",
            Self::On => "on",
            Self::Off => "off",
            Self::Trigger => "trigger",
        })
    }
}

/// The target of a player's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A door, container or vending machine.
    Thing(Thing),
    /// The camera with this index.
    Camera(usize),
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Thing(thing) => thing.fmt(f),
            Self::Camera(camera) => write!(f, "camera {camera}"),
        }
    }
}

/// One reason why a game cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum GameError {
    /// No tick, or more than supported.
    #[error("{given} ticks given, 1 to {TICKS_MAX} are supported")]
    Ticks { given: u32 },
    /// More interventions than supported.
    #[error("{given} interventions given, at most {INTERVENTIONS_MAX} are supported")]
    TooManyInterventions { given: usize },
    /// Something that does not exist.
    #[error("intervention {index} names {target}, which does not exist")]
    UnknownTarget { index: usize, target: Target },
    /// Something that cannot be done to such a thing.
    #[error("intervention {index}: one cannot {verb} {target}")]
    Misplaced {
        index: usize,
        verb: Verb,
        target: Target,
    },
    /// An intervention after the last tick.
    #[error("intervention {index} is at tick {tick}, but there are only {ticks}")]
    TooLate { index: usize, tick: u32, ticks: u32 },
}

/// Broken rules of a game's parameters.
pub(super) fn check(world: &World, rules: &Rules, list: &[Intervention]) -> Vec<GameError> {
    let mut errors = Vec::new();
    let ticks = rules.ticks_max;
    if !(1..=TICKS_MAX).contains(&ticks) {
        errors.push(GameError::Ticks { given: ticks });
    }
    if list.len() > INTERVENTIONS_MAX {
        let given = list.len();
        errors.push(GameError::TooManyInterventions { given });
        return errors;
    }
    for (
        index,
        &Intervention {
            tick,
            player_action,
        },
    ) in list.iter().enumerate()
    {
        let PlayerAction { verb, target } = player_action;
        if !exists(world.museum(), target) {
            errors.push(GameError::UnknownTarget { index, target });
        } else if !player_action.makes_sense() {
            errors.push(GameError::Misplaced {
                index,
                verb,
                target,
            });
        }
        if tick >= ticks {
            errors.push(GameError::TooLate { index, tick, ticks });
        }
    }
    errors
}

fn exists(museum: &Museum, target: Target) -> bool {
    let layout = museum.layout();
    match target {
        Target::Thing(Thing::Door(door)) => door < layout.doors.len(),
        Target::Thing(Thing::Container(container)) => container < layout.containers.len(),
        Target::Thing(Thing::Machine(machine)) => machine < layout.machines.len(),
        Target::Camera(camera) => camera < layout.cameras.len(),
    }
}

impl PlayerAction {
    /// The action that changes the state of a door or container.
    #[must_use]
    pub fn turning(thing: Thing, from: LockState, to: LockState) -> Self {
        let verb = match (from, to) {
            (_, LockState { open: true, .. }) => Verb::Open,
            (_, LockState { locked: true, .. }) => Verb::Lock,
            (LockState { locked: true, .. }, _) => Verb::Unlock,
            (LockState { .. }, _) => Verb::Close,
        };
        let target = Target::Thing(thing);
        Self { verb, target }
    }

    /// The cost.
    #[must_use]
    pub fn cost(self, costs: Costs) -> u32 {
        match self.target {
            Target::Thing(Thing::Door(_)) => costs.door,
            Target::Thing(Thing::Container(_)) => costs.container,
            Target::Thing(Thing::Machine(_)) => costs.machine,
            Target::Camera(_) => costs.camera,
        }
    }

    fn makes_sense(self) -> bool {
        match self.target {
            Target::Thing(Thing::Machine(_)) => self.verb == Verb::Trigger,
            Target::Thing(_) => {
                matches!(
                    self.verb,
                    Verb::Lock | Verb::Unlock | Verb::Open | Verb::Close
                )
            }
            Target::Camera(_) => matches!(self.verb, Verb::On | Verb::Off),
        }
    }

    /// Applies it to the facts; returns whether it changed any. Vending machines change no facts.
    pub(super) fn apply(self, facts: &mut Facts) -> bool {
        match self.target {
            Target::Thing(thing) => {
                let verb = self.verb;
                let state = facts.lock_state_mut(thing);
                state.is_some_and(|state| replace(state, turned(verb, *state)))
            }
            Target::Camera(camera) => {
                let on = facts.cameras.get_mut(camera);
                on.is_some_and(|on| replace(on, self.verb == Verb::On))
            }
        }
    }
}

/// The state of a door or container after a verb.
fn turned(verb: Verb, state: LockState) -> LockState {
    match verb {
        Verb::Lock => LockState::LOCKED,
        Verb::Open => LockState::OPEN,
        Verb::Unlock if state.locked => LockState::CLOSED,
        Verb::Close if state.open => LockState::CLOSED,
        Verb::Unlock | Verb::Close | Verb::On | Verb::Off | Verb::Trigger => state,
    }
}

/// Sets a value; returns whether it changed.
fn replace<T: PartialEq>(place: &mut T, value: T) -> bool {
    let changed = *place != value;
    *place = value;
    changed
}
