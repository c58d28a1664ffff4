//! Placing traps: candidate rooms, and worlds with traps.

use super::Kinds;
use crate::help::Help;
use crate::solve::{AgentTask, best_plan_until, exists};
use crate::world::{Agent, BURGLAR, Goal, Spec, World};

/// A level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The facts (`S_real`), and the burglar's belief (`S_burglar`).
    pub world: World,
    /// The traps that the burglar does not know of, in the order in which the plan enters their
    /// rooms; the paper's k is their number.
    pub traps: Vec<Trap>,
    /// The best help found. `None`: none is known.
    pub help: Option<Help>,
    /// Proved lower bound on the cost of help; the cost of `help` where that is the cheapest.
    pub help_cost_min: u32,
}

/// A trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trap {
    /// The room on the burglar's path.
    pub room: usize,
    /// The trap in it.
    pub kind: TrapKind,
}

/// A trap, by what catches the burglar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrapKind {
    /// The camera with this index.
    Camera(usize),
    /// A stationary guard, by the index of the agent.
    Guard(usize),
    /// A patrolling guard, by the index of the agent.
    Patrol(usize),
}

/// A trap to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planned {
    Camera(usize),
    Guard(usize),
    /// The trap room, and the patrol route.
    Patrol(usize, [usize; 2]),
}

/// A world in which traps are placed.
#[derive(Debug)]
pub(super) struct Site<'a> {
    world: &'a World,
    /// The world, without cameras that the burglar does not know of.
    spec: Spec,
    /// Rooms that the burglar's plan enters, in order of the first entry.
    pub(super) path: Vec<usize>,
    known: Vec<bool>,
}

impl<'a> Site<'a> {
    /// `None`: the burglar has no plan, or `go_on` has returned false. The plan need not be the
    /// shortest then.
    pub(super) fn new(world: &'a World, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        let burglar = &world.agents()[BURGLAR];
        let known = burglar.belief.traps(world.museum());
        let mut spec = world.spec();
        let believed = &burglar.belief.facts.cameras;
        for (on, believed) in spec.facts.cameras.iter_mut().zip(believed) {
            *on &= *believed;
        }
        let on = spec.facts.cameras.clone();
        for guard in spec.agents.iter_mut().skip(BURGLAR + 1) {
            guard.belief.facts.cameras.clone_from(&on);
        }
        let mut site = Self {
            world,
            spec,
            path: Vec::new(),
            known,
        };
        let plan = best_plan_until(&site.task(&site.known), go_on)?;
        site.path = plan.entered(world.museum(), burglar.position.room);
        // No help is possible in the room where the burglar starts.
        site.path.retain(|room| *room != burglar.position.room);
        Some(site)
    }

    fn task<'b>(&'b self, traps: &'b [bool]) -> AgentTask<'b> {
        AgentTask::of_burglar(self.world, traps)
    }

    /// Whether there is a plan that avoids these rooms.
    pub(super) fn can_avoid(&self, rooms: &[usize]) -> bool {
        let mut traps = self.known.clone();
        for &room in rooms {
            traps[room] = true;
        }
        exists(&self.task(&traps))
    }

    /// The level with traps in these rooms. `None`: there is no place for all cameras or guards.
    pub(super) fn build(&self, rooms: &[usize], kinds: Kinds) -> Option<Level> {
        let traps = rooms.iter().enumerate().map(|(index, &room)| match kinds {
            Kinds::Both if index % 2 == 0 => Planned::Camera(room),
            Kinds::Cameras => Planned::Camera(room),
            Kinds::Guards | Kinds::Both | Kinds::Patrols => Planned::Guard(room),
        });
        self.build_traps(&traps.collect::<Vec<_>>())
    }

    /// The level with these traps.
    pub(super) fn build_traps(&self, planned: &[Planned]) -> Option<Level> {
        let mut spec = self.spec.clone();
        let traps = planned.iter().map(|planned| match *planned {
            Planned::Camera(room) => Trap {
                room,
                kind: TrapKind::Camera(camera(&mut spec, room)),
            },
            Planned::Guard(room) => Trap {
                room,
                kind: TrapKind::Guard(guard(&mut spec, &[room])),
            },
            Planned::Patrol(room, walk) => Trap {
                room,
                kind: TrapKind::Patrol(guard(&mut spec, &walk)),
            },
        });
        let traps = traps.collect();
        Some(Level {
            world: World::new(spec).ok()?,
            traps,
            help: None,
            help_cost_min: 0,
        })
    }
}

/// Switches a camera in a room on, or adds one that only guards know of.
fn camera(spec: &mut Spec, room: usize) -> usize {
    let mut cameras = spec.museum.cameras.iter();
    if let Some(camera) = cameras.position(|it| *it == room) {
        spec.facts.cameras[camera] = true;
        for guard in spec.agents.iter_mut().skip(BURGLAR + 1) {
            guard.belief.facts.cameras[camera] = true;
        }
        return camera;
    }
    spec.museum.cameras.push(room);
    spec.facts.cameras.push(true);
    for (agent, it) in spec.agents.iter_mut().enumerate() {
        it.belief.facts.cameras.push(agent != BURGLAR);
    }
    spec.museum.cameras.len() - 1
}

/// Adds a guard that no agent knows of, with this list. The guard knows the facts, but no other
/// agent.
fn guard(spec: &mut Spec, list: &[usize]) -> usize {
    let index = spec.agents.len();
    for it in &mut spec.agents {
        it.belief.agents.push(None);
    }
    let facts = spec.facts.clone();
    spec.agents
        .push(Agent::new(list[0], Goal::walk(list), &facts, index + 1));
    index
}

/// Maximal number of placements of several patrolling guards that are tried for the same rooms.
const WALKS_MAX: usize = 200;

/// Patrolling guards to and fro and stationary guards, in these rooms: for each choice of the
/// patrolling guards, of a room next to theirs, and of the room where they begin. Those with
/// several who walk come first. And whether that is all of them.
pub(super) fn patrols(site: &Site<'_>, rooms: &[usize]) -> (Vec<Vec<Planned>>, bool) {
    let choices: Vec<Vec<Planned>> = rooms.iter().map(|&room| choices(site, room)).collect();
    let mut several = Vec::new();
    let mut single = Vec::new();
    // An odometer over all choices; that of the first room changes last.
    let mut count = vec![0; rooms.len()];
    loop {
        let traps: Vec<Planned> = choices.iter().zip(&count).map(|it| it.0[*it.1]).collect();
        let walks = traps.iter().filter(|it| matches!(it, Planned::Patrol(..)));
        match walks.count() {
            0 => {}
            1 => single.push(traps),
            _ if several.len() < WALKS_MAX => several.push(traps),
            _ => {
                several.extend(singles(&choices));
                return (several, false);
            }
        }
        let Some(next) = (0..count.len())
            .rev()
            .find(|it| count[*it] + 1 < choices[*it].len())
        else {
            several.extend(single);
            return (several, true);
        };
        count[next] += 1;
        count[next + 1..].fill(0);
    }
}

/// Each walk with stationary guards in the other rooms.
fn singles(choices: &[Vec<Planned>]) -> Vec<Vec<Planned>> {
    // The last choice is a stationary guard.
    let stand: Vec<Planned> = choices.iter().filter_map(|it| it.last().copied()).collect();
    let mut all = Vec::new();
    for (index, choices) in choices.iter().enumerate() {
        for &walk in &choices[..choices.len().saturating_sub(1)] {
            let mut traps = stand.clone();
            traps[index] = walk;
            all.push(traps);
        }
    }
    all
}

/// The choices of a guard for a room: each patrol route, then a stationary guard.
fn choices(site: &Site<'_>, room: usize) -> Vec<Planned> {
    let mut choices = Vec::new();
    for exit in site.world.museum().exits(room) {
        for walk in [[room, exit.to], [exit.to, room]] {
            // Two doors to the same room are one patrol route.
            let known = choices.contains(&Planned::Patrol(room, walk));
            if walk[0] != site.world.agents()[BURGLAR].position.room && !known {
                choices.push(Planned::Patrol(room, walk));
            }
        }
    }
    choices.push(Planned::Guard(room));
    choices
}
