//! What the planner can do, for `GetServerInfo`.

use crate::info;
use anytime::StrategyInfo;
use crew::Strategy;
use crew::problem::{ARCS_MAX, EVENTS_MAX, PLAYERS_MAX, TIME_MAX_US, TOOLS_MAX, VERTICES_MAX};
use crew::solve::TIES_MAX;
use stratagem_proto::v1 as pb;

/// All of them, the default first.
pub(super) const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "Ways that are not dominated, joined, and matchings at each damage that \
                      matters: exact. An iteration is all of it.",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Milp,
        name: "milp",
        description: "The published mixed-integer program by HiGHS, a front at a time: the \
                      reference, for one event on a small ship whose times and damages have a \
                      coarse common step; others, ties and routes without revisits are refused. \
                      An iteration is a program or a node of branch and bound.",
        proves: true,
    },
];

/// Strategies of `AssignCrew`.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of problems and answers.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("nodes", VERTICES_MAX),
        ("arcs", ARCS_MAX),
        ("players", PLAYERS_MAX),
        ("tools", TOOLS_MAX),
        ("events", EVENTS_MAX),
        ("ties", TIES_MAX),
    ];
    // Ten years: fits.
    info::limits(&sizes, TIME_MAX_US as i64)
}
