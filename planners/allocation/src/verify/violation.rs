//! Which rules a plan can break.

mod coupling;

pub use coupling::CouplingViolation;

use crate::problem::{Micros, Seconds};

/// One broken rule. `route` and `stop` count from 0 in the plan, agents and tasks in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// A route of nobody.
    #[error("route {route} is of agent {agent}, which does not exist")]
    AgentUnknown { route: usize, agent: usize },
    /// An agent that has two routes.
    #[error("route {route} is of agent {agent}, which has route {first} already")]
    AgentRepeated {
        route: usize,
        agent: usize,
        first: usize,
    },
    /// Routes stand in the order of the problem's agents.
    #[error("route {route} is of agent {agent}, but stands after one of agent {before}")]
    RouteOrder {
        route: usize,
        agent: usize,
        before: usize,
    },
    /// An agent without tasks has no route.
    #[error("route {route} of agent {agent} has no stops")]
    RouteEmpty { route: usize, agent: usize },
    /// A stop at nothing.
    #[error("stop {stop} of route {route} is task {task}, which does not exist")]
    TaskUnknown {
        route: usize,
        stop: usize,
        task: usize,
    },
    /// A task that is done twice.
    #[error(
        "stop {stop} of route {route} is task {task}, which is done at stop {first_stop} of route \
         {first_route} already"
    )]
    TaskRepeated {
        route: usize,
        stop: usize,
        task: usize,
        first_route: usize,
        first_stop: usize,
    },
    /// A task that its agent is not able to do.
    #[error("stop {stop} of route {route}: the agent lacks skills {missing:#b} of task {task}")]
    SkillsMissing {
        route: usize,
        stop: usize,
        task: usize,
        missing: u64,
    },
    /// A stop that cannot be reached from the one before, or from the start.
    #[error("stop {stop} of route {route}: there is no way from location {from} to {to}")]
    NoWay {
        route: usize,
        stop: usize,
        from: usize,
        to: usize,
    },
    /// Work that starts before the agent is there.
    #[error(
        "stop {stop} of route {route} starts at {}, before the agent arrives at \
         {}", Seconds(*.start_us), Seconds(*.arrival_us)
    )]
    StartBeforeArrival {
        route: usize,
        stop: usize,
        start_us: Micros,
        arrival_us: Micros,
    },
    /// Work that is not under way and starts in the past.
    #[error(
        "stop {stop} of route {route} starts at {}, but it is {} and task {task} is not under way",
        Seconds(*.start_us), Seconds(*.now_us)
    )]
    StartBeforeNow {
        route: usize,
        stop: usize,
        task: usize,
        start_us: Micros,
        now_us: Micros,
    },
    /// Work that starts before the first window or between two.
    #[error(
        "stop {stop} of route {route} starts at {}, outside of the windows of task \
         {task}: the next opens at {}", Seconds(*.start_us), Seconds(*.open_us)
    )]
    StartOutsideWindows {
        route: usize,
        stop: usize,
        task: usize,
        start_us: Micros,
        open_us: Micros,
    },
    /// Work that starts after the last window and the lateness allowed.
    #[error(
        "stop {stop} of route {route} starts at {}, but task {task} at {} \
         at the latest", Seconds(*.start_us), Seconds(*.latest_us)
    )]
    StartTooLate {
        route: usize,
        stop: usize,
        task: usize,
        start_us: Micros,
        latest_us: Micros,
    },
    /// A last stop from which the agent cannot get to its end place.
    #[error("route {route}: there is no way from location {from} to the end place {to}")]
    NoWayToEnd {
        route: usize,
        from: usize,
        to: usize,
    },
    /// A route that takes longer than the shift.
    #[error("route {route} ends at {}, after its agent's shift at {}", Seconds(*.end_us), Seconds(*.shift_end_us))]
    ShiftExceeded {
        route: usize,
        end_us: Micros,
        shift_end_us: Micros,
    },
    /// A route that takes more than its agent can carry. What is picked up and delivered counts in
    /// between; the load is that of the stop at which it is largest.
    #[error("route {route} has load {load} in dimension {dimension}, its agent carries {capacity}")]
    CapacityExceeded {
        route: usize,
        dimension: usize,
        load: i64,
        capacity: i64,
    },
    /// A task under way that is not where it was. `route` is the agent's, `None` when it has none.
    #[error("task {task} is under way: it has to be stop {stop} of agent {agent}")]
    StartedNotKept {
        agent: usize,
        route: Option<usize>,
        stop: usize,
        task: usize,
    },
    /// A plan too far from the previous one.
    #[error("{changes} tasks go to another agent than before, at most {changes_max} may")]
    TooManyChanges { changes: usize, changes_max: usize },
    /// A rule about couplings.
    #[error(transparent)]
    Coupling(#[from] CouplingViolation),
}

impl Violation {
    /// A stable name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::AgentUnknown { .. } => "AGENT_UNKNOWN",
            Self::AgentRepeated { .. } => "AGENT_REPEATED",
            Self::RouteOrder { .. } => "ROUTE_ORDER",
            Self::RouteEmpty { .. } => "ROUTE_EMPTY",
            Self::TaskUnknown { .. } => "TASK_UNKNOWN",
            Self::TaskRepeated { .. } => "TASK_REPEATED",
            Self::SkillsMissing { .. } => "SKILLS_MISSING",
            Self::NoWay { .. } => "NO_WAY",
            Self::StartBeforeArrival { .. } => "START_BEFORE_ARRIVAL",
            Self::StartBeforeNow { .. } => "START_BEFORE_NOW",
            Self::StartOutsideWindows { .. } => "START_OUTSIDE_WINDOWS",
            Self::StartTooLate { .. } => "START_TOO_LATE",
            Self::NoWayToEnd { .. } => "NO_WAY_TO_END",
            Self::ShiftExceeded { .. } => "SHIFT_EXCEEDED",
            Self::CapacityExceeded { .. } => "CAPACITY_EXCEEDED",
            Self::StartedNotKept { .. } => "STARTED_NOT_KEPT",
            Self::TooManyChanges { .. } => "TOO_MANY_CHANGES",
            Self::Coupling(one) => one.code(),
        }
    }

    /// The route and the stop on it that break the rule; `None` where it is about more than that. A
    /// stop comes with its route. The stop of [`Violation::StartedNotKept`] may be beyond the
    /// route's last.
    #[must_use]
    pub fn at(&self) -> (Option<usize>, Option<usize>) {
        match *self {
            Self::AgentUnknown { route, .. }
            | Self::AgentRepeated { route, .. }
            | Self::RouteOrder { route, .. }
            | Self::RouteEmpty { route, .. }
            | Self::NoWayToEnd { route, .. }
            | Self::ShiftExceeded { route, .. }
            | Self::CapacityExceeded { route, .. } => (Some(route), None),
            Self::TaskUnknown { route, stop, .. }
            | Self::TaskRepeated { route, stop, .. }
            | Self::SkillsMissing { route, stop, .. }
            | Self::NoWay { route, stop, .. }
            | Self::StartBeforeArrival { route, stop, .. }
            | Self::StartBeforeNow { route, stop, .. }
            | Self::StartOutsideWindows { route, stop, .. }
            | Self::StartTooLate { route, stop, .. } => (Some(route), Some(stop)),
            Self::StartedNotKept { route, stop, .. } => (route, route.map(|_| stop)),
            Self::TooManyChanges { .. } => (None, None),
            Self::Coupling(one) => one.at(),
        }
    }
}
