//! How stories are found.

mod branches;
mod cast;
mod certify;
mod dive;
mod guide;
mod optimal;
mod order;
mod params;
mod pending;
mod proof;
mod scope;
mod states;
mod telling;
mod tree;

use crate::plan::{Action, Cost, Plan};
use crate::problem::Problem;
use anytime::{Conclusion, Control, SolveError, Stop};

pub use certify::certify;
pub use params::{Caps, Params, Strategy};

use crate::machine::Machine;
use crate::relax::Rules;
use telling::Told;

/// Iterations of the tree search that begins.
const FIRST: u64 = 300;

/// Looks for better and better stories.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let machine = Machine::new(problem);
    Ok(search(problem, &machine, params, control))
}

/// The same with rules that are compiled already, and changed perhaps.
pub(crate) fn search(
    problem: &Problem,
    machine: &Machine,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    // The story in which nothing happens, and the one that was best before a slider moved.
    resume(machine, &Plan::default(), control, "nothing");
    if let Some(plan) = &params.warm {
        resume(machine, plan, control, "warm start");
    }
    if control.best() == Some(Cost::of_score(1.0)) {
        control.prove(Cost::of_score(1.0), "nothing is better");
        return Conclusion::Optimal;
    }
    if !control.go_on() {
        return Conclusion::Stopped(control.stop().unwrap_or(Stop::Deadline));
    }
    let rules = Rules {
        problem,
        machine,
        caps: params.caps,
    };
    match params.strategy {
        Strategy::Optimal => proof::search(rules, control),
        Strategy::Auto => auto(rules, params, control),
        _ => tree::search(machine, params, control, u64::MAX),
    }
}

/// Tree search for a first story; then a proof, which also finds better ones; and if the proof runs
/// out of room, tree search again.
fn auto(rules: Rules<'_>, params: &Params, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let machine = rules.machine;
    let first = tree::search(machine, params, control, FIRST);
    if first == Conclusion::Optimal || first == Conclusion::Infeasible || control.stop().is_some() {
        return first;
    }
    let proof = proof::search(rules, control);
    match proof {
        Conclusion::Stopped(_) if control.go_on() => {
            tree::search(machine, params, control, u64::MAX)
        }
        _ => proof,
    }
}

/// Offers what is left of a story: the best beginning of it, without the actions that cannot be
/// done any more.
fn resume(
    machine: &Machine,
    plan: &Plan,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &'static str,
) {
    if let Some((plan, cost)) = possible(machine, plan).plan(machine) {
        control.offer(&plan, cost, found_by);
    }
}

/// The executable part of a story, without superfluous actions: leaving out any action makes it
/// worse. None: no part of it has the events that have to happen.
pub(crate) fn trimmed(machine: &Machine, plan: &Plan) -> Option<(Plan, Cost)> {
    let score = |actions: &[Action]| {
        let mut told = Told::new(machine);
        for action in actions {
            let ground = machine.ground(action).filter(|g| told.can(machine, *g))?;
            told.act(machine, ground);
        }
        told.score(machine)
    };
    let mut actions = possible(machine, plan).plan(machine)?.0.actions;
    let mut best = score(&actions)?;
    let mut place = actions.len();
    while place > 0 {
        place -= 1;
        let mut fewer = actions.clone();
        fewer.remove(place);
        if let Some(score) = score(&fewer).filter(|score| *score >= best) {
            (best, actions) = (score, fewer);
            // What was needed for it may be left out now.
            place = actions.len();
        }
    }
    Some((Plan { actions }, Cost::of_score(best)))
}

/// What can be done of a story, one action after the other.
fn possible(machine: &Machine, plan: &Plan) -> Told {
    let mut told = Told::new(machine);
    for action in &plan.actions {
        if let Some(ground) = machine.ground(action).filter(|g| told.can(machine, *g)) {
            told.act(machine, ground);
        }
    }
    told
}
