//! Proofs of bounds, in terms of the domain alone: its rules suffice to check them
//! ([`verify_bound`](crate::verify_bound)).

use crate::plan::Action;
use crate::tree::Value;

/// Costs are -ln of a believability in this unit, rounded down.
pub const UNIT: f64 = 1e15;

/// A proof by cases: every story below a limit is in at least one case, and each case has costs
/// that its stories have to pay.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// The cases.
    pub cases: Vec<Case>,
    /// The proof says nothing about stories that cost this much or more, goals that do not hold
    /// included; in [`UNIT`]. `i64::MAX`: no such limit.
    pub limit: i64,
}

/// Stories that end in one way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Case {
    /// By goal: whether it holds at the end. None: it may or may not.
    pub goals: Vec<Option<bool>>,
    /// What holds at the end besides.
    pub ends: Vec<Condition>,
    /// Occasions on which actions are done.
    pub occasions: Vec<Occasion>,
    /// What each of these stories has to do. What they cost together, these stories pay at least.
    pub landmarks: Vec<Landmark>,
}

/// An attribute of an entity has one of some values.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Index of the attribute.
    pub attribute: usize,
    /// Index of the entity.
    pub entity: usize,
    /// The values.
    pub values: Vec<Value>,
}

/// An action, done where some conditions hold, at no less than a cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Occasion {
    /// The action.
    pub action: Action,
    /// All of them hold before it.
    pub conditions: Vec<Condition>,
    /// In [`UNIT`].
    pub cost: i64,
}

/// A disjunctive landmark: occasions of which every story of a case has at least one. With no
/// occasions, the case has no story.
///
/// An action counts here if it fits some occasion of the case, and only occasions of this landmark.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Landmark {
    /// Indices of occasions of the case.
    pub occasions: Vec<usize>,
    /// What an action that counts pays for this landmark, in [`UNIT`]. For all landmarks together
    /// it pays what it costs, at most.
    pub cost: i64,
}
