//! The rules of a world.

use std::fmt::Debug;

/// The rules of a world with one decision maker: what is legal, what it does, what the end costs.
///
/// Deterministic: the same state has the same actions in the same order, with the same effects. The
/// tree keeps no states; it replays actions from the root.
pub trait Domain {
    /// A point in the world. Replay copies the root's state with `clone_from` once an iteration:
    /// write that method by hand where the state holds vectors (a derived `Clone` allocates again).
    type State: Clone;
    /// What the decision maker can do in a state.
    type Action: Copy + Eq + Debug;
    /// What is minimised; exact.
    type Cost: Ord + Copy + Debug;

    /// Where the search starts.
    fn root(&self) -> Self::State;

    /// Appends the legal actions of `state` to `out`, in a fixed order and without repetition. The
    /// caller has cleared `out`. None: the state is terminal.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Does `action`, which is legal in `state`.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// What the end is worth. Called for terminal states only.
    fn outcome(&self, terminal: &Self::State) -> Outcome<Self::Cost>;
}

/// What a terminal state is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome<C> {
    /// The exact cost: decides which terminal state is best.
    pub cost: C,
    /// In [0, 1], higher is better, and never higher for a higher cost: guides the search.
    pub reward: f64,
}
