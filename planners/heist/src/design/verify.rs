//! Verification of a level: its traps exist, the burglar walks into one and could avoid all, and
//! the help works.

use super::{Level, LevelCost, Params, Trap, TrapKind};
use crate::budget::Budget;
use crate::game::{Ending, play_until};
use crate::problem::Problem;
use crate::solve::{AgentTask, best_plan_until, exists};
use crate::world::{BURGLAR, World};
use anytime::{Fault, Path, fault};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The cost of a level for this world.
///
/// # Errors
/// Every broken rule, with its field in the contract's `HeistLevel`.
pub fn verify_level(
    world: &World,
    params: &Params,
    level: &Level,
) -> Result<LevelCost, Vec<Fault>> {
    verify_level_until(world, params, level, &mut || true).expect("nothing stops it")
}

/// The same; `None`: stopped, as `budget` ended it.
pub fn verify_level_until(
    world: &World,
    params: &Params,
    level: &Level,
    budget: &mut dyn Budget,
) -> Option<Result<LevelCost, Vec<Fault>>> {
    let (mut faults, traps_at) = (Vec::new(), Path::root("traps"));
    let (given, wanted) = (level.traps.len(), params.traps);
    if !(1..=wanted).contains(&given) {
        faults.push(fault!(
            "OUT_OF_RANGE",
            traps_at,
            "are {}, 1 to {} are wanted",
            given,
            wanted
        ));
    }
    let path = path(world, budget)?;
    let mut rooms = BTreeSet::new();
    for (trap, it) in level.traps.iter().enumerate() {
        let at = traps_at.index(trap);
        if !rooms.insert(it.room) {
            let fault = fault!("DUPLICATE", at, "is in a room that has one already");
            faults.push(fault);
        }
        if !is_trap(&level.world, *it) {
            faults.push(fault!(
                "CONTRADICTION",
                at,
                "catches no burglar in its room, or the burglar knows of it"
            ));
        }
        if !path.contains(&it.room) {
            faults.push(fault!("CONTRADICTION", at, "is not on the burglar's path"));
        }
    }
    let rooms: Vec<usize> = rooms.into_iter().collect();
    let avoiding = Problem::new(level.world.clone(), BURGLAR, &rooms);
    if !avoiding.is_ok_and(|problem| exists(&AgentTask::new(&problem))) {
        let fault = fault!("CONTRADICTION", traps_at, "cannot all be avoided by a plan");
        faults.push(fault);
    }
    faults.extend(played(params, level, budget)?);
    if !faults.is_empty() {
        return Some(Err(faults));
    }
    Some(Ok(LevelCost {
        // Fits: few traps.
        missing: (wanted - given) as u32,
        help: Reverse(level.help.as_ref().map_or(0, |_| level.help_cost_min)),
    }))
}

/// The rule that simulations show to be broken; `None`: stopped.
fn played(params: &Params, level: &Level, budget: &mut dyn Budget) -> Option<Option<Fault>> {
    let Some(played) = params.played else {
        return Some(None);
    };
    let Ok(alone) = play_until(&level.world, played.rules, &[], budget)? else {
        return Some(None);
    };
    if !matches!(alone.ending, Ending::Caught { .. }) {
        return Some(Some(fault!(
            "CONTRADICTION",
            Path::root("world"),
            "does not have the burglar caught without help"
        )));
    }
    let wrong_help = || {
        let at = Path::root("help");
        fault!(
            "CONTRADICTION",
            at,
            "does not help, or is not what it costs"
        )
    };
    let Some(help) = &level.help else {
        return Some(Some(wrong_help()));
    };
    let game = play_until(&level.world, played.rules, &help.interventions, budget)?;
    let helps = game.is_ok_and(|game| {
        game.ending == Ending::Won
            && game.cost == u64::from(help.cost)
            && (level.help_cost_min..=played.cost_max).contains(&help.cost)
    });
    Some((!helps).then(wrong_help))
}

/// Rooms that the burglar's plan enters; `None`: stopped.
fn path(world: &World, budget: &mut dyn Budget) -> Option<Vec<usize>> {
    let Ok(problem) = Problem::new(world.clone(), BURGLAR, &[]) else {
        return Some(Vec::new());
    };
    let plan = best_plan_until(&AgentTask::new(&problem), &mut || budget.go_on());
    // A stopped search may not have found the shortest plan.
    budget.go_on().then(|| {
        let plan = plan.unwrap_or_default();
        plan.entered(world.museum(), problem.position().room)
    })
}

/// Whether the trap exists in its room, and the burglar does not know of it.
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
        TrapKind::Guard(index) => guard(index).is_some_and(|it| it.position.room == trap.room),
        TrapKind::Patrol(index) => {
            guard(index).is_some_and(|it| it.goal.visits.contains(&trap.room))
        }
    }
}
