//! Penalty weights of violated constraints, and their adaptation.

use super::instance::Instance;
use std::ops::{Add, Sub};

/// Deviation from the target that is tolerated.
const SLACK: f64 = 0.05;

/// Penalty weights, in units of cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Penalties {
    /// A microsecond of time warp.
    pub(super) time_warp: f64,
    /// A unit of load above a capacity.
    pub(super) overload: f64,
    /// A route beyond the number of agents of a class.
    pub(super) surplus_vehicle: f64,
}

impl Penalties {
    /// All weights, scaled.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            time_warp: self.time_warp * factor,
            overload: self.overload * factor,
            surplus_vehicle: self.surplus_vehicle * factor,
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
    /// Number of surplus vehicles used.
    pub(super) surplus: i64,
}

impl Totals {
    /// Penalised cost.
    pub(super) fn penalised_cost(&self, penalties: &Penalties) -> i64 {
        let penalties = self.time_warp_us as f64 * penalties.time_warp
            + self.overload as f64 * penalties.overload
            + self.surplus as f64 * penalties.surplus_vehicle;
        self.cost.saturating_add(penalties as i64)
    }

    /// Whether all constraints are satisfied.
    pub(super) fn is_feasible(&self, instance: &Instance<'_>) -> bool {
        self.cost < instance.forbidden_cost
            && self.time_warp_us == 0
            && self.overload == 0
            && self.surplus == 0
    }
}

impl Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            time_warp_us: self.time_warp_us + other.time_warp_us,
            overload: self.overload + other.overload,
            surplus: self.surplus + other.surplus,
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
            surplus: self.surplus - other.surplus,
        }
    }
}

/// How weights adapt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Adaptation {
    /// Factor of the first weights, which make violations cost about what they save.
    pub(super) first: f64,
    /// Solutions between two updates of the weights.
    pub(super) period: u32,
    /// Share of solutions that should satisfy a constraint.
    pub(super) target: f64,
    /// Factor of a weight while too few solutions are feasible.
    pub(super) rise: f64,
    /// Factor of a weight while too many solutions are feasible.
    pub(super) fall: f64,
}

/// Adapts the weights: each rises while too few solutions satisfy its constraint, and falls while
/// too many do. Vidal et al. 2012, section 4.6.
#[derive(Debug, Clone)]
pub(super) struct PenaltyManager {
    adaptation: Adaptation,
    penalties: Penalties,
    minimum: Penalties,
    maximum: Penalties,
    seen: u32,
    /// Solutions without time warp, without overload, without surplus vehicles.
    feasible: [u32; 3],
}

impl PenaltyManager {
    pub(super) fn new(instance: &Instance<'_>, adaptation: Adaptation) -> Self {
        let demands = &instance.demands[..instance.tasks * instance.dimensions];
        let sum: i64 = demands.iter().sum();
        let demand = (sum as f64 / demands.len().max(1) as f64).max(1e-3);
        // The cost of an average arc pays for as much time as it takes, and for an average load.
        let unit = Penalties {
            time_warp: instance.cost_per_us,
            overload: instance.mean_arc_cost / demand,
            surplus_vehicle: instance.mean_arc_cost,
        };
        Self {
            penalties: Penalties {
                time_warp: adaptation.first * unit.time_warp,
                overload: adaptation.first * 5.0 * unit.overload,
                surplus_vehicle: adaptation.first * 10.0 * unit.surplus_vehicle,
            },
            adaptation,
            minimum: unit.scaled(0.05),
            maximum: unit.scaled(1e4),
            seen: 0,
            feasible: [0; 3],
        }
    }

    pub(super) fn penalties(&self) -> Penalties {
        self.penalties
    }

    /// Counts which constraints a solution satisfies.
    pub(super) fn note(&mut self, totals: &Totals) {
        self.seen += 1;
        let satisfied = [
            totals.time_warp_us == 0,
            totals.overload == 0,
            totals.surplus == 0,
        ];
        for (feasible, satisfied) in self.feasible.iter_mut().zip(satisfied) {
            *feasible += u32::from(satisfied);
        }
    }

    /// Adapts the weights once a period. Returns whether it did.
    pub(super) fn update(&mut self) -> bool {
        if self.seen < self.adaptation.period {
            return false;
        }
        let factor = |feasible: u32| {
            let share = f64::from(feasible) / f64::from(self.adaptation.period);
            if share < self.adaptation.target - SLACK {
                self.adaptation.rise
            } else if share > self.adaptation.target + SLACK {
                self.adaptation.fall
            } else {
                1.0
            }
        };
        let [time_warp, overload, surplus_vehicle] = self.feasible.map(factor);
        let (minimum, maximum) = (self.minimum, self.maximum);
        self.penalties = Penalties {
            time_warp: (self.penalties.time_warp * time_warp)
                .clamp(minimum.time_warp, maximum.time_warp),
            overload: (self.penalties.overload * overload)
                .clamp(minimum.overload, maximum.overload),
            surplus_vehicle: (self.penalties.surplus_vehicle * surplus_vehicle)
                .clamp(minimum.surplus_vehicle, maximum.surplus_vehicle),
        };
        (self.seen, self.feasible) = (0, [0; 3]);
        true
    }
}
