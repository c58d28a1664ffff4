//! The rules of a domain, compiled: a state is a row of small whole numbers, an action one number.

pub(crate) mod code;
mod compile;
pub(crate) mod index;
mod join;
mod uses;

use crate::plan::Action;
use crate::problem::{Problem, Values};
use crate::spec::Change;
use code::{Facts, Number, SLOTS, Slots, Truth, Write, Writes};
use compile::{Compiler, small};
use index::{Index, World};
use std::ops::Range;

/// An action with its parameters, as one number.
pub(crate) type Ground = u32;

/// A schema, compiled.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    /// Number of its first action.
    pub(crate) first: Ground,
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
pub(crate) struct Wish {
    pub(crate) truth: Truth,
    pub(crate) weight: f64,
}

/// The rules of a domain.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    /// The start.
    pub(crate) init: World,
    index: Index,
    /// Attribute and entity of facts; those after them are marks.
    pub(crate) facts: Vec<(usize, usize)>,
    pub(crate) schemas: Vec<Compiled>,
    pub(crate) wishes: Vec<Wish>,
    weight: f64,
    pub(crate) actions_max: usize,
}

impl Machine {
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
            let schema = schema(problem, (&bases, &index), (number, marks, first));
            let counts = schema.ranges.iter().map(|range| range.len() as Ground);
            first += counts.product::<Ground>();
            schemas.push(schema);
        }
        let compiler = Compiler {
            problem,
            bases,
            kinds: Vec::new(),
        };
        let wishes = problem.goals().iter().map(|goal| Wish {
            truth: compiler.truth(&goal.node),
            weight: goal.weight,
        });
        Self {
            wishes: wishes.collect(),
            init: index.world(&init),
            index,
            facts,
            schemas,
            weight: problem.weight(),
            actions_max: problem.actions_max(),
        }
    }

    /// Number of all actions, possible or not.
    pub(crate) fn grounds(&self) -> usize {
        self.schemas.last().map_or(0, |schema| {
            let counts = schema.ranges.iter().map(ExactSizeIterator::len);
            schema.first as usize + counts.product::<usize>()
        })
    }

    /// The schema of an action; its parameters go into `slots`.
    #[inline]
    pub(crate) fn decode(&self, ground: Ground, slots: &mut Slots) -> usize {
        let index = self.schemas.partition_point(|s| s.first <= ground) - 1;
        let schema = &self.schemas[index];
        let mut rest = ground - schema.first;
        for (slot, range) in schema.ranges.iter().enumerate().rev() {
            let count = range.len() as Ground;
            slots[slot] = range.start + (rest % count) as u8;
            rest /= count;
        }
        index
    }

    /// A number as an action.
    pub(crate) fn action(&self, ground: Ground) -> Action {
        let mut slots = [0; SLOTS];
        let schema = self.decode(ground, &mut slots);
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
    pub(crate) fn applicable(&self, world: &World, out: &mut Vec<Ground>) {
        let mut slots = [0; SLOTS];
        for schema in &self.schemas {
            let Some(levels) = &schema.levels else {
                continue;
            };
            join::visit(levels, world, &mut slots, &mut |slots| {
                if schema.may_happen(slots)
                    && (!schema.may_be_zero || schema.believability(&world.facts[..], slots) > 0.0)
                {
                    out.push(schema.ground(slots));
                }
            });
        }
    }

    /// Does an action and returns how believable it was.
    #[inline]
    pub(crate) fn apply(&self, world: &mut World, writes: &mut Writes, ground: Ground) -> f64 {
        let mut slots = [0; SLOTS];
        let schema = &self.schemas[self.decode(ground, &mut slots)];
        let facts = &world.facts[..];
        let believability = schema.believability(facts, &mut slots);
        writes.clear();
        schema.collect(facts, &mut slots, writes);
        for &(fact, value) in writes.iter() {
            self.index.write(world, fact as usize, value);
        }
        believability
    }

    /// Makes a state of facts.
    pub(crate) fn load(&self, world: &mut World, facts: &[i16]) {
        for (fact, value) in facts.iter().enumerate() {
            if world.facts[fact] != *value {
                self.index.write(world, fact, *value);
            }
        }
    }

    /// G, the weight of the goals met in that of all goals; 0 as long as something that has to happen has not.
    pub(crate) fn goals(&self, facts: &[i16]) -> f64 {
        let mut slots = [0; SLOTS];
        if facts[self.facts.len()..].contains(&0) {
            return 0.0;
        }
        let met = |wish: &&Wish| wish.truth.holds(facts, &mut slots);
        let weights = self.wishes.iter().filter(met).map(|wish| wish.weight);
        weights.sum::<f64>() / self.weight
    }

    /// Whether what has to happen has happened.
    pub(crate) fn is_allowed_end(&self, facts: &[i16]) -> bool {
        !facts[self.facts.len()..].contains(&0)
    }
}

impl Compiled {
    fn ground(&self, slots: &Slots) -> Ground {
        let pairs = self.ranges.iter().zip(slots);
        let number = |so_far, (range, slot): (&Range<u8>, &u8)| {
            so_far * range.len() as Ground + Ground::from(slot - range.start)
        };
        self.first + pairs.fold(0, number)
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

/// Compiles the schema of this index; marks of events begin at this fact, actions at this number.
fn schema(
    problem: &Problem,
    (bases, columns): (&[Option<i32>], &Index),
    (index, marks, first): (usize, usize, Ground),
) -> Compiled {
    let schema = &problem.schemas()[index];
    let kinds: Vec<usize> = schema.params.iter().map(|(_, kind)| *kind).collect();
    let range = |kind: &usize| {
        let entities = &problem.kinds()[*kind].entities;
        entities.start as u8..entities.end as u8
    };
    let ranges: Vec<Range<u8>> = kinds.iter().map(range).collect();
    let compiler = Compiler {
        problem,
        bases: bases.to_vec(),
        kinds,
    };
    let mut conditions = vec![compiler.all(schema.preconditions.iter())];
    for (b, kind) in compiler.kinds.iter().enumerate() {
        let same = (0..b).filter(|a| schema.distinct && compiler.kinds[*a] == *kind);
        conditions.extend(same.map(|a| Truth::Slots(a as u8, b as u8, false)));
    }
    let conditions = flat(conditions);
    let pattern = |args: &[Option<usize>]| args.iter().map(|arg| arg.map(|a| a as u8)).collect();
    let events = problem
        .events()
        .iter()
        .filter(|event| event.schema == index);
    let forbidden = events.filter(|event| !event.must);
    let must = problem.events().iter().filter(|event| event.must);
    let mine = must.enumerate().filter(|(_, event)| event.schema == index);
    let change = |change: &Change<crate::tree::Node>| match change {
        Change::Set(node) => Change::Set(compiler.number(node)),
        Change::Mul(node) => Change::Mul(compiler.number(node)),
    };
    let rules = schema.rules.iter().map(|rule| {
        let condition = rule.condition.as_ref();
        let condition = condition.map_or(Truth::Const(true), |c| compiler.truth(c));
        (condition, change(&rule.change))
    });
    let (base, rules) = (compiler.number(&schema.base), rules.collect::<Vec<_>>());
    let mut factors = rules
        .iter()
        .map(|(_, change)| change)
        .map(|change| match change {
            Change::Set(number) | Change::Mul(number) => number,
        });
    let positive = is_positive(&base) && factors.all(is_positive) && schema.slider > 0.0;
    Compiled {
        first,
        levels: join::levels(columns, &ranges, &conditions),
        conditions,
        ranges,
        forbidden: forbidden.map(|event| pattern(&event.args)).collect(),
        marks: mine
            .map(|(i, e)| ((marks + i) as u32, pattern(&e.args)))
            .collect(),
        base,
        rules,
        slider: schema.slider,
        may_be_zero: !positive,
        writes: compiler.writes(&schema.effects),
    }
}

fn flat(conditions: Vec<Truth>) -> Truth {
    let mut all = Vec::new();
    for condition in conditions {
        match condition {
            Truth::All(more) => all.extend(more),
            Truth::Const(true) => {}
            one => all.push(one),
        }
    }
    Truth::All(all.into())
}

/// Whether a number that never changes is clearly above 0, by which a product of some tens of them is too.
fn is_positive(number: &Number) -> bool {
    matches!(number, Number::Const(value) if *value > 1e-6)
}

/// How many values a fact has, from the least: whole numbers by their limits, null and entities or words by theirs.
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
