//! What the planner can do, for `GetServerInfo`.

use crate::info;
use allocation::problem::{
    AGENTS_MAX, BREAKS_MAX, DENSE_AGENTS_MAX, DENSE_TASKS_MAX, DIMENSIONS_MAX, GROUPS_MAX,
    LEVELS_MAX, ORDERS_MAX, PAIRS_MAX, PREFERENCES_MAX, TASKS_MAX, TIME_MAX_US, WINDOWS_MAX,
};
use allocation::solve::STRATEGIES;
use allocation::travel::LOCATIONS_MAX;
use stratagem_proto::v1 as pb;

/// Strategies, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of problems.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("tasks", TASKS_MAX),
        ("agents", AGENTS_MAX),
        ("tasks_with_matrix_or_couplings", DENSE_TASKS_MAX),
        ("agents_with_matrix_or_couplings", DENSE_AGENTS_MAX),
        ("matrix_locations", LOCATIONS_MAX),
        ("windows_per_task", WINDOWS_MAX),
        ("capacity_dimensions", DIMENSIONS_MAX),
        ("skills", u64::BITS as usize),
        ("objective_levels", LEVELS_MAX),
        ("orders", ORDERS_MAX),
        ("pairs", PAIRS_MAX),
        ("groups", GROUPS_MAX),
        ("breaks", BREAKS_MAX),
        ("preferences", PREFERENCES_MAX),
    ];
    info::limits(&sizes, TIME_MAX_US)
}
