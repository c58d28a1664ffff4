//! Checked expressions: names are indices, types are right.

use crate::spec::{Change, Comparison, Operation, Quantifier};

/// Results of calculations are kept this near to 0, so that no number is ever infinite.
pub const NUMBER_MAX: f64 = 1e15;

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Null: no entity, no word.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// An entity, by its index over all types.
    Entity(usize),
    /// A word of an enum, by its index over all enums.
    Symbol(usize),
}

/// A checked expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// The entity in this slot: parameters first, then variables of quantifiers by depth.
    Slot(usize),
    /// The attribute of this index, of an entity or of null.
    Get(Box<Node>, usize),
    /// A comparison.
    Compare(Comparison, Box<[Node; 2]>),
    /// A calculation.
    Arithmetic(Operation, Box<[Node; 2]>),
    /// A conjunction.
    And(Vec<Node>),
    /// A disjunction.
    Or(Vec<Node>),
    /// A negation.
    Not(Box<Node>),
    /// A quantifier over the entities of a type.
    Quantified {
        /// The quantifier.
        quantifier: Quantifier,
        /// Slot of the variable.
        slot: usize,
        /// Index of the type.
        kind: usize,
        /// The condition.
        body: Box<Node>,
    },
    /// The number of an entity in the table of this index; 0 of null.
    Table(usize, Box<Node>),
    /// The second if the first holds, else the third.
    If(Box<[Node; 3]>),
    /// The least.
    Min(Vec<Node>),
    /// The highest.
    Max(Vec<Node>),
}

/// A checked effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Sets, or adds to, an attribute.
    Write {
        /// The entity; null: nothing happens.
        entity: Node,
        /// Index of the attribute.
        attribute: usize,
        /// The value, or what is added.
        value: Node,
        /// Whether it is added.
        adds: bool,
    },
    /// Effects under a condition.
    When {
        /// The condition.
        condition: Node,
        /// What happens.
        effects: Vec<Effect>,
    },
    /// Effects for each entity of a type.
    Each {
        /// Slot of the variable.
        slot: usize,
        /// Index of the type.
        kind: usize,
        /// Which of them.
        condition: Node,
        /// What happens.
        effects: Vec<Effect>,
    },
}

/// A checked rule of believability.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// When it applies. None: always.
    pub condition: Option<Node>,
    /// The change.
    pub change: Change<Node>,
}
