//! Strategies and limits for `GetServerInfo`.

use super::network::AGENTS_MAX;
use crate::info;
use anytime::StrategyInfo;
use stratagem_proto::v1 as pb;
use temporal::Strategy;
use temporal::problem::{CONTINGENT_MAX, EVENTS_MAX, LINKS_MAX, TIME_MAX_US};

/// Strategies of `CheckStrongControllability`, the default first.
pub(super) const STRATEGIES: [StrategyInfo<Strategy>; 8] = [
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "The fixed points of `tropical`, then `search` where they leave the question \
                      open. An iteration is a round of fixed points or a decision.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Tropical,
        name: "tropical",
        description: "Greatest and least fixed points in max-plus algebra: fast, and exact where \
                      they decide. An iteration is a round.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Search,
        name: "search",
        description: "Disjunctive temporal search over our own events, with learned clauses. An \
                      iteration is a decision.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Milp,
        name: "milp",
        description: "The published mixed-integer program (equations 1 to 6), linearised. An \
                      iteration is one solve.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Lp,
        name: "lp",
        description: "The published linear approximation (equations 1 to 4, 7 and 8), weights as \
                      printed: one candidate, checked.",
        proves: false,
    },
    StrategyInfo {
        strategy: Strategy::LpNormalised,
        name: "lp-normalised",
        description: "The same with weights that add up to one: one candidate, checked.",
        proves: false,
    },
    StrategyInfo {
        strategy: Strategy::Early,
        name: "early",
        description: "Each of our events as early as it can be: one candidate, checked.",
        proves: false,
    },
    StrategyInfo {
        strategy: Strategy::Random,
        name: "random",
        description: "Each of our events at random in its window: one candidate, checked.",
        proves: false,
    },
];

/// Strategies of `CheckControllability`.
pub(super) const ONLY_AUTO: &[StrategyInfo<Strategy>] = &[StrategyInfo {
    strategy: Strategy::Auto,
    name: "auto",
    description: "Each question by the fastest exact method. An iteration is a round of one.",
    proves: true,
}];

/// Strategies of `CheckStrongControllability`.
pub(crate) fn strong_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(&STRATEGIES)
}

/// Strategies of `CheckControllability`.
pub(crate) fn levels_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_AUTO)
}

/// Limits of networks.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("events", EVENTS_MAX),
        ("links", LINKS_MAX),
        ("contingent_links", CONTINGENT_MAX),
        ("agents", AGENTS_MAX),
    ];
    info::limits(&sizes, TIME_MAX_US)
}
