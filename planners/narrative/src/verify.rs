//! Independent check of an answer: nothing here is used by, or taken from, the search.
//!
//! Everything is computed again from the narrative, in whole microseconds and without tolerance:
//! closures and dynamic controllability by the independent checker [`stn::check`], moments, shared
//! nodes, heaviest antichains, coverage. The answer may come from outside, so nothing about it is
//! trusted: what is too large is refused before it is added to anything.

mod claims;
mod conflict;
mod coverage;
mod faults;
mod form;
mod joint_network;
mod max_flow;
mod network;
mod non_anticipativity;
mod relaxation;
mod resource_conflicts;
mod resources;
pub(crate) mod simulate;
pub(crate) mod story_tree;
mod strands;
mod transitive_reduction;

pub use simulate::{Breakdown, RUNS, Run, simulate};

use crate::plan::{Answer, Cost, Plan};
use crate::problem::{Chooser, Micros, Narrative};
use anytime::Fault;
use claims::Claims;
use coverage::{Coverage, Gap};
use joint_network::JointNetwork;
use simulate::PlanParts;
use stn::check::{Closure, Network};
use story_tree::StoryTree;

/// Maximum number of reported violations.
pub const VIOLATIONS_MAX: usize = 1_000;
/// Most policies that are checked.
pub const POLICIES_MAX: usize = 1_024;
/// Most pairs of policies of two groups in a plan by strands: those that one policy each for the
/// [`STRANDS_MAX`](crate::problem::STRANDS_MAX) strands have, and a few more.
pub const PAIRS_MAX: usize = 8_192;
/// Most policies of a plan by strands that are checked: those of single groups, and one for each
/// pair.
pub const STRAND_POLICIES_MAX: usize = POLICIES_MAX + PAIRS_MAX;

/// The number of pairs of policies of two groups, by the number of policies of each group.
pub(crate) fn cross_pairs(sizes: impl Iterator<Item = usize>) -> usize {
    let (_, pairs) = sizes.fold((0, 0), |(all, pairs), size| {
        (all + size, pairs + all * size)
    });
    pairs
}

/// Most nodes that the policies of a plan may have together.
pub const JOINT_MAX: usize = 2_048;
/// Most cases of outcomes and picks that are looked at.
pub const OUTCOMES_MAX: usize = 1_000_000;
/// Most comparisons of activities that may overlap, in a plan by strands.
pub const WORK_MAX: usize = 1 << 25;

/// Largest time that an answer may name. Bounds of a narrative add up to less.
const TIME_FAR_US: Micros = 1 << 58;

/// Most pairs of nodes between which bounds are remembered, for all sets of policies together.
const CELLS_MAX: usize = 1 << 23;

/// What an answer is worth: what its plan costs, or how many rules its conflict has.
///
/// Besides [`strategy`], a plan is played [`RUNS`] times as by [`simulate`], with shortest, longest
/// and drawn durations, and with all combinations of shortest and longest ones where these are few;
/// a plan by strands at least a quarter of [`RUNS`] times, and without these combinations. That a
/// relaxation helps is checked by the plan that it comes with, and believed without one.
///
/// # Errors
/// All claims that are false, up to [`VIOLATIONS_MAX`]; of the runs the first that breaks down.
pub fn answer(narrative: &Narrative, answer: &Answer) -> Result<Cost, Vec<Fault>> {
    answer_until(narrative, answer, &|| true).expect("nothing stops it")
}

/// The same; `None`: `go_on` returned false. It is called now and then and never returns true again
/// after that.
///
/// # Errors
/// As of [`answer`].
pub fn answer_until(
    narrative: &Narrative,
    answer: &Answer,
    go_on: &dyn Fn() -> bool,
) -> Option<Result<Cost, Vec<Fault>>> {
    let judged = check_answer(narrative, answer, go_on);
    // Once stopped, what is found means nothing.
    go_on().then_some(judged)
}

fn check_answer(
    narrative: &Narrative,
    answer: &Answer,
    go_on: &dyn Fn() -> bool,
) -> Result<Cost, Vec<Fault>> {
    match answer {
        Answer::Plan(plan) => {
            let played = |cast: &PlanParts<'_>, known| {
                simulate::several(cast, known).map_err(|broken| vec![broken])
            };
            let played = if strands::is_by_strands(narrative, plan) {
                strands::judged(narrative, go_on, plan, &played)
            } else {
                check_story(narrative, go_on, plan, &|story| {
                    let known = checked(story, plan)?;
                    if !claims::is_within_makespan(narrative, go_on, plan) {
                        let makespan_us = plan.makespan_us;
                        return Err(vec![faults::makespan_broken(makespan_us)]);
                    }
                    played(&PlanParts::of_story(story, plan), known)
                })
            };
            played.map(|()| cost(narrative, plan))
        }
        Answer::Infeasible {
            conflict,
            relaxations,
        } => {
            let mut wrong = conflict::violations(narrative, go_on, conflict);
            wrong.extend(relaxation::violations(narrative, go_on, relaxations));
            if wrong.is_empty() {
                Ok(Cost::infeasible(conflict, relaxations))
            } else {
                Err(truncated(wrong))
            }
        }
        Answer::Undecided(_) => Ok(Cost::Undecided),
    }
}

/// The cost of a plan that has an execution strategy. Whether its bounds and waits are enough for
/// a dispatcher is not checked.
///
/// # Errors
/// All rules that break, up to [`VIOLATIONS_MAX`]. When the form is wrong nothing else is looked
/// at.
pub fn strategy(narrative: &Narrative, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    strategy_until(narrative, &|| true, plan)
}

/// The same for a check that is not finished once `go_on` returns false. The result is invalid
/// then.
fn strategy_until(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    plan: &Plan,
) -> Result<Cost, Vec<Fault>> {
    if strands::is_by_strands(narrative, plan) {
        strands::judged(narrative, go_on, plan, &|_, _| Ok(()))?;
        return Ok(cost(narrative, plan));
    }
    check_story(narrative, go_on, plan, &|story| {
        checked(story, plan).map(drop)
    })?;
    Ok(cost(narrative, plan))
}

/// What a plan is worth in the story as given; if nothing, in the story without those options of
/// ours that no policy picks: a dispatcher that never picks them does not need them, and makes
/// other choices when these are due without them.
fn check_story(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    plan: &Plan,
    judge: &dyn Fn(&StoryTree) -> Result<(), Vec<Fault>>,
) -> Result<(), Vec<Fault>> {
    if narrative.storylines().is_empty() {
        return Err(vec![match plan.policies[..] {
            [] => faults::no_policy(),
            _ => faults::picks_wrong(0),
        }]);
    }
    let judged = |narrative: &Narrative| match StoryTree::until(narrative, go_on) {
        Some(story) => judge(&story),
        None => Err(Vec::new()),
    };
    let wrong = match judged(narrative) {
        Ok(()) => return Ok(()),
        Err(wrong) => wrong,
    };
    match without_unpicked_options(narrative, plan).filter(|_| go_on()) {
        Some(fewer) => judged(&fewer).map_err(|_| wrong),
        None => Err(wrong),
    }
}

/// The narrative without the options of ours that no policy picks; `None`: all are picked.
fn without_unpicked_options(narrative: &Narrative, plan: &Plan) -> Option<Narrative> {
    let mut spec = narrative.spec().clone();
    for (at, choice) in narrative.spec().choices.iter().enumerate() {
        let picks = |option: &usize| {
            let mut policies = plan.policies.iter();
            policies.any(|policy| policy.picks.get(at) == Some(&Some(*option)))
        };
        let options = 0..choice.options.len();
        let (yes, no) = options.partition::<Vec<usize>, _>(picks);
        if choice.chooser == Chooser::System && !yes.is_empty() {
            spec.withheld
                .extend(no.into_iter().map(|option| (at, option)));
        }
    }
    spec.withheld.sort_unstable();
    spec.withheld.dedup();
    let fewer = narrative.with_spec(spec).ok()?;
    (fewer != *narrative).then_some(fewer)
}

/// What is known about a plan when all but the dispatcher was checked.
pub(crate) struct Checked {
    /// Who shares what.
    joint: JointNetwork,
    /// The network of each policy.
    own: Vec<Network>,
    /// What follows from each of these; none where that would be too much to remember.
    closures: Vec<Closure>,
}

/// Checks all but the dispatcher.
fn checked(story: &StoryTree, plan: &Plan) -> Result<Checked, Vec<Fault>> {
    let wrong = form::violations(story, plan);
    if !wrong.is_empty() {
        return Err(truncated(wrong));
    }
    let Some(joint) = JointNetwork::new(story, plan) else {
        return Err(Vec::new());
    };
    let mut claims = Claims::new(story, plan, &joint);
    let mut wrong = claims.violations();
    let (own, closures) = (claims.own, claims.closures);
    match Coverage::new(story, plan).check() {
        Ok(()) => {}
        Err(Gap::Uncovered(witness)) => wrong.push(faults::uncovered(&witness)),
        Err(Gap::TooMany) => wrong.push(faults::too_many_cases()),
    }
    if wrong.is_empty() {
        Ok(Checked {
            joint,
            own,
            closures,
        })
    } else {
        Err(truncated(wrong))
    }
}

fn cost(narrative: &Narrative, plan: &Plan) -> Cost {
    let objective = &narrative.spec().objective;
    let part = |weight: u32, time: Micros| i128::from(weight) * i128::from(time);
    let makespan = part(objective.makespan, plan.makespan_us);
    let slack = part(objective.slack, plan.slack_us);
    Cost::Weighted(makespan - slack + part(objective.idle, plan.idle_us))
}

fn truncated(mut wrong: Vec<Fault>) -> Vec<Fault> {
    wrong.truncate(VIOLATIONS_MAX);
    wrong
}
