//! The check of a story with choices: imports the plan and the check of stories, never the search.

use super::{BranchCost, BranchProblem, BranchingStory, CHOICES_MAX, PATHS_MAX, TakenChoice};
use crate::verify::account;
use anytime::check::{required, too_many};
use anytime::{Fault, Path, element, fault};
use std::collections::BTreeMap;

/// Worths are claimed as exactly as this.
const TOLERANCE: f64 = 1e-9;

/// The cost of a story with choices.
///
/// # Errors
/// All broken rules; those of paths and worths only where every path ends.
pub fn verify(request: &BranchProblem, tree: &BranchingStory) -> Result<BranchCost, Vec<Fault>> {
    if tree.knots.is_empty() {
        return Err(vec![required(&Path::root("knots"))]);
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
fn shape(request: &BranchProblem, tree: &BranchingStory) -> Vec<Fault> {
    let (mut violations, knots) = (Vec::new(), Path::root("knots"));
    let extra = tree
        .knots
        .iter()
        .map(|knot| knot.choices.len().saturating_sub(1));
    violations.extend(too_many(&Path::root("choices"), extra.sum(), CHOICES_MAX));
    // By knot: the number of paths to it.
    let mut path_counts = vec![0_usize; tree.knots.len()];
    path_counts[0] = 1;
    for (knot, given) in tree.knots.iter().enumerate() {
        let at = knots.index(knot);
        if path_counts[knot] == 0 {
            violations.push(fault!("CONTRADICTION", at, "is one that nothing leads to"));
        }
        if !given.choices.is_empty() && given.next.is_some() {
            violations.push(fault!(
                "CONTRADICTION",
                at,
                "goes on both with a choice and without"
            ));
        }
        let to = given.choices.iter().map(|choice| choice.knot);
        for to in to.chain(given.next) {
            if to <= knot || to >= path_counts.len() {
                // Such a story might never end.
                violations.push(fault!(
                    "OUT_OF_RANGE",
                    at,
                    "leads to {}, which is none that comes later",
                    element("knot", to)
                ));
            } else {
                path_counts[to] = path_counts[to].saturating_add(path_counts[knot]);
            }
        }
        let choices = at.field("choices");
        for (choice, offered) in given.choices.iter().enumerate() {
            let at = choices.index(choice);
            if !request.is_players(&offered.action) {
                violations.push(fault!("WRONG_KIND", at, "is not an action of the player"));
            }
            let mut before = given.choices[..choice].iter();
            if before.any(|other| other.action == offered.action) {
                violations.push(fault!("DUPLICATE", at, "is offered twice"));
            }
        }
    }
    let ends = tree.knots.iter().zip(&path_counts);
    let ends = ends.filter(|(knot, _)| knot.choices.is_empty() && knot.next.is_none());
    let paths = ends.fold(0_usize, |sum, (_, path_counts)| {
        sum.saturating_add(*path_counts)
    });
    violations.extend(too_many(&Path::root("paths"), paths, PATHS_MAX));
    violations
}

/// Checks that every path is a story, one of them the story given, and the worths of choices.
fn paths(request: &BranchProblem, tree: &BranchingStory) -> Vec<Fault> {
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
            Err(all) => {
                let paths = Path::root("paths");
                violations.extend(all.into_iter().map(|it| it.under(&paths.index(path))));
            }
        }
    }
    if !is_included {
        violations.push(fault!(
            "CONTRADICTION",
            Path::root("knots"),
            "do not include the given story"
        ));
    }
    if violations.is_empty() {
        for ((knot, choice), worth) in worths {
            let claimed = tree.knots[knot].choices[choice].worth;
            if (claimed - worth).abs() > TOLERANCE || claimed.is_nan() {
                let (knots, worth) = (Path::root("knots"), worth.to_string());
                violations.push(fault!(
                    "CONTRADICTION",
                    knots.index(knot).field("choices").index(choice),
                    "is worth {}, not as claimed",
                    worth
                ));
            }
        }
    }
    violations
}
