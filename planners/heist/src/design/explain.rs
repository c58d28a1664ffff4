//! What is wrong with the burglar's plan, and when he would find out.

use super::act::stands;
use crate::game::{Catcher, Ending, Lesson, Rules, play};
use crate::museum::Thing;
use crate::rules::{Action, Refusal};
use crate::solve::{Errand, best_plan};
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
}

/// A room with a trap on the burglar's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pitfall {
    /// The room.
    pub room: usize,
    /// Index of the action of his plan that enters it first: the tick in which he would be caught, if he came so far.
    pub action: usize,
    /// What he is wrong about.
    pub unknown: Vec<Unknown>,
}

/// What the burglar is wrong about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// He does not know that this camera is on.
    Camera(usize),
    /// He does not know that this guard stands there; he believes him in this room, or does not know of him.
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

/// Tells what awaits the burglar, by what he plans at first and by a game without help.
#[must_use]
pub fn explain(world: &World, rules: Rules) -> Explanation {
    let record = play(world, rules, &[]).ok();
    let mut surprises = Vec::new();
    for tick in record.iter().flat_map(|it| &it.ticks) {
        let event = &tick.events[BURGLAR];
        if let (Some(refusal), crate::game::Did::Acted(action)) = (event.refusal, event.did) {
            let wrong = event.learned.iter().find_map(|lesson| match *lesson {
                Lesson::Leaf { thing, was, is } => Some((thing, was, is)),
                _ => None,
            });
            surprises.push(Surprise {
                tick: tick.tick,
                action,
                refusal,
                wrong,
            });
        }
    }
    let ending = record.as_ref().and_then(|record| {
        let last = record.ticks.last()?;
        Some((record.ending, last.tick))
    });
    Explanation {
        pitfalls: pitfalls(world),
        surprises,
        ending,
    }
}

fn pitfalls(world: &World) -> Vec<Pitfall> {
    let museum = world.museum();
    let burglar = &world.agents()[BURGLAR];
    let plan = best_plan(&Errand {
        museum,
        facts: &burglar.belief.facts,
        body: burglar.body,
        agent: BURGLAR,
        goal: &burglar.goal,
        traps: &burglar.belief.traps(museum),
    });
    let mut room = burglar.body.room;
    let mut pitfalls: Vec<Pitfall> = Vec::new();
    for (index, action) in plan.iter().flat_map(|it| &it.actions).enumerate() {
        let Action::Enter(door) = *action else {
            continue;
        };
        room = museum.behind(door, room);
        let unknown = unknown(world, room);
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
fn unknown(world: &World, room: usize) -> Vec<Unknown> {
    let belief = &world.agents()[BURGLAR].belief;
    let cameras = world.museum().cameras_in(room).iter().copied();
    let cameras =
        cameras.filter(|camera| world.facts().cameras[*camera] && !belief.facts.cameras[*camera]);
    let mut unknown: Vec<_> = cameras.map(Unknown::Camera).collect();
    for guard in 1..world.agents().len() {
        let believed = belief.agents[guard];
        let there = world.agents()[guard].body.room == room;
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
