//! A story domain as it is written: plain data with names. [`Problem::new`](crate::Problem::new)
//! judges it.

/// A domain, its goals and the limits of a story.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spec {
    /// Kinds of entities with their entities.
    pub types: Vec<TypeSpec>,
    /// What entities of a type have.
    pub attributes: Vec<AttributeSpec>,
    /// Values at the start that are not the default.
    pub init: Vec<Setting>,
    /// Numbers by entity, such as learned believabilities.
    pub tables: Vec<TableSpec>,
    /// What can happen.
    pub actions: Vec<ActionSpec>,
    /// What the story should come to.
    pub goals: Vec<GoalSpec>,
    /// What has to happen, and what must not.
    pub events: Vec<EventSpec>,
    /// Factors on the believability of all actions of a name.
    pub sliders: Vec<Slider>,
    /// Most actions of a story, 1 to [`ACTIONS_MAX`](crate::problem::ACTIONS_MAX).
    pub actions_max: usize,
    /// How entities are called in texts, where not by their name, and which pronouns they take.
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

/// What every entity of a type has.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeSpec {
    /// The type whose entities have it.
    pub owner: String,
    /// Its name, unique within the type.
    pub name: String,
    /// What values it has.
    pub kind: AttributeKind,
    /// Whether no action may change it.
    pub is_static: bool,
    /// Value at the start where no other is given. None: null, false, or the number nearest to 0.
    pub default: Option<Literal>,
}

/// What values an attribute has.
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
    /// Nothing, nobody.
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
    /// Whose.
    pub entity: String,
    /// Which attribute.
    pub attribute: String,
    /// What.
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

/// A schema of actions, one for each choice of parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionSpec {
    /// Its name.
    pub name: String,
    /// Its parameters: name and type. At most [`PARAMS_MAX`](crate::problem::PARAMS_MAX).
    pub params: Vec<(String, String)>,
    /// Whether no entity may be two of its parameters.
    pub distinct: bool,
    /// What must hold before. Texts of mistakes count them from 0.
    pub preconditions: Vec<Expr>,
    /// What is different after. All of them read the state before; where two write one value, the
    /// later counts.
    pub effects: Vec<EffectSpec>,
    /// How believable it is.
    pub believability: BelievabilitySpec,
    /// Templates of its text, such as `{a} [went|walked] to {p}.`, of which one is chosen, and in
    /// it one of the words in brackets.
    pub texts: Vec<String>,
}

/// How believable an action is in a state: the base, changed by the rules in order, then clamped to
/// [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct BelievabilitySpec {
    /// The value before all rules.
    pub base: Expr,
    /// What changes it, in this order.
    pub rules: Vec<RuleSpec>,
}

/// A rule of believability.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSpec {
    /// When it applies. None: always.
    pub condition: Option<Expr>,
    /// What it does.
    pub change: Change<Expr>,
}

/// What a rule does to a believability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<E> {
    /// Replaces it.
    Set(E),
    /// Multiplies it.
    Mul(E),
}

/// What an action changes.
#[derive(Debug, Clone, PartialEq)]
pub enum EffectSpec {
    /// Sets an attribute of an entity.
    Set {
        /// Whose; nothing happens where it is null.
        entity: Expr,
        /// Which attribute.
        attribute: String,
        /// To what. Whole numbers are clamped to the attribute's limits.
        value: Expr,
    },
    /// Adds to a whole number, within its limits.
    Add {
        /// Whose; nothing happens where it is null.
        entity: Expr,
        /// Which attribute.
        attribute: String,
        /// How much is added to the value before the action.
        value: Expr,
    },
    /// Effects under a condition.
    When {
        /// The condition.
        condition: Expr,
        /// What happens if it holds.
        effects: Vec<EffectSpec>,
    },
    /// Effects for each entity of a type.
    Each {
        /// Name of the variable.
        variable: String,
        /// Its type.
        kind: String,
        /// Which of them.
        condition: Expr,
        /// What happens for each.
        effects: Vec<EffectSpec>,
    },
}

/// A goal of the story.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalSpec {
    /// Its name, unique.
    pub name: String,
    /// What should hold at the end.
    pub expr: Expr,
    /// How much it counts against the others, above 0, at most
    /// [`WEIGHT_MAX`](crate::problem::WEIGHT_MAX).
    pub weight: f64,
}

/// Something that has to happen at least once, or never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSpec {
    /// Name of the action.
    pub action: String,
    /// Its parameters; None: whichever. Missing ones at the end are whichever.
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

/// How an entity is called in texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameSpec {
    /// The entity.
    pub entity: String,
    /// What it is called. Empty: its name.
    pub name: String,
    /// Subject and object pronoun: `they`, `them`. Empty: those of its attribute `gender`, see
    /// [`text`](crate::text).
    pub pronouns: Vec<String>,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Nothing, nobody.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A variable if one is bound, else an entity, else a word of an enum.
    Name(String),
    /// An attribute of an entity. Of null it is null, false or 0.
    Get(Box<Expr>, String),
    /// Compares two values; order is for numbers only.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Calculates.
    Arithmetic(Operation, Box<Expr>, Box<Expr>),
    /// Whether all hold.
    And(Vec<Expr>),
    /// Whether one holds.
    Or(Vec<Expr>),
    /// Whether it does not hold.
    Not(Box<Expr>),
    /// Goes through the entities of a type.
    Quantified {
        /// What is asked of them.
        quantifier: Quantifier,
        /// Name of the variable.
        variable: String,
        /// Its type.
        kind: String,
        /// What should hold for it.
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

/// How values are compared.
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

/// How numbers are put together. Results are kept within 10^15 of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
}

/// What is asked of the entities of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// How many there are.
    Count,
    /// Whether there is one.
    Exists,
    /// Whether it holds for all.
    Forall,
}
