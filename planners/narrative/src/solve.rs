//! The search for plans.
//!
//! 1. `story`: storylines, their closures, and the tree of choices with moments and seen links.
//! 2. `cover`: policies that cover all outcomes, each dynamically controllable alone.
//! 3. `policy_search`: policies that share decisions until they are distinguished
//!    (`joint_network`), by conflict-directed backjumping.
//! 4. `precedences`: an order of activities that resolves all resource conflicts of a joint
//!    network, by clause learning; `heuristic` guesses one first.
//! 5. `non_anticipativity`: constraints that make events wait for the picks they depend on.
//! 6. `extract` and `offer`: the dispatchable plan.
//! 7. `improve`: better makespan, slack and idle time, with lower bounds.
//!
//! Where there is no plan, `explain` minimises the conflict with a deletion filter and searches
//! for relaxations. `strands` plans groups that only resources connect.

mod antichain;
mod certain;
mod cover;
mod explain;
mod extract;
mod feasible;
mod fixed;
mod heuristic;
mod improve;
mod joint_network;
#[cfg(feature = "milp")]
mod milp;
mod minimal_makespan;
mod non_anticipativity;
mod offer;
mod policies;
mod policy_search;
mod precedences;
mod story;
mod strands;

use crate::plan::{Answer, Conflict, Cost, Member, Relaxation, Uncovered, UndecidedReason};
use crate::problem::{Narrative, Objective, STORYLINES_MAX};
use anytime::{Conclusion, Control, SolveError, Stop};
use feasible::{feasible, plan};
use improve::Improvement;
use joint_network::{JointNetwork, PolicyOutline};
use offer::{Extra, build_plan, cost, offer_plan};
use policies::{NoPolicies, policies};
use precedences::{OrderingProblem, Outcome};
use std::collections::BTreeSet;
use stn::Edge;
use stn::uncertain;
use story::{Story, Tree};

/// How many sets of policies are tried to be over sooner, each with another option first.
const TURNS: usize = 4;

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// A check of dynamic controllability with conflicts, clauses over orders, coverage by sweeps
    /// over outcomes. Where nothing varies and nothing is chosen, and the makespan counts,
    /// constraint propagation over times.
    #[default]
    Auto,
    /// The paper's mixed-integer program, corrected, by HiGHS: exact within its tolerances, and
    /// slower. For small stories whose times have a coarse common step, and not for slack and idle
    /// time in one objective. With choices it proves the least makespan, within that step; other
    /// objectives it improves for the policies that it finds.
    Milp,
}

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    /// The strategy.
    pub strategy: Strategy,
    /// What else is wanted.
    pub detail: Detail,
}

/// What else is wanted besides a plan or the verdict that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detail {
    /// Whether to leave out of a conflict what is not needed.
    pub shrink: bool,
    /// Most relaxations to look for.
    pub relaxations_max: usize,
    /// Whether to compute how far durations could stretch; takes as long as some dozens of checks
    /// for each.
    pub flexibilities: bool,
}

impl Detail {
    /// Nothing besides.
    pub const NONE: Self = Self {
        shrink: false,
        relaxations_max: 0,
        flexibilities: false,
    };
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            shrink: true,
            relaxations_max: 3,
            flexibilities: false,
        }
    }
}

/// Looks for a plan: offers better and better ones, or the reasons why there is none.
///
/// One iteration is one conflict of the search for orders, one policy that is looked at, or some
/// thousand steps of coverage. The same narrative, parameters and seed have the same answer, under
/// an iteration limit.
///
/// # Errors
/// [`SolveError::Unsupported`]: the strategy is not built in, or cannot say what is asked.
pub fn solve(
    narrative: &Narrative,
    params: &Params,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    match (params.strategy, narrative.storylines()) {
        (Strategy::Milp, []) => {
            return Err(SolveError::Unsupported {
                strategy: "milp",
                feature: format!("more than {STORYLINES_MAX} storylines"),
            });
        }
        (Strategy::Milp, _) => return solve_program(narrative, params, control),
        (Strategy::Auto, []) => return Ok(strands::solve(narrative, params.detail, control)),
        (Strategy::Auto, _) => {}
    }
    let Some(story) = Story::new(narrative, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    Ok(match &story.tree {
        Tree::Line(line) => single(&story, *line, params.detail, control),
        Tree::Fork(_) => forked(&story, params.detail, control),
    })
}

/// The paper's program, where the solver for it is built in.
#[cfg(not(feature = "milp"))]
fn solve_program(
    _: &Narrative,
    _: &Params,
    _: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    Err(SolveError::Unsupported {
        strategy: "milp",
        feature: "any narrative: it is not part of this build".into(),
    })
}

#[cfg(feature = "milp")]
use self::milp::run as solve_program;

/// A story without choices.
fn single(
    story: &Story<'_>,
    line: usize,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let skeletons = [PolicyOutline::whole(line)];
    let joint = JointNetwork::new(story, &skeletons);
    let question = OrderingProblem::new(story, &skeletons, &joint);
    let outcome = match certain::certain(&question, detail, control) {
        certain::Verdict::Done(conclusion) => return conclusion,
        certain::Verdict::Other(outcome) => outcome,
    };
    let outcome = outcome.unwrap_or_else(|| heuristic::find_precedences(&question, control));
    let conflict = match outcome {
        Outcome::Found(orders, strategy) => {
            return offer(&question, &orders, &strategy, detail, control);
        }
        Outcome::Uncontrollable(proof) => {
            // The verdict first, with more rules than are needed.
            refuse(explain::overloaded(&joint, &[]), Vec::new(), control);
            explain::uncontrollable(&joint, &proof)
        }
        Outcome::Overloaded(sets) => {
            let conflict = explain::overloaded(&joint, &sets);
            refuse(conflict.clone(), Vec::new(), control);
            conflict
        }
        Outcome::TooLarge => return Conclusion::Stopped(Stop::Exhausted),
        Outcome::Stopped => return stopped(control),
    };
    let conflict = if detail.shrink {
        explain::minimised(story, line, &conflict, control)
    } else {
        conflict
    };
    explained(story, conflict, detail, control)
}

/// A story with choices: policies one by one, then all together.
fn forked(
    story: &Story<'_>,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let why = match decided(story, detail, control) {
        Ok(conclusion) => return conclusion,
        Err(why) => why,
    };
    if let Some(conclusion) = strands::conclude(story.narrative, detail, control) {
        return conclusion;
    }
    fixed::conclude(story, why, detail, control)
}

/// The same if it is known whether there is a plan.
///
/// # Errors
/// Why it is not known.
fn decided(
    story: &Story<'_>,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, UndecidedReason> {
    match policies(story, 0, control) {
        Ok(kept) => {
            let question = OrderingProblem::new(story, &kept.skeletons, &kept.joint);
            Ok(offer(
                &question,
                &kept.orders,
                &kept.strategy,
                detail,
                control,
            ))
        }
        Err(refused) => concluded(story, refused, detail, control),
    }
}

/// Reports why there is no plan.
///
/// # Errors
/// Why it is not known whether there is one.
fn concluded(
    story: &Story<'_>,
    refused: NoPolicies,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, UndecidedReason> {
    match refused {
        NoPolicies::Uncovered(blamed, uncovered) => {
            Ok(unbearable(story, blamed, uncovered, detail, control))
        }
        NoPolicies::Incompatible(blamed) => {
            let conflict = explain::incompatible_policies(story, blamed);
            refuse(conflict.clone(), Vec::new(), control);
            Ok(minimise_and_refuse(story, conflict, detail, control))
        }
        NoPolicies::Undecided(why) => Err(why),
        NoPolicies::Stopped => Ok(stopped(control)),
    }
}

/// Reports outcomes that no policy covers.
fn unbearable(
    story: &Story<'_>,
    blamed: BTreeSet<Member>,
    uncovered: Uncovered,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    // The verdict first, with more rules than are needed.
    let bounds = story.bounds.iter();
    let bounds = bounds.map(|bound| Member::Bound(bound.source));
    let all = blamed.iter().cloned().chain(bounds).collect();
    let conflict = explain::uncovered(story, all, uncovered.clone());
    refuse(conflict, Vec::new(), control);
    let conflict = explain::uncovered(story, blamed, uncovered);
    minimise_and_refuse(story, conflict, detail, control)
}

/// How much more is done, step by step, as long as a conflict could have fewer rules or no change
/// is known that helps.
const EFFORTS: [u32; 3] = [1, 4, 16];

/// Returns a conflict of a story with choices, made smaller on request, and what would help.
fn minimise_and_refuse(
    story: &Story<'_>,
    mut conflict: Conflict,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let mut needed = BTreeSet::new();
    let (mut found, mut is_cut) = (Vec::new(), true);
    for effort in EFFORTS {
        if detail.shrink && !conflict.minimal {
            let needed = &mut needed;
            conflict = explain::minimised_with_choices(
                story.narrative,
                &conflict,
                effort,
                needed,
                control,
            );
            refuse(conflict.clone(), found.clone(), control);
        }
        if found.is_empty() && is_cut {
            (found, is_cut) = helpful(story, &conflict, detail, effort, control);
            refuse(conflict.clone(), found.clone(), control);
        }
        let is_told = conflict.minimal || !detail.shrink || story.lines.len() == 1;
        if is_told && (!found.is_empty() || !is_cut) || !control.go_on() {
            break;
        }
    }
    refuse(conflict, found, control)
}

/// Offers a conflict and its relaxations.
fn explained(
    story: &Story<'_>,
    conflict: Conflict,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let (found, _) = helpful(story, &conflict, detail, 1, control);
    refuse(conflict, found, control)
}

fn helpful(
    story: &Story<'_>,
    conflict: &Conflict,
    detail: Detail,
    effort: u32,
    control: &mut Control<'_, Answer, Cost>,
) -> (Vec<Relaxation>, bool) {
    let most = detail.relaxations_max;
    let unit = cover::unit(story);
    explain::relaxations(story.narrative, conflict, unit, most, effort, control)
}

fn refuse(
    conflict: Conflict,
    relaxations: Vec<Relaxation>,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let cost = Cost::infeasible(&conflict, &relaxations);
    let answer = Answer::Infeasible {
        conflict,
        relaxations,
    };
    control.offer(&answer, cost, "auto");
    Conclusion::Infeasible
}

fn offer(
    question: &OrderingProblem<'_>,
    orders: &[Edge],
    strategy: &uncertain::Strategy,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let extra = Extra::without_slack(question.joint, detail.flexibilities);
    if offer_plan(question, orders, strategy, extra, "auto", control).is_none() {
        return stopped(control);
    }
    if question.story.narrative.spec().objective == Objective::default() {
        return Conclusion::Optimal;
    }
    let improve = Improvement {
        question,
        orders: orders.to_vec(),
        is_whole: matches!(question.story.tree, Tree::Line(_)),
        is_part: false,
        unit: cover::unit(question.story),
        flexibilities: detail.flexibilities,
        control,
    };
    improve.run()
}

fn stopped(control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    control.go_on();
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}
