//! Penalty weights of violated constraints, and their adaptation.

use super::arcs::Arcs;
use super::instance::Instance;
use std::ops::{Add, Sub};

/// Factors of the first weights. They keep most solutions feasible.
const FIRST_TIME_WARP: f64 = 10.0;
const FIRST_OVERLOAD: f64 = 50.0;
/// Solutions between two updates of the weights: many, as consecutive solutions are alike.
const PERIOD: u32 = 200;
/// Share of solutions that should satisfy a constraint.
const TARGET: f64 = 0.5;
/// Deviation from the target that is tolerated.
const SLACK: f64 = 0.05;
/// Factor of a weight while too few solutions are feasible.
const RISE: f64 = 1.2;
/// Factor of a weight while too many solutions are feasible.
const FALL: f64 = 0.85;

/// Penalty weights, in units of cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Penalties {
    /// A microsecond of time warp.
    pub(super) time_warp: f64,
    /// A unit of load above a capacity.
    pub(super) overload: f64,
}

impl Penalties {
    /// All weights, scaled.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            time_warp: self.time_warp * factor,
            overload: self.overload * factor,
        }
    }
}

/// Cost and violations of a solution, which do not depend on penalty weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Totals {
    /// Arcs, lateness and unassigned tasks.
    pub(super) cost: i64,
    pub(super) time_warp_us: i64,
    pub(super) overload: i64,
}

impl Totals {
    /// Penalised cost.
    pub(super) fn penalised_cost(&self, penalties: &Penalties) -> i64 {
        let penalties = self.time_warp_us as f64 * penalties.time_warp
            + self.overload as f64 * penalties.overload;
        self.cost.saturating_add(penalties as i64)
    }

    /// Whether all constraints are satisfied.
    pub(super) fn is_feasible(&self, instance: &Instance<'_, impl Arcs>) -> bool {
        self.cost < instance.forbidden_cost() && self.time_warp_us == 0 && self.overload == 0
    }
}

impl Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            time_warp_us: self.time_warp_us + other.time_warp_us,
            overload: self.overload + other.overload,
        }
    }
}

impl Sub for Totals {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            cost: self.cost - other.cost,
            time_warp_us: self.time_warp_us - other.time_warp_us,
            overload: self.overload - other.overload,
        }
    }
}

/// Adapts the weights: each rises while too few solutions satisfy its constraint, and falls while
/// too many do. Vidal et al. 2012, section 4.6.
#[derive(Debug, Clone)]
pub(super) struct PenaltyManager {
    penalties: Penalties,
    minimum: Penalties,
    maximum: Penalties,
    seen: u32,
    /// Solutions without time warp, and without overload.
    feasible: [u32; 2],
}

impl PenaltyManager {
    pub(super) fn new(instance: &Instance<'_, impl Arcs>) -> Self {
        let demands = &instance.demands[..instance.tasks * instance.dimensions];
        let sum: i64 = demands.iter().sum();
        let demand = (sum as f64 / demands.len().max(1) as f64).max(1e-3);
        // The cost of an average arc pays for as much time as it takes, and for an average load.
        let unit = Penalties {
            time_warp: instance.cost_per_us,
            overload: instance.mean_arc_cost / demand,
        };
        Self {
            penalties: Penalties {
                time_warp: FIRST_TIME_WARP * unit.time_warp,
                overload: FIRST_OVERLOAD * unit.overload,
            },
            minimum: unit.scaled(0.05),
            maximum: unit.scaled(1e4),
            seen: 0,
            feasible: [0; 2],
        }
    }

    pub(super) fn penalties(&self) -> Penalties {
        self.penalties
    }

    /// Counts which constraints a solution satisfies.
    pub(super) fn note(&mut self, totals: &Totals) {
        self.seen += 1;
        let satisfied = [totals.time_warp_us == 0, totals.overload == 0];
        for (feasible, satisfied) in self.feasible.iter_mut().zip(satisfied) {
            *feasible += u32::from(satisfied);
        }
    }

    /// Adapts the weights once a period. Returns whether it did.
    pub(super) fn update(&mut self) -> bool {
        if self.seen < PERIOD {
            return false;
        }
        let factor = |feasible: u32| {
            let share = f64::from(feasible) / f64::from(PERIOD);
            if share < TARGET - SLACK {
                RISE
            } else if share > TARGET + SLACK {
                FALL
            } else {
                1.0
            }
        };
        let [time_warp, overload] = self.feasible.map(factor);
        let (minimum, maximum) = (self.minimum, self.maximum);
        self.penalties = Penalties {
            time_warp: (self.penalties.time_warp * time_warp)
                .clamp(minimum.time_warp, maximum.time_warp),
            overload: (self.penalties.overload * overload)
                .clamp(minimum.overload, maximum.overload),
        };
        (self.seen, self.feasible) = (0, [0; 2]);
        true
    }
}
