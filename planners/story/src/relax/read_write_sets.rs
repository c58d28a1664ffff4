//! Read and write sets of actions, from which follows which actions commute.
//!
//! Two actions commute if neither changes anything that the other one distinguishes, and if they
//! write no fact differently: then their order changes neither what happens nor how believable it
//! is.

use super::conditions::{ConditionAnalysis, Conj, Set, conjoin, implies};
use super::{effects, variant};
use crate::compiled::code::{Each, Facts, Number, SLOTS, Slots, Small, Truth, Write};
use crate::compiled::{ActionId, CompiledDomain};
use std::collections::BTreeMap;

/// Distinctions between values of a fact: those in a set, and those that are not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Splits {
    /// All values are distinguished.
    full: bool,
    sets: Vec<Set>,
}

/// What is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reads {
    /// Nobody knows: every fact.
    all: bool,
    facts: BTreeMap<u32, Splits>,
}

/// A fact gets a value; None: any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) fact: u32,
    pub(super) from: Set,
    pub(super) to: Option<usize>,
}

/// What an action reads and writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadWriteSet {
    pub(super) reads: Reads,
    pub(super) changes: Vec<Change>,
    /// What has to hold before, and what certainly holds after.
    pub(super) before: Conj,
    pub(super) after: Vec<(u32, usize)>,
}

impl Reads {
    /// What a condition reads.
    pub(super) fn of_truth(analysis: &ConditionAnalysis<'_>, truth: &Truth) -> Self {
        let mut reader = Reader {
            analysis,
            reads: Self::default(),
        };
        reader.truth(truth, &[0; SLOTS]);
        reader.reads
    }

    /// Reads all that the other reads, too.
    pub(super) fn join(&mut self, other: &Self) {
        self.all |= other.all;
        for (fact, splits) in &other.facts {
            splits.sets.iter().for_each(|set| self.split(*fact, *set));
            self.facts.entry(*fact).or_default().full |= splits.full;
        }
    }

    fn split(&mut self, fact: u32, set: Set) {
        let splits = self.facts.entry(fact).or_default();
        if !splits.sets.contains(&set) {
            splits.sets.push(set);
        }
    }

    /// Whether a change makes a difference to what is read.
    pub(super) fn is_disturbed_by(&self, change: &Change) -> bool {
        if self.all {
            return true;
        }
        let Some(splits) = self.facts.get(&change.fact) else {
            return false;
        };
        let Some(to) = change.to else { return true };
        if splits.full {
            return !change.from.is_in(Set::single(to));
        }
        splits.sets.iter().any(|set| {
            if set.contains(to) {
                !change.from.is_in(*set)
            } else {
                !change.from.and(*set).is_empty()
            }
        })
    }
}

impl ReadWriteSet {
    /// What an action reads and writes.
    pub(crate) fn new(
        compiled: &CompiledDomain,
        analysis: &ConditionAnalysis<'_>,
        action_id: ActionId,
    ) -> Self {
        let mut slots: Slots = [0; SLOTS];
        let schema = &compiled.schemas[compiled.decode(action_id, &mut slots)];
        let Some((sure, _)) = variant::needs(analysis, &schema.conditions, &slots) else {
            return Self::default();
        };
        let mut reader = Reader {
            analysis,
            reads: Reads::default(),
        };
        reader.truth(&schema.conditions, &slots);
        reader.number(&schema.base, &slots);
        for (condition, change) in &schema.rules {
            reader.truth(condition, &slots);
            let (crate::spec::Change::Set(number) | crate::spec::Change::Mul(number)) = change;
            reader.number(number, &slots);
        }
        for write in &schema.writes {
            reader.write(write, &slots);
        }
        let reads = reader.reads;
        let mut changes = Vec::new();
        let mut after: Vec<(u32, usize)> = Vec::new();
        analysis.is_exact();
        let pieces = effects::pieces(compiled, analysis, schema, &slots);
        // Where conditions of effects are not known whole, no effect is certain.
        let is_whole = analysis.is_exact();
        for piece in pieces {
            let Some(under) = conjoin(&sure, &piece.conj) else {
                continue;
            };
            let domain = &analysis.domains[piece.fact as usize];
            let known = under.iter().find(|(fact, _)| *fact == piece.fact);
            let to = piece.value.and_then(|v| domain.binary_search(&v).ok());
            let is_certain = is_whole && implies(&sure, &piece.conj);
            if let (true, Some(to)) = (is_certain, to) {
                after.push((piece.fact, to));
            }
            changes.push(Change {
                fact: piece.fact,
                from: known.map_or(Set::full(domain.len()), |(_, set)| *set),
                to,
            });
        }
        // What may be written over is not certain.
        after.retain(|(fact, to)| {
            let mut same = changes.iter().filter(|change| change.fact == *fact);
            same.all(|change| change.to == Some(*to))
        });
        Self {
            reads,
            changes,
            before: sure,
            after,
        }
    }

    /// Whether this may make a part of a conjunction hold that did not.
    pub(super) fn may_establish(&self, conj: &Conj) -> bool {
        self.changes.iter().any(|change| {
            let found = conj.binary_search_by_key(&change.fact, |(fact, _)| *fact);
            found.is_ok_and(|at| {
                let set = conj[at].1;
                change.to.is_none_or(|to| set.contains(to)) && !change.from.is_in(set)
            })
        })
    }

    /// Whether this may change something that is read.
    pub(super) fn disturbs(&self, reads: &Reads) -> bool {
        self.changes.iter().any(|c| reads.is_disturbed_by(c))
    }
}

/// Collects what is read.
struct Reader<'a> {
    analysis: &'a ConditionAnalysis<'a>,
    reads: Reads,
}

impl Reader<'_> {
    fn value(&mut self, fact: usize, value: i16) {
        let domain = &self.analysis.domains[fact];
        match domain.binary_search(&value) {
            Ok(place) => self.reads.split(fact as u32, Set::single(place)),
            // A value that it never has: nothing is distinguished. A fact that is not looked at:
            // everything.
            Err(_) if domain.is_empty() => self.full(fact),
            Err(_) => {}
        }
    }

    fn full(&mut self, fact: usize) {
        self.reads.facts.entry(fact as u32).or_default().full = true;
    }

    fn leaves<T: Clone + PartialEq>(
        &mut self,
        slots: &Slots,
        look: &dyn Fn(&super::conditions::FactTracer<'_>, &mut Slots) -> T,
    ) {
        match self.analysis.leaves(slots, look) {
            None => self.reads.all = true,
            Some(leaves) => {
                for (fact, set) in leaves.iter().flat_map(|(conj, _)| conj) {
                    self.reads.split(*fact, *set);
                }
            }
        }
    }

    fn number(&mut self, number: &Number, slots: &Slots) {
        self.leaves(slots, &|facts, slots| number.value(facts, slots));
    }

    fn truth(&mut self, truth: &Truth, slots: &Slots) {
        match truth {
            Truth::Const(_) | Truth::Static(..) | Truth::Slots(..) => {}
            Truth::Fact(place, value, _) => self.value(place.index(slots), *value),
            Truth::FactSlot(place, slot, _) => {
                self.value(place.index(slots), i16::from(slots[*slot as usize]));
            }
            Truth::Facts(a, b, _) => {
                self.full(a.index(slots));
                self.full(b.index(slots));
            }
            Truth::All(all) | Truth::Any(all) => all.iter().for_each(|one| self.truth(one, slots)),
            Truth::Not(one) => self.truth(one, slots),
            Truth::Exists(each) | Truth::AtLeast(_, each) => {
                self.entity_condition(each, slots, &[]);
            }
            Truth::Smalls(..) | Truth::Numbers(..) => {
                self.leaves(slots, &|facts, slots| truth.holds(facts, slots));
            }
        }
    }

    fn entity_condition(&mut self, each: &Each, slots: &Slots, writes: &[Write]) {
        for entity in each.range.clone() {
            let mut slots = *slots;
            slots[each.slot as usize] = entity;
            if is_never(&each.body, &slots) {
                continue;
            }
            match &each.only {
                None => {}
                Some(Small::Fact(place)) => self.value(place.index(&slots), i16::from(entity)),
                Some(other) => self.leaves(&slots, &|facts, slots| {
                    other.value(facts, slots) == i16::from(entity)
                }),
            }
            self.truth(&each.body, &slots);
            for write in writes {
                self.write(write, &slots);
            }
        }
    }

    fn write(&mut self, write: &Write, slots: &Slots) {
        match write {
            Write::Small { entity, value, .. } => self.leaves(slots, &|facts, slots| {
                let entity = entity.value(facts, slots);
                (entity >= 0).then(|| (entity, value.value(facts, slots)))
            }),
            Write::Number {
                entity,
                base,
                value,
                adds,
                limits: (min, max),
            } => self.leaves(slots, &|facts, slots| {
                let entity = entity.value(facts, slots);
                (entity >= 0).then(|| {
                    let fact = (base + i32::from(entity)) as usize;
                    let old = if *adds { facts.fact(fact) } else { 0 };
                    let new = value.value(facts, slots) + f64::from(old);
                    (entity, new.clamp(f64::from(*min), f64::from(*max)) as i16)
                })
            }),
            Write::When(condition, writes) => {
                self.truth(condition, slots);
                writes.iter().for_each(|write| self.write(write, slots));
            }
            Write::Each(each, writes) => self.entity_condition(each, slots, writes),
        }
    }
}

/// Whether a condition does not hold, whatever the facts.
fn is_never(truth: &Truth, slots: &Slots) -> bool {
    match truth {
        Truth::Const(holds) => !holds,
        Truth::Static(slot, truths) => !truths[slots[*slot as usize] as usize],
        Truth::Slots(a, b, equal) => (slots[*a as usize] == slots[*b as usize]) != *equal,
        Truth::All(all) => all.iter().any(|one| is_never(one, slots)),
        _ => false,
    }
}
