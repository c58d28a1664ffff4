//! A story domain as it is written: plain data with names. [`Problem::new`](crate::Problem::new)
//! judges it.

/// A domain, its goals and the limits of a story.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spec {
    /// Kinds of entities with their entities.
    pub types: Vec<TypeSpec>,
    /// Attributes of entities, by type.
    pub attributes: Vec<AttributeSpec>,
    /// Values at the start that are not the default.
    pub init: Vec<Setting>,
    /// Numbers by entity, such as learned believabilities.
    pub tables: Vec<TableSpec>,
    /// Action schemas.
    pub actions: Vec<ActionSpec>,
    /// Goals of the story.
    pub goals: Vec<GoalSpec>,
    /// Events that must happen, and events that must not.
    pub events: Vec<EventSpec>,
    /// Factors on the believability of all actions of a name.
    pub sliders: Vec<Slider>,
    /// Most actions of a story, 1 to [`ACTIONS_MAX`](crate::problem::ACTIONS_MAX).
    pub actions_max: usize,
    /// Names of entities in texts, where they differ, and their pronouns.
    pub names: Vec<NameSpec>,
}

/// A kind of entity. Names of entities are unique over all types.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypeSpec {
    /// Its name: `actor`.
    pub name: String,
    /// Its entities: `Alice`, `Bob`.
    pub entities: Vec<String>,
}

/// An attribute of all entities of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeSpec {
    /// The type whose entities have it.
    pub owner: String,
    /// Its name, unique within the type.
    pub name: String,
    /// Its domain of values.
    pub kind: AttributeKind,
    /// Whether no action may change it.
    pub is_static: bool,
    /// Value at the start where no other is given. None: null, false, or the number nearest to 0.
    pub default: Option<Literal>,
}

/// The domain of values of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeKind {
    /// True or false.
    Bool,
    /// Whole numbers within limits, ends included.
    Int {
        /// Least value, at least -[`INT_MAX`](crate::problem::INT_MAX).
        min: i32,
        /// Highest value, at most [`INT_MAX`](crate::problem::INT_MAX).
        max: i32,
    },
    /// Any number; only for static attributes.
    Number,
    /// One of these words, or null.
    Enum(Vec<String>),
    /// An entity of this type, or null.
    Entity(String),
}

/// A value as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// Null: no entity, no word.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// An entity or a word of an enum.
    Name(String),
}

/// A value at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Name of the entity.
    pub entity: String,
    /// Name of the attribute.
    pub attribute: String,
    /// The value.
    pub value: Literal,
}

/// A number for each entity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableSpec {
    /// Its name.
    pub name: String,
    /// Numbers in [0, 1] of entities by name.
    pub entries: Vec<(String, f64)>,
    /// The number of all others, in [0, 1].
    pub default: f64,
}

/// An action schema: one action for each choice of parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionSpec {
    /// Its name.
    pub name: String,
    /// Its parameters: name and type. At most [`PARAMS_MAX`](crate::problem::PARAMS_MAX).
    pub params: Vec<(String, String)>,
    /// Whether no entity may be two of its parameters.
    pub distinct: bool,
    /// Preconditions. Faults count them from 0.
    pub preconditions: Vec<Expr>,
    /// Effects. All of them read the state before; where two write one value, the later counts.
    pub effects: Vec<EffectSpec>,
    /// Its believability.
    pub believability: BelievabilitySpec,
    /// Templates of its text, such as `{a} [went|walked] to {p}.`, of which one is chosen, and in
    /// it one of the words in brackets.
    pub texts: Vec<String>,
}

/// The believability of an action in a state: the base, changed by the rules in order, then clamped
/// to [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct BelievabilitySpec {
    /// The value before all rules.
    pub base: Expr,
    /// Rules that change it, in this order.
    pub rules: Vec<RuleSpec>,
}

/// A rule of believability.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSpec {
    /// When it applies. None: always.
    pub condition: Option<Expr>,
    /// The change.
    pub change: Change<Expr>,
}

/// The change of a believability by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<E> {
    /// Replaces it.
    Set(E),
    /// Multiplies it.
    Mul(E),
}

/// An effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum EffectSpec {
    /// Sets an attribute of an entity.
    Set {
        /// The entity; where it is null, nothing happens.
        entity: Expr,
        /// Name of the attribute.
        attribute: String,
        /// The new value. Whole numbers are clamped to the attribute's limits.
        value: Expr,
    },
    /// Adds to a whole number, within its limits.
    Add {
        /// The entity; where it is null, nothing happens.
        entity: Expr,
        /// Name of the attribute.
        attribute: String,
        /// The number that is added to the value before the action.
        value: Expr,
    },
    /// Effects under a condition.
    When {
        /// The condition.
        condition: Expr,
        /// Effects if it holds.
        effects: Vec<EffectSpec>,
    },
    /// Effects for each entity of a type.
    Each {
        /// Name of the variable.
        variable: String,
        /// Its type.
        kind: String,
        /// The condition on them.
        condition: Expr,
        /// Effects for each.
        effects: Vec<EffectSpec>,
    },
}

/// A goal of the story.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalSpec {
    /// Its name, unique.
    pub name: String,
    /// Condition at the end.
    pub expr: Expr,
    /// Its weight, compared with other goals: above 0, at most
    /// [`WEIGHT_MAX`](crate::problem::WEIGHT_MAX).
    pub weight: f64,
}

/// An event: an action that has to happen at least once, or never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSpec {
    /// Name of the action.
    pub action: String,
    /// Its parameters; None: any. Missing ones at the end are any.
    pub args: Vec<Option<String>>,
    /// Whether it must happen; otherwise it must not.
    pub must: bool,
}

/// A factor on the believability of all actions of a name; the product is clamped to [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    /// Name of the action.
    pub action: String,
    /// Factor, 0 to [`SLIDER_MAX`](crate::problem::SLIDER_MAX). 0: the action is not used.
    pub factor: f64,
}

/// The name of an entity in texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameSpec {
    /// The entity.
    pub entity: String,
    /// Its name in texts. Empty: its name.
    pub name: String,
    /// Subject and object pronoun: `they`, `them`. Empty: those of its attribute `gender`, see
    /// [`text`](crate::text).
    pub pronouns: Vec<String>,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Null: no entity, no word.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A variable if one is bound, else an entity, else a word of an enum.
    Name(String),
    /// An attribute of an entity. Of null it is null, false or 0.
    Get(Box<Expr>, String),
    /// A comparison of two values; order is for numbers only.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// An arithmetic operation.
    Arithmetic(Operation, Box<Expr>, Box<Expr>),
    /// A conjunction.
    And(Vec<Expr>),
    /// A disjunction.
    Or(Vec<Expr>),
    /// A negation.
    Not(Box<Expr>),
    /// A quantifier over the entities of a type.
    Quantified {
        /// The quantifier.
        quantifier: Quantifier,
        /// Name of the variable.
        variable: String,
        /// Its type.
        kind: String,
        /// The condition on it.
        body: Box<Expr>,
    },
    /// The number of an entity in a table.
    Table(String, Box<Expr>),
    /// The second if the first holds, else the third.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The least of some numbers.
    Min(Vec<Expr>),
    /// The highest of some numbers.
    Max(Vec<Expr>),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
    /// Less.
    Less,
    /// At most.
    AtMost,
    /// Greater.
    Greater,
    /// At least.
    AtLeast,
}

/// An arithmetic operation. Results are clamped to 10^15 of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
}

/// A quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The number of entities for which it holds.
    Count,
    /// It holds for one.
    Exists,
    /// It holds for all.
    Forall,
}
