//! Plans of an agent, and what they cost.

use crate::rules::Action;

/// Longest plan that is judged, in actions.
pub const ACTIONS_MAX: usize = 1_000_000;

/// What an agent does, one action each tick.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// In this order. Empty: he is there already.
    pub actions: Vec<Action>,
}

/// What is minimised: the number of actions, which is the number of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Actions.
    pub actions: u32,
}
