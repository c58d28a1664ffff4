//! Stories as plans, and their costs.

/// Unit of losses: 10^-12 of a score.
pub const PICO: f64 = 1e12;

/// An action with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Action {
    /// Index of its schema.
    pub schema: usize,
    /// Entities, by index over all types, one for each parameter.
    pub args: Vec<usize>,
}

/// A story: a list of actions, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// At most as many as the problem says. Empty: nothing happens.
    pub actions: Vec<Action>,
}

/// The cost of a story, which is minimised: 1 - E.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// In millionths of millionths, 0 to 10^12, rounded.
    pub loss_pico: u64,
}

impl Cost {
    /// The cost of a score E in [0, 1] (equation 5.1).
    #[must_use]
    pub fn of_score(score: f64) -> Self {
        let loss = (1.0 - score.clamp(0.0, 1.0)) * PICO;
        Self {
            loss_pico: loss.round() as u64,
        }
    }

    /// The score, in [0, 1]; exact to 10^-12.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 - self.loss_pico as f64 / PICO
    }
}
