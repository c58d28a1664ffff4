//! Rules that a plan may break.

/// Where in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// Index of the event.
    pub event: usize,
    /// So many players: the front, from 1.
    pub players: usize,
    /// Index of the point in it.
    pub point: usize,
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            event,
            players,
            point,
        } = self;
        write!(f, "point {point} for {players} players at event {event}")
    }
}

/// One broken rule. Assignments of a point count from 0: its own, then the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// Fronts for each event.
    #[error("fronts of {given} events instead of {expected}")]
    EventCount { given: usize, expected: usize },
    /// One front for each number of players.
    #[error("event {event} has {given} fronts for 1 to {expected} players")]
    FrontCount {
        event: usize,
        given: usize,
        expected: usize,
    },
    /// Another number of roles than players.
    #[error("assignment {assignment} of {at} has {given} roles")]
    RoleCount {
        at: At,
        assignment: usize,
        given: usize,
    },
    /// A role of a player or a tool that does not exist or has a role already.
    #[error(
        "role {role} of assignment {assignment} of {at} is of player {player} with tool {tool}, who do not exist or are taken"
    )]
    Taken {
        at: At,
        assignment: usize,
        role: usize,
        player: usize,
        tool: usize,
    },
    /// A way that is none: wrong ends, or no arc.
    #[error("role {role} of assignment {assignment} of {at}: there is no such way to the {to}")]
    Way {
        at: At,
        assignment: usize,
        role: usize,
        to: &'static str,
    },
    /// A way that comes to a vertex twice where that is not wanted.
    #[error("role {role} of assignment {assignment} of {at} comes to vertex {vertex} twice")]
    Twice {
        at: At,
        assignment: usize,
        role: usize,
        vertex: usize,
    },
    /// A point that claims another time or damage than an assignment of it has.
    #[error(
        "{at} claims {time_us} us and {damage_micro} millionths, but assignment {assignment} has {real_time_us} and {real_damage_micro}"
    )]
    Claim {
        at: At,
        assignment: usize,
        time_us: u64,
        damage_micro: u64,
        real_time_us: u64,
        real_damage_micro: u64,
    },
    /// An assignment beyond a limit.
    #[error("assignment {assignment} of {at} is beyond the limit of {what}")]
    Limit {
        at: At,
        assignment: usize,
        what: &'static str,
    },
    /// The same players with the same tools as before.
    #[error("assignment {assignment} of {at} is one of those before")]
    Repeated { at: At, assignment: usize },
    /// Points out of order, or one that is dominated.
    #[error("{at} is not later and less damaging than the one before")]
    Order { at: At },
    /// A point that says wrongly whether fewer players do as well.
    #[error("{at} says wrongly whether fewer do as well")]
    Fewer { at: At },
    /// With several events all of them together are looked at, and only then.
    #[error("what is done about several events at once is told just when there are several")]
    JointMissing,
    /// Joint points out of order, or one that is dominated.
    #[error("joint point {point} is not later and less damaging than the one before")]
    JointOrder { point: usize },
    /// A joint point that leaves out more, or less, than the one before.
    #[error("joint point {point} leaves out other numbers of events than the one before")]
    JointLeftOut { point: usize },
    /// A bound above the time, or below it where all is said to be proved.
    #[error("joint point {point} has a bound that cannot be")]
    JointBound { point: usize },
    /// A team for no event, for one that has one, or of a number of players that is not asked for.
    #[error("team {team} of joint point {point} is out of order, or of the wrong size")]
    JointTeam { point: usize, team: usize },
    /// A role that cannot be.
    #[error("role {role} of team {team} of joint point {point}: {why}")]
    JointRole {
        point: usize,
        team: usize,
        role: usize,
        why: &'static str,
    },
    /// A joint point that claims another time or damage than its teams have.
    #[error("joint point {point} has {real_time_us} us and {real_damage_micro} millionths")]
    JointClaim {
        point: usize,
        real_time_us: u64,
        real_damage_micro: u64,
    },
    /// A joint point beyond a limit.
    #[error("joint point {point} is beyond a limit")]
    JointLimit { point: usize },
}

impl Violation {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EventCount { .. } => "EVENT_COUNT",
            Self::FrontCount { .. } => "FRONT_COUNT",
            Self::RoleCount { .. } => "ROLE_COUNT",
            Self::Taken { .. } => "TAKEN",
            Self::Way { .. } => "WAY_BROKEN",
            Self::Twice { .. } => "NODE_TWICE",
            Self::Claim { .. } => "CLAIM_WRONG",
            Self::Limit { what: "time", .. } => "TIME_LIMIT",
            Self::Limit { .. } => "DAMAGE_LIMIT",
            Self::Repeated { .. } => "ASSIGNMENT_REPEATED",
            Self::Order { .. } => "POINT_DOMINATED",
            Self::Fewer { .. } => "FEWER_WRONG",
            Self::JointMissing => "JOINT_MISSING",
            Self::JointOrder { .. } => "JOINT_DOMINATED",
            Self::JointLeftOut { .. } => "JOINT_LEFT_OUT",
            Self::JointBound { .. } => "JOINT_BOUND",
            Self::JointTeam { .. } => "JOINT_TEAM",
            Self::JointRole { .. } => "JOINT_ROLE",
            Self::JointClaim { .. } => "JOINT_CLAIM",
            Self::JointLimit { .. } => "JOINT_LIMIT",
        }
    }

    /// Where in the plan: the point, then assignment and role within it.
    #[must_use]
    pub fn at(&self) -> (Option<At>, Option<usize>, Option<usize>) {
        match *self {
            Self::EventCount { .. }
            | Self::FrontCount { .. }
            | Self::JointMissing
            | Self::JointOrder { .. }
            | Self::JointLeftOut { .. }
            | Self::JointBound { .. }
            | Self::JointTeam { .. }
            | Self::JointRole { .. }
            | Self::JointClaim { .. }
            | Self::JointLimit { .. } => (None, None, None),
            Self::RoleCount { at, assignment, .. }
            | Self::Claim { at, assignment, .. }
            | Self::Limit { at, assignment, .. }
            | Self::Repeated { at, assignment } => (Some(at), Some(assignment), None),
            Self::Taken {
                at,
                assignment,
                role,
                ..
            }
            | Self::Way {
                at,
                assignment,
                role,
                ..
            }
            | Self::Twice {
                at,
                assignment,
                role,
                ..
            } => (Some(at), Some(assignment), Some(role)),
            Self::Order { at } | Self::Fewer { at } => (Some(at), None, None),
        }
    }
}
