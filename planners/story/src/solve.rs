//! Search for stories: tree search, branch and bound, and their combination.

mod best_first;
mod branch_and_bound;
mod cast;
mod certify;
mod greedy;
mod history;
mod mcts_domain;
mod params;
mod partial_order_reduction;
mod proof;
mod relevant_actions;
mod scope;
mod state_table;
mod tree;

use crate::plan::{Action, Cost, Plan};
use crate::problem::Problem;
use anytime::{Conclusion, Control, SolveError, Stop};

pub use certify::certify;
pub use params::{Caps, Params, Strategy};

use crate::compiled::CompiledDomain;
use crate::relax::Rules;
use mcts_domain::PartialStory;

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
    let compiled = CompiledDomain::new(problem);
    Ok(search(problem, &compiled, params, control))
}

/// The same with rules that are compiled already, and changed perhaps.
pub(crate) fn search(
    problem: &Problem,
    compiled: &CompiledDomain,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    // The story in which nothing happens, and the one that was best before a slider moved.
    resume(compiled, &Plan::default(), control, "nothing");
    if let Some(plan) = &params.warm {
        resume(compiled, plan, control, "warm start");
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
        compiled,
        caps: params.caps,
    };
    match params.strategy {
        Strategy::Optimal => proof::search(rules, control),
        Strategy::Auto => auto(rules, params, control),
        _ => tree::search(compiled, params, control, u64::MAX),
    }
}

/// Tree search for a first story; then a proof, which also finds better ones; and if the proof runs
/// out of room, tree search again.
fn auto(rules: Rules<'_>, params: &Params, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let compiled = rules.compiled;
    let first = tree::search(compiled, params, control, FIRST);
    if first == Conclusion::Optimal || first == Conclusion::Infeasible || control.stop().is_some() {
        return first;
    }
    let proof = proof::search(rules, control);
    match proof {
        Conclusion::Stopped(_) if control.go_on() => {
            tree::search(compiled, params, control, u64::MAX)
        }
        _ => proof,
    }
}

/// Offers the best prefix of the executable part of a story.
fn resume(
    compiled: &CompiledDomain,
    plan: &Plan,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &'static str,
) {
    if let Some((plan, cost)) = executable(compiled, plan).plan(compiled) {
        control.offer(&plan, cost, found_by);
    }
}

/// The executable part of a story, without superfluous actions: leaving out any action makes it
/// worse. None: no part of it has the events that have to happen.
pub(crate) fn trimmed(compiled: &CompiledDomain, plan: &Plan) -> Option<(Plan, Cost)> {
    let score = |actions: &[Action]| {
        let mut story = PartialStory::new(compiled);
        for action in actions {
            let action_id = compiled
                .action_id(action)
                .filter(|g| story.may_follow(compiled, *g))?;
            story.append(compiled, action_id);
        }
        story.score(compiled)
    };
    let mut actions = executable(compiled, plan).plan(compiled)?.0.actions;
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

/// The executable part of a story: actions that cannot be done are skipped.
fn executable(compiled: &CompiledDomain, plan: &Plan) -> PartialStory {
    let mut story = PartialStory::new(compiled);
    for action in &plan.actions {
        if let Some(action_id) = compiled
            .action_id(action)
            .filter(|g| story.may_follow(compiled, *g))
        {
            story.append(compiled, action_id);
        }
    }
    story
}
