//! The check of a level: that its traps are where the level states, that the burglar walks into one
//! and could avoid all, and what helps.

use super::{Level, LevelCost, Params, Trap, TrapKind};
use crate::game::{Ending, play_until};
use crate::problem::Problem;
use crate::solve::{Errand, best_plan_while, exists};
use crate::watch::Watch;
use crate::world::{BURGLAR, World};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// One broken rule. Variants name traps by index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum LevelViolation {
    /// No trap, or more than wanted.
    #[error("{given} traps, 1 to {wanted} are wanted")]
    TrapCount { given: usize, wanted: usize },
    /// A second trap in a room.
    #[error("trap {trap} is in a room that has one already")]
    RoomRepeated { trap: usize },
    /// A trap that is none, or of which the burglar knows.
    #[error("trap {trap} catches nobody in its room, or the burglar knows of it")]
    NoTrap { trap: usize },
    /// A trap that is not on the burglar's way.
    #[error("trap {trap} is not on the burglar's way")]
    NotOnTheWay { trap: usize },
    /// Traps that cannot be avoided.
    #[error("there is no plan that avoids all traps")]
    Unavoidable,
    /// A game without help in which he is not caught.
    #[error("without help the burglar is not caught")]
    Harmless,
    /// Help that does not help, or costs something else.
    #[error("the help does not help, or is not what it costs")]
    WrongHelp,
}

/// The cost of a level for this world.
///
/// # Errors
/// Every broken rule.
pub fn verify_level(
    world: &World,
    params: &Params,
    level: &Level,
) -> Result<LevelCost, Vec<LevelViolation>> {
    verify_level_until(world, params, level, &mut || true).expect("nothing stops it")
}

/// The same; `None`: stopped, as `watch` said no.
pub fn verify_level_until(
    world: &World,
    params: &Params,
    level: &Level,
    watch: &mut dyn Watch,
) -> Option<Result<LevelCost, Vec<LevelViolation>>> {
    let mut broken = Vec::new();
    let (given, wanted) = (level.traps.len(), params.traps);
    if !(1..=wanted).contains(&given) {
        broken.push(LevelViolation::TrapCount { given, wanted });
    }
    let way = way(world, watch)?;
    let mut rooms = BTreeSet::new();
    for (trap, it) in level.traps.iter().enumerate() {
        if !rooms.insert(it.room) {
            broken.push(LevelViolation::RoomRepeated { trap });
        }
        if !is_trap(&level.world, *it) {
            broken.push(LevelViolation::NoTrap { trap });
        }
        if !way.contains(&it.room) {
            broken.push(LevelViolation::NotOnTheWay { trap });
        }
    }
    let rooms: Vec<usize> = rooms.into_iter().collect();
    let avoiding = Problem::new(level.world.clone(), BURGLAR, &rooms);
    if !avoiding.is_ok_and(|problem| exists(&Errand::of(&problem))) {
        broken.push(LevelViolation::Unavoidable);
    }
    broken.extend(played(params, level, watch)?);
    if !broken.is_empty() {
        return Some(Err(broken));
    }
    Some(Ok(LevelCost {
        // Fits: few traps.
        missing: (wanted - given) as u32,
        help: Reverse(level.help.as_ref().map_or(0, |_| level.help_cost_min)),
    }))
}

/// What games tell against a level; `None`: stopped.
fn played(params: &Params, level: &Level, watch: &mut dyn Watch) -> Option<Option<LevelViolation>> {
    let Some(played) = params.played else {
        return Some(None);
    };
    let Ok(alone) = play_until(&level.world, played.rules, &[], watch)? else {
        return Some(None);
    };
    if !matches!(alone.ending, Ending::Caught { .. }) {
        return Some(Some(LevelViolation::Harmless));
    }
    let Some(help) = &level.help else {
        return Some(Some(LevelViolation::WrongHelp));
    };
    let game = play_until(&level.world, played.rules, &help.interventions, watch)?;
    let helps = game.is_ok_and(|game| {
        game.ending == Ending::Won
            && game.cost == u64::from(help.cost)
            && (level.help_cost_min..=played.cost_max).contains(&help.cost)
    });
    Some((!helps).then_some(LevelViolation::WrongHelp))
}

/// Rooms that the burglar enters by his plan; `None`: stopped.
fn way(world: &World, watch: &mut dyn Watch) -> Option<Vec<usize>> {
    let Ok(problem) = Problem::new(world.clone(), BURGLAR, &[]) else {
        return Some(Vec::new());
    };
    let plan = best_plan_while(&Errand::of(&problem), &mut || watch.go_on());
    // Stopped, it may not be the best.
    watch.go_on().then(|| {
        let plan = plan.unwrap_or_default();
        plan.entered(world.museum(), problem.body().room)
    })
}

/// Whether there is in the room what is said to be there, and the burglar does not know of it.
fn is_trap(world: &World, trap: Trap) -> bool {
    let belief = &world.agents()[BURGLAR].belief;
    let guard = |guard: usize| {
        let it = world.agents().get(guard).filter(|_| guard != BURGLAR);
        it.filter(|_| belief.agents[guard] != Some(trap.room))
    };
    match trap.kind {
        TrapKind::Camera(camera) => {
            let room = world.museum().layout().cameras.get(camera);
            room == Some(&trap.room)
                && world.facts().cameras[camera]
                && !belief.facts.cameras[camera]
        }
        TrapKind::Guard(index) => guard(index).is_some_and(|it| it.body.room == trap.room),
        TrapKind::Patrol(index) => {
            guard(index).is_some_and(|it| it.goal.visits.contains(&trap.room))
        }
    }
}
