//! Strategies and limits of the planner, for `GetServerInfo`.

use crate::info;
use patrol::plan::PERIOD_MAX;
use patrol::problem::{
    EDGES_MAX, GUARDS_MAX, INSTANTS_MAX, LENGTH_MAX, MISSION_MAX, PLACES_MAX, SIGHTS_MAX,
    TICKS_MAX, VERTICES_MAX,
};
use patrol::solve::STRATEGIES;
use patrol::{diverse, mixed_strategy};
use stratagem_proto::v1 as pb;

/// Strategies, the default first.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of `MixPatrols`.
pub(crate) fn mix_limits() -> Vec<pb::ServerLimit> {
    with_plans("mixed_plans", mixed_strategy::PLANS_MAX)
}

/// Limits of `VaryPatrols`.
pub(crate) fn vary_limits() -> Vec<pb::ServerLimit> {
    with_plans("variants", diverse::PLANS_MAX)
}

/// Limits of problems, and of the number of plans.
fn with_plans(name: &str, max: usize) -> Vec<pb::ServerLimit> {
    let plans = info::elements(&(name, max));
    limits().into_iter().chain([plans]).collect()
}

/// Limits of problems: numbers of elements, then times in ticks.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let sizes = [
        ("vertices", VERTICES_MAX),
        ("edges", EDGES_MAX),
        ("guards", GUARDS_MAX),
        ("seen_vertices", SIGHTS_MAX),
        ("places_of_walking_intruders", PLACES_MAX),
    ];
    let sizes = sizes.iter().map(info::elements);
    let times = [
        ("travel", LENGTH_MAX),
        ("penetration_instants", INSTANTS_MAX),
        ("mission", MISSION_MAX),
        ("pause_or_gap", TICKS_MAX),
    ];
    let times = times.map(|(name, max)| info::limit(name, max, "ticks"));
    let period = info::limit("joint_period", PERIOD_MAX, "ticks");
    sizes.chain(times).chain([period]).collect()
}
