//! What a mixture is worth, from the check of its plans alone.

use super::{MixedStrategy, PLANS_MAX};
use crate::problem::{PROBABILITY_ONE, Problem};
use crate::verify::{Violation, captures_until, whole};
use anytime::Pulse;

/// What is wrong with a mixture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum MixedStrategyViolation {
    /// No plan, or too many.
    #[error("{given} plans, outside of 1 to {PLANS_MAX}")]
    PlanCount { given: usize },
    /// Shares that are not those of a whole.
    #[error("shares add up to {sum}, which is not {PROBABILITY_ONE}")]
    Shares { sum: u128 },
    /// A plan that breaks rules.
    #[error("plan {plan} breaks {} rules, the first: {}", violations.len(), violations[0])]
    Broken {
        plan: usize,
        violations: Vec<Violation>,
    },
}

impl MixedStrategyViolation {
    /// A stable name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::PlanCount { .. } => "PLAN_COUNT",
            Self::Shares { .. } => "SHARES",
            Self::Broken { .. } => "PLAN_BROKEN",
        }
    }
}

/// The best response of an intruder who knows a mixture but not the draw, with capture
/// probabilities of [`PROBABILITY_ONE`], rounded down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestResponse {
    /// The first vertex, of those with weight above 0, with the lowest capture probability.
    pub vertex: usize,
    /// The capture probability there: the floor.
    pub capture: u64,
    /// The capture probability of entry at each vertex, whatever its weight.
    pub vertices: Vec<u64>,
    /// For each plan of the mixture, in its order.
    pub plans: Vec<PureStrategy>,
}

/// One plan of a mixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureStrategy {
    /// Its capture probability where the mixture is weakest, at [`BestResponse::vertex`].
    pub capture: u64,
    /// Best response to this plan alone: its vertex of weight above 0 with the lowest capture
    /// probability.
    pub vertex: usize,
    /// The capture probability there: the floor of this plan alone.
    pub floor: u64,
    /// Its capture probability for entry at each vertex.
    pub vertices: Vec<u64>,
}

/// The floor of a mixture, of [`PROBABILITY_ONE`] and rounded down: the capture probability at the vertex
/// of weight above 0 that is worst for the guards. Exact: each plan is checked for entry at each
/// vertex.
///
/// # Errors
/// All that is wrong.
pub fn floor(
    problem: &Problem,
    mixture: &MixedStrategy,
) -> Result<u64, Vec<MixedStrategyViolation>> {
    best_response(problem, mixture).map(|response| response.capture)
}

/// The best response of an intruder who knows plans and shares but not the draw, exactly.
///
/// # Errors
/// All that is wrong.
pub fn best_response(
    problem: &Problem,
    mixture: &MixedStrategy,
) -> Result<BestResponse, Vec<MixedStrategyViolation>> {
    whole(|pulse| best_response_until(problem, mixture, pulse))
}

/// The same; `None`: told to stop before.
pub fn best_response_until(
    problem: &Problem,
    mixture: &MixedStrategy,
    pulse: &Pulse,
) -> Option<Result<BestResponse, Vec<MixedStrategyViolation>>> {
    let given = mixture.plans.len();
    let sum = mixture
        .plans
        .iter()
        .map(|(_, share)| u128::from(*share))
        .sum();
    let mut broken = Vec::new();
    if given == 0 || given > PLANS_MAX {
        broken.push(MixedStrategyViolation::PlanCount { given });
    }
    if sum != u128::from(PROBABILITY_ONE) {
        broken.push(MixedStrategyViolation::Shares { sum });
    }
    let mut known = Vec::new();
    for (plan, (one, share)) in mixture.plans.iter().enumerate().take(PLANS_MAX) {
        match captures_until(problem, one, pulse)? {
            Ok(vertices) => known.push((vertices, *share)),
            Err(violations) => broken.push(MixedStrategyViolation::Broken { plan, violations }),
        }
    }
    Some(if broken.is_empty() {
        Ok(best(problem, known))
    } else {
        Err(broken)
    })
}

/// From what each plan catches at each vertex, and its share.
pub(super) fn best(problem: &Problem, known: Vec<(Vec<u64>, u64)>) -> BestResponse {
    let mixed = |vertex: usize| {
        let each = known
            .iter()
            .map(|(plan, share)| u128::from(plan[vertex]) * u128::from(*share));
        let mean = each.sum::<u128>() / u128::from(PROBABILITY_ONE);
        u64::try_from(mean).expect("at most certain")
    };
    let vertices: Vec<u64> = (0..problem.vertices()).map(mixed).collect();
    let worst = |vertices: &[u64]| {
        let targets = (0..vertices.len()).filter(|vertex| problem.shares()[*vertex] > 0);
        targets
            .min_by_key(|vertex| vertices[*vertex])
            .expect("some weight is above 0")
    };
    let vertex = worst(&vertices);
    let alone = |(plan, _): (Vec<u64>, u64)| {
        let own = worst(&plan);
        PureStrategy {
            capture: plan[vertex],
            vertex: own,
            floor: plan[own],
            vertices: plan,
        }
    };
    let plans: Vec<PureStrategy> = known.into_iter().map(alone).collect();
    BestResponse {
        vertex,
        capture: vertices[vertex],
        vertices,
        plans,
    }
}
