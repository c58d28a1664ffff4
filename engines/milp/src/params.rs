//! Parameters of a solve.

use crate::{Mistake, Model};

/// Parameters of a solve. Time and cancellation come through [`Pulse`](anytime::Pulse).
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Random seed: order of ties, perturbations. HiGHS has 31 bits of it, so that seeds are
    /// folded.
    pub seed: u64,
    /// Nodes of branch and bound after which to stop, in the same place every time. None: no limit.
    /// HiGHS looks at it between nodes, so that a few more may be counted.
    pub nodes_max: Option<u64>,
    /// Simplex iterations after which to stop, in models without integers. None: no limit.
    pub pivots_max: Option<u64>,
    /// By how much a value may miss a bound, a row or, before it is rounded, an integer. 1e-9 to
    /// 1e-3, absolute. The solver gets a tenth of it.
    pub tolerance: f64,
    /// `Optimal` may be worse than the true optimum by this much. At least 0.
    pub gap: f64,
    /// A solution to begin with, a value for each variable in the order of adding. It is the first
    /// that the listener hears of if it satisfies an integer program; one that breaks a row is
    /// repaired by the solver or ignored. After columns were added, zeros for them make a whole
    /// start of an old solution.
    pub start: Option<Vec<f64>>,
}

impl Default for Params {
    /// Seed 0, no limits, tolerance 1e-6, gap 1e-6, no start.
    fn default() -> Self {
        Self {
            seed: 0,
            nodes_max: None,
            pivots_max: None,
            tolerance: 1e-6,
            gap: 1e-6,
            start: None,
        }
    }
}

impl Params {
    pub(crate) fn mistakes(&self, model: &Model) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        if !(1e-9..=1e-3).contains(&self.tolerance) {
            mistakes.push(Mistake::Tolerance {
                given: self.tolerance,
            });
        }
        if self.gap.is_nan() || self.gap < 0.0 {
            mistakes.push(Mistake::Gap { given: self.gap });
        }
        if let Some(start) = &self.start {
            let variables = model.variables();
            if start.len() != variables || start.iter().any(|value| !value.is_finite()) {
                mistakes.push(Mistake::Start {
                    given: start.len(),
                    variables,
                });
            }
        }
        mistakes
    }

    /// Whether a solution of this objective is proved to be optimal by this bound.
    pub(crate) fn is_proved(&self, objective: f64, bound: f64) -> bool {
        let gap = (objective - bound).abs();
        // Both were computed with rounding, by different sums.
        let noise = self.tolerance * objective.abs().max(1.0);
        gap <= self.gap.max(noise)
    }
}
