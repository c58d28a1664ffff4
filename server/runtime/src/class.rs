//! Classes of priority.

/// Who goes first, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Class {
    /// Whenever nobody else wants the slot.
    Low,
    /// The usual class.
    #[default]
    Normal,
    /// A player is waiting.
    High,
}

impl Class {
    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}
