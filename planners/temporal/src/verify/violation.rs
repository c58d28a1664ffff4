//! Which claims of an answer can be false.

use crate::plan::Level;
use crate::problem::{Micros, Node};

/// One false claim. Nodes count the origin as 0, members and relaxations count from 0 in the
/// answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// A list with one entry for each node that has more or fewer.
    #[error("{what} has {given} entries, but there are {expected}")]
    Shape {
        what: &'static str,
        given: usize,
        expected: usize,
    },
    /// A node of ours without a time.
    #[error("node {node} is ours, but has no time")]
    TimeMissing { node: Node },
    /// A time for a node that is not ours to schedule.
    #[error("node {node} is not ours, but has a time")]
    TimeForeign { node: Node },
    /// A time that no network can ask for; also an origin that is not at 0.
    #[error("node {node} is at {time_us} us, which cannot be")]
    TimeOutOfRange { node: Node, time_us: Micros },
    /// No times at all keep all bounds.
    #[error("the network is inconsistent")]
    Inconsistent,
    /// A bound between our nodes, or one that Nature can break.
    #[error("node {to} may be {worst_us} us after node {from}, above {bound_us} us")]
    BoundBroken {
        from: Node,
        to: Node,
        worst_us: Micros,
        bound_us: Micros,
    },
    /// A teammate's node that is left no time.
    #[error("node {node} may not happen before {earliest_us} us nor after {latest_us} us")]
    RangeEmpty {
        node: Node,
        earliest_us: Micros,
        latest_us: Micros,
    },
    /// A node of ours that a teammate's node, as late as it may be, asks to be later.
    #[error("node {node} is at {time_us} us, but node {teammate} may need {needed_us} us or later")]
    TooEarly {
        node: Node,
        teammate: Node,
        time_us: Micros,
        needed_us: Micros,
    },
    /// A node of ours that a teammate's node, as early as it may be, asks to be earlier.
    #[error(
        "node {node} is at {time_us} us, but node {teammate} may need {needed_us} us or earlier"
    )]
    TooLate {
        node: Node,
        teammate: Node,
        time_us: Micros,
        needed_us: Micros,
    },
    /// A part that belongs to the verdict and is not there.
    #[error("the verdict comes without its {what}")]
    Missing { what: &'static str },
    /// A part that does not belong to the verdict.
    #[error("the verdict does not go with its {what}")]
    NotExpected { what: &'static str },
    /// A range that does not follow from the schedule.
    #[error("node {node} is said to be from {earliest_us} us to {latest_us} us, which is wrong")]
    RangeWrong {
        node: Node,
        earliest_us: Micros,
        latest_us: Micros,
    },
    /// A number of a robustness that cannot be.
    #[error("the robustness has a number that cannot be")]
    RobustnessWrong,
    /// A simulation that cannot have come out so.
    #[error("a simulation has {successes} successes in {runs} runs, which cannot be")]
    SimulationWrong { runs: u32, successes: u32 },
    /// A rule that does not go with the question, or a count that does not.
    #[error("member {member} of the conflict is not of a kind that fits")]
    MemberKind { member: usize },
    /// A rule whose sources do not lead from its one end to the other.
    #[error("the sources of member {member} do not lead from its one node to the other")]
    MemberChain { member: usize },
    /// A rule whose bound is another.
    #[error("member {member} has bound {claimed_us} us, but its sources give {found_us} us")]
    MemberBound {
        member: usize,
        claimed_us: Micros,
        found_us: Micros,
    },
    /// A rule that this network does not have.
    #[error("member {member} is no obligation of this network")]
    MemberObligation { member: usize },
    /// A rule that is not needed, in a conflict that claims to be minimal.
    #[error("without member {member} the others can still not be kept")]
    MemberNeedless { member: usize },
    /// Rules that can all be kept.
    #[error("the members of the conflict can all be kept")]
    ConflictKept,
    /// Rules whose sum is not below 0.
    #[error("the members of the conflict add up to {sum_us} us, not below 0")]
    ConflictSum { sum_us: Micros },
    /// A candidate that is not what it is said to be.
    #[error("the behaviour beside the candidate {what}")]
    CandidateWrong { what: &'static str },
    /// A duration outside of its link.
    #[error("contingent link {contingent} cannot take {duration_us} us")]
    DurationWrong {
        contingent: usize,
        duration_us: Micros,
    },
    /// Durations with which there are times that keep everything, or the other way round.
    #[error("with the durations given the network is consistent")]
    DurationsWork,
    /// Durations for which nothing works, in a network that is said to be controllable.
    #[error("there are durations for which nothing works")]
    DurationsFail,
    /// A change of a bound that does not exist, is not as said, or may not be changed.
    #[error("change {change} of relaxation {relaxation} is not of a bound of this network")]
    ChangeWrong { relaxation: usize, change: usize },
    /// Changes that leave no network.
    #[error("relaxation {relaxation} makes a network that is not valid")]
    RelaxationInvalid { relaxation: usize },
    /// A question that is answered twice.
    #[error("the question {level:?} is answered twice")]
    LevelTwice { level: Level },
    /// Answers of which one must be wrong.
    #[error("{stronger:?} holds, but {weaker:?} fails")]
    LevelsContradict { stronger: Level, weaker: Level },
    /// A bound or a wait at a node that does not exist or that cannot have it.
    #[error("entry {entry} of the dispatch names nodes that cannot be")]
    DispatchNode { entry: usize },
    /// A run of the dispatch in which nothing could be done any more or a bound broke.
    #[error("the dispatch breaks down at node {node}, at {time_us} us, for some durations")]
    DispatchBroken { node: Node, time_us: Micros },
}

impl Violation {
    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shape { .. } => "SHAPE",
            Self::TimeMissing { .. } => "TIME_MISSING",
            Self::TimeForeign { .. } => "TIME_FOREIGN",
            Self::TimeOutOfRange { .. } => "TIME_OUT_OF_RANGE",
            Self::Inconsistent => "INCONSISTENT",
            Self::BoundBroken { .. } => "BOUND_BROKEN",
            Self::RangeEmpty { .. } => "RANGE_EMPTY",
            Self::TooEarly { .. } => "TOO_EARLY",
            Self::TooLate { .. } => "TOO_LATE",
            Self::Missing { .. } => "MISSING",
            Self::NotExpected { .. } => "NOT_EXPECTED",
            Self::RangeWrong { .. } => "RANGE_WRONG",
            Self::RobustnessWrong => "ROBUSTNESS_WRONG",
            Self::SimulationWrong { .. } => "SIMULATION_WRONG",
            Self::MemberKind { .. } => "MEMBER_KIND",
            Self::MemberChain { .. } => "MEMBER_CHAIN",
            Self::MemberBound { .. } => "MEMBER_BOUND",
            Self::MemberObligation { .. } => "MEMBER_OBLIGATION",
            Self::MemberNeedless { .. } => "MEMBER_NEEDLESS",
            Self::ConflictKept => "CONFLICT_KEPT",
            Self::ConflictSum { .. } => "CONFLICT_SUM",
            Self::CandidateWrong { .. } => "CANDIDATE_WRONG",
            Self::DurationWrong { .. } => "DURATION_WRONG",
            Self::DurationsWork => "DURATIONS_WORK",
            Self::DurationsFail => "DURATIONS_FAIL",
            Self::ChangeWrong { .. } => "CHANGE_WRONG",
            Self::RelaxationInvalid { .. } => "RELAXATION_INVALID",
            Self::LevelTwice { .. } => "LEVEL_TWICE",
            Self::LevelsContradict { .. } => "LEVELS_CONTRADICT",
            Self::DispatchNode { .. } => "DISPATCH_NODE",
            Self::DispatchBroken { .. } => "DISPATCH_BROKEN",
        }
    }
}
