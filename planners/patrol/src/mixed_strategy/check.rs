//! Verification of mixed strategies: each plan alone, and the intruder's best response.

use super::{MixedStrategy, PLANS_MAX};
use crate::problem::{PROBABILITY_ONE, Problem};
use crate::verify::{Checked, captures_until, inside, unstopped};
use anytime::{Fault, Path, Pulse, fault};

/// Best response of an intruder that knows a mixed strategy but not the draw. Capture probabilities
/// are in units of 2^-60, rounded down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestResponse {
    /// Vertex of weight above 0 with the lowest capture probability; ties go to the first.
    pub vertex: usize,
    /// Capture probability there: the floor.
    pub capture: u64,
    /// Capture probability by vertex of entry, whatever its weight.
    pub vertices: Vec<u64>,
    /// Each plan of the mixed strategy, in its order.
    pub plans: Vec<PureStrategy>,
}

/// One plan of a mixed strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureStrategy {
    /// Capture probability at [`BestResponse::vertex`].
    pub capture: u64,
    /// Best response to this plan alone: its vertex of weight above 0 with the lowest capture
    /// probability.
    pub vertex: usize,
    /// Capture probability there: the floor of this plan alone.
    pub floor: u64,
    /// Capture probability by vertex of entry.
    pub vertices: Vec<u64>,
}

/// Floor of a mixed strategy in units of 2^-60, rounded down: the lowest capture probability at a
/// vertex of weight above 0. Exact.
///
/// # Errors
/// Broken rules, with paths in the contract's `PatrolMixture`.
pub fn floor(problem: &Problem, mixed: &MixedStrategy) -> Result<u64, Vec<Fault>> {
    best_response(problem, mixed).map(|response| response.capture)
}

/// Best response to a mixed strategy, exactly.
///
/// # Errors
/// As [`floor`].
pub fn best_response(problem: &Problem, mixed: &MixedStrategy) -> Result<BestResponse, Vec<Fault>> {
    unstopped(|pulse| best_response_until(problem, mixed, pulse))
}

/// The same with a stop condition.
pub fn best_response_until(
    problem: &Problem,
    mixed: &MixedStrategy,
    pulse: &Pulse,
) -> Checked<BestResponse> {
    let at = Path::root("parts");
    let given = mixed.plans.len();
    let shares = mixed.plans.iter().map(|(_, share)| u128::from(*share));
    let sum: u128 = shares.sum();
    let mut faults = Vec::new();
    if given == 0 || given > PLANS_MAX {
        let max = PLANS_MAX;
        faults.push(fault!(
            "PLAN_COUNT",
            at,
            "has {} elements, outside of 1 to {}",
            given,
            max
        ));
    }
    if sum != u128::from(PROBABILITY_ONE) {
        let sum = (sum as f64 / PROBABILITY_ONE as f64).to_string();
        faults.push(fault!(
            "SHARES",
            at,
            "has probabilities with sum {}, not 1",
            sum
        ));
    }
    let mut known = Vec::new();
    for (index, (plan, share)) in mixed.plans.iter().enumerate().take(PLANS_MAX) {
        match captures_until(problem, plan, pulse)? {
            Ok(vertices) => known.push((vertices, *share)),
            Err(broken) => faults.extend(inside(&at.index(index).field("plan"), broken)),
        }
    }
    Some(if faults.is_empty() {
        Ok(response_to(problem, known))
    } else {
        Err(faults)
    })
}

/// Best response to plans with these captures by vertex, each with its probability.
pub(super) fn response_to(problem: &Problem, known: Vec<(Vec<u64>, u64)>) -> BestResponse {
    let mixed = |vertex: usize| {
        let each = known
            .iter()
            .map(|(plan, share)| u128::from(plan[vertex]) * u128::from(*share));
        let mean = each.sum::<u128>() / u128::from(PROBABILITY_ONE);
        u64::try_from(mean).expect("at most one")
    };
    let vertices: Vec<u64> = (0..problem.vertices()).map(mixed).collect();
    let worst = |vertices: &[u64]| {
        let targets = (0..vertices.len()).filter(|vertex| problem.shares()[*vertex] > 0);
        targets
            .min_by_key(|vertex| vertices[*vertex])
            .expect("some weight is above 0")
    };
    let vertex = worst(&vertices);
    let pure = |vertices: Vec<u64>| {
        let own = worst(&vertices);
        PureStrategy {
            capture: vertices[vertex],
            vertex: own,
            floor: vertices[own],
            vertices,
        }
    };
    let plans: Vec<PureStrategy> = known
        .into_iter()
        .map(|(vertices, _)| pure(vertices))
        .collect();
    BestResponse {
        vertex,
        capture: vertices[vertex],
        vertices,
        plans,
    }
}
