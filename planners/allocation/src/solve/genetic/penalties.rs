//! Penalty weights of violated constraints, and their adaptation.

use super::genome::Genome;
use super::instance::Instance;

/// Solutions between two updates of the weights.
const PERIOD: u32 = 50;
/// Share of solutions that should satisfy a constraint.
const TARGET: f64 = 0.3;
/// Deviation from the target that is tolerated.
const SLACK: f64 = 0.05;
/// Factor of a weight while too few solutions are feasible.
const RISE: f64 = 1.3;
/// Factor of a weight while too many solutions are feasible.
const FALL: f64 = 0.75;

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

/// Adapts the weights: each rises while too few solutions satisfy its constraint, and falls while
/// too many do. Vidal et al. 2012, section 4.6.
#[derive(Debug, Clone)]
pub(super) struct PenaltyManager {
    penalties: Penalties,
    minimum: Penalties,
    maximum: Penalties,
    seen: u32,
    /// Solutions without time warp, without overload, without surplus vehicles.
    feasible: [u32; 3],
}

impl PenaltyManager {
    pub(super) fn new(instance: &Instance<'_>) -> Self {
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
                time_warp: unit.time_warp,
                overload: 5.0 * unit.overload,
                surplus_vehicle: 10.0 * unit.surplus_vehicle,
            },
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
    pub(super) fn note(&mut self, genome: &Genome) {
        self.seen += 1;
        let satisfied = [
            genome.time_warp_us == 0,
            genome.overload == 0,
            genome.surplus == 0,
        ];
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
