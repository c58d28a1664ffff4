//! Fronts: for each number of players what is possible.

/// All that is worth choosing from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// For 1, 2, ... players: points by rising time and falling damage, no two alike. Empty: so many cannot do it.
    pub fronts: Vec<Vec<Point>>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Worst time of a player, the task's with it: W^T.
    pub time_ms: u64,
    /// Worst damage of a player, the task's with it, in thousandths: W^D.
    pub damage_milli: u64,
    /// Whether fewer players do as well, in both.
    pub fewer_do: bool,
    /// Who takes part, by rising player.
    pub roles: Vec<Role>,
}

/// What one player does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Index of the player.
    pub player: usize,
    /// Index of the tool that he takes.
    pub tool: usize,
    /// The vertices that he walks to the tool, his own and the tool's with them.
    pub fetch: Vec<usize>,
    /// The vertices that he walks to the event, the tool's and the event's with them.
    pub carry: Vec<usize>,
}

/// What is minimised: numbers of players whose front is not known. 0 when all is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Numbers of players left open.
    pub open: u32,
}
