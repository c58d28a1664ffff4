//! What the planner can do, for `GetServerInfo`.

use allocation::problem::{
    AGENTS_MAX, DIMENSIONS_MAX, LEVELS_MAX, TASKS_MAX, TIME_MAX_US, WINDOWS_MAX,
};
use allocation::solve::{STRATEGIES, StrategyInfo};
use allocation::travel::LOCATIONS_MAX;
use stratagem_proto::v1 as pb;

/// Strategies, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    let strategy = |info: &StrategyInfo| pb::StrategyInfo {
        name: info.name.into(),
        description: info.description.into(),
        proves: info.proves,
    };
    STRATEGIES.iter().map(strategy).collect()
}

/// Limits of problems.
pub(crate) fn limits() -> Vec<pb::Limit> {
    let sizes = [
        ("tasks", TASKS_MAX),
        ("agents", AGENTS_MAX),
        ("locations", LOCATIONS_MAX),
        ("windows_per_task", WINDOWS_MAX),
        ("capacity_dimensions", DIMENSIONS_MAX),
        ("skills", u64::BITS as usize),
        ("objective_levels", LEVELS_MAX),
    ];
    let size = |(name, max): (&str, usize)| pb::Limit {
        name: name.into(),
        max: max as i64,
        unit: "elements".into(),
    };
    let time = pb::Limit {
        name: "time".into(),
        max: TIME_MAX_US / 1_000,
        unit: "ms".into(),
    };
    sizes.map(size).into_iter().chain([time]).collect()
}
