//! Enumeration of applicable actions as a join: the order in which the parameters of a schema are
//! bound, so that few choices are looked at.

use super::code::{NULL, Slots, Small, Truth};
use super::index::{self, Index, Mask, World};
use super::uses::Uses;
use crate::problem::PARAMS_MAX;
use std::ops::Range;

/// One parameter to bind, and what can be checked once it is.
#[derive(Debug, Clone)]
pub(super) struct Level {
    slot: usize,
    range: Range<u8>,
    /// The only entity that comes into question.
    only: Option<Small>,
    /// Whether the type is small enough for sets: then those that come into question are what all
    /// sets below have in common.
    is_small: bool,
    /// Those that come into question in every state.
    always: u64,
    /// Those with some values, or without, whatever the other parameters are.
    values: Box<[(u32, bool)]>,
    /// Those that fit the parameters bound before.
    masks: Box<[Mask]>,
    /// What else has to hold.
    checks: Box<[Truth]>,
}

/// Levels for parameters of these ranges under these conditions. None: they never hold.
///
/// Greedy: first whatever is determined by what is bound; then what determines most others; then
/// the smallest type; then the lower index.
pub(super) fn levels(
    index: &Index,
    ranges: &[Range<u8>],
    conditions: &Truth,
) -> Option<Vec<Level>> {
    let parts: &[Truth] = match conditions {
        Truth::All(parts) => parts,
        one => std::slice::from_ref(one),
    };
    if parts.contains(&Truth::Const(false)) {
        return None;
    }
    let mut bound = vec![false; ranges.len()];
    let mut used = vec![false; parts.len()];
    let mut levels: Vec<Level> = Vec::new();
    while levels.len() < ranges.len() {
        let free = (0..ranges.len()).filter(|slot| !bound[*slot]);
        let next = free.min_by_key(|&slot| {
            let determined = determined(parts, slot, &bound).is_some();
            let reach = follow(parts, &bound, slot);
            (!determined, usize::MAX - reach, ranges[slot].len(), slot)
        });
        let Some(slot) = next else { break };
        let only = determined(parts, slot, &bound);
        if let Some((part, _)) = only {
            used[part] = true;
        }
        bound[slot] = true;
        let (mut checks, mut masks, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let start = ranges[slot].start;
        let small = ranges[slot].len() <= 64;
        let mut always = u64::MAX >> (64 - ranges[slot].len().clamp(1, 64));
        for (i, part) in parts.iter().enumerate() {
            if !used[i] && slots_of(part, ranges.len()).iter().all(|s| bound[*s]) {
                used[i] = true;
                match index.mask(part, slot as u8, start).filter(|_| small) {
                    Some(Mask::Const(bits)) => always &= bits,
                    Some(Mask::Value(set, equal)) => values.push((set, equal)),
                    Some(mask) => masks.push(mask),
                    None => checks.push(part.clone()),
                }
            }
        }
        levels.push(Level {
            slot,
            range: ranges[slot].clone(),
            only: only.map(|(_, only)| only),
            is_small: small && !ranges[slot].is_empty(),
            always,
            values: values.into(),
            masks: masks.into(),
            checks: checks.into(),
        });
    }
    let determined: Vec<Small> = levels.iter().filter_map(|l| l.only.clone()).collect();
    for level in &mut levels {
        level.values = level
            .values
            .iter()
            .copied()
            .chain(somebody(index, level, &determined))
            .collect();
    }
    Some(levels)
}

/// The sets of those for whom facts are somebody that determine other parameters.
fn somebody(index: &Index, level: &Level, determined: &[Small]) -> Vec<(u32, bool)> {
    let (slot, start) = (level.slot as u8, level.range.start);
    let sets = determined.iter().filter_map(|small| match small {
        Small::Fact(place) if place.slot == slot && level.is_small => {
            match index.mask(&Truth::Fact(*place, NULL, false), slot, start) {
                Some(Mask::Value(set, equal)) => Some((set, equal)),
                _ => None,
            }
        }
        _ => None,
    });
    sets.collect()
}

fn slots_of(truth: &Truth, count: usize) -> Vec<usize> {
    let mut uses = Uses::default();
    uses.truth(truth);
    uses.free(count)
}

/// The condition that says what a parameter is, given those that are bound, and what it says.
fn determined(parts: &[Truth], slot: usize, bound: &[bool]) -> Option<(usize, Small)> {
    parts.iter().enumerate().find_map(|(i, part)| {
        let small = match part {
            Truth::FactSlot(place, s, true) if *s as usize == slot => Small::Fact(*place),
            Truth::Slots(a, b, true) if *a as usize == slot => Small::Slot(*b),
            Truth::Slots(a, b, true) if *b as usize == slot => Small::Slot(*a),
            Truth::Smalls(sides, true) => match &**sides {
                (Small::Slot(s), other) | (other, Small::Slot(s)) if *s as usize == slot => {
                    other.clone()
                }
                _ => return None,
            },
            _ => return None,
        };
        let mut uses = Uses::default();
        uses.small(&small);
        let free = uses.free(bound.len());
        free.iter().all(|s| bound[*s]).then_some((i, small))
    })
}

/// How many parameters are determined one after the other once this one is bound.
fn follow(parts: &[Truth], bound: &[bool], slot: usize) -> usize {
    let mut bound = bound.to_vec();
    bound[slot] = true;
    let mut count = 0;
    while let Some(next) =
        (0..bound.len()).find(|s| !bound[*s] && determined(parts, *s, &bound).is_some())
    {
        bound[next] = true;
        count += 1;
    }
    count
}

/// Some choices of parameters: all parameters but one, and the set of entities that it may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntitySet {
    /// Which parameter.
    pub(super) slot: u8,
    /// The entity of the lowest bit.
    pub(super) start: u8,
    pub(super) bits: u64,
}

/// Goes through all choices of parameters whose conditions hold.
pub(super) fn visit(
    levels: &[Level],
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots),
) {
    visit_bunches(levels, world, slots, &mut |slots, bunch| {
        let Some(EntitySet {
            slot,
            start,
            mut bits,
        }) = bunch
        else {
            return found(slots);
        };
        while bits != 0 {
            slots[slot as usize] = start + bits.trailing_zeros() as u8;
            bits &= bits - 1;
            found(slots);
        }
    });
}

/// The same, with those that differ in the last parameter together where nothing else has to be
/// checked.
#[inline]
pub(super) fn visit_bunches(
    levels: &[Level],
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots, Option<EntitySet>),
) {
    // Most of the time nobody at all fits some parameter.
    let mut bases = [u64::MAX; PARAMS_MAX];
    for (base, level) in bases.iter_mut().zip(levels) {
        if level.is_small {
            let values = level.values.iter();
            *base = values.fold(level.always, |bits, (set, equal)| {
                bits & world.set(*set, *equal)
            });
            if *base == 0 {
                return;
            }
        }
    }
    bind(levels, &bases, world, slots, found);
}

/// The same, for parameters whose candidates do not depend on the other parameters.
fn bind(
    levels: &[Level],
    bases: &[u64],
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots, Option<EntitySet>),
) {
    let Some((level, rest)) = levels.split_first() else {
        found(slots, None);
        return;
    };
    if !level.is_small {
        return try_all(level, rest, &bases[1..], world, slots, found);
    }
    let start = level.range.start;
    let mut bits = bases[0];
    if let Some(small) = &level.only {
        bits &= index::singleton(small, world, slots, start);
    }
    for mask in &level.masks {
        bits &= mask.bits(world, slots);
    }
    if rest.is_empty() && level.checks.is_empty() {
        if bits != 0 {
            let slot = level.slot as u8;
            found(slots, Some(EntitySet { slot, start, bits }));
        }
        return;
    }
    while bits != 0 {
        slots[level.slot] = start + bits.trailing_zeros() as u8;
        bits &= bits - 1;
        if level
            .checks
            .iter()
            .all(|check| check.holds(&world.facts[..], slots))
        {
            bind(rest, &bases[1..], world, slots, found);
        }
    }
}

/// The same for a type that is too large to be indexed.
fn try_all(
    level: &Level,
    rest: &[Level],
    bases: &[u64],
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots, Option<EntitySet>),
) {
    let range = match &level.only {
        None => level.range.clone(),
        Some(only) => {
            let only = only.value(&world.facts[..], slots);
            // Null is nobody.
            if only < 0 || !level.range.contains(&(only as u8)) {
                return;
            }
            only as u8..only as u8 + 1
        }
    };
    for entity in range {
        slots[level.slot] = entity;
        if level
            .checks
            .iter()
            .all(|check| check.holds(&world.facts[..], slots))
        {
            bind(rest, bases, world, slots, found);
        }
    }
}
