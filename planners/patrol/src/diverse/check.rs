//! Verification of diverse plans: each plan alone, and their distances.

use super::{DISTANCE_MAX_MICRO, DiverseCost, DiversePlans, DiverseProblem, PLANS_MAX};
use crate::plan::{Cost, Plan};
use crate::problem::{PROBABILITY_ONE, Problem};
use crate::verify::{self, ArcShare, Checked, occupancy, terms_until, unstopped};
use anytime::{Fault, Path, Pulse, fault, millionths};

/// Parts of the capture of the best plan, all but one of which every other plan must have: four
/// fifths. Where idleness has a weight, a plan may instead cost a quarter more than the best.
const PARTS: u128 = 5;

/// Maximum cost of a plan if the best costs `best`.
pub(super) fn cost_limit(problem: &Problem, best: Cost) -> Cost {
    let objective = problem.objective();
    let certain_escape = u128::from(PROBABILITY_ONE) * u128::from(objective.escape);
    let capture = certain_escape.saturating_sub(best.0) / PARTS;
    let idle = if objective.has_idleness() {
        best.0 / (PARTS - 1)
    } else {
        0
    };
    Cost(best.0.saturating_add(capture.max(idle)))
}

/// Cost of diverse plans. Fewer than requested are allowed, at a cost.
///
/// # Errors
/// Broken rules of each plan, or if there are none, plans that are far worse than the best and
/// pairs that are too similar.
pub fn verify(problem: &DiverseProblem, plans: &DiversePlans) -> Result<DiverseCost, Vec<Fault>> {
    unstopped(|pulse| verify_until(problem, plans, pulse))
}

/// The same with a stop condition.
pub(super) fn verify_until(
    diverse: &DiverseProblem,
    plans: &DiversePlans,
    pulse: &Pulse,
) -> Checked<DiverseCost> {
    let (problem, at) = (diverse.problem(), Path::root("plans"));
    let (given, max) = (plans.plans.len(), diverse.plans());
    let mut faults = Vec::new();
    if !(1..=max).contains(&given) {
        faults.push(fault!(
            "PLAN_COUNT",
            at,
            "has {} elements, outside of 1 to {}",
            given,
            max
        ));
    }
    let mut costs = Vec::new();
    for (index, plan) in plans.plans.iter().enumerate().take(PLANS_MAX) {
        match terms_until(problem, plan, pulse)? {
            Ok(terms) => costs.push(verify::cost(&problem.objective(), &terms)),
            Err(broken) => faults.extend(verify::inside(&at.index(index), broken)),
        }
    }
    if !faults.is_empty() {
        return Some(Err(faults));
    }
    let best = costs.iter().min().copied().unwrap_or_default();
    let limit = cost_limit(problem, best);
    for (index, cost) in costs.iter().enumerate() {
        if *cost > limit {
            let [given, limit] = [*cost, limit].map(|cost| cost.level().to_string());
            let at = at.index(index);
            faults.push(fault!(
                "PLAN_POOR",
                at,
                "costs {}, at most {} is allowed",
                given,
                limit
            ));
        }
    }
    check_distances(diverse, plans, pulse, &mut faults)?;
    Some(if faults.is_empty() {
        Ok(cost(diverse, &costs))
    } else {
        Err(faults)
    })
}

/// Finds pairs of plans that are too similar; `None`: stopped.
fn check_distances(
    diverse: &DiverseProblem,
    plans: &DiversePlans,
    pulse: &Pulse,
    faults: &mut Vec<Fault>,
) -> Option<()> {
    let at = Path::root("plans");
    let shares = occupancies(diverse.problem(), &plans.plans, pulse)?;
    let shares = shares.expect("each plan is verified");
    let min_micro = diverse.distance_micro();
    for (other, second) in shares.iter().enumerate() {
        for (one, first) in shares[..other].iter().enumerate() {
            let given_micro = total_variation(first, second);
            if given_micro < min_micro {
                let [given, min] = [given_micro, min_micro].map(millionths);
                faults.push(fault!(
                    "PLANS_ALIKE",
                    at.index(other),
                    "has distance {} from plan {}, at least {} is required",
                    given,
                    one,
                    min
                ));
            }
        }
    }
    Some(())
}

/// Occupancy of each plan.
fn occupancies<'p>(
    problem: &Problem,
    plans: impl IntoIterator<Item = &'p Plan>,
    pulse: &Pulse,
) -> Checked<Vec<Vec<ArcShare>>> {
    let mut all = Vec::new();
    for plan in plans {
        match occupancy(problem, plan, pulse)? {
            Ok(shares) => all.push(shares),
            Err(faults) => return Some(Err(faults)),
        }
    }
    Some(Ok(all))
}

/// Distance of each plan from the nearest other one, in millionths; `None` for a single plan.
///
/// # Errors
/// Broken rules of the first plan that breaks any.
pub fn nearest_distances_until(
    problem: &Problem,
    plans: &[Plan],
    pulse: &Pulse,
) -> Checked<Vec<Option<u32>>> {
    let shares = match occupancies(problem, plans, pulse)? {
        Ok(shares) => shares,
        Err(faults) => return Some(Err(faults)),
    };
    let nearest = |index: usize| {
        let others = (0..shares.len()).filter(|other| *other != index);
        let distances = others.map(|other| total_variation(&shares[index], &shares[other]));
        distances.min()
    };
    Some(Ok((0..shares.len()).map(nearest).collect()))
}

/// Distance of two plans, in millionths of [`DISTANCE_MAX_MICRO`], rounded; 0: the same occupancy.
///
/// # Errors
/// Broken rules of the first plan that breaks any.
pub fn distance(problem: &Problem, plans: [&Plan; 2]) -> Result<u32, Vec<Fault>> {
    let shares = unstopped(|pulse| occupancies(problem, plans, pulse))?;
    Ok(total_variation(&shares[0], &shares[1]))
}

/// Total variation distance of two occupancies, both by rising arc, in millionths.
fn total_variation(one: &[ArcShare], other: &[ArcShare]) -> u32 {
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    let mut sum = 0_u128;
    loop {
        let arc = match (left.peek(), right.peek()) {
            (Some(one), Some(other)) => one.arc.min(other.arc),
            (Some(one), None) | (None, Some(one)) => one.arc,
            (None, None) => break,
        };
        let one = left
            .next_if(|one| one.arc == arc)
            .map_or(0, |one| one.share);
        let other = right
            .next_if(|one| one.arc == arc)
            .map_or(0, |one| one.share);
        sum += u128::from(one.abs_diff(other));
    }
    let whole = 2 * u128::from(PROBABILITY_ONE);
    let micro = (sum * u128::from(DISTANCE_MAX_MICRO) + whole / 2) / whole;
    u32::try_from(micro).expect("at most one")
}

/// Cost of plans of these costs.
pub(super) fn cost(problem: &DiverseProblem, costs: &[Cost]) -> DiverseCost {
    DiverseCost {
        missing: problem.plans() - costs.len(),
        worst: costs.iter().copied().max().unwrap_or_default(),
        sum: Cost(costs.iter().map(|cost| cost.0).sum()),
    }
}
