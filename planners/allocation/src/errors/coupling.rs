//! Why couplings make no sense.

use crate::problem::{AGENT_BREAKS_MAX, Micros, RATE_MAX_MICRO, Seconds, TIME_MAX_US};

/// What a mistake is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// The order with this index.
    Order(usize),
    /// The pair with this index.
    Pair(usize),
    /// The group with this index.
    Group(usize),
    /// The break with this index.
    Break(usize),
    /// The preference with this index.
    Preference(usize),
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Order(index) => write!(f, "order {index}"),
            Self::Pair(index) => write!(f, "pair {index}"),
            Self::Group(index) => write!(f, "group {index}"),
            Self::Break(index) => write!(f, "break {index}"),
            Self::Preference(index) => write!(f, "preference {index}"),
        }
    }
}

/// A list of couplings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Orders between tasks.
    Orders,
    /// Pairs of pickup and delivery.
    Pairs,
    /// Groups of tasks that start together.
    Groups,
    /// Breaks of agents.
    Breaks,
    /// Preferred times of tasks.
    Preferences,
}

/// One reason why couplings make no sense. Members of an order, a pair or a group count from 0: the
/// first, the second; the pickup, the delivery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum CouplingError {
    /// A list that is too long.
    #[error("{given} {list:?} given, at most {most} are supported")]
    TooMany {
        list: List,
        given: usize,
        most: usize,
    },
    /// A task that does not exist.
    #[error("member {member} of {site} is task {task}, which does not exist")]
    UnknownTask {
        site: Site,
        member: usize,
        task: usize,
    },
    /// A task that is coupled in this way already.
    #[error("member {member} of {site} is task {task}, which is in one of these already")]
    Repeated {
        site: Site,
        member: usize,
        task: usize,
    },
    /// An agent that does not exist.
    #[error("break {index} is of agent {agent}, which does not exist")]
    UnknownAgent { index: usize, agent: usize },
    /// More breaks of an agent than supported.
    #[error(
        "break {index} is one too many of agent {agent}, at most {AGENT_BREAKS_MAX} are supported"
    )]
    TooManyOfAgent { index: usize, agent: usize },
    /// A group of one or none.
    #[error("group {group} has {given} tasks, at least two start together")]
    GroupTooSmall { group: usize, given: usize },
    /// A time outside of 0 to ten years: the least gap, a length, an earliest start.
    #[error("{site} has a time of {}, outside of 0 to {}", Seconds(*.time_us), Seconds(TIME_MAX_US))]
    TimeOutOfRange { site: Site, time_us: Micros },
    /// An end that is outside of 0 to ten years: the longest gap, a latest start.
    #[error("{site} has a latest time of {}, outside of 0 to {}", Seconds(*.time_us), Seconds(TIME_MAX_US))]
    LatestOutOfRange { site: Site, time_us: Micros },
    /// A longest gap below the least, or a window that ends before it begins.
    #[error("{site} ends at {}, before it begins at {}", Seconds(*.latest_us), Seconds(*.earliest_us))]
    Reversed {
        site: Site,
        earliest_us: Micros,
        latest_us: Micros,
    },
    /// A length of a break outside of 0 to ten years.
    #[error("break {index} takes {}, outside of 0 to {}", Seconds(*.length_us), Seconds(TIME_MAX_US))]
    LengthOutOfRange { index: usize, length_us: Micros },
    /// A break that has to start before its agent does.
    #[error(
        "break {index} starts at {} at the latest, before the shift of its agent at {}",
        Seconds(*.latest_us), Seconds(*.shift_start_us)
    )]
    BeforeShift {
        index: usize,
        latest_us: Micros,
        shift_start_us: Micros,
    },
    /// A price of too early that is below 0 or too large.
    #[error(
        "preference {index} has price {rate_micro} millionths of a second too early, outside of 0 to {RATE_MAX_MICRO}"
    )]
    EarlyOutOfRange { index: usize, rate_micro: i64 },
    /// A price of too late that is below 0 or too large.
    #[error(
        "preference {index} has price {rate_micro} millionths of a second too late, outside of 0 to {RATE_MAX_MICRO}"
    )]
    LateOutOfRange { index: usize, rate_micro: i64 },
    /// A delivery that demands something itself.
    #[error("task {task} delivers what pair {pair} picks up: it demands nothing itself")]
    DeliveryDemands { pair: usize, task: usize },
    /// A pair that no agent has the skills for.
    #[error("no agent has all skills of both tasks of pair {pair}")]
    PairWithoutAgent { pair: usize },
    /// Tasks of which each has to wait for the next, and the last for the first. Tasks that start
    /// together wait together.
    #[error("tasks wait for each other in a circle: {tasks:?}")]
    Circle { tasks: Vec<usize> },
}
