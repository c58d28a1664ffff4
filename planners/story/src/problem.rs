//! A validated domain with its goals.

mod actions;
mod expression;
mod may;
mod reach;
mod sort;
mod world;

use crate::errors::Faults;
use crate::spec::{Slider, Spec};
use crate::tree::{Effect, Node, Rule, Value};
use anytime::{Fault, Path, fault};
use std::ops::Range;

/// Most types of entities.
pub const TYPES_MAX: usize = 32;
/// Most entities, all types together.
pub const ENTITIES_MAX: usize = 200;
/// Most attributes, all types together.
pub const ATTRIBUTES_MAX: usize = 200;
/// Most words of an enum.
pub const WORDS_MAX: usize = 200;
/// Most tables.
pub const TABLES_MAX: usize = 100;
/// Most schemas of actions.
pub const SCHEMAS_MAX: usize = 100;
/// Most parameters of a schema.
pub const PARAMS_MAX: usize = 6;
/// Most preconditions, effects (of one list), rules, texts of a schema.
pub const PARTS_MAX: usize = 32;
/// Most goals.
pub const GOALS_MAX: usize = 16;
/// Most events that have to happen or must not.
pub const EVENTS_MAX: usize = 64;
/// Most events that have to happen: each is a bit of the state.
pub const MUST_MAX: usize = 16;
/// Most actions of a story.
pub const ACTIONS_MAX: usize = 50;
/// Most choices of parameters, all schemas together.
pub const GROUND_MAX: u64 = 1_000_000;
/// How deeply expressions and effects are nested at most.
pub const DEPTH_MAX: usize = 32;
/// Most parts of an expression.
pub const SIZE_MAX: usize = 2_000;
/// Most steps of an expression: its parts, times the entities that its quantifiers go through.
pub const WORK_MAX: u64 = 200_000;
/// Whole numbers are this near to 0.
pub const INT_MAX: i32 = 30_000;
/// Highest factor of a slider.
pub const SLIDER_MAX: f64 = 100.0;
/// Highest weight of a goal.
pub const WEIGHT_MAX: f64 = 1e6;
/// Bytes of a name.
pub const NAME_BYTES_MAX: usize = 100;
/// Bytes of a template.
pub const TEXT_BYTES_MAX: usize = 1_000;

/// A validated domain: names are resolved, types fit, sizes are within limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) words: Vec<String>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) tables: Vec<Table>,
    pub(crate) schemas: Vec<Schema>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) events: Vec<Event>,
    pub(crate) actions_max: usize,
}

/// A type of entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Indices of its entities.
    pub entities: Range<usize>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its name.
    pub name: String,
    /// Its name in texts.
    pub called: String,
    /// Subject and object pronoun, if it has any.
    pub pronouns: Vec<String>,
    /// Index of its type.
    pub kind: usize,
}

/// The domain of values of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// True or false.
    Bool,
    /// Whole numbers, ends included.
    Int(i32, i32),
    /// Any number.
    Number,
    /// One of these words, by index, or null.
    Words(Vec<usize>),
    /// An entity of this type, or null.
    Entity(usize),
}

/// An attribute of all entities of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Index of the type.
    pub owner: usize,
    /// Its domain of values.
    pub values: Values,
    /// Whether it never changes.
    pub is_static: bool,
    /// Its values at the start, one for each entity of the type.
    pub init: Vec<Value>,
}

/// Numbers by entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// One for each entity of all types.
    pub numbers: Vec<f64>,
}

/// A schema of actions.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name.
    pub name: String,
    /// Names and types of its parameters.
    pub params: Vec<(String, usize)>,
    /// Whether no entity may be two of its parameters.
    pub distinct: bool,
    /// Preconditions.
    pub preconditions: Vec<Node>,
    /// Effects.
    pub effects: Vec<Effect>,
    /// Its believability before all rules.
    pub base: Node,
    /// Rules that change it.
    pub rules: Vec<Rule>,
    /// Templates.
    pub texts: Vec<String>,
    /// Its slider.
    pub slider: f64,
    /// Slots that its expressions use.
    pub slots: usize,
}

/// A goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// Its name.
    pub name: String,
    /// Condition at the end.
    pub node: Node,
    /// Its weight.
    pub weight: f64,
}

/// An event that has to happen, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Index of the schema.
    pub schema: usize,
    /// Its parameters; None: any.
    pub args: Vec<Option<usize>>,
    /// Whether it has to happen; else it must not.
    pub must: bool,
}

impl Event {
    /// Whether an action is such an event.
    #[must_use]
    pub fn matches(&self, schema: usize, args: &[usize]) -> bool {
        let mut pairs = self.args.iter().zip(args);
        schema == self.schema && pairs.all(|(wanted, arg)| wanted.is_none_or(|w| w == *arg))
    }
}

impl Problem {
    /// Validates a domain.
    ///
    /// # Errors
    /// Every fault, with its path in the contract's `StoryProblem`. Whether goals can hold is only
    /// checked where there is no other fault, by a relaxation in which what was once true stays
    /// true.
    pub fn new(spec: &Spec) -> Result<Self, Vec<Fault>> {
        let mut faults = Faults::default();
        let mut problem = world::world(spec, &mut faults);
        actions::actions(&mut problem, spec, &mut faults);
        actions::goals(&mut problem, spec, &mut faults);
        actions::events(&mut problem, spec, &mut faults);
        problem.set_sliders(&spec.sliders, &mut faults);
        problem.actions_max = spec.actions_max;
        if !(1..=ACTIONS_MAX).contains(&spec.actions_max) {
            let given = spec.actions_max;
            faults.add(fault!(
                "OUT_OF_RANGE",
                Path::root("max_acts"),
                "must be between 1 and {}, got {}",
                ACTIONS_MAX,
                given
            ));
        }
        if faults.is_empty() {
            reach::impossible(&problem, &mut faults);
        }
        let faults = faults.into_vec();
        if faults.is_empty() {
            Ok(problem)
        } else {
            Err(faults)
        }
    }

    fn set_sliders(&mut self, sliders: &[Slider], faults: &mut Faults) {
        let mut given = vec![false; self.schemas.len()];
        for (i, slider) in sliders.iter().enumerate().take(SCHEMAS_MAX * 2) {
            faults.inside(&Path::root("sliders").index(i), |faults| {
                let factor = slider.factor;
                faults.in_range(&Path::root("factor"), factor, 0.0, SLIDER_MAX);
                let (name, action) = (&slider.action, Path::root("action"));
                let Some(at) = self.schemas.iter().position(|s| s.name == *name) else {
                    faults.unknown(&action, "action", name);
                    return;
                };
                if std::mem::replace(&mut given[at], true) {
                    faults.duplicate(&action, "slider", name);
                }
                self.schemas[at].slider = factor;
            });
        }
    }

    /// Types.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Entities of all types.
    #[must_use]
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Words of all enums.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Attributes of all types.
    #[must_use]
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Tables.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Schemas of actions.
    #[must_use]
    pub fn schemas(&self) -> &[Schema] {
        &self.schemas
    }

    /// Goals.
    #[must_use]
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Events that have to happen, and those that must not.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Most actions of a story.
    #[must_use]
    pub fn actions_max(&self) -> usize {
        self.actions_max
    }

    /// The weight of all goals.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.goals.iter().map(|goal| goal.weight).sum()
    }

    /// The place of an entity among those of its type.
    pub(crate) fn local(&self, entity: usize) -> usize {
        entity - self.kinds[self.entities[entity].kind].entities.start
    }
}
