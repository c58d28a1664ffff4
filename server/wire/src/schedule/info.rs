//! What the planner can do, for `GetServerInfo`.

use crate::info;
use anytime::StrategyInfo;
use schedule::problem::{ACTIVITIES_MAX, MODES_MAX, PRECEDENCES_MAX, RESOURCES_MAX, TIME_MAX_US};
use stratagem_proto::v1 as pb;

/// All of them, the default first.
pub(super) const STRATEGIES: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "Branch and bound by clause learning (lazy clause generation), in turns with a \
                  genetic algorithm over activity lists. An iteration is a conflict or a child.",
    proves: true,
}];

/// Strategies, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of projects.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("activities", ACTIVITIES_MAX),
        ("modes", MODES_MAX),
        ("precedences", PRECEDENCES_MAX),
        ("resources", RESOURCES_MAX),
    ];
    info::limits(&sizes, TIME_MAX_US)
}
