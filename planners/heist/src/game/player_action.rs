//! Actions of the player.

use super::{Costs, Rules};
use crate::museum::{Museum, Thing};
use crate::world::{Facts, LockState, World};
use anytime::{Argument, Fault, Path, element, fault};

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

impl Target {
    /// The target as an argument of a text.
    fn named(self) -> Argument {
        match self {
            Self::Thing(thing) => thing.named(),
            Self::Camera(camera) => element("camera", camera),
        }
    }
}

/// Broken rules of a game's parameters, with paths in the contract's `SimulateHeistRequest`.
pub(super) fn check(world: &World, rules: &Rules, list: &[Intervention]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let ticks = rules.ticks_max;
    if !(1..=TICKS_MAX).contains(&ticks) {
        let rules = Path::root("rules");
        let at = rules.field("max_ticks");
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "is {}, not 1 to {}",
            ticks,
            TICKS_MAX
        ));
    }
    let list_at = Path::root("interventions");
    let (given, max) = (list.len(), INTERVENTIONS_MAX);
    if given > max {
        faults.push(fault!(
            "TOO_MANY",
            list_at,
            "are {}, at most {} are allowed",
            given,
            max
        ));
        return faults;
    }
    for (index, intervention) in list.iter().enumerate() {
        check_one(
            world,
            ticks,
            intervention,
            &list_at.index(index),
            &mut faults,
        );
    }
    faults
}

fn check_one(
    world: &World,
    ticks: u32,
    intervention: &Intervention,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let Intervention {
        tick,
        player_action: action,
    } = *intervention;
    let (target_at, target) = (at.field("target_id"), action.target.named());
    if !exists(world.museum(), action.target) {
        faults.push(anytime::check::unknown(&target_at, target));
    } else if !action.is_applicable() {
        let verb = action.verb.to_string();
        faults.push(fault!(
            "WRONG_KIND",
            target_at,
            "is {}: no target of {}",
            target,
            verb
        ));
    }
    if tick >= ticks {
        let at = at.field("tick");
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "is {}, of {} ticks",
            tick,
            ticks
        ));
    }
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

    fn is_applicable(self) -> bool {
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
