//! The floor of a mixture, from the check of its plans alone.

use super::{Mixture, PLANS_MAX};
use crate::plan::Plan;
use crate::problem::{CERTAIN, Problem};
use crate::verify::{Violation, terms};

/// What is wrong with a mixture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum MixtureViolation {
    /// No plan, or too many.
    #[error("{given} plans, outside of 1 to {PLANS_MAX}")]
    PlanCount { given: usize },
    /// Shares that are not those of a whole.
    #[error("shares add up to {sum}, which is not {CERTAIN}")]
    Shares { sum: u128 },
    /// A plan that breaks rules.
    #[error("plan {plan} breaks {} rules, the first: {}", violations.len(), violations[0])]
    Broken {
        plan: usize,
        violations: Vec<Violation>,
    },
}

/// The probability, of [`CERTAIN`] and rounded down, with which the intruder is caught at least who knows the mixture and enters at
/// the vertex of weight above 0 that is worst for the guards. Exact: each plan is checked against an intruder for each vertex.
///
/// # Errors
/// All that is wrong.
pub fn floor(problem: &Problem, mixture: &Mixture) -> Result<u64, Vec<MixtureViolation>> {
    let given = mixture.plans.len();
    let sum = mixture
        .plans
        .iter()
        .map(|(_, share)| u128::from(*share))
        .sum();
    let mut broken = Vec::new();
    if given == 0 || given > PLANS_MAX {
        broken.push(MixtureViolation::PlanCount { given });
    }
    if sum != u128::from(CERTAIN) {
        broken.push(MixtureViolation::Shares { sum });
    }
    for (index, (plan, _)) in mixture.plans.iter().enumerate() {
        if let Err(violations) = terms(problem, plan) {
            broken.push(MixtureViolation::Broken {
                plan: index,
                violations,
            });
        }
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let targets = (0..problem.vertices()).filter(|vertex| problem.shares()[*vertex] > 0);
    let floors = targets.map(|vertex| {
        let alone = alone(problem, vertex);
        let caught = mixture
            .plans
            .iter()
            .map(|(plan, share)| u128::from(caught(&alone, plan)) * u128::from(*share));
        caught.sum::<u128>() / u128::from(CERTAIN)
    });
    let least = floors.min().expect("some weight is above 0");
    Ok(u64::try_from(least).expect("at most certain"))
}

/// The same problem with an intruder who enters at this vertex.
fn alone(problem: &Problem, vertex: usize) -> Problem {
    let mut spec = problem.spec().clone();
    spec.weights_micro = vec![0; problem.vertices()];
    spec.weights_micro[vertex] = 1_000_000;
    Problem::new(spec).expect("only weights changed, and one is above 0")
}

fn caught(problem: &Problem, plan: &Plan) -> u64 {
    let terms = terms(problem, plan).expect("the plan passed the check");
    CERTAIN - terms.escape
}
