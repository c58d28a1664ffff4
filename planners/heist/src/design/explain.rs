//! Errors of the burglar's belief: pitfalls on the path, and failures in the simulation without
//! help.

use super::static_traps::is_stationary;
use crate::budget::{Budget, may_play};
use crate::game::{BeliefUpdate, Catcher, Ending, Game, Outcome, PlayerAction, Rules, Tick};
use crate::museum::Thing;
use crate::rules::{Action, Refusal};
use crate::world::{BURGLAR, LockState, World};

/// The future of the burglar without help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Unknown traps on the burglar's path, in order of the plan.
    pub pitfalls: Vec<Pitfall>,
    /// Other failures without help, in order of time.
    pub surprises: Vec<Surprise>,
    /// The ending without help, and the last tick. `None`: stopped before it.
    pub ending: Option<(Ending, u32)>,
    /// The room of the burglar at the end.
    pub room: usize,
}

/// A room with a trap on the burglar's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pitfall {
    /// The room.
    pub room: usize,
    /// Index of the action of the burglar's plan that enters it first: the tick of the capture, if
    /// the burglar comes that far.
    pub action: usize,
    /// What the burglar does not know.
    pub unknown: Vec<Unknown>,
}

/// What the burglar does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// This camera is on.
    Camera(usize),
    /// This guard stands there; the burglar believes the guard in the room given, or does not know
    /// of the guard.
    Guard(usize, Option<usize>),
}

/// An action of the burglar that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surprise {
    /// The tick of the failure.
    pub tick: u32,
    /// The action.
    pub action: Action,
    /// Why it failed.
    pub refusal: Refusal,
    /// A door or container, its state as believed, and its true state.
    pub wrong: Option<(Thing, LockState, LockState)>,
}

impl Explanation {
    /// The explanation of a game that was stopped before its first tick, with the burglar in this
    /// room.
    pub(crate) fn unfinished(room: usize) -> Self {
        Self {
            pitfalls: Vec::new(),
            surprises: Vec::new(),
            ending: None,
            room,
        }
    }
}

/// Explains the burglar's first plan, and a simulation without help.
#[must_use]
pub fn explain(world: &World, rules: Rules) -> Explanation {
    explain_in(&Game::new(world, rules), &[], &mut || true)
}

/// The same from the middle of a game, after the player's interventions before its next tick.
/// Without an ending if `budget` stopped it.
pub(crate) fn explain_in(
    game: &Game<'_>,
    pending: &[PlayerAction],
    budget: &mut dyn Budget,
) -> Explanation {
    let pitfalls = pitfalls(game);
    let mut surprises = Vec::new();
    let mut game = game.clone();
    let mut now = pending;
    while game.ending().is_none() {
        if !may_play(budget, game.now()) {
            break;
        }
        let Some(tick) = game.step_until(now, budget) else {
            break;
        };
        surprises.extend(surprise(tick));
        now = &[];
    }
    let last = game.now().saturating_sub(1);
    Explanation {
        pitfalls,
        surprises,
        ending: game.ending().map(|ending| (ending, last)),
        room: game.minds()[BURGLAR].position().room,
    }
}

/// The failure of the burglar in a tick.
fn surprise(tick: &Tick) -> Option<Surprise> {
    let event = &tick.events[BURGLAR];
    let (Some(refusal), Outcome::Acted(action)) = (event.refusal, event.outcome) else {
        return None;
    };
    Some(Surprise {
        tick: tick.tick,
        action,
        refusal,
        wrong: event.learned.iter().find_map(|lesson| match *lesson {
            BeliefUpdate::LockState { thing, was, is } => Some((thing, was, is)),
            _ => None,
        }),
    })
}

/// Rooms with unknown traps on the path of the burglar's current plan.
fn pitfalls(game: &Game<'_>) -> Vec<Pitfall> {
    let museum = game.world().museum();
    let burglar = &game.minds()[BURGLAR];
    let mut room = burglar.position().room;
    let mut pitfalls: Vec<Pitfall> = Vec::new();
    for (index, action) in burglar.intent().iter().copied().flatten().enumerate() {
        let Action::Enter(door) = *action else {
            continue;
        };
        room = museum.behind(door, room);
        let unknown = unknown(game, room);
        if !unknown.is_empty() && pitfalls.iter().all(|it| it.room != room) {
            pitfalls.push(Pitfall {
                room,
                action: index,
                unknown,
            });
        }
    }
    pitfalls
}

/// The traps of a room that the burglar does not know of.
fn unknown(game: &Game<'_>, room: usize) -> Vec<Unknown> {
    let world = game.world();
    let belief = game.minds()[BURGLAR].belief();
    let cameras = world.museum().cameras_in(room).iter().copied();
    let cameras =
        cameras.filter(|camera| game.facts().cameras[*camera] && !belief.facts.cameras[*camera]);
    let mut unknown: Vec<_> = cameras.map(Unknown::Camera).collect();
    for guard in 1..world.agents().len() {
        let believed = belief.agents[guard];
        let there = game.minds()[guard].position().room == room;
        if there && is_stationary(world, guard) && believed != Some(room) {
            unknown.push(Unknown::Guard(guard, believed));
        }
    }
    unknown
}

impl Explanation {
    /// The guard or camera that catches the burglar without help, and the room.
    #[must_use]
    pub fn caught(&self) -> Option<(Catcher, usize)> {
        match self.ending? {
            (Ending::Caught { by, room }, _) => Some((by, room)),
            _ => None,
        }
    }
}
