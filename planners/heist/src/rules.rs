//! The domain: eight actions with preconditions and effects, one tick each.
//!
//! Verification and simulation use these rules. The planner does not: it searches macro moves, and
//! these rules check its plans.

use crate::museum::{Museum, Thing, set_bits};
use crate::world::{Facts, LockState, Place, Position};

/// One action of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Step to a thing in the same room.
    Approach(Thing),
    /// Open the door or container at hand, which is closed and not locked.
    Open(Thing),
    /// Close the door or container at hand, which is open.
    Close(Thing),
    /// Unlock the door or container at hand with a key that fits, or with a copy of it.
    Unlock(Thing, usize),
    /// Lock the door or container at hand, which is closed, with a key that fits, or with a copy of
    /// it.
    Lock(Thing, usize),
    /// Go through the open door at hand. It stays at hand.
    Enter(usize),
    /// Take an item, or a copy of it, out of the open container at hand.
    PickUp(usize),
    /// Use the vending machine at hand.
    Operate(usize),
}

impl Action {
    /// The thing that the action handles. `None` for picking up: the action does not name the
    /// container.
    #[must_use]
    pub fn thing(self) -> Option<Thing> {
        match self {
            Self::Approach(thing)
            | Self::Open(thing)
            | Self::Close(thing)
            | Self::Unlock(thing, _)
            | Self::Lock(thing, _) => Some(thing),
            Self::Enter(door) => Some(Thing::Door(door)),
            Self::Operate(machine) => Some(Thing::Machine(machine)),
            Self::PickUp(_) => None,
        }
    }
}

/// Why an action cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The thing does not exist, or cannot be opened.
    #[error("there is no such thing")]
    NoSuchThing,
    /// The thing is in another room.
    #[error("it stands in another room")]
    Elsewhere,
    /// The agent stands at something else.
    #[error("the agent stands at something else")]
    NotAtHand,
    /// The thing is open already.
    #[error("it is open already")]
    IsOpen,
    /// The thing is closed.
    #[error("it is closed")]
    IsClosed,
    /// The thing is locked.
    #[error("it is locked")]
    IsLocked,
    /// The thing is not locked.
    #[error("it is not locked")]
    NotLocked,
    /// The agent does not have this key.
    #[error("the agent does not have this key")]
    NoKey,
    /// The key does not fit.
    #[error("the key does not fit")]
    WrongKey,
    /// The item is not in the container at hand.
    #[error("the item is not in there")]
    NotThere,
}

impl Refusal {
    /// Stable code in upper case: the same in every release.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NoSuchThing => "NO_SUCH_THING",
            Self::Elsewhere => "THING_ELSEWHERE",
            Self::NotAtHand => "NOT_AT_HAND",
            Self::IsOpen => "IS_OPEN",
            Self::IsClosed => "IS_CLOSED",
            Self::IsLocked => "IS_LOCKED",
            Self::NotLocked => "NOT_LOCKED",
            Self::NoKey => "KEY_MISSING",
            Self::WrongKey => "WRONG_KEY",
            Self::NotThere => "ITEM_NOT_THERE",
        }
    }
}

/// An agent that acts on facts.
#[derive(Debug)]
pub struct Actor<'a> {
    /// The museum.
    pub museum: &'a Museum,
    /// The facts, real or believed, that actions change.
    pub facts: &'a mut Facts,
    /// The position of the agent.
    pub position: &'a mut Position,
    /// Index of the agent.
    pub agent: usize,
}

impl Actor<'_> {
    /// Applies an action, or changes nothing.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        match action {
            Action::Approach(thing) => self.approach(thing),
            Action::Open(thing) => self.turn(thing, |state| match state {
                LockState::CLOSED => Ok(LockState::OPEN),
                LockState { open: true, .. } => Err(Refusal::IsOpen),
                LockState { .. } => Err(Refusal::IsLocked),
            }),
            Action::Close(thing) => self.turn(thing, |state| {
                let closed = LockState {
                    open: false,
                    ..state
                };
                state.open.then_some(closed).ok_or(Refusal::IsClosed)
            }),
            Action::Unlock(thing, key) => {
                self.fits(thing, key)?;
                self.turn(thing, |state| {
                    let unlocked = LockState {
                        locked: false,
                        ..state
                    };
                    state.locked.then_some(unlocked).ok_or(Refusal::NotLocked)
                })
            }
            Action::Lock(thing, key) => {
                self.fits(thing, key)?;
                self.turn(thing, |state| match state {
                    LockState::CLOSED => Ok(LockState::LOCKED),
                    LockState { open: true, .. } => Err(Refusal::IsOpen),
                    LockState { .. } => Err(Refusal::IsLocked),
                })
            }
            Action::Enter(door) => self.enter(door),
            Action::PickUp(item) => self.pick_up(item),
            Action::Operate(machine) => self.at_hand(Thing::Machine(machine)),
        }
    }

    fn approach(&mut self, thing: Thing) -> Result<(), Refusal> {
        self.exists(thing)?;
        if !self.museum.stands_in(thing, self.position.room) {
            return Err(Refusal::Elsewhere);
        }
        self.position.at = Some(thing);
        Ok(())
    }

    fn enter(&mut self, door: usize) -> Result<(), Refusal> {
        self.at_hand(Thing::Door(door))?;
        if !self.facts.doors[door].open {
            return Err(Refusal::IsClosed);
        }
        self.position.room = self.museum.behind(door, self.position.room);
        Ok(())
    }

    fn pick_up(&mut self, item: usize) -> Result<(), Refusal> {
        if item >= self.facts.items.len() {
            return Err(Refusal::NoSuchThing);
        }
        let Some(Thing::Container(container)) = self.position.at else {
            return Err(Refusal::NotAtHand);
        };
        if !self.facts.containers[container].open {
            return Err(Refusal::IsClosed);
        }
        let inside = |it: &usize| self.facts.items[*it] == Place::In(container);
        // The item that is named, if it is there, else a copy.
        let mut copies = std::iter::once(item).chain(set_bits(self.museum.copies(item)));
        let taken = copies.find(inside).ok_or(Refusal::NotThere)?;
        self.facts.items[taken] = Place::With(self.agent);
        Ok(())
    }

    fn turn(
        &mut self,
        thing: Thing,
        change: impl FnOnce(LockState) -> Result<LockState, Refusal>,
    ) -> Result<(), Refusal> {
        self.at_hand(thing)?;
        let state = self
            .facts
            .lock_state_mut(thing)
            .ok_or(Refusal::NoSuchThing)?;
        *state = change(*state)?;
        Ok(())
    }

    fn fits(&self, thing: Thing, key: usize) -> Result<(), Refusal> {
        self.exists(thing)?;
        if key >= self.facts.items.len() {
            return Err(Refusal::NoSuchThing);
        }
        if !self.facts.holds(self.museum, self.agent, key) {
            return Err(Refusal::NoKey);
        }
        let fits = self.museum.keys_of(thing).contains(&key);
        fits.then_some(()).ok_or(Refusal::WrongKey)
    }

    fn at_hand(&self, thing: Thing) -> Result<(), Refusal> {
        self.exists(thing)?;
        let at_hand = self.position.at == Some(thing);
        at_hand.then_some(()).ok_or(Refusal::NotAtHand)
    }

    fn exists(&self, thing: Thing) -> Result<(), Refusal> {
        let layout = self.museum.layout();
        let exists = match thing {
            Thing::Door(door) => door < layout.doors.len(),
            Thing::Container(container) => container < layout.containers.len(),
            Thing::Machine(machine) => machine < layout.machines.len(),
        };
        exists.then_some(()).ok_or(Refusal::NoSuchThing)
    }
}
