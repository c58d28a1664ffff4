//! Relations between actions: which feed which, which do not commute, and which are mutually
//! exclusive in a story.

use super::conditions::{Set, implies};
use super::read_write_sets::{Change, ReadWriteSet};
use std::collections::BTreeMap;

/// A binary relation between actions, by their places in a list: a square matrix of bits.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitMatrix {
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
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

    /// Whether `place` is in the row.
    #[inline]
    pub(crate) fn contains(&self, row: usize, place: usize) -> bool {
        self.bits[row * self.words + place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether the rows and `mask` have a bit in common.
    pub(crate) fn intersects(&self, rows: &[u32], mask: &[u64]) -> bool {
        (0..self.words).any(|word| {
            let all = rows
                .iter()
                .map(|row| self.bits[*row as usize * self.words + word]);
            all.fold(mask[word], |common, bits| common & bits) != 0
        })
    }

    /// The bits of a row.
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// The transposed matrix.
    fn transposed(&self) -> Self {
        let mut transposed = Self {
            words: self.words,
            bits: vec![0; self.bits.len()],
        };
        for row in 0..self.bits.len() / self.words.max(1) {
            ones(self.row(row)).for_each(|place| transposed.insert(place, row));
        }
        transposed
    }
}

/// Positions of the bits that are set.
pub(crate) fn ones(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
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
pub(crate) fn feeds_and_conflicts(read_write_sets: &[ReadWriteSet]) -> (BitMatrix, BitMatrix) {
    let count = read_write_sets.len();
    let mut writers: BTreeMap<u32, Vec<(usize, Option<usize>)>> = BTreeMap::new();
    for (action, read_write_set) in read_write_sets.iter().enumerate() {
        for change in &read_write_set.changes {
            writers
                .entry(change.fact)
                .or_default()
                .push((action, change.to));
        }
    }
    // Many actions change the same.
    let mut known: BTreeMap<Change, (Vec<u64>, Vec<u64>)> = BTreeMap::new();
    let (mut feeds, mut conflicts) = (BitMatrix::new(count), BitMatrix::new(count));
    for (action, read_write_set) in read_write_sets.iter().enumerate() {
        conflicts.insert(action, action);
        for change in &read_write_set.changes {
            let (readers, others) = known.entry(*change).or_insert_with(|| {
                let readers = read_write_sets
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
    let transposed = conflicts.transposed();
    (0..count).for_each(|row| conflicts.add(row, transposed.row(row)));
    (feeds, conflicts)
}

/// Of some actions: for each, those that can never be in a story with it, as each of the two makes
/// the other one impossible for good.
///
/// For good: none of the actions leads from what the one leaves behind to what the other one needs.
pub(crate) fn exclusions(read_write_sets: &[ReadWriteSet], domains: &[Vec<i16>]) -> BitMatrix {
    let mut ways: BTreeMap<u32, Vec<(Set, Option<usize>)>> = BTreeMap::new();
    for change in read_write_sets
        .iter()
        .flat_map(|read_write_set| &read_write_set.changes)
    {
        let ways = ways.entry(change.fact).or_default();
        if !ways.contains(&(change.from, change.to)) {
            ways.push((change.from, change.to));
        }
    }
    let mut known: BTreeMap<(u32, usize), Vec<u64>> = BTreeMap::new();
    let mut stops = BitMatrix::new(read_write_sets.len());
    for (action, read_write_set) in read_write_sets.iter().enumerate() {
        for &(fact, to) in &read_write_set.after {
            let stopped = known.entry((fact, to)).or_insert_with(|| {
                let all = Set::full(domains[fact as usize].len());
                let reached = reach(Set::single(to), &ways[&fact], all);
                let never = all.minus(reached);
                as_bits(read_write_sets.iter().map(|other| {
                    // It needs what is out of reach.
                    let needs = implies(&other.before, &vec![(fact, never)]);
                    needs && !never.is_empty()
                }))
            });
            stops.add(action, stopped);
        }
    }
    let mut rows = stops.transposed();
    rows.bits
        .iter_mut()
        .zip(&stops.bits)
        .for_each(|(all, bits)| *all &= bits);
    // What can be done once only does not exclude itself.
    (0..read_write_sets.len()).for_each(|place| rows.remove(place, place));
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
                set = set.or(to.map_or(all, Set::single));
            }
        }
        if set == before {
            return set;
        }
    }
}
