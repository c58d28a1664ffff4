//! What code reads: slots, and whether any fact.

use super::code::{Each, Number, Place, SLOTS, Small, Source, Truth};

/// What code reads.
#[derive(Debug, Default)]
pub(super) struct Uses {
    slots: u64,
    /// Whether any fact is read.
    pub(super) facts: bool,
    /// Attributes that are read, by where their facts are, as of [`Place`].
    pub(super) bases: Vec<i32>,
}

const _: () = assert!(SLOTS <= 64, "slots are bits of a word");

impl Uses {
    /// The slots below `bound` that are read.
    pub(super) fn free(&self, bound: usize) -> Vec<usize> {
        (0..bound)
            .filter(|slot| self.slots >> slot & 1 == 1)
            .collect()
    }

    pub(super) fn slot(&mut self, slot: u8) {
        self.slots |= 1 << slot;
    }

    fn place(&mut self, place: Place) {
        self.slot(place.slot);
        self.facts = true;
        self.bases.push(place.base);
    }

    fn source(&mut self, source: &Source) {
        if let Source::Facts(base, _) = source {
            self.facts = true;
            self.bases.push(*base);
        }
    }

    pub(super) fn small(&mut self, small: &Small) {
        match small {
            Small::Const(_) => {}
            Small::Slot(slot) | Small::Static(slot, _) => self.slot(*slot),
            Small::Fact(place) => self.place(*place),
            Small::Of(entity, source) => {
                self.small(entity);
                self.source(source);
            }
            Small::If(parts) => {
                self.truth(&parts.0);
                self.small(&parts.1);
                self.small(&parts.2);
            }
            Small::Truth(truth) => self.truth(truth),
        }
    }

    pub(super) fn number(&mut self, number: &Number) {
        match number {
            Number::Const(_) => {}
            Number::Fact(place) => self.place(*place),
            Number::Static(slot, _) => self.slot(*slot),
            Number::Of(entity, source) => {
                self.small(entity);
                self.source(source);
            }
            Number::Arithmetic(_, sides) => {
                self.number(&sides.0);
                self.number(&sides.1);
            }
            Number::If(parts) => {
                self.truth(&parts.0);
                self.number(&parts.1);
                self.number(&parts.2);
            }
            Number::Min(all) | Number::Max(all) => all.iter().for_each(|one| self.number(one)),
            Number::Count(each) => self.entity_condition(each),
        }
    }

    fn entity_condition(&mut self, each: &Each) {
        each.only.iter().for_each(|only| self.small(only));
        self.truth(&each.body);
    }

    pub(super) fn truth(&mut self, truth: &Truth) {
        match truth {
            Truth::Const(_) => {}
            Truth::Static(slot, _) => self.slot(*slot),
            Truth::Fact(place, ..) => self.place(*place),
            Truth::FactSlot(place, slot, _) => {
                self.place(*place);
                self.slot(*slot);
            }
            Truth::Facts(a, b, _) => {
                self.place(*a);
                self.place(*b);
            }
            Truth::Slots(a, b, _) => {
                self.slot(*a);
                self.slot(*b);
            }
            Truth::Smalls(sides, _) => {
                self.small(&sides.0);
                self.small(&sides.1);
            }
            Truth::Numbers(_, sides) => {
                self.number(&sides.0);
                self.number(&sides.1);
            }
            Truth::All(all) | Truth::Any(all) => all.iter().for_each(|one| self.truth(one)),
            Truth::Not(one) => self.truth(one),
            Truth::Exists(each) | Truth::AtLeast(_, each) => self.entity_condition(each),
        }
    }
}
