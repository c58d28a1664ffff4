//! What planners can do, for `GetServerInfo`.

use anytime::StrategyInfo;
use stratagem_proto::v1 as pb;

/// Strategies that are linear programs, whose solver HiGHS comes with the feature `milp`.
const PROGRAMS: [&str; 3] = ["milp", "lp", "lp-normalised"];

/// Whether a strategy is part of this build.
pub fn is_built(strategy: &str) -> bool {
    cfg!(feature = "milp") || !PROGRAMS.contains(&strategy)
}

/// The strategies of this build for the wire, in their order: the default first.
pub fn strategies<S>(list: &[StrategyInfo<S>]) -> Vec<pb::StrategyInfo> {
    let built = list.iter().filter(|one| is_built(one.name));
    let info = built.map(|one| pb::StrategyInfo {
        name: one.name.into(),
        description: one.description.into(),
        proves: one.proves,
    });
    info.collect()
}

/// Limits for the wire: numbers of elements by name, then the furthest time.
pub fn limits(sizes: &[(&str, usize)], time_max_us: i64) -> Vec<pb::ServerLimit> {
    let time = limit("time", time_max_us / 1_000, "ms");
    sizes.iter().map(elements).chain([time]).collect()
}

/// A limit of a number of elements.
pub fn elements((name, max): &(&str, usize)) -> pb::ServerLimit {
    limit(name, *max, "elements")
}

/// A limit for the wire.
pub fn limit(name: &str, max: impl TryInto<i64>, unit: &str) -> pb::ServerLimit {
    pb::ServerLimit {
        name: name.into(),
        max_value: max.try_into().unwrap_or(i64::MAX),
        unit: unit.into(),
    }
}
