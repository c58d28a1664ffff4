//! Parts of explanations.

use crate::fault::Fault;

/// Why something cannot be done, or is not: part of an explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The rule that stands in the way, and the field of the problem that has it.
    pub fault: Fault,
    /// The element that is explained: its kind and its index.
    pub subject: Option<(&'static str, usize)>,
    /// The element that stands in the way: its kind and its index.
    pub blocker: Option<(&'static str, usize)>,
    /// By how much the rule fails, and the unit of that.
    pub shortfall: Option<(f64, &'static str)>,
    /// Whether this holds for any plan.
    pub is_proved: bool,
}

impl Reason {
    /// A reason that holds for any plan.
    #[must_use]
    pub fn proved(fault: Fault) -> Self {
        Self {
            fault,
            subject: None,
            blocker: None,
            shortfall: None,
            is_proved: true,
        }
    }

    /// The same, found by trying: it need not hold for any plan.
    #[must_use]
    pub fn tried(fault: Fault) -> Self {
        Self {
            is_proved: false,
            ..Self::proved(fault)
        }
    }

    /// With the element that is explained.
    #[must_use]
    pub fn subject(self, kind: &'static str, index: usize) -> Self {
        Self {
            subject: Some((kind, index)),
            ..self
        }
    }

    /// With the element that stands in the way.
    #[must_use]
    pub fn blocker(self, kind: &'static str, index: usize) -> Self {
        Self {
            blocker: Some((kind, index)),
            ..self
        }
    }

    /// With the amount by which the rule fails, in a unit.
    #[must_use]
    pub fn shortfall(self, amount: f64, unit: &'static str) -> Self {
        Self {
            shortfall: Some((amount, unit)),
            ..self
        }
    }
}
