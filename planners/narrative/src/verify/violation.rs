//! Which claims of an answer can be false.

use super::format::{Given, Time, seen, times};
use super::simulate::Breakdown;
use super::{JOINT_MAX, OUTCOMES_MAX, PAIRS_MAX, POLICIES_MAX, STRAND_POLICIES_MAX, WORK_MAX};
use crate::plan::Uncovered;
use crate::problem::{Micros, Node};

/// One false claim. Nodes count the origin as 0; policies, members, changes and entries of lists
/// count from 0 in the answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// A plan without any policy.
    #[error("the plan has no policy")]
    NoPolicy,
    /// More policies than are checked.
    #[error(
        "the plan has {given} policies, at most {POLICIES_MAX} are supported, {STRAND_POLICIES_MAX} where each is of one or two groups"
    )]
    TooManyPolicies { given: usize },
    /// More pairs of policies of two groups than are checked.
    #[error(
        "the policies of single groups make {given} pairs of two groups, at most {PAIRS_MAX} are supported"
    )]
    TooManyPairs { given: usize },
    /// Picks that are no storyline from here.
    #[error("the picks of policy {policy} are no storyline")]
    PicksWrong { policy: usize },
    /// Outcomes of a link that is not part of the story, twice, out of order, or cannot be.
    #[error(
        "policy {policy} cannot have outcomes {} to {} of link {contingent}",
        Time(*lower_us), Time(*upper_us)
    )]
    OutcomesWrong {
        policy: usize,
        entry: usize,
        contingent: usize,
        lower_us: Micros,
        upper_us: Micros,
    },
    /// Narrowed outcomes of a link that no choice of the system has seen.
    #[error(
        "policy {policy} divides contingent link {contingent}, which no choice of ours has seen"
    )]
    NotSeen {
        policy: usize,
        entry: usize,
        contingent: usize,
    },
    /// An order of activities that are not part of the story, or of one with itself.
    #[error("pair {pair} of the order of policy {policy} cannot be")]
    OrderWrong { policy: usize, pair: usize },
    /// Activities each of which ends before the next starts, in a circle.
    #[error("the order of policy {policy} leads from activity {activity} back to it")]
    OrderCircle {
        policy: usize,
        pair: usize,
        activity: usize,
    },
    /// A bound between nodes that are not part of the story, or one that no story can need.
    #[error("bound {entry} that policy {policy} keeps cannot be")]
    KeptWrong { policy: usize, entry: usize },
    /// A wait of a node or for a link that is not part of the story, or one that no story can need.
    #[error("wait {entry} of policy {policy} cannot be")]
    WaitWrong { policy: usize, entry: usize },
    /// A hand-over between activities that are not part of the story, or of what they do not need.
    #[error("hand-over {entry} of policy {policy} cannot be")]
    HandOverWrong { policy: usize, entry: usize },
    /// A number that no plan can have.
    #[error("the {what} is {}, which cannot be", Time(*given_us))]
    ClaimWrong {
        what: &'static str,
        given_us: Micros,
    },
    /// More nodes of policies together than are checked.
    #[error("the policies have {given} nodes together, at most {JOINT_MAX} are supported")]
    TooManyNodes { given: usize },
    /// Policies whose decisions cannot be made so that all bounds are kept.
    #[error("the policies are not controllable together: nodes {nodes:?} ask each for one before")]
    NotControllable { nodes: Vec<(usize, Node)> },
    /// A policy whose decisions cannot be made so that its own bounds are kept.
    #[error("policy {policy} is not controllable: nodes {nodes:?} ask each for one before")]
    PolicyNotControllable { policy: usize, nodes: Vec<Node> },
    /// A makespan that cannot be kept.
    #[error("not everything can have happened by the makespan, {}, for sure", Time(*makespan_us))]
    MakespanBroken { makespan_us: Micros },
    /// Activities that may run at once and need too much.
    #[error(
        "activities {activities:?} of policy {policy} may need {amount} of resource {resource} at once, of which there are {capacity}"
    )]
    Overload {
        policy: usize,
        resource: usize,
        activities: Vec<usize>,
        amount: u64,
        capacity: u32,
    },
    /// A peak that is another.
    #[error("the peak of resource {resource} is said to be {claimed}, but it is {found}")]
    PeakWrong {
        resource: usize,
        claimed: u64,
        found: u64,
    },
    /// An activity that is not handed exactly what it needs.
    #[error(
        "activity {activity} of policy {policy} gets {given} of resource {resource}, not {needed}"
    )]
    HandOverAmount {
        policy: usize,
        resource: usize,
        activity: usize,
        given: u64,
        needed: u64,
    },
    /// Something handed over before it is free, or in a circle.
    #[error("hand-over {entry} of policy {policy} is from an activity that need not have ended")]
    HandOverEarly { policy: usize, entry: usize },
    /// More passed on than there was: by an activity, or by the stock.
    #[error(
        "policy {policy} passes on {given} of resource {resource} from {from:?}, which has {had}"
    )]
    HandOverExcess {
        policy: usize,
        resource: usize,
        from: Option<usize>,
        given: u64,
        had: u64,
    },
    /// Something that may happen and that no policy bears.
    #[error("nothing is planned for picks {:?} and durations {}", .0.picks, seen(&.0.durations_us))]
    Uncovered(Uncovered),
    /// More cases than are looked at.
    #[error(
        "the policies make more than {OUTCOMES_MAX} cases of outcomes, or {WORK_MAX} comparisons of activities"
    )]
    TooManyCases,
    /// A slack with which the plan fails.
    #[error("with {} more and less of each duration the plan fails", Time(*slack_us))]
    SlackBroken { slack_us: Micros },
    /// Idle time above what is claimed; `None`: without end.
    #[error(
        "policy {policy} may idle {}, above the {} that are claimed",
        Given(*found_us, "without end"), Time(*claimed_us)
    )]
    IdleBroken {
        policy: usize,
        claimed_us: Micros,
        found_us: Option<Micros>,
    },
    /// A stretch of a link that does not vary or that no policy has, that is not sorted, narrower
    /// than the link, or more than the plan bears.
    #[error("stretch {entry} of contingent link {contingent} cannot be")]
    StretchWrong { entry: usize, contingent: usize },
    /// A run that came to a standstill, or broke a rule, when it followed the plan.
    #[error(
        "with durations {} the plan breaks down: {breakdown}",
        times(durations_us)
    )]
    DispatchBroken {
        durations_us: Vec<Micros>,
        breakdown: Breakdown,
    },
    /// A duration for a run that is missing or that the link cannot take.
    #[error("contingent link {contingent} cannot take {}", Given(*given_us, "an unknown time"))]
    DurationWrong {
        contingent: usize,
        given_us: Option<Micros>,
    },
    /// A conflict without any rule.
    #[error("the conflict has no member")]
    NoMember,
    /// A rule that the narrative does not have, or has twice in the list.
    #[error("member {member} of the conflict is no rule of this narrative")]
    MemberWrong { member: usize },
    /// Rules that can all be kept.
    #[error("the members of the conflict can all be kept")]
    ConflictKept,
    /// A rule that is not needed, in a conflict that claims to be minimal.
    #[error("without member {member} the others can still not be kept")]
    MemberNeedless { member: usize },
    /// Durations or picks that cannot be.
    #[error("what the conflict says may happen cannot")]
    WitnessWrong,
    /// A change of what does not exist, is not as said, or that changes nothing.
    #[error("change {change} of relaxation {relaxation} is not one of this narrative")]
    ChangeWrong { relaxation: usize, change: usize },
    /// Changes that leave no narrative.
    #[error("relaxation {relaxation} makes a narrative that is not valid")]
    RelaxationInvalid { relaxation: usize },
    /// Changes after which the plan that they come with fails; `why`: the code of its first
    /// violation.
    #[error("the plan that relaxation {relaxation} comes with fails: {why}")]
    RelaxationUseless {
        relaxation: usize,
        why: &'static str,
    },
}

impl Violation {
    /// The same about policies that have these indices.
    pub(super) fn of_policies(mut self, at: &[usize]) -> Self {
        match &mut self {
            Self::PicksWrong { policy }
            | Self::OutcomesWrong { policy, .. }
            | Self::NotSeen { policy, .. }
            | Self::OrderWrong { policy, .. }
            | Self::OrderCircle { policy, .. }
            | Self::KeptWrong { policy, .. }
            | Self::WaitWrong { policy, .. }
            | Self::HandOverWrong { policy, .. } => *policy = at[*policy],
            _ => {}
        }
        self
    }
}

impl Violation {
    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoPolicy => "NO_POLICY",
            Self::TooManyPolicies { .. } => "TOO_MANY_POLICIES",
            Self::TooManyPairs { .. } => "TOO_MANY_PAIRS",
            Self::PicksWrong { .. } => "PICKS_WRONG",
            Self::OutcomesWrong { .. } => "OUTCOMES_WRONG",
            Self::NotSeen { .. } => "NOT_SEEN",
            Self::OrderWrong { .. } => "ORDER_WRONG",
            Self::OrderCircle { .. } => "ORDER_CIRCLE",
            Self::KeptWrong { .. } => "KEPT_WRONG",
            Self::WaitWrong { .. } => "WAIT_WRONG",
            Self::HandOverWrong { .. } => "HAND_OVER_WRONG",
            Self::ClaimWrong { .. } => "CLAIM_WRONG",
            Self::TooManyNodes { .. } => "TOO_MANY_NODES",
            Self::NotControllable { .. } | Self::PolicyNotControllable { .. } => "NOT_CONTROLLABLE",
            Self::MakespanBroken { .. } => "MAKESPAN_BROKEN",
            Self::Overload { .. } => "OVERLOAD",
            Self::PeakWrong { .. } => "PEAK_WRONG",
            Self::HandOverAmount { .. } => "HAND_OVER_AMOUNT",
            Self::HandOverEarly { .. } => "HAND_OVER_EARLY",
            Self::HandOverExcess { .. } => "HAND_OVER_EXCESS",
            Self::Uncovered(_) => "UNCOVERED",
            Self::TooManyCases => "TOO_MANY_CASES",
            Self::SlackBroken { .. } => "SLACK_BROKEN",
            Self::IdleBroken { .. } => "IDLE_BROKEN",
            Self::StretchWrong { .. } => "STRETCH_WRONG",
            Self::DispatchBroken { .. } => "DISPATCH_BROKEN",
            Self::DurationWrong { .. } => "DURATION_WRONG",
            Self::NoMember => "NO_MEMBER",
            Self::MemberWrong { .. } => "MEMBER_WRONG",
            Self::ConflictKept => "CONFLICT_KEPT",
            Self::MemberNeedless { .. } => "MEMBER_NEEDLESS",
            Self::WitnessWrong => "WITNESS_WRONG",
            Self::ChangeWrong { .. } => "CHANGE_WRONG",
            Self::RelaxationInvalid { .. } => "RELAXATION_INVALID",
            Self::RelaxationUseless { .. } => "RELAXATION_USELESS",
        }
    }
}
