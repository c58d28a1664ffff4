//! Broken rules.

use crate::plan::{PERIOD_MAX, WORK_MAX};
use crate::problem::Tick;

/// Which stop of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// The stop of the prefix with this index.
    Prefix(usize),
    /// The stop of the cycle with this index.
    Cycle(usize),
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Prefix(stop) => write!(f, "stop {stop} of the prefix"),
            Self::Cycle(stop) => write!(f, "stop {stop} of the cycle"),
        }
    }
}

/// One broken rule. Variants name routes, stops and vertices by index; routes are in the order of
/// guards.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// Each guard has one route.
    #[error("{given} routes for {guards} guards")]
    RouteCount { given: usize, guards: usize },
    /// A route without an end.
    #[error("route {route} has no cycle")]
    CycleEmpty { route: usize },
    /// More stops than ticks are allowed.
    #[error("route {route} has {stops} stops, at most {PERIOD_MAX} are supported")]
    TooManyStops { route: usize, stops: usize },
    /// A stop at a vertex that does not exist.
    #[error("{at} of route {route} names vertex {vertex}, which does not exist")]
    UnknownVertex { route: usize, at: At, vertex: usize },
    /// A route that does not begin where its guard is.
    #[error("route {route} begins at vertex {vertex}, but its guard is at {start}")]
    Start {
        route: usize,
        vertex: usize,
        start: usize,
    },
    /// A step between vertices that are not neighbours.
    #[error("there is no edge to {at} of route {route}, from vertex {from} to vertex {to}")]
    NoEdge {
        route: usize,
        at: At,
        from: usize,
        to: usize,
    },
    /// A stay where nobody may stay.
    #[error("{at} of route {route} is a stay of {ticks} ticks, but guards may not stay")]
    Stay { route: usize, at: At, ticks: u32 },
    /// A stay shorter than the pause at its vertex.
    #[error(
        "{at} of route {route} is a stay of {ticks} ticks at vertex {vertex}, at least {least} are asked for"
    )]
    PauseShort {
        route: usize,
        at: At,
        vertex: usize,
        ticks: u32,
        least: u32,
    },
    /// A cycle that takes no time.
    #[error("the cycle of route {route} takes no time")]
    CycleInstant { route: usize },
    /// A prefix, or the least common multiple of all cycles, that is too long.
    #[error("the {part} takes {ticks} ticks, at most {PERIOD_MAX} are supported")]
    TooLong { part: &'static str, ticks: Tick },
    /// A plan that takes too long to be judged.
    #[error("to judge the plan takes {work} steps, at most {WORK_MAX} are supported")]
    TooMuchWork { work: u64 },
    /// Two guards pass each other on an edge.
    #[error(
        "guards {one} and {other} pass each other between vertices {from} and {to} around tick {tick}"
    )]
    Swap {
        one: usize,
        other: usize,
        from: usize,
        to: usize,
        tick: Tick,
    },
    /// A vertex that is never out of sight for as long as asked for.
    #[error("vertex {vertex} is out of sight for at most {longest} ticks, {wanted} are asked for")]
    GapMissing {
        vertex: usize,
        longest: Tick,
        wanted: u32,
    },
}

impl Violation {
    /// A stable name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::RouteCount { .. } => "ROUTE_COUNT",
            Self::CycleEmpty { .. } => "CYCLE_EMPTY",
            Self::TooManyStops { .. } => "TOO_MANY_STOPS",
            Self::UnknownVertex { .. } => "VERTEX_UNKNOWN",
            Self::Start { .. } => "START_WRONG",
            Self::NoEdge { .. } => "NO_EDGE",
            Self::Stay { .. } => "STAY_FORBIDDEN",
            Self::PauseShort { .. } => "PAUSE_SHORT",
            Self::CycleInstant { .. } => "CYCLE_INSTANT",
            Self::TooLong { .. } => "PLAN_TOO_LONG",
            Self::TooMuchWork { .. } => "TOO_MUCH_WORK",
            Self::Swap { .. } => "PASSING_FORBIDDEN",
            Self::GapMissing { .. } => "GAP_MISSING",
        }
    }

    /// The route that breaks the rule, and which of its stops; `None` where the rule is about more
    /// than that.
    #[must_use]
    pub fn at(&self) -> (Option<usize>, Option<At>) {
        match *self {
            Self::CycleEmpty { route }
            | Self::TooManyStops { route, .. }
            | Self::Start { route, .. }
            | Self::CycleInstant { route } => (Some(route), None),
            Self::UnknownVertex { route, at, .. }
            | Self::NoEdge { route, at, .. }
            | Self::Stay { route, at, .. }
            | Self::PauseShort { route, at, .. } => (Some(route), Some(at)),
            Self::RouteCount { .. }
            | Self::TooLong { .. }
            | Self::TooMuchWork { .. }
            | Self::Swap { .. }
            | Self::GapMissing { .. } => (None, None),
        }
    }
}
