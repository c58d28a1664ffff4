//! How stories are found.

mod guide;
mod optimal;
mod params;
mod proof;
mod telling;
mod tree;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::verify::verify;
use anytime::{Conclusion, Control, SolveError, Stop};

pub use params::{Params, Strategy};

use crate::machine::Machine;

/// Iterations of the tree search that begins.
const FIRST: u64 = 2_000;
/// Nodes opened greedily without finding anything better.
const OPENED: u64 = 300;

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
    // The story in which nothing happens, and the one that was best before a slider moved.
    for (plan, found_by) in [
        (Some(&Plan::default()), "nothing"),
        (params.warm.as_ref(), "warm start"),
    ] {
        if let Some(plan) = plan {
            resume(problem, plan, control, found_by);
        }
    }
    if control.best() == Some(Cost::of_score(1.0)) {
        control.prove(Cost::of_score(1.0), "nothing is better");
        return Ok(Conclusion::Optimal);
    }
    if !control.go_on() {
        return Ok(Conclusion::Stopped(
            control.stop().unwrap_or(Stop::Deadline),
        ));
    }
    Ok(match params.strategy {
        Strategy::Optimal => proof::search(problem, &machine, control),
        Strategy::Auto => auto(problem, &machine, params, control),
        _ => tree::search(&machine, params, control, u64::MAX),
    })
}

/// Tree search for a first story; greed, guided by bounds, for a good one; then a proof; and where that has no room, tree search again.
fn auto(
    problem: &Problem,
    machine: &Machine,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let first = tree::search(machine, params, control, FIRST);
    if first == Conclusion::Optimal || first == Conclusion::Infeasible || control.stop().is_some() {
        return first;
    }
    if let Some(conclusion) = proof::greedy(problem, machine, OPENED, control) {
        return conclusion;
    }
    let proof = proof::search(problem, machine, control);
    match proof {
        Conclusion::Stopped(_) if control.go_on() => {
            tree::search(machine, params, control, u64::MAX)
        }
        _ => proof,
    }
}

/// Offers the best beginning of a story that is still legal.
fn resume(
    problem: &Problem,
    plan: &Plan,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &'static str,
) {
    let most = plan.actions.len().min(problem.actions_max());
    for length in (0..=most).rev() {
        let part = Plan {
            actions: plan.actions[..length].to_vec(),
        };
        if let Ok(cost) = verify(problem, &part) {
            control.offer(&part, cost, found_by);
        }
    }
}
