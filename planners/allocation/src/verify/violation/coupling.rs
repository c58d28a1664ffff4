//! Which rules about couplings a plan can break.

use crate::problem::{Micros, Seconds};

/// One broken rule about couplings. `at` is a route and a stop on it, `rest` counts the breaks of a
/// route; orders, pairs, groups and `index`, a break, count from 0 in the problem's couplings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum CouplingViolation {
    /// A task that is done without the one that it has to follow.
    #[error("stop {} of route {} comes second in order {order}, whose first task is not done", at.1, at.0)]
    OrderWithoutFirst { order: usize, at: (usize, usize) },
    /// A task that starts too soon after another.
    #[error("stop {} of route {} starts at {}, but by order {order} at {} at the earliest", at.1, at.0, Seconds(*.start_us), Seconds(*.earliest_us))]
    OrderTooEarly {
        order: usize,
        at: (usize, usize),
        start_us: Micros,
        earliest_us: Micros,
    },
    /// A task that starts too long after another.
    #[error("stop {} of route {} starts at {}, but by order {order} at {} at the latest", at.1, at.0, Seconds(*.start_us), Seconds(*.latest_us))]
    OrderTooLate {
        order: usize,
        at: (usize, usize),
        start_us: Micros,
        latest_us: Micros,
    },
    /// Two tasks that one agent has to do.
    #[error("stop {} of route {}: one agent has to do both tasks of order {order}", at.1, at.0)]
    OrderAgents { order: usize, at: (usize, usize) },
    /// A pickup without its delivery, or the other way round.
    #[error("stop {} of route {} is done without the other task of pair {pair}", at.1, at.0)]
    PairHalf { pair: usize, at: (usize, usize) },
    /// A pair on two routes.
    #[error("stop {} of route {}: one agent has to do both tasks of pair {pair}", at.1, at.0)]
    PairAgents { pair: usize, at: (usize, usize) },
    /// A delivery before its pickup.
    #[error("stop {} of route {} delivers before it picks up, in pair {pair}", at.1, at.0)]
    PairReversed { pair: usize, at: (usize, usize) },
    /// A group of which some tasks are not done.
    #[error("stop {} of route {} is of group {group}, of which {done} of {tasks} tasks are done", at.1, at.0)]
    GroupPartial {
        group: usize,
        at: (usize, usize),
        done: usize,
        tasks: usize,
    },
    /// A group that does not start together.
    #[error("stop {} of route {} starts at {}, but group {group} at {}", at.1, at.0, Seconds(*.start_us), Seconds(*.first_us))]
    GroupStarts {
        group: usize,
        at: (usize, usize),
        start_us: Micros,
        first_us: Micros,
    },
    /// A group of which one agent does two tasks.
    #[error("stop {} of route {}: its agent does another task of group {group}", at.1, at.0)]
    GroupAgents { group: usize, at: (usize, usize) },
    /// A break that does not exist, or of another agent.
    #[error("rest {rest} of route {route} is break {index}, which its agent does not have")]
    BreakUnknown {
        route: usize,
        rest: usize,
        index: usize,
    },
    /// A break that is taken twice.
    #[error("rest {rest} of route {route} is break {index} again")]
    BreakRepeated {
        route: usize,
        rest: usize,
        index: usize,
    },
    /// A break after a stop that does not exist.
    #[error("rest {rest} of route {route} is before stop {stop}, which does not exist")]
    BreakMisplaced {
        route: usize,
        rest: usize,
        stop: usize,
    },
    /// A break that starts too early or too late.
    #[error("rest {rest} of route {route} starts at {}, outside of its window", Seconds(*.start_us))]
    BreakOutsideWindow {
        route: usize,
        rest: usize,
        start_us: Micros,
    },
    /// A break that starts before its agent is free.
    #[error("rest {rest} of route {route} starts at {}, before its agent is free at {}", Seconds(*.start_us), Seconds(*.free_us))]
    BreakTooEarly {
        route: usize,
        rest: usize,
        start_us: Micros,
        free_us: Micros,
    },
    /// A break that is not taken by an agent that is not done yet when it has to start.
    #[error("route {route} ends at {} without break {index}, which starts at {} at the latest", Seconds(*.end_us), Seconds(*.latest_us))]
    BreakMissing {
        route: usize,
        index: usize,
        end_us: Micros,
        latest_us: Micros,
    },
}

impl CouplingViolation {
    /// A stable name of the rule.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::OrderWithoutFirst { .. } => "ORDER_WITHOUT_FIRST",
            Self::OrderTooEarly { .. } => "ORDER_TOO_EARLY",
            Self::OrderTooLate { .. } => "ORDER_TOO_LATE",
            Self::OrderAgents { .. } => "ORDER_AGENTS",
            Self::PairHalf { .. } => "PAIR_HALF",
            Self::PairAgents { .. } => "PAIR_AGENTS",
            Self::PairReversed { .. } => "PAIR_REVERSED",
            Self::GroupPartial { .. } => "GROUP_PARTIAL",
            Self::GroupStarts { .. } => "GROUP_STARTS",
            Self::GroupAgents { .. } => "GROUP_AGENTS",
            Self::BreakUnknown { .. } => "BREAK_UNKNOWN",
            Self::BreakRepeated { .. } => "BREAK_REPEATED",
            Self::BreakMisplaced { .. } => "BREAK_MISPLACED",
            Self::BreakOutsideWindow { .. } => "BREAK_OUTSIDE_WINDOW",
            Self::BreakTooEarly { .. } => "BREAK_TOO_EARLY",
            Self::BreakMissing { .. } => "BREAK_MISSING",
        }
    }

    /// The route, and the stop if it is about one.
    pub(super) fn at(&self) -> (Option<usize>, Option<usize>) {
        match *self {
            Self::OrderWithoutFirst { at, .. }
            | Self::OrderTooEarly { at, .. }
            | Self::OrderTooLate { at, .. }
            | Self::OrderAgents { at, .. }
            | Self::PairHalf { at, .. }
            | Self::PairAgents { at, .. }
            | Self::PairReversed { at, .. }
            | Self::GroupPartial { at, .. }
            | Self::GroupStarts { at, .. }
            | Self::GroupAgents { at, .. } => (Some(at.0), Some(at.1)),
            Self::BreakUnknown { route, .. }
            | Self::BreakRepeated { route, .. }
            | Self::BreakMisplaced { route, .. }
            | Self::BreakOutsideWindow { route, .. }
            | Self::BreakTooEarly { route, .. }
            | Self::BreakMissing { route, .. } => (Some(route), None),
        }
    }
}
