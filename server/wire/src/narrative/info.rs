//! What the planner can do, for `GetServerInfo`.

use super::problem::GROUPS_MAX;
use crate::info;
use anytime::StrategyInfo;
use narrative::Strategy;
use narrative::problem::{
    ACTIVITIES_MAX, CHOICES_MAX, CONTINGENT_MAX, EVENTS_MAX, LINKS_MAX, RESOURCES_MAX,
    STORYLINES_MAX, STRANDS_MAX, TIME_MAX_US,
};
use stratagem_proto::v1 as pb;

/// All of them, the default first.
pub(super) const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "Search for orders of activities with learned clauses, dynamic \
                      controllability as its judge, and outcomes divided among storylines. An \
                      iteration is a decision.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Milp,
        name: "milp",
        description: "The published mixed-integer program, corrected, by HiGHS: the reference, for \
                      small stories whose times have a coarse common step; others, and slack and \
                      idle time in one objective, are refused. An iteration is a program or a node \
                      of branch and bound.",
        proves: true,
    },
];

/// Strategies, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of narratives.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("events", EVENTS_MAX),
        ("links", LINKS_MAX),
        ("contingent_links", CONTINGENT_MAX),
        ("activities", ACTIVITIES_MAX),
        ("resources", RESOURCES_MAX),
        ("choices", CHOICES_MAX),
        ("storylines", STORYLINES_MAX),
        ("strands", STRANDS_MAX),
        ("groups", GROUPS_MAX),
    ];
    info::limits(&sizes, TIME_MAX_US)
}
