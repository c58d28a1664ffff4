//! Strategies and limits of the planner, for `GetServerInfo`.

use crate::info;
use anytime::StrategyInfo;
use heist::museum::{
    CAMERAS_MAX, CONTAINERS_MAX, DOORS_MAX, FITTING_MAX, ITEMS_MAX, MACHINES_MAX, ROOMS_MAX,
};
use heist::plan::ACTIONS_MAX;
use heist::world::{AGENTS_MAX, ROUTE_MAX, VISITS_MAX};
use stratagem_proto::v1 as pb;

/// Strategies of `PlanBurglar`.
pub(super) const ONLY_AUTO: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "A* over errands and ways, from a first plan on. An iteration is a place \
                  opened.",
    proves: true,
}];

/// Strategies of `DesignHeist`.
pub(super) const ONLY_LEVELS: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "Sets of trap rooms, the largest first, each level played. An iteration \
                  is a level or a game.",
    proves: true,
}];

/// Strategies of `AnalyzeHeist`.
pub(super) const ONLY_GAMES: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "Games: without help, with help, the cheapest first. An iteration is a \
                  game.",
    proves: true,
}];

/// Strategies of `SimulateHeist`.
pub(super) const ONLY_TICKS: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "The game, tick by tick. An iteration is a tick.",
    proves: false,
}];

/// Strategies of `AnalyzeHeist`.
pub(crate) fn analysis_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_GAMES)
}

/// Strategies of `DesignHeist`.
pub(crate) fn design_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_LEVELS)
}

/// Strategies of `PlanBurglar`.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_AUTO)
}

/// Limits of worlds and plans.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    [
        ("rooms", ROOMS_MAX),
        ("doors", DOORS_MAX),
        ("containers", CONTAINERS_MAX),
        ("machines", MACHINES_MAX),
        ("cameras", CAMERAS_MAX),
        ("keys_and_artifacts", ITEMS_MAX),
        ("keys_of_a_lock", FITTING_MAX),
        ("guards", AGENTS_MAX - 1),
        ("visits_in_any_order", VISITS_MAX),
        ("visits_in_order", ROUTE_MAX),
        ("steps", ACTIONS_MAX),
    ]
    .each_ref()
    .map(info::elements)
    .into()
}
