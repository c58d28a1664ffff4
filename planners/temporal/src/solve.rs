//! Strategies that decide networks, and the details of their verdicts.

mod decide;
mod distance_matrix;
mod explain;
mod levels;
#[cfg(feature = "milp")]
mod linear;
mod nature;
mod reduce;
mod relax;
mod robust;
mod search;
mod strong;
#[cfg(test)]
mod tests;
mod tropical;
mod uncertain;

pub use levels::check_levels;
pub use strong::check_strong;

use crate::plan::Level;

/// How strong controllability is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// `tropical`, then `search`.
    #[default]
    Auto,
    /// Max-plus fixed points alone: exact where it decides.
    Tropical,
    /// Disjunctive search on the reduction, without the fixed points' verdicts.
    Search,
    /// Equations 1 to 6 as a mixed-integer program.
    Milp,
    /// Equations 1 to 4, 7 and 8 as a linear program, weights as printed: a candidate.
    Lp,
    /// The same with weights that sum to one: a candidate.
    LpNormalised,
    /// Each event of ours as early as it can be: a candidate.
    Early,
    /// Each event of ours at random in its window: a candidate.
    Random,
}

/// Details to compute besides a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detail {
    /// The conflict of a failure.
    pub conflict: bool,
    /// Most relaxations to look for.
    pub relaxations_max: usize,
    /// Robustness of the schedule.
    pub robustness: bool,
    /// Runs to simulate against each model of a teammate.
    pub simulation_runs: u32,
}

impl Detail {
    /// The verdict alone, with its schedule.
    pub const NONE: Self = Self {
        conflict: false,
        relaxations_max: 0,
        robustness: false,
        simulation_runs: 0,
    };
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            conflict: true,
            relaxations_max: 3,
            robustness: true,
            simulation_runs: 0,
        }
    }
}

/// How to check strong controllability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StrongParams {
    /// The strategy.
    pub strategy: Strategy,
    /// Details.
    pub detail: Detail,
}

/// Which questions to answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LevelsParams {
    /// The questions, none twice. Weak and dynamic need a network without teammates.
    pub levels: Vec<Level>,
    /// Details.
    pub detail: Detail,
}

/// Name of a level.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::Consistent => "consistent",
        Level::Weak => "weak",
        Level::Dynamic => "dynamic",
        Level::Strong => "strong",
    }
}
