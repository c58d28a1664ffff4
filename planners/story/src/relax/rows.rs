//! Which of some actions build on which, which commute, and which are never in one story.

use super::literal::{Set, implies};
use super::touch::{Change, Touch};
use std::collections::BTreeMap;

/// Sets of some actions, one for each of them, by their places in a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(count: usize) -> Self {
        let words = count.div_ceil(64);
        Self {
            words,
            bits: vec![0; words * count],
        }
    }

    fn insert(&mut self, row: usize, place: usize) {
        self.bits[row * self.words + place / 64] |= 1 << (place % 64);
    }

    fn remove(&mut self, row: usize, place: usize) {
        self.bits[row * self.words + place / 64] &= !(1 << (place % 64));
    }

    fn add(&mut self, row: usize, bits: &[u64]) {
        let all = &mut self.bits[row * self.words..(row + 1) * self.words];
        all.iter_mut()
            .zip(bits)
            .for_each(|(all, bits)| *all |= bits);
    }

    /// Whether one is in the set of the other.
    #[inline]
    pub(crate) fn has(&self, row: usize, place: usize) -> bool {
        self.bits[row * self.words + place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether the sets of some have one in common that is in another set too.
    pub(crate) fn meet(&self, rows: &[u32], mask: &[u64]) -> bool {
        (0..self.words).any(|word| {
            let all = rows
                .iter()
                .map(|row| self.bits[*row as usize * self.words + word]);
            all.fold(mask[word], |both, bits| both & bits) != 0
        })
    }

    /// The set of one, as bits.
    pub(crate) fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// Who is in whose set, the other way round.
    fn turned(&self) -> Self {
        let mut turned = Self {
            words: self.words,
            bits: vec![0; self.bits.len()],
        };
        for row in 0..self.bits.len() / self.words.max(1) {
            places(self.of(row)).for_each(|place| turned.insert(place, row));
        }
        turned
    }
}

/// What is in a set.
pub(crate) fn places(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(word, bits)| {
        let mut left = *bits;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                word * 64 + bit
            })
        })
    })
}

/// Of some actions: for each, those that may read a change of it; and those with which it does not
/// commute, itself included.
pub(crate) fn feeds_and_conflicts(touches: &[Touch]) -> (Rows, Rows) {
    let count = touches.len();
    let mut writers: BTreeMap<u32, Vec<(usize, Option<usize>)>> = BTreeMap::new();
    for (action, touch) in touches.iter().enumerate() {
        for change in &touch.changes {
            writers
                .entry(change.fact)
                .or_default()
                .push((action, change.to));
        }
    }
    // Many actions change the same.
    let mut known: BTreeMap<Change, (Vec<u64>, Vec<u64>)> = BTreeMap::new();
    let (mut feeds, mut conflicts) = (Rows::new(count), Rows::new(count));
    for (action, touch) in touches.iter().enumerate() {
        conflicts.insert(action, action);
        for change in &touch.changes {
            let (readers, others) = known.entry(*change).or_insert_with(|| {
                let readers = touches
                    .iter()
                    .map(|other| other.reads.is_disturbed_by(change));
                let others = writers[&change.fact].iter();
                let others = others.filter(|(_, to)| to.is_none() || *to != change.to);
                let mut bits = vec![0; count.div_ceil(64)];
                others.for_each(|(other, _)| bits[other / 64] |= 1 << (other % 64));
                (as_bits(readers), bits)
            });
            feeds.add(action, readers);
            conflicts.add(action, readers);
            conflicts.add(action, others);
        }
    }
    let turned = conflicts.turned();
    (0..count).for_each(|row| conflicts.add(row, turned.of(row)));
    (feeds, conflicts)
}

/// Of some actions: for each, those that can never be in a story with it, as each of the two makes
/// the other one impossible for good.
///
/// For good: none of the actions leads from what the one leaves behind to what the other one needs.
pub(crate) fn exclusions(touches: &[Touch], domains: &[Vec<i16>]) -> Rows {
    let mut ways: BTreeMap<u32, Vec<(Set, Option<usize>)>> = BTreeMap::new();
    for change in touches.iter().flat_map(|touch| &touch.changes) {
        let ways = ways.entry(change.fact).or_default();
        if !ways.contains(&(change.from, change.to)) {
            ways.push((change.from, change.to));
        }
    }
    let mut known: BTreeMap<(u32, usize), Vec<u64>> = BTreeMap::new();
    let mut stops = Rows::new(touches.len());
    for (action, touch) in touches.iter().enumerate() {
        for &(fact, to) in &touch.after {
            let stopped = known.entry((fact, to)).or_insert_with(|| {
                let all = Set::all(domains[fact as usize].len());
                let reached = reach(Set::one(to), &ways[&fact], all);
                let never = all.without(reached);
                as_bits(touches.iter().map(|other| {
                    // It needs what is out of reach.
                    let needs = implies(&other.before, &vec![(fact, never)]);
                    needs && !never.is_empty()
                }))
            });
            stops.add(action, stopped);
        }
    }
    let mut rows = stops.turned();
    rows.bits
        .iter_mut()
        .zip(&stops.bits)
        .for_each(|(all, bits)| *all &= bits);
    // What can be done once only does not exclude itself.
    (0..touches.len()).for_each(|place| rows.remove(place, place));
    rows
}

fn as_bits(truths: impl Iterator<Item = bool>) -> Vec<u64> {
    let mut bits = Vec::new();
    for (place, truth) in truths.enumerate() {
        if place % 64 == 0 {
            bits.push(0);
        }
        bits[place / 64] |= u64::from(truth) << (place % 64);
    }
    bits
}

/// Values that a fact may come to have.
fn reach(mut set: Set, ways: &[(Set, Option<usize>)], all: Set) -> Set {
    loop {
        let before = set;
        for (from, to) in ways {
            if !from.and(set).is_empty() {
                set = set.or(to.map_or(all, Set::one));
            }
        }
        if set == before {
            return set;
        }
    }
}
