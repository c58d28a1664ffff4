//! Fronts: for each event and number of players what is possible.

/// All that is worth choosing from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// For each event, as if there were no other: for 1, 2, ... players a front.
    pub events: Vec<Vec<Front>>,
    /// With several events what can be done about them at once.
    pub joint: Option<Joint>,
}

/// Results for all events together: players and tools are for one event each. As many events as
/// possible are done, those of the lowest rank first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Joint {
    /// Points by rising time and falling damage, no two alike. Empty when nothing can be done about
    /// any event.
    pub points: Vec<JointPoint>,
    /// Whether nothing is missing: no plan does more, or has a point that is not dominated by one
    /// of these.
    pub is_known: bool,
}

/// One choice for several events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointPoint {
    /// Worst time of all events, in microseconds.
    pub time_us: u64,
    /// Worst damage of a player, in millionths.
    pub damage_micro: u64,
    /// With so little damage these events cannot all be done faster than in this time, in
    /// microseconds. The point's own time when that is proved.
    pub least_us: u64,
    /// Who does what, by rising event. Events without a team are not done.
    pub teams: Vec<Team>,
}

/// Who comes to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// Index of the event.
    pub event: usize,
    /// Who takes part, by rising player: at least one.
    pub roles: Vec<Role>,
}

/// The Pareto front of a number of players.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Front {
    /// Points by rising time and falling damage, no two alike. Empty when this number of players
    /// cannot do it.
    pub points: Vec<Point>,
    /// Whether nothing is missing: no plan has a point that is not dominated by one of these.
    pub is_known: bool,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Worst time of a player, the effort's with it, in microseconds: W^T.
    pub time_us: u64,
    /// Worst damage of a player, the effort's with it, in millionths: W^D.
    pub damage_micro: u64,
    /// Whether fewer players do as well, in both.
    pub fewer_do: bool,
    /// Who takes part, by rising player.
    pub roles: Vec<Role>,
    /// Other players or tools that reach this point: as many as were asked for, no two of the same
    /// players with the same tools.
    pub others: Vec<Vec<Role>>,
    /// Whether there are still others.
    pub more: bool,
}

/// What one player does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Index of the player.
    pub player: usize,
    /// Index of the tool.
    pub tool: usize,
    /// The vertices of the leg to the tool, the player's and the tool's included.
    pub fetch: Vec<usize>,
    /// The vertices of the leg to the event, the tool's and the event's included.
    pub carry: Vec<usize>,
}

/// The cost, minimised: 0 when every front is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Fronts that are not known, that of all events together with them.
    pub open: u32,
}

/// What one player did, for [`compare`](fn@crate::compare::compare).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Player, tool and legs.
    pub role: Role,
    /// Time that the player stood still on the legs, in microseconds.
    pub idle_us: u64,
}
