//! Which part of an answer a false claim is about.

use super::Violation;

/// A part of an answer. All indices count from 0 in the lists of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The plan as a whole: its policies together.
    Policies,
    /// The makespan.
    Makespan,
    /// The slack.
    Slack,
    /// The idle time.
    Idle,
    /// One policy, or a part of it.
    Policy {
        /// Which policy: a storyline and the box of outcomes it is for.
        policy: usize,
        /// Which part.
        part: Part,
    },
    /// The peaks.
    Peaks,
    /// One stretch.
    Flexibility(usize),
    /// A conflict as a whole.
    Conflict,
    /// One member of the conflict.
    Member(usize),
    /// What the conflict says may happen.
    Witness,
    /// A relaxation as a whole.
    Relaxation(usize),
    /// One change of a relaxation.
    Change {
        /// Which relaxation.
        relaxation: usize,
        /// Which of its changes.
        change: usize,
    },
    /// One duration that was given for a run: of this contingent link.
    Duration(usize),
}

/// A part of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// All of it.
    Whole,
    /// What is picked.
    Picks,
    /// The outcomes of one link.
    Outcomes(usize),
    /// One pair of activities in order.
    Order(usize),
    /// One bound.
    DispatchBound(usize),
    /// One wait.
    Wait(usize),
    /// One hand-over.
    HandOver(usize),
    /// All hand-overs.
    HandOvers,
}

impl Violation {
    /// The part of the answer that is at fault, as narrow as it is known.
    #[must_use]
    pub fn place(&self) -> Place {
        let of = |policy: usize, part: Part| Place::Policy { policy, part };
        match *self {
            Self::NoPolicy
            | Self::TooManyPolicies { .. }
            | Self::TooManyPairs { .. }
            | Self::TooManyNodes { .. }
            | Self::NotControllable { .. }
            | Self::Uncovered(_)
            | Self::TooManyCases
            | Self::DispatchBroken { .. } => Place::Policies,
            Self::PicksWrong { policy } => of(policy, Part::Picks),
            Self::OutcomesWrong { policy, entry, .. } | Self::NotSeen { policy, entry, .. } => {
                of(policy, Part::Outcomes(entry))
            }
            Self::OrderWrong { policy, pair } | Self::OrderCircle { policy, pair, .. } => {
                of(policy, Part::Order(pair))
            }
            Self::KeptWrong { policy, entry } => of(policy, Part::DispatchBound(entry)),
            Self::WaitWrong { policy, entry } => of(policy, Part::Wait(entry)),
            Self::HandOverWrong { policy, entry } | Self::HandOverEarly { policy, entry } => {
                of(policy, Part::HandOver(entry))
            }
            Self::HandOverAmount { policy, .. } | Self::HandOverExcess { policy, .. } => {
                of(policy, Part::HandOvers)
            }
            Self::Overload { policy, .. } | Self::PolicyNotControllable { policy, .. } => {
                of(policy, Part::Whole)
            }
            Self::ClaimWrong { what, .. } => match what {
                "makespan" => Place::Makespan,
                "slack" => Place::Slack,
                _ => Place::Idle,
            },
            Self::MakespanBroken { .. } => Place::Makespan,
            Self::SlackBroken { .. } => Place::Slack,
            Self::IdleBroken { .. } => Place::Idle,
            Self::PeakWrong { .. } => Place::Peaks,
            Self::StretchWrong { entry, .. } => Place::Flexibility(entry),
            Self::DurationWrong { contingent, .. } => Place::Duration(contingent),
            Self::NoMember | Self::ConflictKept => Place::Conflict,
            Self::MemberWrong { member } | Self::MemberNeedless { member } => Place::Member(member),
            Self::WitnessWrong => Place::Witness,
            Self::ChangeWrong { relaxation, change } => Place::Change { relaxation, change },
            Self::RelaxationInvalid { relaxation } | Self::RelaxationUseless { relaxation, .. } => {
                Place::Relaxation(relaxation)
            }
        }
    }
}
