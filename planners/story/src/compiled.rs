//! The compiled domain: a state is a row of small whole numbers, an action one number.

mod choice_sets;
pub(crate) mod code;
mod compile;
pub(crate) mod diversity;
pub(crate) mod index;
mod join;
mod quantified;
mod restricted;
mod schema;
mod uses;

use crate::plan::Action;
use crate::problem::{Problem, Values};
use crate::spec::Change;
pub(crate) use choice_sets::ChoiceSet;
use code::{Facts, Number, SLOTS, Slots, Truth, Write, Writes};
use compile::{Compiler, small};
use diversity::Diversity;
use index::{Index, World};
use std::ops::Range;

/// An action with its parameters, as one number.
pub(crate) type ActionId = u32;

/// A schema, compiled.
#[derive(Debug, Clone)]
pub(crate) struct CompiledSchema {
    /// Number of its first action.
    pub(crate) first: ActionId,
    /// Entities of its parameters.
    pub(crate) ranges: Vec<Range<u8>>,
    /// None: its conditions never hold, or it must not happen.
    levels: Option<Vec<join::Level>>,
    pub(crate) conditions: Truth,
    forbidden: Vec<Vec<Option<u8>>>,
    /// Facts that say whether what has to happen has happened.
    marks: Vec<(u32, Vec<Option<u8>>)>,
    pub(crate) base: Number,
    pub(crate) rules: Vec<(Truth, Change<Number>)>,
    pub(crate) slider: f64,
    /// Whether its believability may be 0, so that one has to look.
    may_be_zero: bool,
    pub(crate) writes: Box<[Write]>,
}

/// A goal, compiled.
#[derive(Debug, Clone)]
pub(crate) struct CompiledGoal {
    pub(crate) truth: Truth,
    pub(crate) weight: f64,
}

/// The rules of a domain.
#[derive(Debug, Clone)]
pub(crate) struct CompiledDomain {
    /// The start.
    pub(crate) init: World,
    index: Index,
    /// Attribute and entity of facts; those after them are marks.
    pub(crate) facts: Vec<(usize, usize)>,
    pub(crate) schemas: Vec<CompiledSchema>,
    pub(crate) goals: Vec<CompiledGoal>,
    weight: f64,
    /// By fact: whether any goal looks at it, or it is a mark.
    watched: Vec<bool>,
    pub(crate) actions_max: usize,
    /// Stories that those looked for have to be different from.
    pub(crate) diversity: Diversity,
    /// By entity: whether it takes part in the stories looked for. Empty: all do.
    pub(crate) cast: Vec<bool>,
}

impl CompiledDomain {
    pub(crate) fn new(problem: &Problem) -> Self {
        let (mut init, mut facts, mut bases) = (Vec::new(), Vec::new(), Vec::new());
        for (index, attribute) in problem.attributes().iter().enumerate() {
            let entities = problem.kinds()[attribute.owner].entities.clone();
            let dynamic = !attribute.is_static;
            bases.push(dynamic.then(|| init.len() as i32 - entities.start as i32));
            if dynamic {
                init.extend(attribute.init.iter().map(|value| small(*value)));
                facts.extend(entities.map(|entity| (index, entity)));
            }
        }
        let marks = init.len();
        init.resize(
            marks + problem.events().iter().filter(|e| e.must).count(),
            0,
        );
        let index = Index::new(problem, &bases, marks);
        let mut first = 0;
        let mut schemas = Vec::new();
        for number in 0..problem.schemas().len() {
            let schema = schema::schema(problem, &bases, &index, number, marks, first);
            let counts = schema.ranges.iter().map(|range| range.len() as ActionId);
            first += counts.product::<ActionId>();
            schemas.push(schema);
        }
        let compiler = Compiler {
            problem,
            bases,
            kinds: Vec::new(),
        };
        let goals = problem.goals().iter().map(|goal| CompiledGoal {
            truth: compiler.truth(&goal.node),
            weight: goal.weight,
        });
        let goals: Vec<CompiledGoal> = goals.collect();
        let mut uses = uses::Uses::default();
        goals.iter().for_each(|goal| uses.truth(&goal.truth));
        let watched = facts.iter().enumerate().map(|(fact, (_, entity))| {
            let base = fact as i32 - *entity as i32;
            uses.bases.contains(&base)
        });
        Self {
            watched: watched.chain(init[marks..].iter().map(|_| true)).collect(),
            goals,
            init: index.world(&init),
            index,
            facts,
            schemas,
            weight: problem.weight(),
            actions_max: problem.actions_max(),
            diversity: Diversity::default(),
            cast: Vec::new(),
        }
    }

    /// Number of all actions, possible or not.
    pub(crate) fn action_count(&self) -> usize {
        self.schemas.last().map_or(0, |schema| {
            let counts = schema.ranges.iter().map(ExactSizeIterator::len);
            schema.first as usize + counts.product::<usize>()
        })
    }

    /// The schema of an action; its parameters go into `slots`.
    #[inline]
    pub(crate) fn decode(&self, action_id: ActionId, slots: &mut Slots) -> usize {
        let index = self.schemas.partition_point(|s| s.first <= action_id) - 1;
        let schema = &self.schemas[index];
        let mut rest = action_id - schema.first;
        for (slot, range) in schema.ranges.iter().enumerate().rev() {
            let count = range.len() as ActionId;
            slots[slot] = range.start + (rest % count) as u8;
            rest /= count;
        }
        index
    }

    /// A number as an action.
    pub(crate) fn action(&self, action_id: ActionId) -> Action {
        let mut slots = [0; SLOTS];
        let schema = self.decode(action_id, &mut slots);
        let count = self.schemas[schema].ranges.len();
        Action {
            schema,
            args: slots[..count]
                .iter()
                .map(|slot| usize::from(*slot))
                .collect(),
        }
    }

    /// Appends the actions that can be done, in a fixed order.
    pub(crate) fn applicable(&self, world: &World, out: &mut Vec<ActionId>) {
        let mut slots = [0; SLOTS];
        for schema in &self.schemas {
            let Some(levels) = &schema.levels else {
                continue;
            };
            join::visit(levels, world, &mut slots, &mut |slots| {
                if schema.may_happen(slots)
                    && (!schema.may_be_zero || schema.believability(&world.facts[..], slots) > 0.0)
                {
                    out.push(schema.action_id(slots));
                }
            });
        }
    }

    /// Whether any goal looks at what was written.
    pub(crate) fn matters_to_goals(&self, writes: &Writes) -> bool {
        writes.iter().any(|(fact, _)| self.watched[*fact as usize])
    }

    #[inline]
    fn perform(
        &self,
        world: &mut World,
        writes: &mut Writes,
        schema: &CompiledSchema,
        slots: &mut Slots,
    ) -> f64 {
        let facts = &world.facts[..];
        let believability = schema.believability(facts, slots);
        writes.clear();
        schema.collect(facts, slots, writes);
        for &(fact, value) in writes.iter() {
            self.index.write(world, fact as usize, value);
        }
        believability
    }

    /// Does an action and returns how believable it was.
    #[inline]
    pub(crate) fn apply(&self, world: &mut World, writes: &mut Writes, action_id: ActionId) -> f64 {
        let mut slots = [0; SLOTS];
        let schema = &self.schemas[self.decode(action_id, &mut slots)];
        self.perform(world, writes, schema, &mut slots)
    }

    /// Makes a state of facts.
    pub(crate) fn load(&self, world: &mut World, facts: &[i16]) {
        for (fact, value) in facts.iter().enumerate() {
            if world.facts[fact] != *value {
                self.index.write(world, fact, *value);
            }
        }
    }

    /// G, the weight of the goals met in that of all goals; 0 as long as something that has to
    /// happen has not.
    pub(crate) fn goal_share(&self, facts: &[i16]) -> f64 {
        let mut slots = [0; SLOTS];
        if facts[self.facts.len()..].contains(&0) {
            return 0.0;
        }
        let met = |goal: &&CompiledGoal| goal.truth.holds(facts, &mut slots);
        let weights = self.goals.iter().filter(met).map(|goal| goal.weight);
        weights.sum::<f64>() / self.weight
    }

    /// Whether what has to happen has happened.
    pub(crate) fn is_allowed_end(&self, facts: &[i16]) -> bool {
        !facts[self.facts.len()..].contains(&0)
    }
}

impl CompiledSchema {
    fn action_id(&self, slots: &Slots) -> ActionId {
        let mut number = 0;
        for (range, slot) in self.ranges.iter().zip(slots) {
            number = number * range.len() as ActionId + ActionId::from(slot - range.start);
        }
        self.first + number
    }

    /// Whether this is nothing that must not happen.
    pub(crate) fn may_happen(&self, slots: &Slots) -> bool {
        !self.forbidden.iter().any(|event| is_event(event, slots))
    }

    /// How believable it is, in [0, 1]: base, rules in order, clamped, slider, clamped.
    pub(crate) fn believability<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> f64 {
        let mut now = self.base.value(facts, slots);
        for (condition, change) in &self.rules {
            if condition.holds(facts, slots) {
                now = match change {
                    Change::Set(number) => number.value(facts, slots),
                    Change::Mul(number) => now * number.value(facts, slots),
                };
            }
        }
        (now.clamp(0.0, 1.0) * self.slider).clamp(0.0, 1.0)
    }

    /// What is written by it, marks included.
    pub(crate) fn collect<F: Facts + ?Sized>(
        &self,
        facts: &F,
        slots: &mut Slots,
        writes: &mut Writes,
    ) {
        code::collect(&self.writes, facts, slots, writes);
        writes.extend(self.marks_of(slots).map(|fact| (fact, 1)));
    }

    /// The marks that it sets.
    pub(crate) fn marks_of(&self, slots: &Slots) -> impl Iterator<Item = u32> {
        let mine = self
            .marks
            .iter()
            .filter(|(_, event)| is_event(event, slots));
        mine.map(|(fact, _)| *fact)
    }
}

fn is_event(event: &[Option<u8>], slots: &Slots) -> bool {
    let mut pairs = event.iter().zip(slots);
    pairs.all(|(wanted, slot)| wanted.is_none_or(|wanted| wanted == *slot))
}

/// How many values a fact has, from the least: whole numbers by their limits, null and entities or
/// words by theirs.
pub(crate) fn values_of(problem: &Problem, attribute: usize) -> Vec<i16> {
    match &problem.attributes()[attribute].values {
        Values::Bool => vec![0, 1],
        Values::Int(min, max) => (*min as i16..=*max as i16).collect(),
        Values::Number => Vec::new(),
        Values::Words(words) => {
            let words = words.iter().map(|word| *word as i16);
            std::iter::once(code::NULL).chain(words).collect()
        }
        Values::Entity(kind) => {
            let entities = problem.kinds()[*kind].entities.clone();
            let entities = entities.map(|entity| entity as i16);
            std::iter::once(code::NULL).chain(entities).collect()
        }
    }
}
