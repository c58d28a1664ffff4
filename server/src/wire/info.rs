//! What planners can do, for `GetServerInfo`.

use stratagem_proto::v1 as pb;

/// What callers know about a strategy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described {
    pub name: &'static str,
    /// One line.
    pub description: &'static str,
    /// Whether it can prove its answer.
    pub proves: bool,
}

/// An entry of a planner's table of strategies.
pub(crate) trait Listed: 'static {
    /// What callers know about it.
    fn described(&self) -> Described;
}

/// Strategies that are linear programs, whose solver HiGHS comes with the feature `milp`.
const PROGRAMS: [&str; 3] = ["milp", "lp", "lp-normalised"];

/// Whether a strategy is part of this build.
pub(crate) fn is_built(strategy: &str) -> bool {
    cfg!(feature = "milp") || !PROGRAMS.contains(&strategy)
}

/// The strategies of this build for the wire, in their order: the default first.
pub(crate) fn strategies(list: &[impl Listed]) -> Vec<pb::StrategyInfo> {
    let info = |one: Described| pb::StrategyInfo {
        name: one.name.into(),
        description: one.description.into(),
        proves: one.proves,
    };
    let all = list.iter().map(Listed::described);
    all.filter(|one| is_built(one.name)).map(info).collect()
}

/// Limits for the wire: numbers of elements by name, then the furthest time.
pub(crate) fn limits(sizes: &[(&str, usize)], time_max_us: i64) -> Vec<pb::ServerLimit> {
    let time = limit("time", time_max_us / 1_000, "ms");
    sizes.iter().map(elements).chain([time]).collect()
}

/// A limit of a number of elements.
pub(crate) fn elements((name, max): &(&str, usize)) -> pb::ServerLimit {
    limit(name, *max, "elements")
}

/// A limit for the wire.
pub(crate) fn limit(name: &str, max: impl TryInto<i64>, unit: &str) -> pb::ServerLimit {
    pb::ServerLimit {
        name: name.into(),
        max_value: max.try_into().unwrap_or(i64::MAX),
        unit: unit.into(),
    }
}
