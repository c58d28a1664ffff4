//! Why a problem makes no sense.

mod coupling;

pub use coupling::{CouplingError, List, Site};

use crate::problem::{
    AGENTS_MAX, DIMENSIONS_MAX, LEVELS_MAX, Micros, PENALTY_MAX_MICRO, QUANTITY_MAX,
    SPEED_MAX_MICRO, SPEED_MIN_MICRO, Seconds, TASKS_MAX, TIME_MAX_US, Term, WEIGHT_MAX,
    WINDOWS_MAX,
};
use crate::travel::{ARC_COST_MAX_MICRO, LOCATIONS_MAX};

/// Who or what an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The agent with this index.
    Agent(usize),
    /// The task with this index.
    Task(usize),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Agent(agent) => write!(f, "agent {agent}"),
            Self::Task(task) => write!(f, "task {task}"),
        }
    }
}

/// One reason why a problem makes no sense. Variants name the element at fault by index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// Somebody has to do the work.
    #[error("there are no agents")]
    NoAgents,
    /// More agents than supported.
    #[error("{given} agents given, at most {AGENTS_MAX} are supported")]
    TooManyAgents { given: usize },
    /// More tasks than supported.
    #[error("{given} tasks given, at most {TASKS_MAX} are supported")]
    TooManyTasks { given: usize },
    /// More locations than supported.
    #[error("{given} locations given, at most {LOCATIONS_MAX} are supported")]
    TooManyLocations { given: usize },
    /// A start, end or place that is not among the locations.
    #[error("{subject} is at location {location}, but there are only {locations}")]
    UnknownLocation {
        subject: Subject,
        location: usize,
        locations: usize,
    },
    /// A shift that ends before it starts.
    #[error("agent {agent} ends its shift at {}, before it starts at {}", Seconds(*.end_us), Seconds(*.start_us))]
    ShiftReversed {
        agent: usize,
        start_us: Micros,
        end_us: Micros,
    },
    /// A shift outside of 0 to ten years (or without end).
    #[error(
        "agent {agent} has a shift from {} to {}, outside of 0 to \
         {}", Seconds(*.start_us), Seconds(*.end_us), Seconds(TIME_MAX_US)
    )]
    ShiftOutOfRange {
        agent: usize,
        start_us: Micros,
        end_us: Micros,
    },
    /// A speed that is too slow or too fast.
    #[error(
        "agent {agent} has speed {speed_micro} millionths, outside of {SPEED_MIN_MICRO} to \
         {SPEED_MAX_MICRO}"
    )]
    SpeedOutOfRange { agent: usize, speed_micro: i64 },
    /// More capacities or demands than dimensions.
    #[error("{subject} has {given} dimensions, at most {DIMENSIONS_MAX} are supported")]
    TooManyDimensions { subject: Subject, given: usize },
    /// A capacity or demand below 0 or too large.
    #[error(
        "{subject} has quantity {quantity} in dimension {dimension}, outside of 0 to {QUANTITY_MAX}"
    )]
    QuantityOutOfRange {
        subject: Subject,
        dimension: usize,
        quantity: i64,
    },
    /// A service time outside of 0 to ten years.
    #[error("task {task} takes {}, outside of 0 to {}", Seconds(*.service_us), Seconds(TIME_MAX_US))]
    ServiceOutOfRange { task: usize, service_us: Micros },
    /// More windows than supported.
    #[error("task {task} has {given} windows, at most {WINDOWS_MAX} are supported")]
    TooManyWindows { task: usize, given: usize },
    /// A window that closes before it opens.
    #[error(
        "window {window} of task {task} closes at {}, before it opens at {}", Seconds(*.close_us), Seconds(*.open_us)
    )]
    WindowReversed {
        task: usize,
        window: usize,
        open_us: Micros,
        close_us: Micros,
    },
    /// A window outside of 0 to ten years.
    #[error(
        "window {window} of task {task} is outside of 0 to {}",
        Seconds(TIME_MAX_US)
    )]
    WindowOutOfRange { task: usize, window: usize },
    /// A window that opens before, or when, the one before it closes.
    #[error(
        "window {window} of task {task} opens at {}, not after the one before it closes \
         at {}", Seconds(*.open_us), Seconds(*.closed_us)
    )]
    WindowsOverlap {
        task: usize,
        window: usize,
        open_us: Micros,
        closed_us: Micros,
    },
    /// A lateness outside of 0 to ten years.
    #[error("task {task} may be {} late, outside of 0 to {}", Seconds(*.lateness_us), Seconds(TIME_MAX_US))]
    LatenessOutOfRange { task: usize, lateness_us: Micros },
    /// A penalty below 0 or too large.
    #[error(
        "task {task} has drop penalty {penalty_micro} millionths, outside of 0 to \
         {PENALTY_MAX_MICRO}"
    )]
    PenaltyOutOfRange { task: usize, penalty_micro: i64 },
    /// A table that does not have one element for each pair of locations.
    #[error("{given} durations given, {wanted} wanted: one for each pair of locations")]
    DurationsNotSquare { given: usize, wanted: usize },
    /// A table that does not have one element for each pair of locations.
    #[error("{given} costs given, {wanted} wanted: one for each pair of locations")]
    CostsNotSquare { given: usize, wanted: usize },
    /// A travel time outside of -1 (no way) to ten years.
    #[error("the way at {index} takes {}, outside of 0 to {} (or -1 us for none)", Seconds(*.duration_us), Seconds(TIME_MAX_US))]
    DurationOutOfRange { index: usize, duration_us: Micros },
    /// A travel cost below 0 or too large.
    #[error(
        "the way at {index} costs {cost_micro} millionths, outside of 0 to {ARC_COST_MAX_MICRO}"
    )]
    CostOutOfRange { index: usize, cost_micro: i64 },
    /// A coupling that makes no sense.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
    /// More levels than terms.
    #[error("the objective has {given} levels, at most {LEVELS_MAX} are supported")]
    TooManyLevels { given: usize },
    /// A level that counts nothing.
    #[error("level {level} of the objective has no terms")]
    LevelEmpty { level: usize },
    /// A term that is there twice.
    #[error("term {term:?} is in the objective before level {level} position {position} already")]
    TermRepeated {
        level: usize,
        position: usize,
        term: Term,
    },
    /// A weight that is too small or too large.
    #[error("term {position} of level {level} has weight {weight}, outside of 1 to {WEIGHT_MAX}")]
    WeightOutOfRange {
        level: usize,
        position: usize,
        weight: i64,
    },
    /// A level whose value could overflow.
    #[error(
        "level {level} of the objective could add up to more than 2^62 millionths: lower its \
         weights"
    )]
    LevelTooLarge { level: usize },
    /// An agent of the previous plan that does not exist.
    #[error("route {route} of the previous plan is of agent {agent}, which does not exist")]
    PreviousAgentUnknown { route: usize, agent: usize },
    /// An agent that has two routes.
    #[error("route {route} of the previous plan is the second of agent {agent}")]
    PreviousAgentRepeated { route: usize, agent: usize },
    /// A task of the previous plan that does not exist.
    #[error(
        "position {position} of route {route} of the previous plan is task {task}, which does not \
         exist"
    )]
    PreviousTaskUnknown {
        route: usize,
        position: usize,
        task: usize,
    },
    /// A task that the previous plan does twice.
    #[error("position {position} of route {route} of the previous plan is task {task} again")]
    PreviousTaskRepeated {
        route: usize,
        position: usize,
        task: usize,
    },
    /// More tasks under way than there are.
    #[error(
        "route {route} of the previous plan has {committed} tasks under way, but only {tasks} tasks"
    )]
    StartedTooMany {
        route: usize,
        committed: usize,
        tasks: usize,
    },
    /// A now outside of 0 to ten years.
    #[error("now is {}, outside of 0 to {}", Seconds(*.now_us), Seconds(TIME_MAX_US))]
    NowOutOfRange { now_us: Micros },
}
