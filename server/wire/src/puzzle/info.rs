//! What the planner can do, for `GetServerInfo`.

use crate::info;
use anytime::StrategyInfo;
use puzzle::board::{BOXES_MAX, SIDE_MAX};
use puzzle::plan::{EFFORT_MAX, STEPS_MAX};
use puzzle::problem::{self, AVOIDED_MAX, LEVELS_MAX};
use puzzle::solve::STRATEGIES;
use stratagem_proto::v1 as pb;

/// Strategies of `SolvePuzzle`.
pub(super) const ONLY_AUTO: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "A* over positions of boxes, greedy first, exact at last. An iteration is \
                  a position opened.",
    proves: true,
}];

/// Strategies of `GeneratePuzzle`, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Strategies of `SolvePuzzle`.
pub(crate) fn solver_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_AUTO)
}

/// Limits of boards.
pub(crate) fn board_limits() -> Vec<pb::ServerLimit> {
    [
        ("side", SIDE_MAX, "cells"),
        ("boxes", BOXES_MAX, "elements"),
        ("steps", STEPS_MAX, "elements"),
    ]
    .map(|(name, max, unit)| info::limit(name, max, unit))
    .into()
}

/// Limits of problems and plans.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("boxes", problem::BOXES_MAX),
        ("levels", LEVELS_MAX),
        ("avoided", AVOIDED_MAX),
    ];
    let sizes = sizes.iter().map(info::elements);
    let effort = info::limit("effort", EFFORT_MAX, "positions");
    // Levels that are made have fewer boxes than boards may.
    let boards = board_limits().into_iter();
    let boards = boards.filter(|limit| limit.name != "boxes");
    boards.chain(sizes).chain([effort]).collect()
}
