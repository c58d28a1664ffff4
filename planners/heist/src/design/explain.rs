//! What is wrong with the burglar's plan, and when he would find out.

use super::standing::stands;
use crate::game::{Catcher, Deed, Did, Ending, Game, Lesson, Rules, Tick};
use crate::museum::Thing;
use crate::rules::{Action, Refusal};
use crate::watch::{Watch, goes_on};
use crate::world::{BURGLAR, Leaf, World};

/// What awaits the burglar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Traps that stand on his way, in order of his plan.
    pub pitfalls: Vec<Pitfall>,
    /// Where he fails for other reasons when nobody helps him, in order of time.
    pub surprises: Vec<Surprise>,
    /// How it ends when nobody helps him, and the last tick.
    pub ending: Option<(Ending, u32)>,
    /// Where he is then.
    pub room: usize,
}

/// A room with a trap on the burglar's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pitfall {
    /// The room.
    pub room: usize,
    /// Index of the action of the burglar's plan that enters it first: the tick of the capture, if
    /// the burglar comes that far.
    pub action: usize,
    /// What he is wrong about.
    pub unknown: Vec<Unknown>,
}

/// What the burglar is wrong about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// He does not know that this camera is on.
    Camera(usize),
    /// The burglar does not know that this guard stands there, and believes the guard in this room,
    /// or does not know of the guard.
    Guard(usize, Option<usize>),
}

/// A failure that teaches the burglar something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surprise {
    /// The tick in which he finds out.
    pub tick: u32,
    /// What he tried.
    pub action: Action,
    /// Why it failed.
    pub refusal: Refusal,
    /// What he had believed wrongly of a door or container, and how it is.
    pub wrong: Option<(Thing, Leaf, Leaf)>,
}

impl Explanation {
    /// Of a game that was stopped before its first tick, with the burglar in this room.
    pub(crate) fn unfinished(room: usize) -> Self {
        Self {
            pitfalls: Vec::new(),
            surprises: Vec::new(),
            ending: None,
            room,
        }
    }
}

/// Tells what awaits the burglar, by what he plans at first and by a game without help.
#[must_use]
pub fn explain(world: &World, rules: Rules) -> Explanation {
    explain_in(&Game::new(world, rules), &[], &mut || true)
}

/// The same from the middle of a game, after the player's deeds before its next tick. Without an
/// ending if `watch` stopped it.
pub fn explain_in(game: &Game<'_>, pending: &[Deed], watch: &mut dyn Watch) -> Explanation {
    let pitfalls = pitfalls(game);
    let mut surprises = Vec::new();
    let mut game = game.clone();
    let mut now = pending;
    while game.ending().is_none() {
        if !goes_on(watch, game.now()) {
            break;
        }
        let Some(tick) = game.step_while(now, watch) else {
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
        room: game.minds()[BURGLAR].body().room,
    }
}

/// What the burglar finds out in a tick.
fn surprise(tick: &Tick) -> Option<Surprise> {
    let event = &tick.events[BURGLAR];
    let (Some(refusal), Did::Acted(action)) = (event.refusal, event.did) else {
        return None;
    };
    Some(Surprise {
        tick: tick.tick,
        action,
        refusal,
        wrong: event.learned.iter().find_map(|lesson| match *lesson {
            Lesson::Leaf { thing, was, is } => Some((thing, was, is)),
            _ => None,
        }),
    })
}

/// Rooms with traps on the way that the burglar is about to go.
fn pitfalls(game: &Game<'_>) -> Vec<Pitfall> {
    let museum = game.world().museum();
    let burglar = &game.minds()[BURGLAR];
    let mut room = burglar.body().room;
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
        let there = game.minds()[guard].body().room == room;
        if there && stands(world, guard) && believed != Some(room) {
            unknown.push(Unknown::Guard(guard, believed));
        }
    }
    unknown
}

impl Explanation {
    /// Who catches the burglar when nobody helps him, and where.
    #[must_use]
    pub fn caught(&self) -> Option<(Catcher, usize)> {
        match self.ending? {
            (Ending::Caught { by, room }, _) => Some((by, room)),
            _ => None,
        }
    }
}
