//! Compiled expressions over a flat state of small whole numbers, and how they are evaluated.

use crate::spec::{Comparison, Operation};
use crate::tree::NUMBER_MAX;
use std::ops::Range;

/// Nothing, nobody, in a state.
pub(crate) const NULL: i16 = -1;
/// Slots: parameters and bound variables.
pub(crate) const SLOTS: usize = crate::problem::PARAMS_MAX + crate::problem::DEPTH_MAX + 1;

/// Entities bound to parameters and variables, by index over all types.
pub(crate) type Slots = [u8; SLOTS];

/// Where facts are read: a state, or something that watches what is read.
pub(crate) trait Facts {
    /// The value of a fact.
    fn fact(&self, index: usize) -> i16;
}

impl Facts for [i16] {
    #[inline]
    fn fact(&self, index: usize) -> i16 {
        self[index]
    }
}

/// The fact of an entity in a slot: an attribute's facts, moved so that entities index them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) slot: u8,
    pub(crate) base: i32,
}

impl Place {
    #[inline]
    pub(crate) fn index(self, slots: &Slots) -> usize {
        (self.base + i32::from(slots[self.slot as usize])) as usize
    }
}

/// An entity, a word or a truth, as a small number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Small {
    Const(i16),
    Slot(u8),
    Fact(Place),
    /// By entity in a slot; never changes.
    Static(u8, Box<[i16]>),
    /// The attribute of an entity that has to be found out first: where it is by entity, facts or
    /// constants.
    Of(Box<Small>, Box<Source>),
    If(Box<(Truth, Small, Small)>),
    Truth(Box<Truth>),
}

/// The values of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// Facts from here on, moved so that entities index them; and what it is of null.
    Facts(i32, i16),
    /// Constants by entity.
    Smalls(Box<[i16]>, i16),
    /// Numbers by entity.
    Numbers(Box<[f64]>),
}

/// A number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Number {
    Const(f64),
    Fact(Place),
    /// By entity in a slot; never changes.
    Static(u8, Box<[f64]>),
    Of(Box<Small>, Box<Source>),
    Arithmetic(Operation, Box<(Number, Number)>),
    If(Box<(Truth, Number, Number)>),
    Min(Box<[Number]>),
    Max(Box<[Number]>),
    Count(Box<Each>),
}

/// A condition on the entities of a type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Each {
    pub(crate) slot: u8,
    pub(crate) range: Range<u8>,
    /// Those of them that may fit in some state.
    pub(crate) among: Box<[u8]>,
    /// The only entity that comes into question, where the condition says so.
    pub(crate) only: Option<Small>,
    pub(crate) body: Truth,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Truth {
    Const(bool),
    /// By entity in a slot; never changes.
    Static(u8, Box<[bool]>),
    /// A fact that is, or is not, this.
    Fact(Place, i16, bool),
    /// A fact that is, or is not, the entity in a slot.
    FactSlot(Place, u8, bool),
    /// Two facts that are, or are not, equal.
    Facts(Place, Place, bool),
    /// Two entities that are, or are not, equal.
    Slots(u8, u8, bool),
    Smalls(Box<(Small, Small)>, bool),
    Numbers(Comparison, Box<(Number, Number)>),
    All(Box<[Truth]>),
    Any(Box<[Truth]>),
    Not(Box<Truth>),
    /// One holds.
    Exists(Box<Each>),
    /// At least this number hold.
    AtLeast(usize, Box<Each>),
}

impl Small {
    pub(crate) fn value<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> i16 {
        match self {
            Self::Const(value) => *value,
            Self::Slot(slot) => i16::from(slots[*slot as usize]),
            Self::Fact(place) => facts.fact(place.index(slots)),
            Self::Static(slot, values) => values[slots[*slot as usize] as usize],
            Self::Of(entity, source) => {
                let entity = entity.value(facts, slots);
                match &**source {
                    Source::Facts(_, none) | Source::Smalls(_, none) if entity < 0 => *none,
                    Source::Facts(base, _) => facts.fact((base + i32::from(entity)) as usize),
                    Source::Smalls(values, _) => values[entity as usize],
                    Source::Numbers(_) => NULL,
                }
            }
            Self::If(parts) => {
                if parts.0.holds(facts, slots) {
                    parts.1.value(facts, slots)
                } else {
                    parts.2.value(facts, slots)
                }
            }
            Self::Truth(truth) => i16::from(truth.holds(facts, slots)),
        }
    }
}

impl Number {
    pub(crate) fn value<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> f64 {
        match self {
            Self::Const(value) => *value,
            Self::Fact(place) => f64::from(facts.fact(place.index(slots))),
            Self::Static(slot, values) => values[slots[*slot as usize] as usize],
            Self::Of(entity, source) => {
                let entity = entity.value(facts, slots);
                match &**source {
                    _ if entity < 0 => 0.0,
                    Source::Facts(base, _) => {
                        f64::from(facts.fact((base + i32::from(entity)) as usize))
                    }
                    Source::Smalls(values, _) => f64::from(values[entity as usize]),
                    Source::Numbers(values) => values[entity as usize],
                }
            }
            Self::Arithmetic(operation, sides) => {
                let (a, b) = (sides.0.value(facts, slots), sides.1.value(facts, slots));
                let result = match operation {
                    Operation::Plus => a + b,
                    Operation::Minus => a - b,
                    Operation::Times => a * b,
                };
                result.clamp(-NUMBER_MAX, NUMBER_MAX)
            }
            Self::If(parts) => {
                if parts.0.holds(facts, slots) {
                    parts.1.value(facts, slots)
                } else {
                    parts.2.value(facts, slots)
                }
            }
            Self::Min(all) => all
                .iter()
                .map(|n| n.value(facts, slots))
                .fold(f64::MAX, f64::min),
            Self::Max(all) => all
                .iter()
                .map(|n| n.value(facts, slots))
                .fold(f64::MIN, f64::max),
            Self::Count(each) => each.count(usize::MAX, facts, slots) as f64,
        }
    }
}

impl Each {
    /// Goes through those that fit; `look` says whether to go on.
    #[inline]
    pub(crate) fn visit<F: Facts + ?Sized>(
        &self,
        facts: &F,
        slots: &mut Slots,
        mut look: impl FnMut(&mut Slots) -> bool,
    ) {
        let slot = self.slot as usize;
        if let Some(only) = &self.only {
            let only = only.value(facts, slots);
            let fits = only >= 0 && self.range.contains(&(only as u8));
            if fits {
                slots[slot] = only as u8;
                if self.body.holds(facts, slots) {
                    look(slots);
                }
            }
            return;
        }
        for &entity in &self.among {
            slots[slot] = entity;
            if self.body.holds(facts, slots) && !look(slots) {
                return;
            }
        }
    }

    fn exists<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> bool {
        let Some(only) = &self.only else {
            return self.count(1, facts, slots) > 0;
        };
        let only = only.value(facts, slots);
        if only < 0 || !self.range.contains(&(only as u8)) {
            return false;
        }
        slots[self.slot as usize] = only as u8;
        self.body.holds(facts, slots)
    }

    fn count<F: Facts + ?Sized>(&self, enough: usize, facts: &F, slots: &mut Slots) -> usize {
        let mut count = 0;
        self.visit(facts, slots, |_| {
            count += 1;
            count < enough
        });
        count
    }
}

impl Truth {
    #[inline]
    pub(crate) fn holds<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> bool {
        match self {
            Self::Const(truth) => *truth,
            Self::Static(slot, truths) => truths[slots[*slot as usize] as usize],
            Self::Fact(place, value, equal) => (facts.fact(place.index(slots)) == *value) == *equal,
            Self::FactSlot(place, slot, equal) => {
                let entity = i16::from(slots[*slot as usize]);
                (facts.fact(place.index(slots)) == entity) == *equal
            }
            Self::Facts(a, b, equal) => {
                (facts.fact(a.index(slots)) == facts.fact(b.index(slots))) == *equal
            }
            Self::Slots(a, b, equal) => (slots[*a as usize] == slots[*b as usize]) == *equal,
            _ => self.holds_slowly(facts, slots),
        }
    }

    fn holds_slowly<F: Facts + ?Sized>(&self, facts: &F, slots: &mut Slots) -> bool {
        match self {
            Self::Smalls(sides, equal) => {
                let a = sides.0.value(facts, slots);
                (a == sides.1.value(facts, slots)) == *equal
            }
            Self::Numbers(how, sides) => {
                let (a, b) = (sides.0.value(facts, slots), sides.1.value(facts, slots));
                compare(*how, a, b)
            }
            Self::All(all) => all.iter().all(|one| one.holds(facts, slots)),
            Self::Any(all) => all.iter().any(|one| one.holds(facts, slots)),
            Self::Not(one) => !one.holds(facts, slots),
            Self::Exists(each) => each.exists(facts, slots),
            Self::AtLeast(enough, each) => {
                *enough == 0 || each.count(*enough, facts, slots) >= *enough
            }
            // Handled by the caller.
            _ => self.holds(facts, slots),
        }
    }
}

/// Compares two numbers.
#[expect(clippy::float_cmp, reason = "equal means equal, as in the check")]
pub(crate) fn compare(how: Comparison, a: f64, b: f64) -> bool {
    match how {
        Comparison::Equal => a == b,
        Comparison::Unequal => a != b,
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}

/// What an action writes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Write {
    /// Sets a fact of an entity: attribute's facts moved so that entities index them.
    Small {
        entity: Small,
        base: i32,
        value: Small,
    },
    /// Sets or adds to a whole number within limits.
    Number {
        entity: Small,
        base: i32,
        value: Number,
        adds: bool,
        limits: (i16, i16),
    },
    When(Truth, Box<[Write]>),
    Each(Box<Each>, Box<[Write]>),
}

/// Writes that are still to be done: fact and value.
pub(crate) type Writes = Vec<(u32, i16)>;

/// Collects what is to be written. All of it reads the state before.
pub(crate) fn collect<F: Facts + ?Sized>(
    all: &[Write],
    facts: &F,
    slots: &mut Slots,
    out: &mut Writes,
) {
    for write in all {
        match write {
            Write::Small {
                entity,
                base,
                value,
            } => {
                let entity = entity.value(facts, slots);
                if entity >= 0 {
                    let value = value.value(facts, slots);
                    out.push(((base + i32::from(entity)) as u32, value));
                }
            }
            Write::Number {
                entity,
                base,
                value,
                adds,
                limits: (min, max),
            } => {
                let entity = entity.value(facts, slots);
                if entity >= 0 {
                    let fact = (base + i32::from(entity)) as usize;
                    let old = if *adds {
                        f64::from(facts.fact(fact))
                    } else {
                        0.0
                    };
                    let new = value.value(facts, slots) + old;
                    let new = new.clamp(f64::from(*min), f64::from(*max));
                    out.push((fact as u32, new as i16));
                }
            }
            Write::When(condition, writes) => {
                if condition.holds(facts, slots) {
                    collect(writes, facts, slots, out);
                }
            }
            Write::Each(each, writes) => each.visit(facts, slots, |slots| {
                collect(writes, facts, slots, out);
                true
            }),
        }
    }
}
