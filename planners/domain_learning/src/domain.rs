//! A learned story domain as plain data.
//!
//! Expressions, effects and rules are texts in the language of `planners/story`, so that people can
//! read them and this crate needs no planner of stories.

use anytime::Fault;

/// A story domain: entities, what they have, what they do and what they want.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Domain {
    /// Types with their entities: `actor`, `item`, `place`.
    pub types: Vec<EntityType>,
    /// What entities of a type have.
    pub attributes: Vec<Attribute>,
    /// Where actors and items are at the start.
    pub start_places: Vec<StartPlace>,
    /// Believabilities by entity, one table for each action and class.
    pub tables: Vec<Table>,
    /// What can happen.
    pub actions: Vec<ActionSchema>,
    /// What stories should come to.
    pub goals: Vec<Goal>,
    /// Longest story, in actions.
    pub actions_max: usize,
}

/// A type of entities.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntityType {
    /// Its name.
    pub name: String,
    /// Its entities, by evidence.
    pub entities: Vec<Entity>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entity {
    /// Its name, unique in the domain: `king`.
    pub name: String,
    /// Name in sentences, if it is another one: `the king`.
    pub label: Option<String>,
}

/// An attribute of all entities of a type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribute {
    /// The type.
    pub owner: String,
    /// Its name, unique within the type.
    pub name: String,
    /// Its values, as text: `bool`, or the name of a type.
    pub values: String,
    /// Its value at the start, as text. None: false or null.
    pub default: Option<String>,
}

/// The place of an entity at the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StartPlace {
    /// Name of the actor or item.
    pub entity: String,
    /// Name of the place.
    pub place: String,
}

/// A number in \[0, 1\] for each entity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Its name: `kill_actor`.
    pub name: String,
    /// Numbers of entities, by name.
    pub entries: Vec<(String, f64)>,
    /// The number of all other entities.
    pub default: f64,
}

/// An action schema: one action for each choice of different parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionSchema {
    /// Its name.
    pub name: String,
    /// Its parameters: name and type.
    pub params: Vec<(String, String)>,
    /// Conditions in the state before, as text.
    pub preconditions: Vec<String>,
    /// Changes of the state, as text.
    pub effects: Vec<String>,
    /// Believability before all rules, as text.
    pub believability: String,
    /// Rules that change the believability, in this order, as text.
    pub rules: Vec<String>,
    /// Templates of sentences: `{a} went to {p}.`
    pub texts: Vec<String>,
}

/// A goal of stories.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Goal {
    /// Its name, unique.
    pub name: String,
    /// What should hold at the end, as text.
    pub condition: String,
    /// Its share in the score, compared with other goals.
    pub weight: f64,
}

/// Code of the fault that no story reaches a goal.
pub const UNREACHABLE: &str = "NEVER_HOLDS";

/// The check of a domain by the planner that is going to use it: its faults, of which
/// [`UNREACHABLE`] ones are about goals.
pub type DomainCheck = fn(&Domain) -> Vec<Fault>;
