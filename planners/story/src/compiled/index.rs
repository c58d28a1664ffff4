//! Which entities have a value: sets as bits of a word, kept up to date, so that choices of
//! parameters are found and not tried.

use super::code::{Place, Slots, Small, Truth};
use super::values_of;
use crate::problem::{Problem, Values};

/// Types with more entities than a word has bits are not indexed.
const BITS: usize = 64;

/// A state: the values of all facts, and who has them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) facts: Vec<i16>,
    sets: Vec<u64>,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            facts: self.facts.clone(),
            sets: self.sets.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.facts.clone_from(&other.facts);
        self.sets.clone_from(&other.sets);
    }
}

impl World {
    /// A set, or everybody else.
    #[inline]
    pub(super) fn set(&self, set: u32, equal: bool) -> u64 {
        let bits = self.sets[set as usize];
        if equal { bits } else { !bits }
    }
}

/// The sets of an attribute, one for each value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sets {
    /// The set of its first value; the sets of the others follow.
    first: u32,
    /// The first value, or one less than the second: what is below belongs to the first set.
    shift: i16,
}

impl Sets {
    #[inline]
    fn set_of(self, value: i16) -> usize {
        self.first as usize + (value - self.shift).max(0) as usize
    }
}

/// An attribute that is indexed.
#[derive(Debug, Clone, Copy)]
struct Column {
    sets: Sets,
    /// Facts of the attribute, as of [`Place`].
    base: i32,
    /// Index of the first entity.
    start: u8,
}

/// Where the sets of all attributes are.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    /// By fact.
    columns: Vec<Option<Column>>,
    sets: usize,
}

/// A set of entities, of which parameters are taken.
#[derive(Debug, Clone)]
pub(super) enum Mask {
    /// Always the same.
    Const(u64),
    /// Who has this value, or who has not.
    Value(u32, bool),
    /// For whom a fact is what is in a slot, or is not.
    Slot(Sets, u8, bool),
    /// For whom a fact is what another fact is, or is not.
    Fact(Sets, Place, bool),
    /// What is in another slot, or everybody else.
    Same(u8, u8, bool),
    /// The entity that a fact is, or everybody else; of entities from this one on.
    Only(Place, u8, bool),
}

impl Mask {
    #[inline(always)]
    pub(super) fn bits(&self, world: &World, slots: &Slots) -> u64 {
        let (bits, equal) = match self {
            Self::Const(bits) => return *bits,
            Self::Value(set, equal) => (world.sets[*set as usize], *equal),
            Self::Slot(column, slot, equal) => {
                let value = i16::from(slots[*slot as usize]);
                (world.sets[column.set_of(value)], *equal)
            }
            Self::Fact(column, place, equal) => {
                let value = world.facts[place.index(slots)];
                (world.sets[column.set_of(value)], *equal)
            }
            Self::Same(slot, start, equal) => (1 << (slots[*slot as usize] - start), *equal),
            Self::Only(place, start, equal) => {
                let value = world.facts[place.index(slots)];
                (bit(value, *start), *equal)
            }
        };
        if equal { bits } else { !bits }
    }
}

impl Index {
    pub(super) fn new(problem: &Problem, bases: &[Option<i32>], facts: usize) -> Self {
        let mut columns = vec![None; facts];
        let mut sets = 0;
        for (index, attribute) in problem.attributes().iter().enumerate() {
            let entities = problem.kinds()[attribute.owner].entities.clone();
            let Some(base) = bases[index].filter(|_| entities.len() <= BITS) else {
                continue;
            };
            let values = values_of(problem, index);
            let shift = match &attribute.values {
                Values::Entity(kind) => problem.kinds()[*kind].entities.start as i16 - 1,
                // Words of other enums lie between; so there are sets for all words.
                Values::Words(_) => -1,
                _ => values[0],
            };
            let highest = match &attribute.values {
                Values::Words(_) => problem.words().len() as i16,
                _ => values.iter().max().copied().unwrap_or(shift),
            };
            let column = Column {
                sets: Sets {
                    first: sets as u32,
                    shift,
                },
                base,
                start: entities.start as u8,
            };
            sets += (highest - shift) as usize + 1;
            for entity in entities {
                columns[(base + entity as i32) as usize] = Some(column);
            }
        }
        Self { columns, sets }
    }

    /// A state with these facts.
    pub(super) fn world(&self, facts: &[i16]) -> World {
        let mut world = World {
            facts: facts.to_vec(),
            sets: vec![0; self.sets],
        };
        for (fact, value) in facts.iter().enumerate() {
            if let Some(Some(column)) = self.columns.get(fact) {
                world.sets[column.sets.set_of(*value)] |= column.bit(fact);
            }
        }
        world
    }

    /// Changes a fact.
    #[inline]
    pub(super) fn write(&self, world: &mut World, fact: usize, value: i16) {
        let old = std::mem::replace(&mut world.facts[fact], value);
        if let Some(Some(column)) = self.columns.get(fact) {
            let bit = column.bit(fact);
            world.sets[column.sets.set_of(old)] &= !bit;
            world.sets[column.sets.set_of(value)] |= bit;
        }
    }

    /// The set of entities in `slot`, of a type that begins with entity `start`, for which a
    /// condition holds; None: there is no set for it.
    pub(super) fn mask(&self, condition: &Truth, slot: u8, start: u8) -> Option<Mask> {
        match condition {
            Truth::Static(s, truths) if *s == slot => {
                let truths = truths.iter().enumerate().skip(usize::from(start));
                let bits = truths.filter(|(_, truth)| **truth);
                let bits = bits.map(|(entity, _)| 1 << (entity - usize::from(start)));
                Some(Mask::Const(bits.sum()))
            }
            Truth::Fact(place, value, equal) if place.slot == slot => {
                let column = self.column(*place, start)?;
                // A value that the attribute never has has no set.
                let set = column.sets.set_of(*value);
                let known = *value >= column.sets.shift && set < self.end(column);
                known.then_some(Mask::Value(set as u32, *equal))
            }
            Truth::FactSlot(place, other, equal) if place.slot == slot && *other != slot => {
                Some(Mask::Slot(self.short(*place, start)?, *other, *equal))
            }
            Truth::FactSlot(place, other, equal) if place.slot != slot && *other == slot => {
                Some(Mask::Only(*place, start, *equal))
            }
            Truth::Facts(a, b, equal) if a.slot == slot && b.slot != slot => {
                Some(Mask::Fact(self.short(*a, start)?, *b, *equal))
            }
            Truth::Facts(b, a, equal) if a.slot == slot && b.slot != slot => {
                Some(Mask::Fact(self.short(*a, start)?, *b, *equal))
            }
            Truth::Slots(a, b, equal) if *a == slot && *b != slot => {
                Some(Mask::Same(*b, start, *equal))
            }
            Truth::Slots(b, a, equal) if *a == slot && *b != slot => {
                Some(Mask::Same(*b, start, *equal))
            }
            _ => None,
        }
    }

    fn column(&self, place: Place, start: u8) -> Option<Column> {
        let fact = (place.base + i32::from(start)) as usize;
        self.columns.get(fact).copied().flatten()
    }

    fn short(&self, place: Place, start: u8) -> Option<Sets> {
        self.column(place, start).map(|column| column.sets)
    }

    /// The set after the last one of a column.
    fn end(&self, column: Column) -> usize {
        let firsts = self.columns.iter().flatten().map(|c| c.sets.first as usize);
        let after = firsts
            .filter(|first| *first > column.sets.first as usize)
            .min();
        after.unwrap_or(self.sets)
    }
}

impl Column {
    /// The bit of the entity that a fact is about.
    #[inline]
    fn bit(self, fact: usize) -> u64 {
        1 << (fact as i32 - self.base - i32::from(self.start))
    }
}

/// The set of one entity of a type that begins with entity `start`.
pub(super) fn singleton(small: &Small, world: &World, slots: &mut Slots, start: u8) -> u64 {
    bit(small.value(&world.facts[..], slots), start)
}

/// The set of an entity, or of nobody.
#[inline]
fn bit(entity: i16, start: u8) -> u64 {
    let place = i32::from(entity) - i32::from(start);
    if (0..BITS as i32).contains(&place) {
        1 << place
    } else {
        0
    }
}
