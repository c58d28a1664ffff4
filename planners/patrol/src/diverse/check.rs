//! Whether several plans differ, from the check of each alone.

use super::{DISTANCE_MAX_MICRO, DiverseCost, DiversePlans, DiverseProblem, PLANS_MAX};
use crate::plan::{Cost, Plan};
use crate::problem::{PROBABILITY_ONE, Problem};
use crate::verify::{self, Checked, Spent, Violation, occupancy, terms_until, whole};
use anytime::Pulse;

/// What is wrong with several plans.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum DiverseViolation {
    /// No plan, or more than asked for.
    #[error("{given} plans, outside of 1 to {wanted}")]
    PlanCount { given: usize, wanted: usize },
    /// A plan that breaks rules.
    #[error("plan {plan} breaks {} rules, the first: {}", violations.len(), violations[0])]
    Broken {
        plan: usize,
        violations: Vec<Violation>,
    },
    /// Two plans that differ too little.
    #[error(
        "plans {one} and {other} are {given_micro} millionths apart, at least {least_micro} are asked for"
    )]
    TooAlike {
        one: usize,
        other: usize,
        given_micro: u32,
        least_micro: u32,
    },
    /// A plan that is far worse than the best of them.
    #[error("plan {plan} costs {}, the best allows at most {}", given.level(), most.level())]
    TooPoor {
        plan: usize,
        given: Cost,
        most: Cost,
    },
}

impl DiverseViolation {
    /// A stable name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::PlanCount { .. } => "PLAN_COUNT",
            Self::Broken { .. } => "PLAN_BROKEN",
            Self::TooAlike { .. } => "PLANS_ALIKE",
            Self::TooPoor { .. } => "PLAN_POOR",
        }
    }
}

/// Part of what the best plan catches that every other one has to catch, too: four fifths. Where
/// idleness counts, a plan may instead cost a quarter more than the best.
const PARTS: u128 = 5;

/// The most that another plan may cost next to one of this cost.
pub(super) fn most(problem: &Problem, best: Cost) -> Cost {
    let objective = problem.objective();
    let nobody = u128::from(PROBABILITY_ONE) * u128::from(objective.escape);
    let caught = nobody.saturating_sub(best.0) / PARTS;
    let idle = if objective.has_idleness() {
        best.0 / (PARTS - 1)
    } else {
        0
    };
    Cost(best.0.saturating_add(caught.max(idle)))
}

/// Cost of several plans. Fewer than asked for are allowed, and cost.
///
/// # Errors
/// All that is wrong: plan by plan, and when every plan is sound, those that are far worse than the
/// best and pairs that are too near.
pub fn verify(
    variety: &DiverseProblem,
    plans: &DiversePlans,
) -> Result<DiverseCost, Vec<DiverseViolation>> {
    whole(|pulse| verify_until(variety, plans, pulse))
}

/// The same; `None`: told to stop before.
pub(super) fn verify_until(
    variety: &DiverseProblem,
    plans: &DiversePlans,
    pulse: &Pulse,
) -> Option<Result<DiverseCost, Vec<DiverseViolation>>> {
    let problem = variety.problem();
    let (given, wanted) = (plans.plans.len(), variety.plans());
    let mut broken = Vec::new();
    if !(1..=wanted).contains(&given) {
        broken.push(DiverseViolation::PlanCount { given, wanted });
    }
    let mut costs = Vec::new();
    for (plan, one) in plans.plans.iter().enumerate().take(PLANS_MAX) {
        match terms_until(problem, one, pulse)? {
            Ok(terms) => costs.push(verify::cost(&problem.objective(), &terms)),
            Err(violations) => broken.push(DiverseViolation::Broken { plan, violations }),
        }
    }
    if !broken.is_empty() {
        return Some(Err(broken));
    }
    let best = costs.iter().min().copied().unwrap_or_default();
    let most = most(problem, best);
    let poor = costs.iter().enumerate().filter(|(_, cost)| **cost > most);
    broken.extend(poor.map(|(plan, given)| DiverseViolation::TooPoor {
        plan,
        given: *given,
        most,
    }));
    let least_micro = variety.distance_micro();
    let spent = all_occupancy(problem, &plans.plans, pulse)?;
    let spent = spent.expect("each passed the check");
    for (other, two) in spent.iter().enumerate() {
        for (one, first) in spent[..other].iter().enumerate() {
            let given_micro = apart([first, two]);
            if given_micro < least_micro {
                broken.push(DiverseViolation::TooAlike {
                    one,
                    other,
                    given_micro,
                    least_micro,
                });
            }
        }
    }
    Some(if broken.is_empty() {
        Ok(cost(variety, &costs))
    } else {
        Err(broken)
    })
}

/// How guards spend their time in each plan.
fn all_occupancy<'p>(
    problem: &Problem,
    plans: impl IntoIterator<Item = &'p Plan>,
    pulse: &Pulse,
) -> Checked<Vec<Vec<Spent>>> {
    let mut all = Vec::new();
    for plan in plans {
        match occupancy(problem, plan, pulse)? {
            Ok(spent) => all.push(spent),
            Err(violations) => return Some(Err(violations)),
        }
    }
    Some(Ok(all))
}

/// For each plan how far it is from the one that is most like it, in millionths; `None` where it is
/// alone.
///
/// # Errors
/// All broken rules of the first plan that breaks any. Nothing at all: told to stop.
pub fn nearest_distances_until(
    problem: &Problem,
    plans: &[Plan],
    pulse: &Pulse,
) -> Checked<Vec<Option<u32>>> {
    let spent = match all_occupancy(problem, plans, pulse)? {
        Ok(spent) => spent,
        Err(violations) => return Some(Err(violations)),
    };
    let nearest = |index: usize| {
        let others = (0..spent.len()).filter(|other| *other != index);
        let far = others.map(|other| apart([&spent[index], &spent[other]]));
        far.min()
    };
    Some(Ok((0..spent.len()).map(nearest).collect()))
}

/// How far two plans are apart, in millionths of [`DISTANCE_MAX_MICRO`], rounded: 0, guards spend
/// their time alike.
///
/// # Errors
/// All broken rules of the first that breaks any.
pub fn distance(problem: &Problem, plans: [&Plan; 2]) -> Result<u32, Vec<Violation>> {
    let spent = whole(|pulse| all_occupancy(problem, plans, pulse))?;
    Ok(apart([&spent[0], &spent[1]]))
}

fn apart([one, other]: [&Vec<Spent>; 2]) -> u32 {
    // Both are in the order of steps; what only one has lies apart in full.
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    let mut apart = 0_u128;
    loop {
        let step = match (left.peek(), right.peek()) {
            (Some(one), Some(other)) => one.0.min(other.0),
            (Some(one), None) | (None, Some(one)) => one.0,
            (None, None) => break,
        };
        let one = left.next_if(|one| one.0 == step).map_or(0, |one| one.1);
        let other = right.next_if(|one| one.0 == step).map_or(0, |one| one.1);
        apart += u128::from(one.abs_diff(other));
    }
    let whole = 2 * u128::from(PROBABILITY_ONE);
    let micro = (apart * u128::from(DISTANCE_MAX_MICRO) + whole / 2) / whole;
    u32::try_from(micro).expect("at most everything")
}

/// What plans of these costs cost together.
pub(super) fn cost(variety: &DiverseProblem, costs: &[Cost]) -> DiverseCost {
    DiverseCost {
        missing: variety.plans() - costs.len(),
        worst: costs.iter().copied().max().unwrap_or_default(),
        sum: Cost(costs.iter().map(|cost| cost.0).sum()),
    }
}
