//! Prices of broken rules that adapt.

use super::genome::Genome;
use super::ground::Ground;
use super::tours::Prices;

/// Plans between two changes of prices.
const PERIOD: u32 = 50;
/// Share of plans that should keep a rule.
const TARGET: f64 = 0.3;
/// Difference from it that changes nothing.
const SLACK: f64 = 0.05;
const RISE: f64 = 1.3;
const FALL: f64 = 0.75;

impl Prices {
    /// All of them, some times.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            time: self.time * factor,
            load: self.load * factor,
            spare: self.spare * factor,
        }
    }
}

/// Prices that rise while too few plans keep a rule, and fall while too many do: Vidal et al. 2012,
/// section 4.6; each rule has its own.
#[derive(Debug, Clone)]
pub(super) struct Scales {
    prices: Prices,
    least: Prices,
    most: Prices,
    seen: u32,
    /// Plans that kept each rule: time, load, number of routes.
    kept: [u32; 3],
}

impl Scales {
    pub(super) fn new(ground: &Ground<'_>) -> Self {
        let demands = &ground.demands[..ground.tasks * ground.dimensions];
        let sum: i64 = demands.iter().sum();
        let demand = (sum as f64 / demands.len().max(1) as f64).max(1e-3);
        // An average way pays for as much time as it takes, and for a tenth of an average load.
        let unit = Prices {
            time: ground.time_rate,
            load: ground.way_cost / demand,
            spare: ground.way_cost,
        };
        Self {
            prices: Prices {
                time: unit.time,
                load: 5.0 * unit.load,
                spare: 10.0 * unit.spare,
            },
            least: unit.times(0.05),
            most: unit.times(1e4),
            seen: 0,
            kept: [0; 3],
        }
    }

    pub(super) fn prices(&self) -> Prices {
        self.prices
    }

    /// Takes note of which rules a plan keeps.
    pub(super) fn note(&mut self, genome: &Genome) {
        self.seen += 1;
        let keeps = [genome.warp_us == 0, genome.excess == 0, genome.spares == 0];
        for (kept, keeps) in self.kept.iter_mut().zip(keeps) {
            *kept += u32::from(keeps);
        }
    }

    /// Adapts the prices, now and then. True if it did.
    pub(super) fn update(&mut self) -> bool {
        if self.seen < PERIOD {
            return false;
        }
        let factor = |kept: u32| {
            let share = f64::from(kept) / f64::from(PERIOD);
            if share < TARGET - SLACK {
                RISE
            } else if share > TARGET + SLACK {
                FALL
            } else {
                1.0
            }
        };
        let [time, load, spare] = self.kept.map(factor);
        let (least, most) = (self.least, self.most);
        self.prices = Prices {
            time: (self.prices.time * time).clamp(least.time, most.time),
            load: (self.prices.load * load).clamp(least.load, most.load),
            spare: (self.prices.spare * spare).clamp(least.spare, most.spare),
        };
        (self.seen, self.kept) = (0, [0; 3]);
        true
    }
}
