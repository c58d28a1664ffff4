//! The check of a story with choices: imports the plan and the check of stories, never the search.

use super::{BranchCost, BranchProblem, BranchingStory, CHOICES_MAX, PATHS_MAX, TakenChoice};
use crate::verify::account;
use anytime::Fault;
use std::collections::BTreeMap;

/// Worths are claimed as exactly as this.
const TOLERANCE: f64 = 1e-9;

/// A broken rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum BranchViolation {
    /// Nothing at all.
    #[error("there is no knot")]
    Empty,
    /// More choices than possible.
    #[error("{given} choices, at most {CHOICES_MAX} are possible")]
    TooMany { given: usize },
    /// More paths through it than possible.
    #[error("it has more than {PATHS_MAX} paths")]
    TooManyPaths,
    /// It leads to a knot that is not there or does not come later, so that it might never end.
    #[error("knot {knot} leads to knot {to}, which is none that comes later")]
    Leads { knot: usize, to: usize },
    /// A knot that nothing leads to.
    #[error("nothing leads to knot {knot}")]
    Unreached { knot: usize },
    /// A knot with choices that goes on without any, too.
    #[error("knot {knot} goes on both with a choice and without")]
    Both { knot: usize },
    /// A choice of another entity.
    #[error("knot {knot}, choice {choice}: not an action of the player")]
    NotThePlayers { knot: usize, choice: usize },
    /// The same choice twice.
    #[error("knot {knot}, choice {choice}: offered before")]
    Twice { knot: usize, choice: usize },
    /// A path that is no story.
    #[error("path {path}: {violation}")]
    Path { path: usize, violation: Fault },
    /// The story given is none of the paths.
    #[error("the given story is not a path of the tree")]
    NotIncluded,
    /// A choice that is worth something else.
    #[error("knot {knot}, choice {choice}: worth {worth}, not as claimed")]
    Worth {
        knot: usize,
        choice: usize,
        worth: f64,
    },
}

/// The cost of a story with choices.
///
/// # Errors
/// All broken rules; those of paths and worths only where every path ends.
pub fn verify(
    request: &BranchProblem,
    tree: &BranchingStory,
) -> Result<BranchCost, Vec<BranchViolation>> {
    if tree.knots.is_empty() {
        return Err(vec![BranchViolation::Empty]);
    }
    let mut violations = shape(request, tree);
    if violations.is_empty() {
        violations = paths(request, tree);
    }
    if violations.is_empty() {
        Ok(BranchCost::new(tree))
    } else {
        Err(violations)
    }
}

/// What knots and choices are, without looking at what happens.
fn shape(request: &BranchProblem, tree: &BranchingStory) -> Vec<BranchViolation> {
    let mut violations = Vec::new();
    let extra = tree
        .knots
        .iter()
        .map(|knot| knot.choices.len().saturating_sub(1));
    let given: usize = extra.sum();
    if given > CHOICES_MAX {
        violations.push(BranchViolation::TooMany { given });
    }
    // By knot: the number of paths to it.
    let mut path_counts = vec![0_usize; tree.knots.len()];
    path_counts[0] = 1;
    for (knot, given) in tree.knots.iter().enumerate() {
        if path_counts[knot] == 0 {
            violations.push(BranchViolation::Unreached { knot });
        }
        if !given.choices.is_empty() && given.next.is_some() {
            violations.push(BranchViolation::Both { knot });
        }
        let to = given.choices.iter().map(|choice| choice.knot);
        for to in to.chain(given.next) {
            if to <= knot || to >= path_counts.len() {
                violations.push(BranchViolation::Leads { knot, to });
            } else {
                path_counts[to] = path_counts[to].saturating_add(path_counts[knot]);
            }
        }
        for (choice, offered) in given.choices.iter().enumerate() {
            if !request.is_players(&offered.action) {
                violations.push(BranchViolation::NotThePlayers { knot, choice });
            }
            let mut before = given.choices[..choice].iter();
            if before.any(|other| other.action == offered.action) {
                violations.push(BranchViolation::Twice { knot, choice });
            }
        }
    }
    let ends = tree.knots.iter().zip(&path_counts);
    let ends = ends.filter(|(knot, _)| knot.choices.is_empty() && knot.next.is_none());
    let paths = ends.fold(0_usize, |sum, (_, path_counts)| {
        sum.saturating_add(*path_counts)
    });
    if paths > PATHS_MAX {
        violations.push(BranchViolation::TooManyPaths);
    }
    violations
}

/// Checks that every path is a story, one of them the story given, and the worths of choices.
fn paths(request: &BranchProblem, tree: &BranchingStory) -> Vec<BranchViolation> {
    let mut violations = Vec::new();
    let mut is_included = false;
    let mut worths: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (path, (plan, taken)) in tree.paths_with_choices(PATHS_MAX).into_iter().enumerate() {
        is_included |= plan == *request.story();
        match account(request.problem(), &plan) {
            Ok(account) => {
                for TakenChoice {
                    knot,
                    choice,
                    actions_before,
                } in taken
                {
                    let steps = account.steps[actions_before..].iter();
                    let worth = account.goals * steps.map(|s| s.believability).product::<f64>();
                    let best = worths.entry((knot, choice)).or_insert(0.0);
                    *best = best.max(worth);
                }
            }
            Err(all) => violations.extend(
                all.into_iter()
                    .map(|violation| BranchViolation::Path { path, violation }),
            ),
        }
    }
    if !is_included {
        violations.push(BranchViolation::NotIncluded);
    }
    if violations.is_empty() {
        for ((knot, choice), worth) in worths {
            let claimed = tree.knots[knot].choices[choice].worth;
            if (claimed - worth).abs() > TOLERANCE || claimed.is_nan() {
                violations.push(BranchViolation::Worth {
                    knot,
                    choice,
                    worth,
                });
            }
        }
    }
    violations
}
