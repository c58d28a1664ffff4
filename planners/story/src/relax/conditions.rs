//! Conditions in disjunctive normal form: alternatives of conjunctions over single facts.

use super::Caps;
use crate::compiled::code::{Each, Facts, Place, Slots, Small, Truth};
use std::cell::Cell;

/// Values of a fact, by their places in its domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Set([u64; 4]);

/// Most values of a fact that there is room for.
pub(super) const VALUES_MAX: usize = 256;

impl Set {
    pub(crate) fn single(place: usize) -> Self {
        let mut set = Self::default();
        set.insert(place);
        set
    }

    fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(crate) fn full(count: usize) -> Self {
        let mut set = Self::default();
        (0..count).for_each(|place| set.insert(place));
        set
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether whatever is in this is in the other.
    pub(crate) fn is_in(self, other: Self) -> bool {
        self.minus(other).is_empty()
    }
}

/// Facts and the values that they may have, in the order of the facts: all of them have to fit.
pub(crate) type Conj = Vec<(u32, Set)>;

/// The conjunction of two conjunctions. None: they contradict each other.
pub(crate) fn conjoin(a: &Conj, b: &Conj) -> Option<Conj> {
    let mut joined = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return Some(joined),
            (Some(x), Some(y)) if x.0 == y.0 => {
                let set = x.1.and(y.1);
                if set.is_empty() {
                    return None;
                }
                let fact = x.0;
                a.next();
                b.next();
                (fact, set)
            }
            (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                let next = **x;
                a.next();
                next
            }
            (_, Some(y)) => {
                let next = **y;
                b.next();
                next
            }
            (Some(_), None) => return Some(joined),
        };
        joined.push(next);
    }
}

/// Whether the first is at least as hard to meet as the second.
pub(crate) fn implies(hard: &Conj, easy: &Conj) -> bool {
    easy.iter().all(|(fact, set)| {
        let found = hard.binary_search_by_key(fact, |(fact, _)| *fact);
        found.is_ok_and(|at| hard[at].1.is_in(*set))
    })
}

/// Traces the first fact that is read without being known.
pub(crate) struct FactTracer<'a> {
    known: &'a [(u32, i16)],
    domains: &'a [Vec<i16>],
    needed: Cell<Option<u32>>,
}

impl Facts for FactTracer<'_> {
    fn fact(&self, index: usize) -> i16 {
        let known = self.known.iter().find(|(fact, _)| *fact as usize == index);
        if let Some((_, value)) = known {
            return *value;
        }
        if self.needed.get().is_none() {
            self.needed.set(Some(index as u32));
        }
        self.domains[index].first().copied().unwrap_or(0)
    }
}

/// Turns conditions of an action, whose parameters are known, into disjunctive normal form.
pub(crate) struct ConditionAnalysis<'a> {
    /// By fact: its values, in order; none: it has too many to be looked at.
    pub(crate) domains: &'a [Vec<i16>],
    pub(crate) caps: Caps,
    /// Whether a condition, or a part of one, was taken to hold since the last read of this flag:
    /// then alternatives are weaker than the condition.
    is_cut: Cell<bool>,
}

/// Alternatives. None: too many, or about facts that are not looked at: taken to hold.
pub(crate) type Alternatives = Option<Vec<Conj>>;

impl<'a> ConditionAnalysis<'a> {
    pub(crate) fn new(domains: &'a [Vec<i16>], caps: Caps) -> Self {
        Self {
            domains,
            caps,
            is_cut: Cell::new(false),
        }
    }

    /// Whether what was found since the last question says all that was asked for.
    pub(super) fn is_exact(&self) -> bool {
        !self.is_cut.replace(false)
    }

    /// What is not known is taken to hold.
    pub(super) fn or_true(&self, choices: Alternatives) -> Vec<Conj> {
        choices.unwrap_or_else(|| {
            self.is_cut.set(true);
            vec![Vec::new()]
        })
    }

    pub(super) fn literal(&self, fact: usize, value: i16, equal: bool) -> Alternatives {
        let domain = &self.domains[fact];
        if domain.is_empty() {
            return None;
        }
        let found = domain.binary_search(&value);
        let one = found.map_or(Set::default(), Set::single);
        let set = if equal {
            one
        } else {
            Set::full(domain.len()).minus(one)
        };
        Some(if set.is_empty() {
            Vec::new()
        } else {
            vec![vec![(fact as u32, set)]]
        })
    }

    /// The alternatives under which a condition is as wanted.
    pub(crate) fn choices(&self, truth: &Truth, slots: &Slots, wanted: bool) -> Alternatives {
        let certain = |holds: bool| {
            Some(if holds == wanted {
                vec![Vec::new()]
            } else {
                Vec::new()
            })
        };
        match truth {
            Truth::Const(holds) => certain(*holds),
            Truth::Static(slot, truths) => certain(truths[slots[*slot as usize] as usize]),
            Truth::Slots(a, b, equal) => {
                certain((slots[*a as usize] == slots[*b as usize]) == *equal)
            }
            Truth::Fact(place, value, equal) => {
                self.literal(place.index(slots), *value, *equal == wanted)
            }
            Truth::FactSlot(place, slot, equal) => {
                let value = i16::from(slots[*slot as usize]);
                self.literal(place.index(slots), value, *equal == wanted)
            }
            Truth::Facts(a, b, equal) => self.equals(*a, *b, slots, *equal == wanted),
            Truth::All(all) => self.several(all.iter(), slots, wanted, wanted),
            Truth::Any(any) => self.several(any.iter(), slots, !wanted, wanted),
            Truth::Not(one) => self.choices(one, slots, !wanted),
            Truth::Exists(each) => self.at_least(1, each, slots, wanted),
            Truth::AtLeast(count, each) => self.at_least(*count, each, slots, wanted),
            Truth::Smalls(..) | Truth::Numbers(..) => {
                let holds = |facts: &FactTracer<'_>, slots: &mut Slots| truth.holds(facts, slots);
                let leaves = self.leaves(slots, &holds)?;
                let leaves = leaves.into_iter().filter(|(_, holds)| *holds == wanted);
                Some(leaves.map(|(conj, _)| conj).collect())
            }
        }
    }

    fn equals(&self, a: Place, b: Place, slots: &Slots, equal: bool) -> Alternatives {
        let (a, b) = (a.index(slots), b.index(slots));
        if a == b {
            return Some(if equal { vec![Vec::new()] } else { Vec::new() });
        }
        let mut choices = Vec::new();
        for value in &self.domains[a] {
            let first = self.literal(a, *value, true)?;
            let second = self.literal(b, *value, equal)?;
            for (x, y) in first.iter().zip(&second) {
                choices.extend(conjoin(x, y));
            }
        }
        (!self.domains[a].is_empty()).then_some(choices)
    }

    /// All of some conditions, or one of them, as wanted.
    fn several<'t>(
        &self,
        truths: impl Iterator<Item = &'t Truth>,
        slots: &Slots,
        all: bool,
        wanted: bool,
    ) -> Alternatives {
        let parts = truths.map(|truth| self.choices(truth, slots, wanted));
        if all {
            self.every(parts)
        } else {
            self.one_of(parts)
        }
    }

    /// At least `count` entities fit, or not.
    fn at_least(&self, count: usize, each: &Each, slots: &Slots, wanted: bool) -> Alternatives {
        let entities: Vec<u8> = each.range.clone().collect();
        // Fewer than `count` fit: the others do not.
        let count = if wanted {
            count
        } else {
            (entities.len() + 1).saturating_sub(count)
        };
        let fits = entities.iter().map(|entity| {
            let mut slots = *slots;
            slots[each.slot as usize] = *entity;
            self.fits(each, *entity, &slots, wanted)
        });
        let fits: Vec<Alternatives> = fits.collect();
        if count > fits.len() {
            return Some(Vec::new());
        }
        // By how many fit so far: the alternatives for it.
        let mut ways: Vec<Vec<Conj>> = vec![Vec::new(); count + 1];
        ways[0].push(Vec::new());
        for (index, fits) in fits.iter().enumerate() {
            // With fewer of those so far there are not enough left.
            let least = (count + index + 1).saturating_sub(entities.len());
            for so_far in (0..count).rev() {
                if so_far + 1 < least {
                    ways[so_far + 1].clear();
                    continue;
                }
                let here = [Some(ways[so_far].clone()), fits.clone()];
                let more = self.every(here.into_iter())?;
                ways[so_far + 1].extend(more);
                if ways[so_far + 1].len() > self.caps.choices {
                    return None;
                }
            }
        }
        ways.pop()
    }

    /// Whether an entity, which is in its slot, fits, or does not.
    pub(crate) fn fits(
        &self,
        each: &Each,
        entity: u8,
        slots: &Slots,
        wanted: bool,
    ) -> Alternatives {
        let body = self.choices(&each.body, slots, wanted);
        let Some(only) = &each.only else {
            return body;
        };
        let is = match only {
            Small::Fact(place) => self.literal(place.index(slots), i16::from(entity), wanted),
            other => {
                let same = (other.clone(), Small::Const(i16::from(entity)));
                self.choices(&Truth::Smalls(Box::new(same), true), slots, wanted)
            }
        };
        let parts = [is, body].into_iter();
        if wanted {
            self.every(parts)
        } else {
            self.one_of(parts)
        }
    }

    /// What `look` finds, by the values of the facts that it reads.
    pub(crate) fn leaves<T: Clone + PartialEq>(
        &self,
        slots: &Slots,
        look: &dyn Fn(&FactTracer<'_>, &mut Slots) -> T,
    ) -> Option<Vec<(Conj, T)>> {
        let mut left = self.caps.leaves;
        self.grow(slots, &mut Vec::new(), look, &mut left)
    }

    fn grow<T: Clone + PartialEq>(
        &self,
        slots: &Slots,
        known: &mut Vec<(u32, i16)>,
        look: &dyn Fn(&FactTracer<'_>, &mut Slots) -> T,
        left: &mut usize,
    ) -> Option<Vec<(Conj, T)>> {
        *left = left.checked_sub(1)?;
        let watch = FactTracer {
            known,
            domains: self.domains,
            needed: Cell::new(None),
        };
        let found = look(&watch, &mut slots.clone());
        let Some(fact) = watch.needed.get() else {
            return Some(vec![(Vec::new(), found)]);
        };
        let domain = &self.domains[fact as usize];
        if domain.is_empty() {
            return None;
        }
        // Values under which the same is found are one.
        let mut groups: Vec<(Set, Vec<(Conj, T)>)> = Vec::new();
        for (place, value) in domain.iter().enumerate() {
            known.push((fact, *value));
            let below = self.grow(slots, known, look, left);
            known.pop();
            let below = below?;
            match groups.iter_mut().find(|(_, other)| *other == below) {
                Some((set, _)) => set.insert(place),
                None => groups.push((Set::single(place), below)),
            }
        }
        if groups.len() == 1 {
            return groups.pop().map(|(_, below)| below);
        }
        let mut leaves = Vec::new();
        for (set, below) in groups {
            for (conj, found) in below {
                leaves.extend(conjoin(&vec![(fact, set)], &conj).map(|conj| (conj, found)));
            }
        }
        Some(leaves)
    }

    /// All of some conditions. What is not known is taken to hold, and so is one with which there
    /// are too many alternatives.
    pub(super) fn every(&self, parts: impl Iterator<Item = Alternatives>) -> Alternatives {
        let mut joined = vec![Vec::new()];
        for part in parts {
            let next = part.map(|part| {
                let pairs = joined.iter().flat_map(|a| part.iter().map(move |b| (a, b)));
                pairs.filter_map(|(a, b)| conjoin(a, b)).collect::<Vec<_>>()
            });
            match next.filter(|next| next.len() <= self.caps.choices) {
                Some(next) => joined = next,
                None => self.is_cut.set(true),
            }
        }
        Some(joined)
    }

    /// One of some conditions.
    fn one_of(&self, parts: impl Iterator<Item = Alternatives>) -> Alternatives {
        let mut all: Vec<Conj> = Vec::new();
        for part in parts {
            all.extend(part?);
            if all.len() > self.caps.choices {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}
