//! Level design: requests and results.

use super::analysis::{Known, awaited, helped, rated};
use super::analyze::GAMES_MAX;
use super::game::rules;
use super::info::ONLY_LEVELS;
use super::names::{Named, Names};
use super::tick::interventions;
use super::world::{checked, read};
use crate::contract::DesignHeist;
use crate::method::Asked;
use crate::mistakes::{Code, Mistakes};
use crate::report::common;
use crate::request::{How, Request, identity};
use crate::solve;
use anytime::Conclusion;
use anytime::Path;
use anytime::{Found, Outcome};
use heist::World;
use heist::design::{Kinds, Level, LevelCost, Params, Played, Trap, TrapKind};
use heist::game::Costs;
use heist::world::BURGLAR;
use heist::{DesignPlanner, LevelRequest};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// Default number of traps.
const TRAPS_DEFAULT: usize = 3;
/// Default of the maximal cost of help.
pub(super) const COST_DEFAULT: u32 = 6;

/// The world as given, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Sketch {
    world: pb::HeistWorld,
    names: Names,
}

/// A request for a level.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_design(
    mut message: pb::DesignHeistRequest,
) -> Result<Request<DesignPlanner, Sketch>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), ONLY_LEVELS, &mut wrong);
    how.without_target(&mut wrong);
    let identity = identity("design heist", &message, &how.options, how.name());
    let params = params(&message, &mut wrong);
    let at = Path::root("problem");
    let given = message.problem;
    // The level is played as it was made.
    let own_costs = message.rules.and_then(|rules| rules.costs);
    let costs = params.played.map(|played| played.rules.costs);
    let costs = own_costs.and(costs).map(costs_of);
    let sketch = given.clone().map(|given| pb::HeistWorld {
        costs: costs.or(given.costs),
        ..given
    });
    let read = given.and_then(|given| read(given, &at, &mut wrong));
    let Some((read, sketch)) = read.zip(sketch) else {
        return Err(wrong);
    };
    let names = read.names;
    let world = checked(read.spec, &names, &at, &mut wrong);
    let Some(world) = world.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    let rooms = world.museum().rooms() + world.museum().layout().doors.len();
    Ok(Request {
        bytes: 10_000 + 1_000 * rooms,
        problem: Arc::new(LevelRequest { world, params }),
        names: Arc::new(Sketch {
            world: sketch,
            names,
        }),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: (),
        target: None,
        identity,
    })
}

fn costs_of(costs: Costs) -> pb::HeistCosts {
    let cost = |cost| Some(i32::try_from(cost).unwrap_or(i32::MAX));
    pb::HeistCosts {
        door: cost(costs.door),
        container: cost(costs.container),
        machine: cost(costs.machine),
        camera: cost(costs.camera),
    }
}

fn params(message: &pb::DesignHeistRequest, wrong: &mut Mistakes) -> Params {
    use pb::HeistTrapKind as Wire;
    let simulate = message.simulate.unwrap_or(true);
    let kinds = match message.trap_kind() {
        Wire::Unspecified | Wire::Cameras => Kinds::Cameras,
        Wire::Guards => Kinds::Guards,
        Wire::Both => Kinds::Both,
        Wire::Patrols => Kinds::Patrols,
    };
    if kinds == Kinds::Patrols && !simulate {
        let why = "are found by playing, but levels are not to be played";
        wrong.add(&Path::root("trap_kind"), Code::Contradiction, why);
    }
    let rules = rules(message.rules, message.problem.as_ref());
    let played = Played {
        rules,
        cost_max: message
            .max_help_cost
            .map_or(COST_DEFAULT, i32::unsigned_abs),
        games_max: GAMES_MAX,
    };
    Params {
        traps: message
            .trap_count
            .map_or(TRAPS_DEFAULT, |count| count.unsigned_abs() as usize),
        kinds,
        played: simulate.then_some(played),
    }
}

/// The answer that an outcome is.
pub(crate) fn design_answer(
    asked: &Asked<DesignHeist>,
    outcome: &Outcome<DesignPlanner>,
) -> pb::DesignHeistResponse {
    let best = outcome.best.as_deref();
    pb::DesignHeistResponse {
        event: None,
        plan: best.map(|best| level(&best.plan, best.cost, &asked.request.names)),
        report: Some(pb::SolveReport {
            explanation: explanation(asked, outcome),
            ..common(asked, outcome)
        }),
        analysis: analysis(asked, outcome),
    }
}

/// The explanation of missing traps; `None` when none is missing.
fn explanation(
    asked: &Asked<DesignHeist>,
    outcome: &Outcome<DesignPlanner>,
) -> Option<pb::Explanation> {
    let wanted = asked.request.problem.params.traps;
    let summary = match (outcome.best.as_deref(), outcome.conclusion) {
        (Some(best), _) if best.cost.missing == 0 => return None,
        (Some(best), _) => {
            let placed = best.plan.traps.len();
            format!("{placed} of {wanted} traps were placed.")
        }
        (None, Conclusion::Infeasible) => {
            "No trap can be placed: the burglar has no plan, can do without no room of it, or \
             cannot be helped."
                .into()
        }
        (None, _) => "No level was found; one may still exist.".into(),
    };
    let report = outcome.reasons.as_deref();
    let reasons = report.map_or(&[][..], |report| &report.missing);
    let names = &asked.request.names.names;
    Some(super::answer::explanation(summary, reasons, names))
}

/// The analysis of the level, if there was time for it.
fn analysis(
    asked: &Asked<DesignHeist>,
    outcome: &Outcome<DesignPlanner>,
) -> Option<pb::HeistAnalysis> {
    let level = &outcome.best.as_deref()?.plan;
    let rating = outcome.reasons.as_deref()?.rating.as_ref()?;
    let (_, names) = placed(level, &asked.request.names);
    let analysis = rated(awaited(&rating.explanation, 0, &names), rating);
    let Some(help) = &level.help else {
        return Some(analysis);
    };
    let known = Known {
        best: Some(help),
        cost_min: Some(level.help_cost_min),
    };
    Some(helped(analysis, &known, level.world.museum(), &names))
}

/// The answer so far.
pub(crate) fn design_step(
    asked: &Asked<DesignHeist>,
    best: &Found<DesignPlanner>,
) -> Option<pb::DesignHeistResponse> {
    Some(pb::DesignHeistResponse {
        plan: Some(level(&best.plan, best.cost, &asked.request.names)),
        ..pb::DesignHeistResponse::default()
    })
}

pub(super) fn levels(cost: LevelCost) -> Vec<f64> {
    vec![f64::from(cost.missing), -f64::from(cost.help.0)]
}

pub(super) fn design_objective(cost: LevelCost) -> pb::Objective {
    pb::Objective {
        levels: levels(cost),
        terms: vec![
            solve::cost("missing_traps", cost.missing.into(), "traps"),
            solve::score("help_cost", cost.help.0.into(), "cost"),
        ],
    }
}

/// A level for the wire: the world as given, with what has changed.
fn level(level: &Level, cost: LevelCost, sketch: &Sketch) -> pb::HeistLevel {
    let (world, names) = placed(level, sketch);
    let trap = |trap: &Trap| pb::HeistTrap {
        room_id: names.rooms[trap.room].clone(),
        by_id: match trap.kind {
            TrapKind::Camera(camera) => names.cameras[camera].clone(),
            TrapKind::Guard(guard) | TrapKind::Patrol(guard) => names.agents[guard].clone(),
        },
    };
    let help = level.help.as_ref();
    let player_actions = help.map_or(&[][..], |help| &help.interventions);
    pb::HeistLevel {
        traps: level.traps.iter().map(trap).collect(),
        help: interventions(player_actions, &names),
        help_cost: help.map_or(0, |help| i32::try_from(help.cost).unwrap_or(i32::MAX)),
        help_cost_bound: help.map(|_| i32::try_from(level.help_cost_min).unwrap_or(i32::MAX)),
        missing_trap_count: i32::try_from(cost.missing).unwrap_or(i32::MAX),
        world: Some(world),
    }
}

/// The world of a level, and how the things in it are called.
fn placed(level: &Level, sketch: &Sketch) -> (pb::HeistWorld, Names) {
    let (mut world, mut names) = (sketch.world.clone(), sketch.names.clone());
    add_traps(&level.world, &mut world, &mut names);
    (world, names)
}

/// Switches cameras on and off, and adds cameras and guards that were not there.
fn add_traps(level: &World, world: &mut pb::HeistWorld, names: &mut Names) {
    let cameras = &level.museum().layout().cameras;
    for (camera, (room, on)) in cameras.iter().zip(&level.facts().cameras).enumerate() {
        if let Some(there) = world.cameras.get_mut(camera) {
            there.active = Some(*on);
            continue;
        }
        world.cameras.push(pb::HeistCamera {
            id: names.add(Named::Camera(camera)),
            room_id: names.rooms[*room].clone(),
            active: Some(*on),
        });
    }
    let known = BURGLAR + 1 + world.guards.len();
    for (guard, agent) in level.agents().iter().enumerate().skip(known) {
        let rooms = agent.goal.visits.iter();
        world.guards.push(pb::HeistAgent {
            id: names.add(Named::Agent(guard)),
            room_id: names.rooms[agent.position.room].clone(),
            goal: Some(pb::HeistGoal {
                visit_room_ids: rooms.map(|room| names.rooms[*room].clone()).collect(),
                ..pb::HeistGoal::default()
            }),
            ..pb::HeistAgent::default()
        });
    }
}
